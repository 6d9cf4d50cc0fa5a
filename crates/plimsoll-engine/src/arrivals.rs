//! The open model: requests become due by the schedule, and no answer can slow them down.
//!
//! A due request takes an idle lane, the one used last so that few connections stay warm, or a new one. When
//! as many are in flight as the plan allows, it is dropped and counted.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use plimsoll_journey::Jar;
use plimsoll_model::OpenLoad;

use crate::clock::{Moment, NEVER, nanos};
use crate::journey::{Key, Traveller, Trip};
use crate::lane::Lane;
use crate::schedule::Schedule;
use crate::sentry::Sentry;
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
    let mut mix = worker.script().map(|scripted| scripted.mix.arrivals());
    while let Some(arrival) = schedule.next() {
        let due = arrival.due;
        wait(worker, due).await;
        if worker.now() > end.saturating_add(BEHIND_MAX) {
            worker.recorder().missed(1 + schedule.count() as u64);
            break;
        }
        let number = arrival.number;
        let trip = mix.as_mut().map(|mix| Trip { key: Key::Arrival(number), taken: mix.take(number) });
        if worker.under_way() >= room {
            drop_arrival(worker, due, trip);
        } else {
            lanes.give(worker, (due, trip));
        }
        if worker.is_out_of_rows() {
            return;
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

/// There was no room for an arrival: for its request, or for the first step of the journey it would have taken.
fn drop_arrival(worker: &Worker, due: Moment, trip: Option<Trip>) {
    let now = worker.now();
    let mut recorder = worker.recorder();
    let Some(Trip { taken, .. }) = trip else { return recorder.dropped(0, due, now) };
    recorder.dropped(worker.plan().first_step(taken.journey), due, now);
    recorder.flow_ended(taken.journey, due, due.saturating_add(nanos(worker.timeouts().whole)), false);
}

/// When an arrival is due, and what its journey is keyed by, if it takes one.
type Due = (Moment, Option<Trip>);

/// What serves arrivals, one at a time.
enum Server {
    Lane(Box<Lane>),
    Traveller(Box<Traveller>),
}

impl Server {
    fn new(worker: &Rc<Worker>) -> Self {
        match worker.script() {
            None => Self::Lane(Box::new(Lane::new(Rc::clone(worker)))),
            Some(scripted) => {
                let (base, jar) = (scripted.stage.base(&scripted.script), Jar::default());
                Self::Traveller(Box::new(Traveller::new(Rc::clone(worker), base, jar)))
            }
        }
    }

    async fn serve(&mut self, (due, trip): Due) {
        match (self, trip) {
            (Self::Traveller(traveller), Some(trip)) => {
                let ended = traveller.perform(due, trip).await;
                if ended.is_last {
                    traveller.worker().runs_out_of_rows();
                }
            }
            (Self::Lane(lane), _) => {
                lane.perform(due).await;
            }
            (Self::Traveller(_), None) => {}
        }
    }
}

/// The lanes that wait for work.
#[derive(Default)]
struct Lanes {
    idle: RefCell<Vec<Rc<Slot>>>,
}

/// Where a lane's next arrival is put.
#[derive(Default)]
struct Slot {
    arrival: Cell<Option<Due>>,
    waker: RefCell<Option<Waker>>,
}

impl Lanes {
    fn give(self: &Rc<Self>, worker: &Rc<Worker>, arrival: Due) {
        if worker.script().is_some() {
            worker.flow_begins();
        } else {
            worker.recorder().due(arrival.0);
        }
        let idle = self.idle.borrow_mut().pop();
        match idle {
            Some(slot) => slot.put(arrival),
            None => self.open(worker, arrival),
        }
    }

    fn open(self: &Rc<Self>, worker: &Rc<Worker>, arrival: Due) {
        let (lanes, worker) = (Rc::clone(self), Rc::clone(worker));
        tokio::task::spawn_local(async move {
            let _sentry = Sentry::over(&worker);
            let slot = Rc::new(Slot::default());
            slot.put(arrival);
            let mut server = Server::new(&worker);
            loop {
                server.serve(slot.next().await).await;
                lanes.idle.borrow_mut().push(Rc::clone(&slot));
            }
        });
    }
}

impl Slot {
    fn put(&self, arrival: Due) {
        self.arrival.set(Some(arrival));
        if let Some(waker) = self.waker.borrow().as_ref() {
            waker.wake_by_ref();
        }
    }

    async fn next(&self) -> Due {
        poll_fn(|cx| match self.arrival.take() {
            Some(arrival) => Poll::Ready(arrival),
            None => {
                self.waker.borrow_mut().get_or_insert_with(|| cx.waker().clone());
                Poll::Pending
            }
        })
        .await
    }
}
