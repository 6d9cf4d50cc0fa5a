//! A run in four blocks, and the way from there to an estimate.
//!
//! It knows what ticks may be made of: response times alone, or beside them a number of failures.

use super::{Estimate, length, spread};
use crate::histogram::Histogram;

#[derive(Clone, Debug)]
pub(super) struct Cut<T> {
    blocks: [T; spread::BLOCKS],
    pub(super) run: T,
    ticks: usize,
    per_independent: f64, // requests that count for one independent request, at least 1
}

/// What blocks are made of.
pub(super) trait Tick: Default {
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

impl<T: Tick> Cut<T> {
    pub(super) fn new(ticks: &[T]) -> Self {
        let blocks = spread::cut(ticks);
        let run = merged(&blocks);
        let per_independent = length::requests_per_independent(ticks, &run);
        Self { blocks, run, ticks: ticks.len(), per_independent }
    }

    /// The interval of the figure whose pace `pace_of` tells, `None` where nothing was measured.
    pub(super) fn estimate(
        &self,
        figure: length::Figure,
        confidence: f64,
        pace_of: impl Fn(&T) -> Option<f64>,
    ) -> Estimate {
        let Some(pace) = pace_of(&self.run) else {
            return Estimate::NoData;
        };
        let requests = self.run.counted().len().saturating_add(self.run.failures());
        let wanted = length::requests_wanted(figure, self.ticks, self.per_independent);
        if let Some(ticks_more) = length::missing(self.ticks, requests, wanted) {
            return Estimate::TooShort { ticks_more };
        }
        match spread::reach(&self.blocks, pace, confidence, pace_of) {
            // Without an upper end an interval says nothing, unless failures are why.
            Some(reach) if reach < pace || self.run.failures() > 0 => Estimate::Interval(spread::interval(pace, reach)),
            _ => Estimate::TooShort { ticks_more: self.ticks as u64 },
        }
    }
}

pub(super) fn merged<T: Tick>(ticks: &[T]) -> T {
    let mut sum = T::default();
    ticks.iter().for_each(|tick| sum.add(tick));
    sum
}
