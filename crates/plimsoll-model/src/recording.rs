//! All that the engine saw of one run, before anybody judges it.

use std::time::Duration;

use crate::tick::{FlowTick, StepTick};
use crate::timeline::Timeline;

/// All that was seen of one run.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// The start, in milliseconds since the Unix epoch.
    pub started_at_ms: u64,
    /// How long requests of the measured phase became due.
    pub measured: Duration,
    /// How long the warm-up lasted.
    pub warmup: Duration,
    /// How the run ended.
    pub end: End,
    /// The measured phase over time.
    pub timeline: Timeline,
    /// The measured phase as a whole, a row for each step.
    pub steps: Vec<StepTick>,
    /// Flows of the measured phase, a row for each journey; empty where the plan is one request.
    pub flows: Vec<FlowTick>,
    /// Flows that the end of the run cut short; they count neither as passed nor as failed.
    pub flows_cut: u64,
    /// What came before load, in its order.
    pub setup: Vec<RiteRecord>,
    /// What came after it.
    pub teardown: Vec<RiteRecord>,
    /// Why the teardown did not go well, if it did not.
    pub teardown_error: Option<String>,
    /// A few of the steps that did not go as their journey wants it.
    pub failures: Vec<FailureSample>,
    /// Requests that were due in the measured phase.
    pub due: u64,
    /// Answers that came while the measured phase lasted: what `achieved_rate` counts.
    pub answered_in_time: u64,
    /// Requests that the end of the run left without an outcome.
    pub unfinished: u64,
    /// Kept-alive connections found closed, and replaced.
    pub reconnects: u64,
    /// What the generator itself used.
    pub generator: GeneratorUse,
    /// What went wrong on the generator's side, counted.
    pub incidents: Incidents,
    /// The answers' `Server` header, if one came.
    pub server: Option<String>,
    /// Up to a few distinct reasons for failures, in words, with how often each occurred.
    pub reasons: Vec<(String, u64)>,
    /// Why the log is shorter than the run, if it is.
    pub log_error: Option<String>,
}

/// A step that did not go as its journey wants it, for a person to look at: secrets are redacted, and what a
/// server said is as it was, not yet safe to print.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct FailureSample {
    /// The journey.
    pub journey: String,
    /// The step.
    pub step: String,
    /// Where what failed is written: `file:line`.
    pub place: String,
    /// The line there.
    pub source: String,
    /// What was wanted.
    pub expected: String,
    /// What there was.
    pub actual: String,
    /// The head of the request, and the first bytes of its body.
    pub request: String,
    /// The head of the answer, and the first bytes of its body; empty without one.
    pub answer: String,
}

/// A journey of the setup or the teardown, and how often it went well.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
pub struct RiteRecord {
    /// The journey.
    pub name: String,
    /// How often every step went as the journey wants it.
    pub passed: u64,
    /// How often it was begun.
    pub total: u64,
    /// How long all of them took together.
    pub seconds: f64,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum End {
    /// As planned.
    #[default]
    Complete,
    /// By Ctrl-C.
    Interrupted,
    /// By the plan's abort rule, quoted.
    Aborted(String),
}

/// What the generator itself used.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GeneratorUse {
    /// Processor seconds, user and system, over the measured phase.
    pub cpu_s: f64,
    /// The highest share of one core that any one generator thread used over a second; in [0, 1].
    pub thread_share_max: f64,
    /// The share of the measured phase in which the busiest thread ran or waited for a core; in [0, 1].
    pub thread_share: f64,
    /// Seconds in which a thread that was busy all the time also waited for a core.
    pub starved_seconds: u64,
    /// Peak resident memory.
    pub rss_bytes: u64,
    /// Generator threads.
    pub threads: usize,
}

/// Something that went wrong on the generator's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Incident {
    /// A socket could not be made: no descriptors left.
    DescriptorsExhausted,
    /// A connection could not be made: no local ports left.
    PortsExhausted,
    /// The wall clock was set during the run.
    ClockStepped,
    /// Requests that were due while the run lasted, but never got their turn.
    ScheduleMissed,
    /// A task of the generator panicked: a mistake in this program.
    Panicked,
}

/// How often each incident occurred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Incidents {
    counts: [u64; 5],
}

impl Incidents {
    /// Notes one more.
    pub fn note(&mut self, incident: Incident) {
        self.note_n(incident, 1);
    }

    /// Notes several at once.
    pub fn note_n(&mut self, incident: Incident, count: u64) {
        self.counts[incident as usize] += count;
    }

    /// How often it occurred.
    pub fn count(&self, incident: Incident) -> u64 {
        self.counts[incident as usize]
    }

    /// Adds another worker's.
    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }
}
