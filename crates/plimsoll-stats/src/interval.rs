//! Intervals for figures of a run, from blocks of ticks.
//!
//! Requests in a queue are not independent: one slow request makes its followers slow. So the run is cut into a few
//! long blocks, nearly independent of each other, and the spread of the blocks' figures says how far off the run's
//! figure may be (`spread`). How long a block must be is for `length` to say; with less there is no interval but
//! the number of ticks that are missing. COVERAGE.md shows how often these intervals hold the truth.

mod failures;
mod length;
mod share;
mod spread;

pub use share::{share, wilson};

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

/// The interval of the run's quantile `q` of response times, in nanoseconds.
pub fn quantile(ticks: &[Histogram], q: Quantile, confidence: f64) -> Estimate {
    estimate(ticks, length::Figure::Quantile(q), confidence, |block| Some(pace(block.quantile(q)? as f64)))
}

/// The interval of the run's mean response time, in nanoseconds.
pub fn mean(ticks: &[Histogram], confidence: f64) -> Estimate {
    estimate(ticks, length::Figure::Mean, confidence, |block| Some(pace(block.mean()?)))
}

/// The interval of an objective's quantile: beside each tick's response times stands its number of failures, each of
/// which counts as slower than any bound. Either end may be infinite.
pub fn quantile_with_failures(ticks: &[(Histogram, u64)], q: Quantile, confidence: f64) -> Estimate {
    let figure = length::Figure::Quantile(q);
    let estimate =
        estimate(ticks, figure, confidence, |block: &(Histogram, u64)| Some(pace(value_with_failures(block, q)?)));
    match estimate {
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

/// What blocks are made of.
trait Tick: Default {
    fn add(&mut self, other: &Self);
    /// The response times.
    fn counted(&self) -> &Histogram;
    fn failures(&self) -> u64;
}

impl Tick for Histogram {
    fn add(&mut self, other: &Self) {
        self.merge(other);
    }
    fn counted(&self) -> &Histogram {
        self
    }
    fn failures(&self) -> u64 {
        0
    }
}

impl Tick for (Histogram, u64) {
    fn add(&mut self, other: &Self) {
        self.0.merge(&other.0);
        self.1 = self.1.saturating_add(other.1);
    }
    fn counted(&self) -> &Histogram {
        &self.0
    }
    fn failures(&self) -> u64 {
        self.1
    }
}

fn estimate<T: Tick>(
    ticks: &[T],
    figure: length::Figure,
    confidence: f64,
    pace_of: impl Fn(&T) -> Option<f64>,
) -> Estimate {
    let blocks = spread::cut(ticks);
    let run = merged(&blocks);
    let Some(pace) = pace_of(&run) else {
        return Estimate::NoData;
    };
    if let Some(ticks_more) = length::missing(ticks, &run, figure) {
        return Estimate::TooShort { ticks_more };
    }
    match spread::reach(&blocks, pace, confidence, pace_of) {
        // Without an upper end an interval says nothing, unless failures are why.
        Some(reach) if reach < pace || run.failures() > 0 => Estimate::Interval(spread::interval(pace, reach)),
        _ => Estimate::TooShort { ticks_more: ticks.len() as u64 },
    }
}

fn merged<T: Tick>(ticks: &[T]) -> T {
    let mut sum = T::default();
    ticks.iter().for_each(|tick| sum.add(tick));
    sum
}

/// Times are judged by their reciprocals, see `spread`.
fn pace(ns: f64) -> f64 {
    1.0 / ns.max(1.0)
}

#[cfg(test)]
mod tests;
