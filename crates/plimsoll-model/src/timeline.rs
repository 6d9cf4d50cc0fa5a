//! The course of a run in bounded memory: spans of one second that grow longer as the run does.
//!
//! A day of ticks would not fit; so when the timeline is full, neighbouring spans are merged in pairs and each
//! span covers twice the time. Totals stay exact, only the resolution in time halves.

use plimsoll_stats::Histogram;

use crate::outcome::{Outcome, OutcomeCounts};
use crate::tick::Tick;

/// Spans kept at most; even, so that pairs come out whole.
const SPANS_MAX: usize = 600;

/// A stretch of the measured phase.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Span {
    /// Requests that became due.
    pub due: u64,
    /// Requests in flight at its end.
    pub in_flight: u64,
    /// What ended, by outcome.
    pub outcomes: OutcomeCounts,
    /// How many of those were expected refusals.
    pub refused: u64,
    /// Response times of requests that ended well.
    pub ok: Histogram,
    /// Response times of requests that failed.
    pub failed: Histogram,
    /// Response times of expected refusals.
    pub refusals: Histogram,
}

/// The measured phase from its start, in spans of equal length.
#[derive(Debug, Clone)]
pub struct Timeline {
    start_second: Option<u64>,
    seconds: u64, // from the first tick's to the last one's, both included
    seconds_per_span: u64,
    spans: Vec<PackedSpan>,
}

/// A span with its histograms as bytes: a few kilobytes instead of a few hundred.
#[derive(Debug, Clone)]
struct PackedSpan {
    counts: Span,
    histograms: [Vec<u8>; 3],
}

impl Default for Timeline {
    fn default() -> Self {
        Self { start_second: None, seconds: 0, seconds_per_span: 1, spans: Vec::new() }
    }
}

impl Timeline {
    /// Adds a merged tick of the measured phase; ticks come in the order of their seconds.
    pub fn push(&mut self, tick: &Tick) {
        let start = *self.start_second.get_or_insert(tick.second);
        let offset = tick.second.saturating_sub(start);
        self.seconds = self.seconds.max(offset + 1);
        while offset / self.seconds_per_span >= SPANS_MAX as u64 {
            self.halve();
        }
        let index = (offset / self.seconds_per_span) as usize;
        while self.spans.len() <= index {
            self.spans.push(PackedSpan::pack(Span::default()));
        }
        let mut span = self.spans[index].unpack();
        span.add(tick);
        self.spans[index] = PackedSpan::pack(span);
    }

    /// The spans in order.
    pub fn spans(&self) -> impl Iterator<Item = Span> + '_ {
        self.spans.iter().map(PackedSpan::unpack)
    }

    /// How many seconds each span covers; the last may cover less.
    pub fn seconds_per_span(&self) -> u64 {
        self.seconds_per_span
    }

    /// The second of the run in which the first span begins; `None` before the first tick.
    pub fn start_second(&self) -> Option<u64> {
        self.start_second
    }

    /// How many seconds all spans together cover.
    pub fn seconds(&self) -> u64 {
        self.seconds
    }

    fn halve(&mut self) {
        self.spans = self
            .spans
            .chunks(2)
            .map(|pair| {
                let mut span = pair[0].unpack();
                if let Some(second) = pair.get(1) {
                    span.merge(&second.unpack());
                }
                PackedSpan::pack(span)
            })
            .collect();
        self.seconds_per_span *= 2;
    }
}

impl Span {
    /// Requests that ended.
    pub fn ended(&self) -> u64 {
        self.outcomes.total()
    }

    /// Requests that ended with an answer, expected refusals included.
    pub fn answered(&self) -> u64 {
        self.outcomes.iter().filter(|(outcome, _)| outcome.is_answer()).map(|(_, count)| count).sum()
    }

    /// Response times of all that ended.
    pub fn response(&self) -> Histogram {
        let mut all = self.ok.clone();
        all.merge(&self.failed);
        all.merge(&self.refusals);
        all
    }

    fn add(&mut self, tick: &Tick) {
        self.due += tick.due;
        self.in_flight = tick.in_flight;
        for cell in tick.cells() {
            self.outcomes[cell.outcome] += cell.count();
            let times = &cell.timings.response;
            match (cell.refused, cell.outcome) {
                (true, _) => {
                    self.refused += cell.count();
                    self.refusals.merge(times);
                }
                (false, Outcome::Ok) => self.ok.merge(times),
                (false, _) => self.failed.merge(times),
            }
        }
    }

    /// Adds the span that follows.
    pub fn merge(&mut self, later: &Self) {
        self.due += later.due;
        self.in_flight = later.in_flight;
        for (outcome, count) in later.outcomes.iter() {
            self.outcomes[outcome] += count;
        }
        self.refused += later.refused;
        self.ok.merge(&later.ok);
        self.failed.merge(&later.failed);
        self.refusals.merge(&later.refusals);
    }
}

impl PackedSpan {
    fn pack(mut span: Span) -> Self {
        let histograms = [&mut span.ok, &mut span.failed, &mut span.refusals].map(|histogram| {
            let histogram = std::mem::take(histogram);
            if histogram.is_empty() { Vec::new() } else { histogram.to_bytes() }
        });
        Self { counts: span, histograms }
    }

    fn unpack(&self) -> Span {
        let [ok, failed, refusals] = self.histograms.each_ref().map(|bytes| {
            if bytes.is_empty() { Histogram::new() } else { Histogram::from_bytes(bytes).expect("packed by ourselves") }
        });
        Span { ok, failed, refusals, ..self.counts.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tick::StepTick;

    fn tick(second: u64) -> Tick {
        let mut step = StepTick::default();
        step.cell(Outcome::Ok, false).timings.response.record(1000 + second);
        Tick { second, due: 1, in_flight: second, steps: vec![step], ..Tick::default() }
    }

    #[test]
    fn a_long_run_stays_bounded_and_keeps_every_request() {
        let mut timeline = Timeline::default();
        for second in 0..5000 {
            timeline.push(&tick(10 + second));
        }
        assert_eq!(timeline.seconds_per_span(), 16);
        let spans: Vec<Span> = timeline.spans().collect();
        assert!(spans.len() <= SPANS_MAX);
        assert_eq!(spans.iter().map(|span| span.ok.len()).sum::<u64>(), 5000);
        assert_eq!(spans.iter().map(|span| span.due).sum::<u64>(), 5000);
        assert_eq!(spans[0].in_flight, 25, "a span ends with its last tick's requests in flight");
    }

    #[test]
    fn a_second_without_ticks_is_an_empty_span() {
        let mut timeline = Timeline::default();
        timeline.push(&tick(2));
        timeline.push(&tick(5));
        let ended: Vec<u64> = timeline.spans().map(|span| span.ended()).collect();
        assert_eq!(ended, [1, 0, 0, 1]);
        assert_eq!((timeline.start_second(), timeline.seconds()), (Some(2), 4));
    }
}
