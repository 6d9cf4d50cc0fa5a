//! The open model: requests become due by the schedule, and no answer can slow them down.
//!
//! A due request takes an idle lane, the one used last so that few connections stay warm, or a new one. When
//! as many are in flight as the plan allows, it is dropped and counted.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use plimsoll_model::OpenLoad;

use crate::clock::{Moment, NEVER, nanos};
use crate::lane::Lane;
use crate::schedule::{Arrival, Schedule};
use crate::worker::Worker;

/// A schedule that is this far behind when load ends is not caught up with any more.
const BEHIND_MAX: Moment = 1_000_000_000;

/// Gives out this thread's arrivals, and ends when load does.
pub(crate) async fn give_out(worker: &Rc<Worker>, open: &OpenLoad) {
    let plan = worker.plan();
    let end = plan.length().map_or(NEVER, nanos);
    let slice = worker.slice();
    let room = slice.part_of(u64::from(open.in_flight_max)).max(1);
    let lanes = Rc::new(Lanes::default());
    let schedule = Schedule::new(open.shape.clone(), open.arrivals, plan.seed, slice, plan.stop.requests);
    let mut schedule = schedule.take_while(|arrival| arrival.due < end);
    while let Some(Arrival { due, .. }) = schedule.next() {
        wait(worker, due).await;
        if worker.now() > end.saturating_add(BEHIND_MAX) {
            worker.recorder().missed(1 + schedule.count() as u64);
            break;
        }
        if worker.recorder().in_flight() >= room {
            worker.recorder().dropped(due, worker.now());
        } else {
            worker.recorder().due(due);
            lanes.give(worker, due);
        }
    }
    if end != NEVER {
        worker.timers().sleep_until(end).await;
    }
}

/// Waits until an arrival is due: asleep where that loses nothing, else awake for answers in between.
async fn wait(worker: &Worker, due: Moment) {
    if worker.doze().is_possible() {
        // What was given out is sent first, and what has come is read.
        tokio::task::yield_now().await;
        if worker.doze().is_wise(worker.now(), due) {
            worker.doze().until(worker.timers().clock(), due);
            return;
        }
    }
    worker.timers().sleep_until(due).await;
}

/// The lanes that wait for work.
#[derive(Default)]
struct Lanes {
    idle: RefCell<Vec<Rc<Slot>>>,
}

/// Where a lane's next arrival is put.
#[derive(Default)]
struct Slot {
    due: Cell<Option<Moment>>,
    waker: RefCell<Option<Waker>>,
}

impl Lanes {
    fn give(self: &Rc<Self>, worker: &Rc<Worker>, due: Moment) {
        let idle = self.idle.borrow_mut().pop();
        match idle {
            Some(slot) => slot.put(due),
            None => self.open(worker, due),
        }
    }

    fn open(self: &Rc<Self>, worker: &Rc<Worker>, due: Moment) {
        let (lanes, worker) = (Rc::clone(self), Rc::clone(worker));
        tokio::task::spawn_local(async move {
            let slot = Rc::new(Slot::default());
            slot.put(due);
            let mut lane = Lane::new(Rc::clone(&worker));
            loop {
                let due = slot.next().await;
                lane.perform(due).await;
                lanes.idle.borrow_mut().push(Rc::clone(&slot));
            }
        });
    }
}

impl Slot {
    fn put(&self, due: Moment) {
        self.due.set(Some(due));
        if let Some(waker) = self.waker.borrow().as_ref() {
            waker.wake_by_ref();
        }
    }

    async fn next(&self) -> Moment {
        poll_fn(|cx| match self.due.take() {
            Some(due) => Poll::Ready(due),
            None => {
                self.waker.borrow_mut().get_or_insert_with(|| cx.waker().clone());
                Poll::Pending
            }
        })
        .await
    }
}
