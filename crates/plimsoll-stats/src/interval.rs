//! Intervals for figures of a run, from blocks of ticks.
//!
//! Requests in a queue are not independent: one slow request makes its followers slow. So the run is cut into a few
//! long blocks, nearly independent of each other, and the spread of the blocks' figures says how far off the run's
//! figure may be (`spread`). How long a block must be is for `length` to say; with less there is no interval but
//! the number of ticks that are missing. COVERAGE.md shows how often these intervals hold the truth.

mod cut;
mod failures;
mod length;
mod share;
mod spread;

pub use share::{share, wilson};

use cut::Cut;

use crate::histogram::Histogram;
use crate::quantile::Quantile;

/// Where the truth lies with the stated confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end. Infinite only where failures count as slower than any bound.
    pub high: f64,
}

/// An interval, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimate {
    /// Long enough to say.
    Interval(Interval),
    /// The run must go on, by about this many ticks.
    TooShort {
        /// At least 1.
        ticks_more: u64,
    },
    /// Nothing was measured.
    NoData,
}

/// A run's ticks in four blocks: made once, it gives the intervals of as many figures as wanted.
#[derive(Clone, Debug)]
pub struct Blocks(Cut<Histogram>);

impl Blocks {
    /// Cuts `ticks` into blocks.
    pub fn new(ticks: &[Histogram]) -> Self {
        Self(Cut::new(ticks))
    }

    /// All ticks merged.
    pub const fn run(&self) -> &Histogram {
        &self.0.run
    }

    /// The interval of the run's quantile `q` of response times, in nanoseconds.
    pub fn quantile(&self, q: Quantile, confidence: f64) -> Estimate {
        let pace_of = |block: &Histogram| Some(pace(block.quantile(q)? as f64));
        self.0.estimate(length::Figure::Quantile(q), confidence, pace_of)
    }

    /// The interval of the run's mean response time, in nanoseconds.
    pub fn mean(&self, confidence: f64) -> Estimate {
        let pace_of = |block: &Histogram| Some(pace(block.mean()?));
        self.0.estimate(length::Figure::Mean, confidence, pace_of)
    }
}

/// [`Blocks::quantile`] of `ticks`.
pub fn quantile(ticks: &[Histogram], q: Quantile, confidence: f64) -> Estimate {
    Blocks::new(ticks).quantile(q, confidence)
}

/// [`Blocks::mean`] of `ticks`.
pub fn mean(ticks: &[Histogram], confidence: f64) -> Estimate {
    Blocks::new(ticks).mean(confidence)
}

/// The interval of an objective's quantile: beside each tick's response times stands its number of failures, each of
/// which counts as slower than any bound. Either end may be infinite.
pub fn quantile_with_failures(ticks: &[(Histogram, u64)], q: Quantile, confidence: f64) -> Estimate {
    let pace_of = |block: &(Histogram, u64)| Some(pace(value_with_failures(block, q)?));
    let figure = length::Figure::Quantile(q);
    match Cut::new(ticks).estimate(figure, confidence, pace_of) {
        Estimate::Interval(interval) => failures::open(interval, ticks, q, confidence),
        none => none,
    }
}

/// An objective's quantile `q`, where the number of failures beside the response times counts as so many infinite
/// ones. `None` when there is neither.
pub fn value_with_failures((counted, failures): &(Histogram, u64), q: Quantile) -> Option<f64> {
    let total = counted.len().saturating_add(*failures);
    let value = || counted.value_at_rank(q.rank(total));
    (total > 0).then(|| value().map_or(f64::INFINITY, |ns| ns as f64))
}

impl Estimate {
    /// The interval, if there is one.
    pub fn interval(self) -> Option<Interval> {
        match self {
            Self::Interval(interval) => Some(interval),
            Self::TooShort { .. } | Self::NoData => None,
        }
    }
}

impl Interval {
    /// Whether `value` lies inside.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// Times are judged by their reciprocals, see `spread`.
fn pace(ns: f64) -> f64 {
    1.0 / ns.max(1.0)
}

#[cfg(test)]
mod tests;
