//! The course of the measured phase: its whole spans, and apart from them the tail.
//!
//! Ticks are cut at whole seconds of the run, and they go on while the last answers are awaited. So the timeline's
//! last spans may lie only partly in the measured phase, or beyond it: they are the *tail*. Rates, drift and backlog
//! read whole spans only, since half a second or a draining queue would look like a change; intervals read the
//! tail's requests as part of the last whole span, so that they are about the same requests as the figure.

use plimsoll_model::{Recording, Span};
use plimsoll_stats::Histogram;

/// A span that misses this much of a second at either end is still whole: clocks are not exact.
const SLACK_S: f64 = 0.1;

/// Whole spans of the measured phase, and the rest.
#[derive(Debug, Clone, Default)]
pub(crate) struct Course {
    /// Seconds that each span covers.
    pub(crate) step_s: u64,
    pub(crate) spans: Vec<Span>,
    /// What ended after the last whole span.
    pub(crate) tail: Span,
}

impl Course {
    pub(crate) fn of(recording: &Recording) -> Self {
        let timeline = &recording.timeline;
        let step_s = timeline.seconds_per_span();
        let Some(start) = timeline.start_second() else {
            return Self { step_s, ..Self::default() };
        };
        let begin = recording.warmup.as_secs_f64();
        let end = begin + recording.measured.as_secs_f64();
        let mut course = Self { step_s, ..Self::default() };
        for (index, span) in timeline.spans().enumerate() {
            let span_end = (start + (index as u64 + 1) * step_s) as f64;
            if span_end <= end + SLACK_S {
                course.spans.push(span);
            } else {
                course.tail.merge(&span);
            }
        }
        course.join_lead(begin - start as f64);
        course
    }

    /// Joins what begins before the measured phase to the first whole span: a second cut short by the warm-up's end.
    fn join_lead(&mut self, lead_s: f64) {
        let step_s = self.step_s as f64;
        let cut = ((lead_s - SLACK_S * step_s) / step_s).ceil().max(0.0) as usize;
        let cut = cut.min(self.spans.len().saturating_sub(1));
        let lead: Vec<Span> = self.spans.drain(..cut).collect();
        for earlier in lead.into_iter().rev() {
            let later = std::mem::replace(&mut self.spans[0], earlier);
            self.spans[0].merge(&later);
        }
    }

    /// A histogram of each span, the tail's in the last.
    pub(crate) fn histograms(&self, of: impl Fn(&Span) -> Histogram) -> Vec<Histogram> {
        let mut histograms: Vec<Histogram> = self.spans.iter().map(&of).collect();
        let tail = of(&self.tail);
        match histograms.last_mut() {
            Some(last) => last.merge(&tail),
            None if !tail.is_empty() => histograms.push(tail),
            None => {}
        }
        histograms
    }

    /// A count of each span, the tail's in the last.
    pub(crate) fn counts(&self, of: impl Fn(&Span) -> u64) -> Vec<u64> {
        let mut counts: Vec<u64> = self.spans.iter().map(&of).collect();
        let tail = of(&self.tail);
        match counts.last_mut() {
            Some(last) => *last += tail,
            None if tail > 0 => counts.push(tail),
            None => {}
        }
        counts
    }
}

/// Requests of a span that failed: neither ok nor an expected refusal.
pub(crate) fn failed(span: &Span) -> u64 {
    span.failed.len()
}

/// Requests of a span that objectives are about.
pub(crate) fn judged(span: &Span) -> u64 {
    span.ok.len() + span.failed.len()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use plimsoll_model::Outcome;

    use super::*;
    use crate::support::Recorded;

    #[track_caller]
    fn check(warmup_s: f64, measured_s: f64, expected: &[u64], tail: u64) {
        // Ticks from the warm-up's end to two seconds beyond the measured phase, ten answers each.
        let mut recording =
            Recorded::seconds((measured_s.ceil() as u64) + 2).warmup(warmup_s).each(Outcome::Ok, 10, 1.0).done();
        recording.measured = Duration::from_secs_f64(measured_s);
        let course = Course::of(&recording);
        assert_eq!(course.spans.iter().map(Span::ended).collect::<Vec<_>>(), expected);
        assert_eq!(course.tail.ended(), tail);
        let total: u64 = course.counts(Span::ended).iter().sum();
        assert_eq!(total, recording.steps[0].cells[0].count(), "nothing is lost");
    }

    #[test]
    fn only_whole_spans_make_the_course() {
        check(0.0, 3.0, &[10, 10, 10], 20);
        check(0.0, 2.95, &[10, 10, 10], 20);
        check(0.0, 2.5, &[10, 10], 30);
        check(5.0, 3.0, &[10, 10, 10], 20);
        check(0.0, 0.5, &[], 30);
        check(2.5, 3.0, &[20, 10], 20);
        check(2.05, 3.0, &[10, 10, 10], 20);
    }
}
