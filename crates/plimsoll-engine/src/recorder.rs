//! Counts and times every request of one thread, and hands on a part of a tick each second.
//!
//! Recording allocates nothing for a request beyond the first of its kind in a second. Memory does not grow
//! with the run: what a second held goes to the coordinator and is forgotten.

use std::collections::BTreeMap;
use std::sync::mpsc::Sender;

use plimsoll_model::{Cell, FailureSample, FlowTick, Incident, Incidents, Outcome, Phases, StepTick, Tick, Timings};

use crate::clock::{Moment, NEVER};
use crate::log::Log;
use crate::sample::{Sample, Spans};
use crate::usage::ThreadUse;

const SECOND: Moment = 1_000_000_000;
/// Distinct reasons kept; a hostile server can make up any number.
const REASONS_MAX: usize = 32;
/// Failures kept for each step.
pub(crate) const FAILURES_MAX: usize = 3;

/// What one thread saw in one second.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) thread: usize,
    pub(crate) second: u64,
    /// Requests due in the warm-up, then those of the measured phase.
    pub(crate) ticks: [Option<Tick>; 2],
    pub(crate) usage: ThreadUse,
    /// Set in the thread's last part.
    pub(crate) last: Option<Last>,
}

/// What a thread says when it ends.
#[derive(Debug, Default)]
pub(crate) struct Last {
    pub(crate) unfinished: u64,
    pub(crate) flows_cut: u64,
    /// By step.
    pub(crate) failures: BTreeMap<usize, Vec<FailureSample>>,
    pub(crate) answered_in_time: u64,
    pub(crate) incidents: Incidents,
    pub(crate) reasons: BTreeMap<String, u64>,
    pub(crate) server: Option<String>,
    /// When the last of the load was given out.
    pub(crate) load_end: Moment,
}

/// What the recorder must know of the plan.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    pub(crate) thread: usize,
    /// In the closed model the service time equals the response time, and is not kept twice.
    pub(crate) closed: bool,
    pub(crate) warmup_end: Moment,
    /// What a dropped request is taken to have waited.
    pub(crate) whole_timeout: Moment,
    pub(crate) expect: Vec<u16>,
    /// How many steps all journeys have together; 1 where the plan is one request.
    pub(crate) steps: usize,
    /// How many journeys there are; 0 where the plan is one request.
    pub(crate) journeys: usize,
}

impl Rules {
    /// What counts as a request's response time.
    #[inline]
    fn response(&self, sample: &Sample) -> Moment {
        if sample.outcome == Outcome::Dropped {
            self.whole_timeout
        } else if self.closed {
            sample.end - sample.sent
        } else {
            sample.end - sample.due
        }
    }
}

/// Counts and times the requests of one thread.
pub(crate) struct Recorder {
    rules: Rules,
    parts: Sender<Part>,
    log: Option<Log>,
    second: u64,
    second_end: Moment,
    /// Warm-up and measured.
    pages: [Page; 2],
    in_flight: u64,
    /// In flight and due in the measured phase.
    in_flight_measured: u64,
    /// When load ends, once that is known.
    load_end: Moment,
    knows_server: bool,
    last: Last,
}

const CELLS: usize = Outcome::COUNT * 2;

/// The open second.
#[derive(Default)]
struct Page {
    due: u64,
    reconnects: u64,
    /// None until one of them ended.
    steps: Vec<StepPage>,
    flows: Vec<FlowTick>,
}

/// The open second at one step.
#[derive(Default)]
struct StepPage {
    cells: [Option<Box<Timings>>; CELLS],
    statuses: Vec<(u16, u64)>,
    body_bytes: u64,
    phases: Option<Box<Phases>>,
}

impl Recorder {
    pub(crate) fn new(rules: Rules, parts: Sender<Part>, log: Option<Log>) -> Self {
        Self {
            rules,
            parts,
            log,
            second: 0,
            second_end: SECOND,
            pages: Default::default(),
            in_flight: 0,
            in_flight_measured: 0,
            load_end: NEVER,
            knows_server: false,
            last: Last::default(),
        }
    }

    /// A request has become due.
    #[inline]
    pub(crate) fn due(&mut self, due: Moment) {
        let measured = self.is_measured(due);
        self.pages[usize::from(measured)].due += 1;
        self.in_flight += 1;
        self.in_flight_measured += u64::from(measured);
    }

    /// A request that was due has ended.
    #[inline]
    pub(crate) fn ended(&mut self, sample: &Sample) {
        if sample.end >= self.second_end {
            self.roll(sample.end);
        }
        let measured = self.is_measured(sample.due);
        self.in_flight -= 1;
        let refused = sample.status != 0 && self.rules.expect.contains(&sample.status) && sample.outcome != Outcome::Ok;
        let page = self.pages[usize::from(measured)].step(sample.step, self.rules.steps);
        let timings = page.cells[sample.outcome as usize * 2 + usize::from(refused)].get_or_insert_default();
        let response = self.rules.response(sample);
        timings.response.record(response);
        if sample.outcome != Outcome::Dropped {
            timings.lag.record(sample.sent - sample.due);
            if !self.rules.closed {
                timings.service.record(sample.end - sample.sent);
            }
        }
        if sample.status != 0 {
            page.status(sample.status);
        }
        page.body_bytes += sample.body_bytes;
        page.phases(&sample.spans);
        if measured {
            self.in_flight_measured -= 1;
            self.last.answered_in_time += u64::from(sample.status != 0 && sample.end <= self.load_end);
        }
        if let Some(log) = &mut self.log {
            log.write(sample, response, refused);
        }
    }

    /// A request that was due found no room, and was never sent.
    pub(crate) fn dropped(&mut self, step: usize, due: Moment, now: Moment) {
        self.due(due);
        let now = now.max(due);
        self.ended(&Sample {
            due,
            sent: now,
            end: now,
            outcome: Outcome::Dropped,
            step,
            status: 0,
            body_bytes: 0,
            spans: Spans::default(),
        });
    }

    /// A flow of a journey that was due then has ended.
    pub(crate) fn flow_ended(&mut self, journey: usize, due: Moment, end: Moment, passed: bool) {
        let measured = self.is_measured(due);
        let flows = &mut self.pages[usize::from(measured)].flows;
        if flows.is_empty() {
            flows.resize_with(self.rules.journeys, FlowTick::default);
        }
        let flow = &mut flows[journey];
        let times = if passed { &mut flow.passed } else { &mut flow.failed };
        times.record(end.saturating_sub(due));
    }

    /// The end of the run cut a flow short that was due then.
    pub(crate) fn flow_cut(&mut self, due: Moment) {
        self.last.flows_cut += u64::from(self.is_measured(due));
    }

    /// Whether a failure of a step due then would be kept.
    pub(crate) fn wants_failure(&self, step: usize, due: Moment) -> bool {
        self.is_measured(due) && self.last.failures.get(&step).is_none_or(|kept| kept.len() < FAILURES_MAX)
    }

    /// Keeps a failure of a step for people to look at; one of each kind.
    pub(crate) fn failure(&mut self, step: usize, sample: FailureSample) {
        let kept = self.last.failures.entry(step).or_default();
        if kept.iter().all(|known| (&known.place, &known.actual) != (&sample.place, &sample.actual)) {
            kept.push(sample);
        }
    }

    /// A request due then found its kept-alive connection closed.
    pub(crate) fn reconnect(&mut self, due: Moment) {
        let measured = self.is_measured(due);
        self.pages[usize::from(measured)].reconnects += 1;
    }

    pub(crate) fn incident(&mut self, incident: Incident) {
        self.last.incidents.note(incident);
    }

    pub(crate) fn missed(&mut self, arrivals: u64) {
        self.last.incidents.note_n(Incident::ScheduleMissed, arrivals);
    }

    /// Why a request due then failed, or needed another connection; the text is safe to print.
    pub(crate) fn reason(&mut self, due: Moment, reason: String) {
        if !self.is_measured(due) {
            return;
        }
        let reasons = &mut self.last.reasons;
        if reasons.len() < REASONS_MAX || reasons.contains_key(&reason) {
            *reasons.entry(reason).or_default() += 1;
        } else {
            *reasons.entry("other reasons".to_owned()).or_default() += 1;
        }
    }

    /// What the server calls itself, if it says so.
    pub(crate) fn server(&mut self, server: Option<String>) {
        self.knows_server = true;
        if self.last.server.is_none() {
            self.last.server = server;
        }
    }

    /// Whether an answer has been asked for the server's name.
    pub(crate) fn knows_server(&self) -> bool {
        self.knows_server
    }

    pub(crate) fn in_flight(&self) -> u64 {
        self.in_flight
    }

    /// Answers after this moment came too late for the achieved rate.
    pub(crate) fn load_ends(&mut self, at: Moment) {
        self.load_end = self.load_end.min(at);
    }

    /// Hands on every second that has passed.
    pub(crate) fn roll(&mut self, now: Moment) {
        while now >= self.second_end {
            self.send(None);
            self.second += 1;
            self.second_end += SECOND;
        }
    }

    /// Hands on the rest; what is in flight stays without an outcome.
    pub(crate) fn finish(&mut self, now: Moment) {
        self.roll(now);
        let mut last = std::mem::take(&mut self.last);
        last.unfinished = self.in_flight_measured;
        last.load_end = self.load_end.min(now);
        self.send(Some(last));
    }

    fn is_measured(&self, due: Moment) -> bool {
        due >= self.rules.warmup_end
    }

    fn send(&mut self, last: Option<Last>) {
        let [warmup, measured] = &mut self.pages;
        let in_flight = self.in_flight;
        let (second, steps) = (self.second, self.rules.steps);
        let ticks = [(warmup, true), (measured, false)].map(|(page, is_warmup)| {
            (!page.is_empty() || (!is_warmup && self.second_end > self.rules.warmup_end)).then(|| {
                let tick = page.take(steps);
                Tick { second, warmup: is_warmup, in_flight, ..tick }
            })
        });
        let part = Part { thread: self.rules.thread, second, ticks, usage: ThreadUse::now(), last };
        // The coordinator outlives its threads; if it is gone, so is everybody who wanted to know.
        let _ = self.parts.send(part);
    }
}

impl Page {
    fn is_empty(&self) -> bool {
        self.due == 0 && self.reconnects == 0 && self.steps.is_empty() && self.flows.is_empty()
    }

    #[inline]
    fn step(&mut self, step: usize, of: usize) -> &mut StepPage {
        if self.steps.is_empty() {
            self.steps.resize_with(of, StepPage::default);
        }
        &mut self.steps[step]
    }

    fn take(&mut self, steps: usize) -> Tick {
        let page = std::mem::take(self);
        let mut rows: Vec<StepTick> = page.steps.into_iter().map(StepPage::into_tick).collect();
        rows.resize_with(steps, StepTick::default);
        Tick { due: page.due, reconnects: page.reconnects, steps: rows, flows: page.flows, ..Tick::default() }
    }
}

impl StepPage {
    #[inline]
    fn status(&mut self, status: u16) {
        match self.statuses.iter_mut().find(|(known, _)| *known == status) {
            Some((_, count)) => *count += 1,
            None => self.statuses.push((status, 1)),
        }
    }

    #[inline]
    fn phases(&mut self, spans: &Spans) {
        let parts = [spans.connect, spans.tls, spans.first_byte, spans.body];
        if parts.iter().all(Option::is_none) {
            return;
        }
        let phases = self.phases.get_or_insert_default();
        let histograms = [&mut phases.connect, &mut phases.tls, &mut phases.first_byte, &mut phases.body];
        for (histogram, part) in histograms.into_iter().zip(parts) {
            if let Some(nanos) = part {
                histogram.record(nanos);
            }
        }
    }

    fn into_tick(self) -> StepTick {
        let cells = self.cells.into_iter().enumerate().filter_map(|(index, timings)| {
            let (outcome, refused) = (Outcome::ALL[index / 2], index % 2 == 1);
            timings.map(|timings| Cell { outcome, refused, timings: *timings })
        });
        StepTick {
            cells: cells.collect(),
            statuses: self.statuses.into_iter().collect(),
            body_bytes: self.body_bytes,
            phases: self.phases.map(|phases| *phases).unwrap_or_default(),
        }
    }
}
