//! The resolved plan of one run: everything decided, nothing left to a default.
//!
//! Two ways of running with equal plans send the same requests at the same intended moments. What was typed
//! becomes a plan in the binary; the engine obeys it; the judge reads its objectives.

use std::fmt;
use std::time::Duration;

use crate::load::{Abort, Load, Stop};
use crate::objective::{Objective, Objectives};
use crate::shape::Shape;
use crate::transport::{Timeouts, Transport};
use crate::units::duration_text;

/// One run, fully decided.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What people call it.
    pub name: String,
    /// Where the requests go.
    pub target: Target,
    /// What is sent, where that is one request.
    pub request: RequestSpec,
    /// What users do instead; empty where the plan is one request.
    pub journeys: Vec<JourneySpec>,
    /// How it gets there.
    pub transport: Transport,
    /// How much, when.
    pub load: Load,
    /// Until when.
    pub stop: Stop,
    /// Requests due before this moment are sent but left out of every figure.
    pub warmup: Duration,
    /// How long an exchange and its parts may take.
    pub timeouts: Timeouts,
    /// What the run is held to.
    pub objectives: Objectives,
    /// What single steps are held to, by their names.
    pub step_objectives: Vec<(String, Objective)>,
    /// Statuses that are the refusal we want: neither errors nor part of the objectives' quantiles.
    pub expect: Vec<u16>,
    /// Bounds under which the share of requests is reported.
    pub within: Vec<Duration>,
    /// When to give up early.
    pub abort: Option<Abort>,
    /// The seed of every random stream.
    pub seed: u64,
    /// Generator threads; at least 1.
    pub threads: usize,
}

/// Where the requests go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The URL as given, without credentials.
    pub url: String,
    /// How it is spoken to.
    pub scheme: Scheme,
    /// Host name or address literal, without brackets.
    pub host: String,
    /// Port, the scheme's own if none was given.
    pub port: u16,
    /// Path and query, beginning with `/`.
    pub path: String,
}

/// How a target is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// In the clear.
    Http,
    /// Over TLS.
    Https,
}

/// What is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestSpec {
    /// The step's name: `GET /path`.
    pub label: String,
    /// The method.
    pub method: String,
    /// Headers in the order given, credentials included.
    pub headers: Vec<(String, String)>,
    /// The body; empty for none.
    pub body: Vec<u8>,
}

/// A journey as the plan has it: names and shares. What its steps send is compiled elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct JourneySpec {
    /// What people call it.
    pub name: String,
    /// Its part of all flows, in (0, 1].
    pub share: f64,
    /// The names of its steps in order.
    pub steps: Vec<String>,
    /// All that makes one plan differ from another: the text of its file, its data, its pauses; without secrets.
    pub lines: Vec<(&'static str, String)>,
}

impl Scheme {
    /// As in a URL.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    /// The port where a URL names none.
    pub fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }

    /// Whether bytes go over TLS.
    pub fn is_encrypted(self) -> bool {
        self == Self::Https
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Plan {
    /// How long requests become due, if that is known beforehand.
    pub fn length(&self) -> Option<Duration> {
        let by_requests = match (&self.load, self.stop.requests) {
            (Load::Open(open), Some(requests)) => time_of_requests(&open.shape, requests),
            _ => None,
        };
        [self.stop.after, self.load.shape().length(), by_requests].into_iter().flatten().min()
    }

    /// The names of all steps: those of one journey after those of the other. A name that several have is told
    /// apart by its journey, or by a number.
    pub fn step_names(&self) -> Vec<String> {
        if self.journeys.is_empty() {
            return vec![self.request.label.clone()];
        }
        let all: Vec<(&str, &str)> =
            self.journeys.iter().flat_map(|j| j.steps.iter().map(|step| (j.name.as_str(), step.as_str()))).collect();
        let is_shared = |name: &str, journey: &str| all.iter().any(|(other, step)| *step == name && *other != journey);
        let mut names: Vec<String> = Vec::with_capacity(all.len());
        for (journey, step) in &all {
            let name = if is_shared(step, journey) { format!("{journey}: {step}") } else { (*step).to_owned() };
            let number = 1 + names.iter().filter(|known| known.split(" #").next() == Some(name.as_str())).count();
            names.push(if number == 1 { name } else { format!("{name} #{number}") });
        }
        names
    }

    /// Where the steps of a journey begin among all steps.
    pub fn first_step(&self, journey: usize) -> usize {
        self.journeys.iter().take(journey).map(|journey| journey.steps.len()).sum()
    }

    /// How many requests a flow has on average, if every step is made once.
    pub fn requests_per_flow(&self) -> f64 {
        if self.journeys.is_empty() {
            return 1.0;
        }
        self.journeys.iter().map(|journey| journey.share * journey.steps.len() as f64).sum()
    }

    /// How many requests become due (flows begin, where the plan has journeys), if that is known beforehand.
    pub fn requests_expected(&self) -> Option<u64> {
        let Load::Open(open) = &self.load else {
            return self.stop.requests;
        };
        let by_shape = match self.stop.after {
            Some(after) => area_until(&open.shape, after),
            None => open.shape.area(),
        };
        let by_shape = by_shape.is_finite().then(|| by_shape.round() as u64);
        [by_shape, self.stop.requests].into_iter().flatten().min()
    }

    /// The plan as labelled lines, credentials redacted: what `check` prints and what the hash covers.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![("name", self.name.clone()), ("target", self.target.url.clone())];
        if self.journeys.is_empty() {
            lines.push(("request", format!("{} {}", self.request.method, self.target.path)));
        }
        for journey in &self.journeys {
            lines.push(("journey", format!("{} ({:.4} of all flows)", journey.name, journey.share)));
            lines.extend(journey.lines.iter().cloned());
        }
        lines.extend(
            self.request.headers.iter().map(|(name, value)| ("header", format!("{name}: {}", redact(name, value)))),
        );
        if !self.request.body.is_empty() {
            lines.push(("body", format!("{} bytes", self.request.body.len())));
        }
        lines.extend(self.transport.lines(self.target.scheme.is_encrypted()));
        lines.extend(self.load_lines());
        lines.push(("timeout", self.timeouts.text()));
        lines.extend(self.objectives.iter().map(|objective| ("objective", objective.to_string())));
        let of_step = |(step, objective): &(String, Objective)| ("objective", format!("{step}: {objective}"));
        lines.extend(self.step_objectives.iter().map(of_step));
        lines.extend(self.expect.iter().map(|status| ("expect", status.to_string())));
        if let Some(abort) = self.abort {
            let (percent, lasting) = (abort.error_share * 100.0, duration_text(abort.lasting));
            lines.push(("abort", format!("errors > {percent}% for {lasting}")));
        }
        lines.push(("seed", self.seed.to_string()));
        lines
    }

    /// A stable name for what is sent and how: equal plans have equal hashes (FNV-1a over `lines` and the body).
    pub fn hash(&self) -> String {
        let text = self.lines().into_iter().map(|(name, value)| format!("{name}={value}\n")).collect::<String>();
        let bytes = text.bytes().chain(self.request.body.iter().copied());
        let hash =
            bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        format!("{hash:016x}")
    }

    fn load_lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = Vec::new();
        match &self.load {
            Load::Open(open) => {
                lines.push(("model", "open: arrivals a second, whatever the server does".to_owned()));
                lines.push(("rate", format!("{} (a second)", open.shape)));
                lines.push(("arrivals", open.arrivals.to_string()));
                lines.push(("in flight", format!("at most {}, then dropped", open.in_flight_max)));
            }
            Load::Closed(closed) => {
                lines.push(("model", "closed: users who wait for their answer".to_owned()));
                lines.push(("users", closed.shape.to_string()));
                if !closed.think.is_zero() {
                    lines.push(("think", duration_text(closed.think)));
                }
            }
        }
        lines.extend(self.stop.after.map(|after| ("duration", duration_text(after))));
        lines.extend(self.stop.requests.map(|requests| ("requests", requests.to_string())));
        if !self.warmup.is_zero() {
            lines.push(("warm-up", format!("{}, left out of every figure", duration_text(self.warmup))));
        }
        lines
    }
}

/// Headers whose values are never shown.
const SECRET_HEADERS: [&str; 6] =
    ["authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token"];

/// A header's value as it may be shown: credentials become `[redacted]`.
pub fn redact<'v>(name: &str, value: &'v str) -> &'v str {
    let secret = SECRET_HEADERS.iter().any(|secret| name.trim().eq_ignore_ascii_case(secret));
    if secret { "[redacted]" } else { value }
}

/// When the n-th request has become due.
fn time_of_requests(shape: &Shape, requests: u64) -> Option<Duration> {
    shape.time_at_area(requests as f64).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

/// The area under a shape up to a moment, by bisection-free means: cut the phases there.
fn area_until(shape: &Shape, end: Duration) -> f64 {
    let (mut start, mut area) = (Duration::ZERO, 0.0);
    for phase in shape.phases() {
        let left = end.saturating_sub(start);
        let length = phase.length.unwrap_or(Duration::MAX).min(left);
        let slope = phase.length.map_or(0.0, |whole| (phase.to - phase.from) / whole.as_secs_f64());
        let x = length.as_secs_f64();
        area += phase.from * x + slope * x * x / 2.0;
        start = start.saturating_add(length);
    }
    area
}
