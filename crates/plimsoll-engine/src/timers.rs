//! All the timers of one thread: arrivals, pauses and time-outs in one heap behind one alarm.
//!
//! A time-out must cost nothing when it does not fire. So a [`Watch`] is put into the heap once and only moved
//! when its entry comes up: extending a deadline is a store, not an operation on the heap.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::future::poll_fn;
use std::io;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use crate::alarm::Alarm;
use crate::clock::{Clock, Moment, NEVER};

/// The timers of one thread.
pub(crate) struct Timers {
    clock: Clock,
    alarm: Alarm,
    heap: RefCell<BinaryHeap<Reverse<Entry>>>,
    /// What the alarm is set to; `NEVER` while the driver is awake and will set it anyway.
    set_to: Cell<Moment>,
    driver_awake: Cell<bool>,
    entries_made: Cell<u64>,
}

struct Entry {
    at: Moment,
    /// Entries of the same moment come up in the order in which they were made.
    number: u64,
    what: What,
}

enum What {
    Wake(Waker),
    Check(Rc<Watch>),
}

/// A deadline that is usually met.
pub(crate) struct Watch {
    deadline: Cell<Moment>,
    /// When the earliest entry for this watch comes up.
    entry_at: Cell<Moment>,
    expired: Cell<bool>,
    waker: RefCell<Option<Waker>>,
}

impl Timers {
    /// Must be made inside the thread's runtime; [`Timers::drive`] must be running for anything to fire.
    pub(crate) fn new(clock: Clock) -> io::Result<Self> {
        Ok(Self::with_alarm(clock, Alarm::new()?))
    }

    pub(crate) fn with_alarm(clock: Clock, alarm: Alarm) -> Self {
        Self {
            clock,
            alarm,
            heap: RefCell::default(),
            set_to: Cell::new(NEVER),
            driver_awake: Cell::new(false),
            entries_made: Cell::new(0),
        }
    }

    /// The clock that these timers go by.
    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Waits until a moment has come; returns at once if it has.
    /// Never returns if the moment is `NEVER`.
    pub(crate) async fn sleep_until(&self, at: Moment) {
        let mut entered = at == NEVER;
        poll_fn(|cx| {
            if self.clock.now() >= at {
                return Poll::Ready(());
            }
            if !entered {
                entered = true;
                self.enter(at, What::Wake(cx.waker().clone()));
            }
            Poll::Pending
        })
        .await;
    }

    /// Gives a watch a new deadline.
    #[inline]
    pub(crate) fn set_deadline(&self, watch: &Rc<Watch>, deadline: Moment) {
        watch.deadline.set(deadline);
        watch.expired.set(false);
        if deadline < watch.entry_at.get() {
            watch.entry_at.set(deadline);
            self.enter(deadline, What::Check(Rc::clone(watch)));
        }
    }

    /// Fires timers for as long as it is polled.
    pub(crate) async fn drive(&self) {
        loop {
            self.driver_awake.set(true);
            self.fire_due();
            // What was woken runs now, and may add timers; one setting of the alarm then serves them all.
            step_behind_the_others().await;
            self.driver_awake.set(false);
            let next = self.heap.borrow().peek().map_or(NEVER, |Reverse(entry)| entry.at);
            self.set_alarm(next);
            self.alarm.rings(&self.clock).await;
        }
    }

    fn fire_due(&self) {
        let now = self.clock.now();
        loop {
            let mut heap = self.heap.borrow_mut();
            if heap.peek().is_none_or(|Reverse(entry)| entry.at > now) {
                return;
            }
            let Some(Reverse(entry)) = heap.pop() else { return };
            drop(heap);
            match entry.what {
                What::Wake(waker) => waker.wake(),
                What::Check(watch) => self.check(watch, now),
            }
        }
    }

    fn check(&self, watch: Rc<Watch>, now: Moment) {
        let deadline = watch.deadline.get();
        watch.entry_at.set(NEVER);
        if deadline == NEVER {
            return;
        }
        if deadline > now {
            watch.entry_at.set(deadline);
            self.enter(deadline, What::Check(watch));
            return;
        }
        watch.expired.set(true);
        if let Some(waker) = watch.waker.borrow().as_ref() {
            waker.wake_by_ref();
        }
    }

    fn enter(&self, at: Moment, what: What) {
        let number = self.entries_made.replace(self.entries_made.get() + 1);
        self.heap.borrow_mut().push(Reverse(Entry { at, number, what }));
        if at < self.set_to.get() && !self.driver_awake.get() {
            self.set_alarm(at);
        }
    }

    fn set_alarm(&self, at: Moment) {
        self.set_to.set(at);
        self.alarm.set(&self.clock, at);
    }
}

impl Watch {
    pub(crate) fn new() -> Rc<Self> {
        Rc::new(Self {
            deadline: Cell::new(NEVER),
            entry_at: Cell::new(NEVER),
            expired: Cell::new(false),
            waker: RefCell::new(None),
        })
    }

    /// Names the task to wake; a task keeps its waker for life, so this is cheap after the first time.
    #[inline]
    pub(crate) fn belongs_to(&self, cx: &Context<'_>) {
        let mut waker = self.waker.borrow_mut();
        if !waker.as_ref().is_some_and(|waker| waker.will_wake(cx.waker())) {
            *waker = Some(cx.waker().clone());
        }
    }

    #[inline]
    pub(crate) fn expired(&self) -> bool {
        self.expired.get()
    }

    /// No deadline until the next is set.
    #[inline]
    pub(crate) fn rest(&self) {
        self.deadline.set(NEVER);
    }
}

/// Goes to the end of the run queue once. Unlike `yield_now` it does not poll for I/O in between.
async fn step_behind_the_others() {
    let mut stepped = false;
    poll_fn(|cx| {
        if stepped {
            return Poll::Ready(());
        }
        stepped = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at, self.number).cmp(&(other.at, other.number))
    }
}
