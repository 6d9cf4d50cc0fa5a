//! Somebody who goes through journeys: with connections, cookies and variables of their own.

use std::rc::Rc;

use chrono::Utc;
use plimsoll_journey::{Draw, Feed, Jar, Purpose, Rendered, Rite, Scope, Session, Spent, Stream, Taken, Turn};

use super::exchange::Lines;
use super::flow::{Flow, Route, Went};
use super::plot::Plot;
use crate::clock::{Moment, nanos};
use crate::hand::Hand;
use crate::worker::{Scripted, Worker};

/// Somebody who goes through journeys.
pub(crate) struct Traveller {
    pub(super) hand: Hand,
    pub(super) lines: Lines,
    pub(super) jar: Jar,
    pub(super) rendered: Rendered,
    /// What variables hold when an iteration begins.
    base: Scope,
}

/// What an iteration is keyed by: what it draws depends on nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    /// An arrival of the open model.
    Arrival(u64),
    /// A user of the closed model, and the number of the iteration.
    User(u64, u64),
}

/// An iteration that is to be made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trip {
    pub(crate) key: Key,
    pub(crate) taken: Taken,
}

/// An iteration that has ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended {
    pub(crate) end: Moment,
    /// No connection could be made.
    pub(crate) refused: bool,
    /// When the user may begin with the next.
    pub(crate) next: Moment,
    /// There is nothing left to begin with: every row has been used.
    pub(crate) is_last: bool,
}

impl Traveller {
    pub(crate) fn new(worker: Rc<Worker>, base: Scope, jar: Jar) -> Self {
        let hand = Hand::new(worker);
        Self { hand, lines: Lines::default(), jar, rendered: Rendered::default(), base }
    }

    /// One iteration that was due then, and that was counted as begun: a journey of the mix from its first step to
    /// its last.
    pub(crate) async fn perform(&mut self, due: Moment, trip: Trip) -> Ended {
        let worker = Rc::clone(&self.hand.worker);
        let Scripted { script, plots, .. } = worker.script().expect("travellers follow a script");
        let seed = worker.plan().seed;
        let Trip { key, taken } = trip;
        let nth = taken.journey;
        let act = &script.acts[nth];
        let mut scope = self.base.clone();
        let turn =
            |feed: &Feed| if feed.per_user { key.users_own(worker.users()).unwrap_or(taken.turn) } else { taken.turn };
        if let Some(Err(spent)) = act.feed.as_ref().map(|feed| feed.fill(turn(feed), &mut scope)) {
            return no_row(&worker, nth, due, spent);
        }
        let is_arrival = matches!(key, Key::Arrival(_));
        if act.session == Session::Fresh || is_arrival {
            self.jar = Jar::default();
        }
        let think = act.think.map(|think| (think, key.stream(seed, Purpose::Think)));
        let draw = key.draw(seed);
        let route = Route { journey: &act.journey, plots: &plots.acts[nth], think, is_awaited: is_arrival };
        let flow = Flow::new(self, route, scope, draw, due);
        let (went, last) = flow.go().await;
        if act.session == Session::Fresh {
            self.lines.clear();
        }
        match went {
            Went::Cut => worker.recorder().flow_cut(due),
            Went::Well => worker.recorder().flow_ended(nth, due, last.end, true),
            Went::Wrong => worker.recorder().flow_ended(nth, due, last.end, false),
        }
        worker.flow_ends();
        let next = act.every.map_or(last.next, |every| last.next.max(due.saturating_add(nanos(every))));
        Ended { next, ..last }
    }

    /// A journey that is done once, before load or after it; what the variables hold then, if it went well.
    pub(super) async fn go(&mut self, rite: &Rite, plots: &[Plot], key: Key, turn: Turn) -> Option<Scope> {
        let worker = Rc::clone(&self.hand.worker);
        let (mut scope, draw) = (self.base.clone(), key.draw(worker.plan().seed));
        if let Some(Err(_)) = rite.feed.as_ref().map(|feed| feed.fill(turn, &mut scope)) {
            worker.recorder().reason(worker.now(), "there are fewer rows than users".to_owned());
            return None;
        }
        let journey = &rite.journey;
        let route = Route { journey, plots, think: None, is_awaited: true };
        let flow = Flow::new(self, route, scope, draw, worker.now());
        let (went, scope) = flow.go_and_tell().await;
        (went == Went::Well).then_some(scope)
    }

    pub(crate) fn worker(&self) -> &Worker {
        &self.hand.worker
    }
}

/// An iteration that has no row to begin with.
fn no_row(worker: &Worker, nth: usize, due: Moment, spent: Spent) -> Ended {
    let now = worker.now().max(due);
    if spent.stop {
        worker.recorder().flow_cut(due);
    } else {
        worker.recorder().reason(due, "every row of the data has been used".to_owned());
        worker.recorder().flow_ended(nth, due, now, false);
    }
    worker.flow_ends();
    Ended { end: now, refused: false, next: now, is_last: spent.stop }
}

impl Key {
    fn stream(self, seed: u64, purpose: Purpose) -> Stream {
        match self {
            Self::Arrival(number) => Stream::new(seed, purpose, number, 0),
            Self::User(user, iteration) => Stream::new(seed, purpose, user, iteration),
        }
    }

    /// The one turn that a user of the closed model has in the whole run.
    fn users_own(self, users: u64) -> Option<Turn> {
        match self {
            Self::Arrival(_) => None,
            Self::User(user, _) => Some(Turn::of_user(user, users, 0, 0)),
        }
    }

    fn draw(self, seed: u64) -> Draw {
        match self {
            Self::Arrival(number) => Draw::for_arrival(seed, number, Utc::now()),
            Self::User(user, iteration) => Draw::for_iteration(seed, user, iteration, Utc::now()),
        }
    }
}
