//! 95 % intervals of the run's figures, from its spans as ticks: how far off they may be.
//!
//! The method is `plimsoll_stats::interval`'s: a few long blocks, since requests in a queue are not independent. An
//! interval is about the same requests as its figure, so the tail counts with the last span. Where the run is too
//! short for one it is null, and the seconds that it lacks are said; where nothing was measured it is null alone.

use std::collections::BTreeMap;

use plimsoll_model::Span;
use plimsoll_stats::{Estimate, Histogram, Quantile, interval};

use crate::course::{Course, failed, judged};
use crate::figures::QUANTILES;

const CONFIDENCE: f64 = 0.95;
const NS_PER_MS: f64 = 1e6;

/// Where a figure lies, in reported units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Interval {
    /// With 95 %. The upper end may be infinite, where failures count as slower than any bound.
    Known { low: f64, high: f64 },
    /// So many seconds more would tell.
    TooShort { seconds: f64 },
    /// Nothing was measured, or the figure has no interval.
    NoData,
}

/// Intervals and, for those that the run is too short for, the seconds lacking; by figure (`response_ms.p99`).
pub(crate) type ByFigure = (BTreeMap<String, Option<[f64; 2]>>, BTreeMap<String, f64>);

impl Interval {
    /// Both ends, each as far as it is finite.
    pub(crate) fn ends(self) -> [Option<f64>; 2] {
        match self {
            Self::Known { low, high } => [low, high].map(|end| end.is_finite().then_some(end)),
            Self::TooShort { .. } | Self::NoData => [None, None],
        }
    }

    fn of(estimate: Estimate, units_per: f64, step_s: u64) -> Self {
        match estimate {
            Estimate::Interval(interval) => {
                Self::Known { low: interval.low / units_per, high: interval.high / units_per }
            }
            Estimate::TooShort { ticks_more } => Self::TooShort { seconds: (ticks_more * step_s) as f64 },
            Estimate::NoData => Self::NoData,
        }
    }
}

/// Every interval that a run reports.
pub(crate) fn all(course: &Course) -> ByFigure {
    let mut by_figure = ByFigure::default();
    note(&mut by_figure, "errors".to_owned(), errors(course));
    for (name, of) in [("response_ms", Span::response as fn(&Span) -> Histogram), ("response_ok_ms", ok)] {
        let ticks = course.histograms(of);
        note(&mut by_figure, format!("{name}.mean"), mean(course, &ticks));
        for (quantile, q) in QUANTILES {
            let estimate = interval::quantile(&ticks, q, CONFIDENCE);
            note(&mut by_figure, format!("{name}.{quantile}"), Interval::of(estimate, NS_PER_MS, course.step_s));
        }
    }
    by_figure
}

/// Of an objective's quantile: failures are slower than any bound.
pub(crate) fn judged_quantile(course: &Course, q: Quantile) -> Interval {
    let ticks: Vec<(Histogram, u64)> = course.histograms(ok).into_iter().zip(course.counts(failed)).collect();
    Interval::of(interval::quantile_with_failures(&ticks, q, CONFIDENCE), NS_PER_MS, course.step_s)
}

/// Of the mean over requests that ended well.
pub(crate) fn ok_mean(course: &Course) -> Interval {
    mean(course, &course.histograms(ok))
}

/// Of the share of failures.
pub(crate) fn errors(course: &Course) -> Interval {
    let ticks: Vec<(u64, u64)> = course.counts(failed).into_iter().zip(course.counts(judged)).collect();
    Interval::of(interval::share(&ticks, CONFIDENCE), 1.0, course.step_s)
}

fn mean(course: &Course, ticks: &[Histogram]) -> Interval {
    Interval::of(interval::mean(ticks, CONFIDENCE), NS_PER_MS, course.step_s)
}

fn ok(span: &Span) -> Histogram {
    span.ok.clone()
}

fn note((intervals, wants): &mut ByFigure, name: String, interval: Interval) {
    if let Interval::TooShort { seconds } = interval {
        wants.insert(name.clone(), seconds);
    }
    let ends = match interval.ends() {
        [Some(low), Some(high)] => Some([low, high]),
        _ => None,
    };
    intervals.insert(name, ends);
}

#[cfg(test)]
mod tests {
    use plimsoll_model::{Outcome, Recording};

    use super::*;
    use crate::support::{Recorded, steady};

    #[track_caller]
    fn check(recording: &Recording, name: &str, within: Option<[f64; 2]>, wants: bool) {
        let (intervals, wanted) = all(&Course::of(recording));
        let interval = intervals.get(name).expect("a figure of that name");
        let holds = match (interval, within) {
            (Some([low, high]), Some([from, to])) => from <= *low && low <= high && *high <= to,
            (None, None) => true,
            _ => false,
        };
        assert!(holds, "{name}: {interval:?}");
        assert_eq!(wanted.contains_key(name), wants, "{name}: {wanted:?}");
    }

    #[test]
    fn each_figure_has_its_interval_or_says_what_it_lacks() {
        let long = steady(0.5, 500.0, 240.0, 1); // mean 4 ms, p99 18.4 ms
        check(&long, "response_ms.mean", Some([3.6, 4.4]), false);
        check(&long, "response_ok_ms.p99", Some([15.0, 22.0]), false);
        check(&long, "errors", Some([0.0, 0.001]), false);
        let short = Recorded::seconds(3).each(Outcome::Ok, 100, 5.0).done();
        check(&short, "response_ms.p50", None, true);
        check(&Recording::default(), "response_ms.p50", None, false);
        check(&Recording::default(), "errors", None, false);
    }

    #[test]
    fn an_objective_s_interval_counts_failures_as_slowest() {
        let recording = Recorded::seconds(60).each(Outcome::Ok, 90, 5.0).each(Outcome::ServerError, 10, 0.1).done();
        let course = Course::of(&recording);
        assert_eq!(judged_quantile(&course, Quantile::P95).ends(), [None, None]);
        assert_eq!(judged_quantile(&course, Quantile::P50).ends().map(|end| end.map(f64::round)), [Some(5.0); 2]);
    }

    #[test]
    fn refusals_are_no_part_of_errors() {
        let recording = Recorded::seconds(60).each(Outcome::Ok, 50, 5.0).refused(Outcome::Limited, 50, 0.1).done();
        check(&recording, "errors", Some([0.0, 0.002]), false);
    }
}
