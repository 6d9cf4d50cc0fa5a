//! From the figures of four blocks to an interval.
//!
//! **Scale.** A queue's response time is one over its spare capacity, and the standard error of a measured one grows
//! with its square (Whitt, "Planning queueing simulations", Management Science 35, 1989: σ² ∝ (1 − ρ)⁻⁴ while the
//! mean is ∝ (1 − ρ)⁻¹). The transformation that makes the error even is therefore the reciprocal, the *pace*, not the
//! logarithm; and a failure, slower than any bound, has pace 0 without further ado.
//!
//! **Centre.** The whole run's figure, not the mean of the blocks': a short block's quantile is biased (sectioning:
//! Asmussen and Glynn, *Stochastic Simulation*, 2007, section III.5; Nakayama, "Confidence intervals for quantiles
//! using sectioning when applying variance-reduction techniques", ACM TOMACS 24, 2014).
//!
//! **Spread.** The larger of two standard errors: of the blocks around the centre, and of the jackknife that leaves
//! out one block at a time (Quenouille 1956, Tukey 1958). Near its limit a block's p99 spreads too little,
//! having seen too few bad stretches; the jackknife, working with three quarters of the run, does not.
//! Student's t with three degrees of freedom turns the error into a reach.

use super::Interval;
use super::cut::{Tick, merged};
use crate::student;

pub(super) const BLOCKS: usize = 4;

/// How far a value may lie below its bucket's upper end, which a quantile is rounded up to.
const RESOLUTION: f64 = 1.0 / 1024.0;

/// The run in four blocks of as many ticks, give or take one.
pub(super) fn cut<T: Tick>(ticks: &[T]) -> [T; BLOCKS] {
    let edge = |i: usize| i * ticks.len() / BLOCKS;
    std::array::from_fn(|i| merged(&ticks[edge(i)..edge(i + 1)]))
}

/// How far the true pace may lie from `pace`, that of the whole run. `None` when a block holds nothing.
pub(super) fn reach<T: Tick>(
    blocks: &[T; BLOCKS],
    pace: f64,
    confidence: f64,
    pace_of: impl Fn(&T) -> Option<f64>,
) -> Option<f64> {
    let alone: Vec<f64> = blocks.iter().map(&pace_of).collect::<Option<_>>()?;
    let without: Vec<f64> = (0..BLOCKS).map(|i| pace_of(&all_but(i, blocks))).collect::<Option<_>>()?;
    let error = sectioning_error(pace, &alone).max(jackknife_error(&without));
    Some(student::t(confidence, BLOCKS - 1) * error)
}

/// The times whose pace is within `reach` of `pace`, and at least the bucket of the histogram.
pub(super) fn interval(pace: f64, reach: f64) -> Interval {
    let slowest = (pace - reach).max(0.0);
    Interval { low: (1.0 / (pace + reach)).min((1.0 - RESOLUTION) / pace), high: 1.0 / slowest }
}

/// √(Σ (xᵢ − x̂)² / (b(b − 1))), b blocks with figures xᵢ, x̂ the run's.
fn sectioning_error(centre: f64, figures: &[f64]) -> f64 {
    let squares: f64 = figures.iter().map(|x| (x - centre).powi(2)).sum();
    (squares / (BLOCKS * (BLOCKS - 1)) as f64).sqrt()
}

/// √((b − 1)/b · Σ (x₋ᵢ − x̄)²), x₋ᵢ the figure without block i and x̄ their mean.
fn jackknife_error(without: &[f64]) -> f64 {
    let mean = without.iter().sum::<f64>() / BLOCKS as f64;
    let squares: f64 = without.iter().map(|x| (x - mean).powi(2)).sum();
    (squares * (BLOCKS - 1) as f64 / BLOCKS as f64).sqrt()
}

fn all_but<T: Tick>(left_out: usize, blocks: &[T]) -> T {
    let mut sum = T::default();
    for (i, block) in blocks.iter().enumerate() {
        if i != left_out {
            sum.add(block);
        }
    }
    sum
}
