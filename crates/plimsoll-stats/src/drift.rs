//! Is a run stationary, or does its response time drift from beginning to end?
//!
//! It sees one value a tick, and tests them for a trend. It does not know why something drifts, and does not judge
//! the run.

use crate::autocorrelation::time;
use crate::histogram::Histogram;
use crate::student;

/// What the run did from beginning to end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drift {
    /// Nothing that the run's own fluctuation would not explain.
    Steady,
    /// The values went up, or down.
    Drifting {
        /// The last block's mean over the first one's.
        ratio: f64,
    },
    /// Not long enough to tell a trend from a fluctuation.
    TooShort,
}

/// A trend is tested in this many blocks.
const BLOCKS: usize = 8;

/// A block is at least this many autocorrelation times long, and so many ticks.
const TIMES: f64 = 5.0;

/// Significance of the two-sided test; half of the false alarms we allow, for what the blocks still have in common.
const CONFIDENCE: f64 = 0.995;

/// A smaller change is not worth a finding, however sure it is.
const RATIO_MIN: f64 = 1.1;

/// Whether the mean response time drifts; ticks in which nothing completed are left out.
pub fn response(ticks: &[Histogram]) -> Drift {
    let means: Vec<f64> = ticks.iter().filter_map(Histogram::mean).collect();
    drift(&means)
}

/// Whether positive `values`, one a tick, drift.
///
/// A t test of the slope over eight block means of the values' *ranks*: ranks, because a server that slows towards
/// saturation does not slow along a line, and because one terrible second must not decide. A block has to be longer
/// than five autocorrelation times of what remains once the trend is taken out.
pub fn drift(values: &[f64]) -> Drift {
    let ranks = ranks(values);
    let length = values.len() / BLOCKS;
    if (length as f64) < TIMES * time(&detrended(&ranks)) {
        return Drift::TooShort;
    }
    let critical = student::t(CONFIDENCE, BLOCKS - 2);
    let ratio = mean(block(values, BLOCKS - 1)) / mean(block(values, 0));
    let worth_it = ratio.max(1.0 / ratio) >= RATIO_MIN;
    let means: Vec<f64> = (0..BLOCKS).map(|i| mean(block(&ranks, i))).collect();
    let line = Line::fit(&means);
    if worth_it && line.slope.abs() > critical * line.slope_error { Drift::Drifting { ratio } } else { Drift::Steady }
}

fn block(values: &[f64], i: usize) -> &[f64] {
    &values[i * values.len() / BLOCKS..(i + 1) * values.len() / BLOCKS]
}

/// Each value's place in the sorted values; equal values keep their order, which matters to nobody.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    for (rank, &i) in order.iter().enumerate() {
        ranks[i] = rank as f64;
    }
    ranks
}

fn detrended(values: &[f64]) -> Vec<f64> {
    let line = Line::fit(values);
    let at = |(i, value): (usize, &f64)| value - line.slope * i as f64;
    values.iter().enumerate().map(at).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A line fitted by least squares over 0, 1, 2, …
struct Line {
    slope: f64,
    slope_error: f64,
}

impl Line {
    fn fit(values: &[f64]) -> Self {
        let middle = (values.len() as f64 - 1.0) / 2.0;
        let level = mean(values);
        let over = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
            values.iter().enumerate().map(|(i, y)| f(i as f64 - middle, y - level)).sum()
        };
        let spread = over(&|x, _| x * x);
        let slope = over(&|x, y| x * y) / spread;
        let residual = over(&|x, y| (y - slope * x).powi(2));
        Self { slope, slope_error: (residual / (values.len() as f64 - 2.0) / spread).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::Random;

    #[track_caller]
    fn check(value_at: impl Fn(f64, f64) -> f64, expected: fn(Drift) -> bool) {
        let mut random = Random::new(5);
        let values: Vec<f64> = (0..120).map(|i| value_at(f64::from(i) / 119.0, random.exponential(0.1))).collect();
        let drift = drift(&values);
        assert!(expected(drift), "{drift:?}");
    }

    #[test]
    fn trends_are_told_from_noise() {
        check(|_, noise| 5.0 + noise, |d| d == Drift::Steady);
        check(|_, _| 5.0, |d| d == Drift::Steady);
        check(|at, noise| 5.0 + 5.0 * at + noise, |d| matches!(d, Drift::Drifting { ratio } if ratio > 1.5));
        check(|at, noise| 5.0 - 4.0 * at + noise, |d| matches!(d, Drift::Drifting { ratio } if ratio < 0.5));
        // Sure, but too small to matter.
        check(|at, noise| 500.0 + 5.0 * at + noise, |d| d == Drift::Steady);
        // A load that comes and goes is no drift.
        check(|at, noise| 5.0 + (at * 60.0).sin() + noise, |d| d == Drift::Steady);
    }

    #[test]
    fn short_runs_are_not_judged() {
        for n in 0..40 {
            let values: Vec<f64> = (0..n).map(f64::from).collect();
            assert_eq!(drift(&values), Drift::TooShort, "{n} ticks");
        }
    }
}
