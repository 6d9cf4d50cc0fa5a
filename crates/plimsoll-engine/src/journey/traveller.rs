//! Somebody who goes through journeys: with connections, cookies and variables of their own.

use std::rc::Rc;

use chrono::Utc;
use plimsoll_journey::{Act, Draw, Jar, Journey, Purpose, Rendered, Scope, Script, Session, Spent, Stream, Turn};

use super::exchange::Lines;
use super::flow::{Flow, Went};
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
    /// How often each journey was taken.
    taken: Vec<u64>,
}

/// What an iteration is keyed by: what it draws depends on nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    /// An arrival of the open model, and how many arrivals took the same journey before it.
    Arrival { number: u64, before: u64 },
    /// A user of the closed model among so many, and the number of the iteration.
    User { number: u64, of: u64, iteration: u64 },
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
        Self { hand, lines: Lines::default(), jar, rendered: Rendered::default(), base, taken: Vec::new() }
    }

    /// One iteration that was due then, and that was counted as begun: a journey of the mix from its first step to
    /// its last.
    pub(crate) async fn perform(&mut self, due: Moment, key: Key) -> Ended {
        let worker = Rc::clone(&self.hand.worker);
        let Scripted { script, plots, .. } = worker.script().expect("travellers follow a script");
        let seed = worker.plan().seed;
        let nth = key.journey(script, seed);
        let act = &script.acts[nth];
        let mut scope = self.base.clone();
        if let Err(spent) = self.fill(act, nth, key, &mut scope) {
            return no_row(&worker, nth, due, spent);
        }
        let is_arrival = matches!(key, Key::Arrival { .. });
        if act.session == Session::Fresh || is_arrival {
            self.jar = Jar::default();
        }
        let think = act.think.map(|think| (think, key.stream(seed, Purpose::Think)));
        let draw = key.draw(seed);
        let flow = Flow::new(self, &act.journey, &plots.acts[nth], scope, draw, think, due, is_arrival);
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
    pub(super) async fn go(&mut self, journey: &Journey, plots: &[Plot], key: Key) -> Option<Scope> {
        let worker = Rc::clone(&self.hand.worker);
        let (scope, draw) = (self.base.clone(), key.draw(worker.plan().seed));
        let flow = Flow::new(self, journey, plots, scope, draw, None, worker.now(), true);
        let (went, scope) = flow.go_and_tell().await;
        (went == Went::Well).then_some(scope)
    }

    pub(crate) fn worker(&self) -> &Worker {
        &self.hand.worker
    }

    fn fill(&mut self, act: &Act, nth: usize, key: Key, scope: &mut Scope) -> Result<(), Spent> {
        let Some(feed) = &act.feed else { return Ok(()) };
        if self.taken.len() <= nth {
            self.taken.resize(nth + 1, 0);
        }
        let turn = key.turn(self.taken[nth]);
        self.taken[nth] += 1;
        feed.fill(turn, scope)
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
    /// Which journey of the mix it is.
    pub(crate) fn journey(self, script: &Script, seed: u64) -> usize {
        script.choose(&mut self.stream(seed, Purpose::Mix))
    }

    fn stream(self, seed: u64, purpose: Purpose) -> Stream {
        match self {
            Self::Arrival { number, .. } => Stream::new(seed, purpose, number, 0),
            Self::User { number, iteration, .. } => Stream::new(seed, purpose, number, iteration),
        }
    }

    fn draw(self, seed: u64) -> Draw {
        match self {
            Self::Arrival { number, .. } => Draw::for_arrival(seed, number, Utc::now()),
            Self::User { number, iteration, .. } => Draw::for_iteration(seed, number, iteration, Utc::now()),
        }
    }

    /// `taken`: how often this traveller took the same journey before.
    fn turn(self, taken: u64) -> Turn {
        match self {
            Self::Arrival { number, before } => Turn::of_arrival(number, before),
            Self::User { number, of, iteration } => Turn::of_user(number, of, iteration, taken),
        }
    }
}
