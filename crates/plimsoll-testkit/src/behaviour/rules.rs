//! The decision: what happens to a request that arrives now, and when its answer leaves. A state machine without
//! sockets and without a clock; the order of its steps is part of the grammar and documented in the parent module.

use super::metastable::Mood;
use super::meter::Meter;
use super::quota::{Standing, Window};
use super::random::{Random, Stream};
use super::spec::Spec;
use super::station::{Presence, Station};
use super::thief::Thefts;
use std::time::Duration;

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The answer of the behaviour.
    Answer,
    /// A failure with this status.
    Error(u16),
    /// 429.
    Limited,
    /// 503, too many at once.
    Busy,
    /// A malformed answer.
    Bad,
}

/// What becomes of a request, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// What is sent.
    pub outcome: Outcome,
    /// When it is sent, counted from the server's start; not before the arrival.
    pub due: Duration,
    /// Where the client stands under an exact limit.
    pub standing: Option<Standing>,
}

/// The state of one behaviour.
#[derive(Debug)]
pub struct Rules {
    spec: Spec,
    station: Station,
    presence: Presence,
    meter: Meter,
    mood: Mood,
    window: Window,
    thefts: Option<Thefts>,
    service: Random,
    error: Random,
    limit: Random,
    bad: Random,
    first: Option<Duration>,
    latest: Duration,
}

impl Rules {
    /// The rules of `spec`, before any request.
    pub fn new(spec: Spec) -> Self {
        let random = |stream| Random::new(spec.seed.unwrap_or(1), stream);
        Self {
            station: Station::new(spec.servers),
            presence: Presence::default(),
            meter: Meter::new(),
            mood: Mood::default(),
            window: Window::default(),
            thefts: None,
            service: random(Stream::Service),
            error: random(Stream::Error),
            limit: random(Stream::Limit),
            bad: random(Stream::Bad),
            first: None,
            latest: Duration::ZERO,
            spec,
        }
    }

    /// Decides about a request that arrives `now`.
    pub fn decide(&mut self, now: Duration) -> Decision {
        // Threads read their clocks before they take the lock, so arrivals may be out of order by microseconds.
        let now = now.max(self.latest);
        self.latest = now;
        let first = *self.first.get_or_insert(now);
        let standing = self.spec.limit.map(|quota| self.window.take(&quota, now));
        let (outcome, ready) = match self.refusal(now, standing) {
            Some(refusal) => (refusal, now),
            None => (self.fate(), self.serve(now, first)),
        };
        let due = match self.spec.freeze {
            Some(freeze) => freeze.release(ready, first),
            None => ready,
        };
        let admitted = !matches!(outcome, Outcome::Limited | Outcome::Busy);
        if admitted && self.counts_presence() {
            self.presence.add(due);
        }
        Decision { outcome, due, standing }
    }

    fn refusal(&mut self, now: Duration, standing: Option<Standing>) -> Option<Outcome> {
        if standing.is_some_and(|standing| !standing.admitted) {
            return Some(Outcome::Limited);
        }
        if self.spec.limit_share.is_some_and(|share| self.limit.chance(share)) {
            return Some(Outcome::Limited);
        }
        let most = self.spec.at_most?;
        (self.presence.count(now) >= most).then_some(Outcome::Busy)
    }

    fn fate(&mut self) -> Outcome {
        if let Some(bad) = &self.spec.bad
            && self.bad.chance(bad.share)
        {
            return Outcome::Bad;
        }
        match self.spec.error {
            Some(error) if self.error.chance(error.share) => Outcome::Error(error.status),
            _ => Outcome::Answer,
        }
    }

    fn serve(&mut self, now: Duration, first: Duration) -> Duration {
        let work = self.work(now);
        let Some(rule) = self.spec.thief else {
            return self.station.depart(now, |start| start + work);
        };
        let seed = self.spec.seed.unwrap_or(1);
        let thefts = self.thefts.get_or_insert_with(|| Thefts::new(rule, Random::new(seed, Stream::Thief), first));
        self.station.depart(now, |start| thefts.finish(now, start, work))
    }

    /// The service time of a request is fixed when it arrives, whatever happens while it waits.
    fn work(&mut self, now: Duration) -> Duration {
        if let Some(bands) = &self.spec.bands {
            return bands.service(self.meter.arrive(now));
        }
        let Some(service) = self.spec.service else {
            return Duration::ZERO;
        };
        let work = service.draw(&mut self.service);
        let Some(rule) = self.spec.metastable else {
            return work;
        };
        let rate = self.meter.arrive(now) as f64;
        let overloaded = self.spec.capacity().is_some_and(|capacity| rate > capacity);
        let present = self.presence.count(now);
        work.mul_f64(self.mood.factor(&rule, now, present, overloaded))
    }

    fn counts_presence(&self) -> bool {
        self.spec.at_most.is_some() || self.spec.metastable.is_some()
    }
}
