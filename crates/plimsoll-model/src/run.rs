//! The result of a run as everybody reads it: the JSON contract `plimsoll.run/1`.
//!
//! A contract is extended and never broken: fields are added, none is renamed or dropped. Times in `*_ms` are
//! milliseconds, shares are in [0, 1], and a figure that cannot be had is null rather than invented.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::calibration::Floor;
use crate::outcome::OutcomeCounts;
use crate::recording::{FailureSample, RiteRecord};

/// The contract's name and version.
pub const SCHEMA: &str = "plimsoll.run/1";

/// One run, measured and judged.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Unique and sortable by time.
    pub id: String,
    /// The plan's name.
    pub name: String,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// `plimsoll 0.1.0`.
    pub tool: String,
    /// The git commit of the working directory, if there is one.
    pub commit: Option<String>,
    /// The plan's hash: equal for equal plans.
    pub plan_hash: String,
    /// The seed of every random stream.
    pub seed: u64,
    /// `"open"` or `"closed"`.
    pub model: &'static str,
    /// What came out.
    pub verdict: Verdict,
    /// What the generator got wrong; anything here voids the run.
    pub validity: Vec<Remark>,
    /// What the target did that a person should know; never voids.
    pub findings: Vec<Remark>,
    /// Arrivals a second that were due; null in the closed model.
    pub offered_rate: Option<f64>,
    /// Answers a second while load was offered.
    pub achieved_rate: f64,
    /// Answers a second over the last ten seconds.
    pub final_rate: f64,
    /// The measured phase, in seconds.
    pub duration_s: f64,
    /// The warm-up before it, in seconds.
    pub warmup_s: f64,
    /// Requests that have an outcome.
    pub requests: u64,
    /// Requests that were due, and that an interruption left without one.
    pub unfinished: u64,
    /// Requests by outcome.
    pub outcomes: OutcomeCounts,
    /// Answers by exact status.
    pub statuses: BTreeMap<u16, u64>,
    /// Expected refusals among the outcomes.
    pub refused: u64,
    /// Kept-alive connections found closed, and replaced.
    pub reconnects: u64,
    /// ok ÷ requests; null without requests.
    pub success: Option<f64>,
    /// From due to the last byte, every request that was due.
    pub response_ms: Figures,
    /// From due to the last byte, those that ended well.
    pub response_ok_ms: Figures,
    /// From sent to the last byte.
    pub service_ms: Figures,
    /// From due to sent.
    pub lag_ms: Figures,
    /// What the time was spent on.
    pub phases_ms: PhaseFigures,
    /// 95 % intervals by figure (`response_ms.p99`), null where the run is too short for one.
    pub intervals: BTreeMap<String, Option<[f64; 2]>>,
    /// Seconds of measuring that an interval still lacks, for those that are null.
    pub intervals_want_s: BTreeMap<String, f64>,
    /// The share of requests that ended well within so many milliseconds.
    pub within_ms: BTreeMap<String, f64>,
    /// What the run was held to.
    pub objectives: Vec<ObjectiveResult>,
    /// Flows by journey.
    pub journeys: Vec<JourneyResult>,
    /// Flows that the end of the run cut short: neither passed nor failed.
    pub flows_cut: u64,
    /// What came before load and after it, timed apart.
    pub rites: Rites,
    /// A few steps that did not go as their journey wants it; secrets are redacted.
    pub failures: Vec<FailureSample>,
    /// The same figures for each step.
    pub steps: Vec<StepResult>,
    /// What the generator itself used.
    pub generator: Generator,
    /// Facts about the target.
    pub target: TargetFacts,
    /// What was observed over time.
    pub series: Vec<Series>,
    /// Why requests failed, in words, most frequent first.
    pub reasons: Vec<Reason>,
    /// Whether the run was cut short: `"interrupted"`, or the abort rule that fired.
    pub ended_by: Option<String>,
    /// The latency histogram: response times of all requests, in bars with round edges.
    pub histogram: Vec<HistogramBar>,
    /// The same for each phase that occurred: `connect`, `tls`, `first_byte`, `body`.
    pub phase_histograms: BTreeMap<&'static str, Vec<HistogramBar>>,
}

/// What came out of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every objective was met.
    Pass,
    /// At least one objective was not shown to hold.
    Fail,
    /// There were no objectives.
    None,
    /// The generator was at fault: nothing can be said of the target.
    Invalid,
}

/// A validity code or a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// A stable slug.
    pub code: &'static str,
    /// What was seen, with its figures.
    pub detail: String,
    /// What to do about it.
    pub hint: String,
}

/// Quantiles, mean and maximum in milliseconds; null where there are too few samples.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Samples behind the figures.
    pub count: u64,
    /// The median.
    pub p50: Option<f64>,
    /// The 90th percentile.
    pub p90: Option<f64>,
    /// The 95th percentile.
    pub p95: Option<f64>,
    /// The 99th percentile.
    pub p99: Option<f64>,
    /// The 99.9th percentile.
    pub p999: Option<f64>,
    /// The largest.
    pub max: Option<f64>,
    /// The arithmetic mean.
    pub mean: Option<f64>,
    /// For each quantile that is null: the number of samples it wants.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub wants: BTreeMap<&'static str, u64>,
}

/// The parts of an exchange; the first two are of the connections that were made, the others of answers.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PhaseFigures {
    /// Until the connection stood.
    pub connect: Figures,
    /// The TLS handshake on it.
    pub tls: Figures,
    /// From the request, on a connection that stands, to the first byte of its answer.
    pub first_byte: Figures,
    /// From the first byte of the answer to its last.
    pub body: Figures,
}

/// One objective and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObjectiveResult {
    /// As typed: `p99 < 200ms`.
    pub name: String,
    /// The bound: milliseconds, or a share for errors.
    pub bound: f64,
    /// What was measured; null if it is infinite (too many failures) or wants more samples.
    pub value: Option<f64>,
    /// The lower end of its 95 % interval.
    pub low: Option<f64>,
    /// The upper end of its 95 % interval.
    pub high: Option<f64>,
    /// Whether it holds; null if that cannot be told.
    pub met: Option<bool>,
    /// Why `value` or `met` is null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What came before load and after it.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Rites {
    /// Before.
    pub setup: Vec<RiteRecord>,
    /// After.
    pub teardown: Vec<RiteRecord>,
}

/// Flows of one journey.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JourneyResult {
    /// The journey's name.
    pub name: String,
    /// Flows in which every step ended well.
    pub passed: u64,
    /// All flows that ended.
    pub total: u64,
    /// The 95 % interval of the share that passed (Wilson); null without a flow.
    pub passed_share: Option<[f64; 2]>,
    /// The time of the whole flow, those that passed.
    pub flow_ms: Figures,
}

/// The figures of one step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepResult {
    /// `GET /path`, or the label above the request.
    pub name: String,
    /// The journey it belongs to; null where the plan is one request.
    pub journey: Option<String>,
    /// Requests that have an outcome.
    pub requests: u64,
    /// By outcome.
    pub outcomes: OutcomeCounts,
    /// By exact status.
    pub statuses: BTreeMap<u16, u64>,
    /// Expected refusals.
    pub refused: u64,
    /// ok ÷ requests.
    pub success: Option<f64>,
    /// Answer bodies, as they came over the wire.
    pub body_bytes: u64,
    /// As in [`Run`].
    pub response_ms: Figures,
    /// As in [`Run`].
    pub response_ok_ms: Figures,
    /// As in [`Run`].
    pub service_ms: Figures,
    /// As in [`Run`].
    pub lag_ms: Figures,
    /// As in [`Run`].
    pub phases_ms: PhaseFigures,
}

/// What the generator itself used.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Generator {
    /// Processor seconds, user and system, over the measured phase.
    pub cpu_s: f64,
    /// Peak resident memory.
    pub rss_bytes: u64,
    /// Generator threads.
    pub threads: usize,
    /// The share of the measured phase in which the busiest thread ran or waited for a core.
    pub thread_share: f64,
    /// Requests per processor second.
    pub requests_per_cpu_s: Option<f64>,
    /// The last calibration of this machine; null if there is none that holds for it.
    pub calibration: Option<Calibrated>,
}

/// The last calibration, and what it says about this run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibrated {
    /// When it was: RFC 3339, UTC.
    pub at: String,
    /// As in the calibration.
    pub closed_rate_per_core: f64,
    /// As in the calibration.
    pub open_rate_max: Option<f64>,
    /// As in the calibration.
    pub latency_floor_ms: Floor,
    /// What follows for this run, in sentences; empty where it stayed well within.
    pub cited: Vec<String>,
}

/// Facts about the target.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TargetFacts {
    /// Its URL, without credentials.
    pub url: String,
    /// What its answers call it.
    pub server: Option<String>,
    /// What the plan has started of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<ProcessFacts>,
}

/// A process of the target that the plan has started.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProcessFacts {
    /// What people call it.
    pub name: String,
    /// The file that it runs.
    pub program: Option<String>,
    /// The cores that it is kept on.
    pub cpus: Option<String>,
    /// How long it took to get ready.
    pub ready_after_s: f64,
    /// Processor seconds since it was started, with all that it started itself.
    pub cpu_s: f64,
    /// Resident memory when the run had ended.
    pub rss_bytes: u64,
}

/// One observed quantity over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Series {
    /// What it is.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Seconds between points.
    pub step_s: f64,
    /// The points from the start of the measured phase; null where nothing was seen.
    pub points: Vec<Option<f64>>,
}

/// Why requests failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// In words; safe to print.
    pub text: String,
    /// How often.
    pub count: u64,
}

/// One bar of the latency histogram.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistogramBar {
    /// Times above this …
    pub above_ms: f64,
    /// … and up to this.
    pub to_ms: f64,
    /// Requests.
    pub count: u64,
}
