//! Somebody who goes through journeys: with connections, cookies and variables of their own.

use std::rc::Rc;

use chrono::Utc;
use plimsoll_journey::{Act, Draw, Jar, Rendered, Scope, Script, Session};

use super::exchange::Lines;
use super::flow::{Flow, Went};
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
    pub(super) base: Scope,
}

/// What an iteration is keyed by: what it draws depends on nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    /// The number of an arrival of the open model.
    Arrival(u64),
    /// A user of the closed model, and the number of the iteration.
    Turn { user: u64, iteration: u64 },
}

/// An iteration that has ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended {
    pub(crate) end: Moment,
    /// No connection could be made.
    pub(crate) refused: bool,
    /// When the user may begin with the next.
    pub(crate) next: Moment,
}

impl Traveller {
    pub(crate) fn new(worker: Rc<Worker>, base: Scope) -> Self {
        let hand = Hand::new(worker);
        Self { hand, lines: Lines::default(), jar: Jar::default(), rendered: Rendered::default(), base }
    }

    /// One iteration that was due then, and that was counted as begun: a journey of the mix from its first step to
    /// its last.
    pub(crate) async fn perform(&mut self, due: Moment, key: Key) -> Ended {
        let worker = Rc::clone(&self.hand.worker);
        let Scripted { script, plots } = worker.script().expect("travellers follow a script");
        let mut draw = key.draw(worker.plan().seed);
        let nth = choose(&script.acts, &mut draw);
        let act = &script.acts[nth];
        if act.session == Session::Fresh || matches!(key, Key::Arrival(_)) {
            self.jar = Jar::default();
        }
        let scope = self.base.clone();
        let flow = Flow::new(self, &act.journey, &plots.acts[nth], scope, draw, due, matches!(key, Key::Arrival(_)));
        let (went, last) = flow.go().await;
        if act.session == Session::Fresh {
            self.lines.clear();
        }
        let mut recorder = worker.recorder();
        match went {
            Went::Cut => recorder.flow_cut(due),
            Went::Well => recorder.flow_ended(nth, due, last.end, true),
            Went::Wrong => recorder.flow_ended(nth, due, last.end, false),
        }
        drop(recorder);
        worker.flow_ends();
        let next = act.every.map_or(last.next, |every| last.next.max(due.saturating_add(nanos(every))));
        Ended { next, ..last }
    }
}

impl Key {
    /// Which journey of the mix it is.
    pub(crate) fn journey(self, script: &Script, seed: u64) -> usize {
        choose(&script.acts, &mut self.draw(seed))
    }

    fn draw(self, seed: u64) -> Draw {
        match self {
            Self::Arrival(number) => Draw::for_arrival(seed, number, Utc::now()),
            Self::Turn { user, iteration } => Draw::for_iteration(seed, user, iteration, Utc::now()),
        }
    }
}

/// Which journey, by weight. One number is drawn even where there is no choice, so that adding a journey to the
/// mix changes nothing else.
fn choose(acts: &[Act], draw: &mut Draw) -> usize {
    let total: f64 = acts.iter().map(|act| act.weight).sum();
    let mut left = draw.unit() * total;
    for (nth, act) in acts.iter().enumerate() {
        left -= act.weight;
        if left < 0.0 {
            return nth;
        }
    }
    acts.len().saturating_sub(1)
}
