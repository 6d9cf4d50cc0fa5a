//! One iteration: from step to step, until one goes wrong.

use std::rc::Rc;
use std::time::Duration;

use chrono::Utc;
use plimsoll_journey::{Draw, Failure, FailureKind, Journey, Scope, Step, Stream, Think, Wrong};
use plimsoll_model::Outcome;

use super::exchange::{self, Came};
use super::plot::Plot;
use super::sampled::{self, Where};
use super::traveller::{Ended, Traveller};
use super::{outcome, wishes};
use crate::clock::{Moment, nanos};
use crate::sample::Sample;
use crate::worker::Worker;

/// Between an attempt that failed and the next, where nobody says otherwise.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// How an iteration, or a step of it, went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Went {
    Well,
    Wrong,
    /// The run ended before it did.
    Cut,
}

/// One iteration.
pub(crate) struct Flow<'f> {
    traveller: &'f mut Traveller,
    worker: Rc<Worker>,
    journey: &'f Journey,
    plots: &'f [Plot],
    pub(super) scope: Scope,
    draw: Draw,
    think: Option<(Think, Stream)>,
    /// When the next request is.
    due: Moment,
    /// It is carried to its end after load has ended.
    is_awaited: bool,
    last: Ended,
}

/// What an iteration goes through.
pub(crate) struct Route<'f> {
    pub(crate) journey: &'f Journey,
    pub(crate) plots: &'f [Plot],
    pub(crate) think: Option<(Think, Stream)>,
    /// It is carried to its end after load has ended.
    pub(crate) is_awaited: bool,
}

/// One attempt at a step.
struct Attempt {
    came: Option<Came>,
    failure: Option<Failure>,
    fault: Option<(Outcome, String)>,
    outcome: Outcome,
}

impl<'f> Flow<'f> {
    pub(crate) fn new(traveller: &'f mut Traveller, route: Route<'f>, scope: Scope, draw: Draw, due: Moment) -> Self {
        let worker = Rc::clone(&traveller.hand.worker);
        let Route { journey, plots, think, is_awaited } = route;
        let last = Ended { end: due, refused: false, next: due, is_last: false };
        Self { traveller, worker, journey, plots, scope, draw, think, due, is_awaited, last }
    }

    /// From the first step to the last.
    pub(crate) async fn go(mut self) -> (Went, Ended) {
        let went = self.steps().await;
        (went, Ended { next: self.due.max(self.last.end), ..self.last })
    }

    /// The same for whoever wants to know what the variables hold in the end.
    pub(crate) async fn go_and_tell(mut self) -> (Went, Scope) {
        let went = self.steps().await;
        (went, self.scope)
    }

    async fn steps(&mut self) -> Went {
        for (step, plot) in self.journey.steps.iter().zip(self.plots) {
            match self.step(step, plot).await {
                Went::Well => {}
                other => return other,
            }
        }
        Went::Well
    }

    async fn step(&mut self, step: &Step, plot: &Plot) -> Went {
        let (skip, mut left) = match self.before(step) {
            Ok(before) => before,
            Err(failure) => return self.unmade(step, plot, failure),
        };
        if skip {
            return Went::Well;
        }
        while left != Some(0) {
            match self.attempts(step, plot).await {
                Went::Well => self.think(),
                other => return other,
            }
            left = left.map(|left| left - 1);
        }
        Went::Well
    }

    /// The step's own variables; then whether it is left out, and how often it is made.
    fn before(&mut self, step: &Step) -> Result<(bool, Option<u64>), Failure> {
        step.set_variables(&mut self.scope, &mut self.draw)?;
        let skip = wishes::flag(&step.options.skip, &self.scope).map_err(|wrong| at(step, wrong))?;
        let times = wishes::times(&step.options.repeat, &self.scope, 1).map_err(|wrong| at(step, wrong))?;
        Ok((skip.unwrap_or(false), times))
    }

    /// A step, again until its asserts hold.
    async fn attempts(&mut self, step: &Step, plot: &Plot) -> Went {
        let options = &step.options;
        let plan = || -> Result<_, Wrong> {
            let delay = options.delay.as_ref().map(|delay| delay.value(&self.scope)).transpose()?.unwrap_or_default();
            let interval = options.retry_interval.as_ref().map(|wait| wait.value(&self.scope)).transpose()?;
            Ok((delay, wishes::times(&options.retry, &self.scope, 0)?, interval.unwrap_or(RETRY_INTERVAL)))
        };
        let (delay, mut left, interval) = match plan() {
            Ok(plan) => plan,
            Err(wrong) => return self.unmade(step, plot, at(step, wrong)),
        };
        self.due = self.due.saturating_add(nanos(delay));
        loop {
            if !self.wait().await {
                return Went::Cut;
            }
            self.worker.recorder().due(self.due);
            let attempt = self.attempt(step, plot).await;
            let is_well = attempt.failure.is_none() && attempt.fault.is_none();
            let again = !is_well && left != Some(0);
            self.count(step, plot, attempt, again);
            if is_well {
                return Went::Well;
            }
            if !again {
                return Went::Wrong;
            }
            left = left.map(|left| left - 1);
            self.due = self.due.saturating_add(nanos(interval));
        }
    }

    /// Waits for the moment; whether it may still begin then.
    async fn wait(&mut self) -> bool {
        if !self.worker.may_begin(self.due, self.is_awaited) {
            return false;
        }
        self.worker.timers().sleep_until(self.due).await;
        self.worker.may_begin(self.due, self.is_awaited)
    }

    async fn attempt(&mut self, step: &Step, plot: &Plot) -> Attempt {
        self.draw.set_now(Utc::now());
        let traveller = &mut *self.traveller;
        let wish = match wishes::wish(self.worker.plan(), plot, step, &self.scope) {
            Ok(wish) => wish,
            Err(wrong) => return Attempt::unmade(at(step, wrong)),
        };
        let rendered = &mut traveller.rendered;
        if let Err(failure) = step.render(&self.scope, &mut self.draw, &traveller.jar, rendered) {
            return Attempt::unmade(failure);
        }
        let ready = if plot.is_constant && traveller.jar.is_empty() {
            match self.worker.ready().of(&self.worker, plot, rendered, wish).await {
                Ok(ready) => Some(ready),
                Err(fault) => return Attempt::failed(fault.outcome, fault.reason, None),
            }
        } else {
            None
        };
        let hand = &mut traveller.hand;
        let mut came =
            exchange::perform(hand, &mut traveller.lines, &mut traveller.jar, self.due, rendered, ready, wish).await;
        if let Err(fault) = std::mem::replace(&mut came.result, Ok(())) {
            return Attempt::failed(fault.outcome, fault.reason, Some(came));
        }
        let status = hand.answer.status;
        let unread = exchange::unread(came.look.kept(), status);
        let failure = match unread {
            Some(wrong) => Some(wrong.at(FailureKind::Assert, &step.place, &step.label)),
            None => step.check(&came.answer(&rendered.url, status), &mut self.scope, &mut self.draw).err(),
        };
        let outcome = outcome::of(status, plot.says_status, failure.as_ref());
        Attempt { came: Some(came), failure, fault: None, outcome }
    }

    /// Records an attempt. One that is made again is counted by what was answered: that its asserts did not hold
    /// yet is why it is made again.
    fn count(&mut self, step: &Step, plot: &Plot, attempt: Attempt, again: bool) {
        let Attempt { came, failure, fault, outcome } = attempt;
        let status = if fault.is_some() || came.is_none() { 0 } else { self.traveller.hand.answer.status };
        let outcome = if again && fault.is_none() && came.is_some() { Outcome::of_status(status) } else { outcome };
        let (sent, end) = match &came {
            Some(came) => (came.sent, came.end),
            None => [self.worker.now().max(self.due); 2].into(),
        };
        self.note(step, plot, failure, &fault, came.as_ref(), again);
        let sample = Sample {
            due: self.due,
            sent,
            end,
            outcome,
            step: plot.step,
            status,
            body_bytes: came.as_ref().map_or(0, |came| came.trail.body_bytes),
            spans: if came.is_some() { self.traveller.hand.spans } else { Default::default() },
        };
        self.worker.ended(&sample);
        if let Some(came) = came {
            self.worker.give_back_look(came.look);
        }
        let refused = matches!(&fault, Some((Outcome::Connect, _)));
        self.last = Ended { end: sample.end, refused, next: sample.end, is_last: false };
        self.due = sample.end;
    }

    /// A pause between requests, those of one iteration and the next included.
    fn think(&mut self) {
        if let Some((think, stream)) = &mut self.think {
            self.due = self.due.saturating_add(nanos(think.sample(stream)));
        }
    }

    /// Why it failed, for people.
    fn note(
        &self,
        step: &Step,
        plot: &Plot,
        failure: Option<Failure>,
        fault: &Option<(Outcome, String)>,
        came: Option<&Came>,
        again: bool,
    ) {
        if again {
            return;
        }
        let hide = |text: &str| self.worker.hide(text, &self.scope);
        let failure = match (fault, failure) {
            (Some((_, reason)), _) => {
                self.worker.recorder().reason(self.due, hide(reason));
                at(step, Wrong::new("an answer", reason.clone()))
            }
            (None, Some(failure)) => {
                let place = &failure.place;
                let reason = format!("{}: expected {} at {}:{}", step.label, failure.expected, place.file, place.line);
                self.worker.recorder().reason(self.due, plimsoll_http::printable(hide(&reason).as_bytes(), 200));
                failure
            }
            (None, None) => return,
        };
        if self.worker.recorder().wants_failure(plot.step, self.due) {
            let at = Where { journey: &self.journey.name, step: &step.label };
            let ask = came.and_then(Came::asked);
            let sample = sampled::sample(&at, &failure, ask, came.map(|came| came.look.kept()), &hide);
            self.worker.recorder().failure(plot.step, sample);
        }
    }

    /// A step whose settings make no sense is one that failed.
    fn unmade(&mut self, step: &Step, plot: &Plot, failure: Failure) -> Went {
        self.worker.recorder().due(self.due);
        self.count(step, plot, Attempt::unmade(failure), false);
        Went::Wrong
    }
}

/// A step whose settings cannot be what they are.
fn at(step: &Step, wrong: Wrong) -> Failure {
    wrong.at(FailureKind::Request, &step.place, &step.label)
}

impl Attempt {
    fn unmade(failure: Failure) -> Self {
        Self { came: None, failure: Some(failure), fault: None, outcome: Outcome::Assertion }
    }

    fn failed(outcome: Outcome, reason: String, came: Option<Came>) -> Self {
        Self { came, failure: None, fault: Some((outcome, reason)), outcome }
    }
}
