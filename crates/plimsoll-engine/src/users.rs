//! The closed model: users who wait for their answer, pause, and ask again.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use plimsoll_journey::UserMix;
use plimsoll_model::{ClosedLoad, Outcome, Shape};
use tokio::sync::Notify;

use crate::clock::{Moment, NEVER, moment_at, nanos};
use crate::journey::{Key, Traveller, Trip};
use crate::lane::Lane;
use crate::schedule::Slice;
use crate::sentry::Sentry;
use crate::worker::Worker;

/// A user who could not connect waits this long: a server that is down is not to be hammered, and the generator
/// is not to burn its core on refusals.
const PAUSE_AFTER_REFUSAL: Duration = Duration::from_millis(100);

/// Lives the lives of this thread's users, and ends when load does.
pub(crate) async fn live(worker: &Rc<Worker>, closed: &ClosedLoad) {
    let plan = worker.plan();
    let end = plan.length().map_or(NEVER, nanos);
    let slice = worker.slice();
    let shape = Rc::new(closed.shape.clone());
    let peak = closed.shape.peak().ceil() as u64;
    let numbers = (slice.index..peak).step_by(slice.of as usize);
    // Each user brings a share of the requests along: a thread without users could not use one.
    let share = |requests| numbers.clone().map(|index| Slice { index, of: peak }.part_of(requests)).sum();
    let quota = Rc::new(Cell::new(plan.stop.requests.map(share)));
    let crowd = Rc::new(Crowd::default());
    for number in numbers.clone() {
        let user = User {
            worker: Rc::clone(worker),
            number,
            of: peak,
            shape: (closed.shape.phases().len() > 1).then(|| Rc::clone(&shape)),
            think: nanos(closed.think),
            end,
            quota: Rc::clone(&quota),
        };
        // Users who pause do not all begin at once: their first requests are spread over one pause.
        let first = user.think * number / peak.max(1);
        let (place, sentry) = (crowd.enter(), Sentry::over(worker));
        tokio::task::spawn_local(async move {
            let (_place, _sentry) = (place, sentry);
            user.live(first).await;
        });
    }
    tokio::select! {
        () = crowd.gone() => {}
        () = worker.timers().sleep_until(end) => {}
    }
}

/// How many users there still are.
#[derive(Default)]
struct Crowd {
    here: Cell<u64>,
    last_left: Notify,
}

impl Crowd {
    fn enter(self: &Rc<Self>) -> Place {
        self.here.set(self.here.get() + 1);
        Place { crowd: Rc::clone(self) }
    }

    async fn gone(&self) {
        if self.here.get() > 0 {
            self.last_left.notified().await;
        }
    }
}

/// A place in the crowd; it is left when this goes, however that comes about.
struct Place {
    crowd: Rc<Crowd>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.crowd.here.set(self.crowd.here.get() - 1);
        if self.crowd.here.get() == 0 {
            self.crowd.last_left.notify_one();
        }
    }
}

/// What a user does again and again.
enum Life {
    Request(Box<Lane>),
    Journeys { traveller: Box<Traveller>, mix: UserMix, user: u64, iteration: u64 },
}

impl Life {
    fn new(worker: &Rc<Worker>, user: u64, of: u64) -> Self {
        match worker.script() {
            None => Self::Request(Box::new(Lane::new(Rc::clone(worker)))),
            Some(scripted) => {
                let (base, jar) = scripted.stage.of_user(&scripted.script, user);
                let traveller = Box::new(Traveller::new(Rc::clone(worker), base, jar));
                Self::Journeys { traveller, mix: scripted.mix.user(user, of), user, iteration: 0 }
            }
        }
    }

    /// Once; when the next time may begin, and whether nobody answered the door. None where there is no next time.
    async fn once(&mut self, worker: &Worker, due: Moment, think: Moment) -> Option<(Moment, bool)> {
        match self {
            Self::Request(lane) => {
                worker.recorder().due(due);
                let sample = lane.perform(due).await;
                Some((sample.end + think, sample.outcome == Outcome::Connect))
            }
            Self::Journeys { traveller, mix, user, iteration } => {
                worker.flow_begins();
                let trip = Trip { key: Key::User(*user, *iteration), taken: mix.take() };
                let ended = traveller.perform(due, trip).await;
                *iteration += 1;
                (!ended.is_last).then_some((ended.next, ended.refused))
            }
        }
    }
}

struct User {
    worker: Rc<Worker>,
    number: u64,
    /// The most users that there will ever be.
    of: u64,
    /// How many users there are over time; none if that never changes.
    shape: Option<Rc<Shape>>,
    think: Moment,
    /// Nothing begins from here on.
    end: Moment,
    /// Requests that this thread's users may still begin; none for any number.
    quota: Rc<Cell<Option<u64>>>,
}

impl User {
    async fn live(self, first: Moment) {
        let mut life = Life::new(&self.worker, self.number, self.of);
        let mut due = first;
        loop {
            let Some(wanted) = self.wanted_from(due) else { return };
            due = wanted;
            if due >= self.end {
                return;
            }
            self.worker.timers().sleep_until(due).await;
            if self.worker.is_stopping() || !self.take_from_quota() {
                return;
            }
            let Some((next, refused)) = life.once(&self.worker, due, self.think).await else { return };
            due = if refused { next.max(self.worker.now() + nanos(PAUSE_AFTER_REFUSAL)) } else { next };
        }
    }

    /// When this user is next among those asked for: user `n` is while the level is above `n`.
    fn wanted_from(&self, due: Moment) -> Option<Moment> {
        let Some(shape) = &self.shape else { return Some(due) };
        let from = shape.rises_above(self.number as f64, due as f64 / 1e9)?;
        Some(due.max(moment_at(from)))
    }

    fn take_from_quota(&self) -> bool {
        match self.quota.get() {
            None => true,
            Some(0) => false,
            Some(left) => {
                self.quota.set(Some(left - 1));
                true
            }
        }
    }
}
