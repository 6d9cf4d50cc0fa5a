//! How long a run must be before four blocks of it say anything.
//!
//! It owns the rule "a block is longer than ten autocorrelation times" and what a quantile wants beyond that.

use super::cut::Tick;
use crate::autocorrelation;
use crate::quantile::Quantile;

/// With fewer ticks their spread, and with it the autocorrelation time, is guesswork.
const TICKS: f64 = 10.0;

/// Four blocks of ten autocorrelation times each.
const INDEPENDENT: f64 = 40.0;

/// The same for a quantile: half an independent request of each block has to lie beyond it.
const INDEPENDENT_BEYOND: f64 = 2.0;

/// What is to be estimated.
#[derive(Clone, Copy)]
pub(super) enum Figure {
    Mean,
    Quantile(Quantile),
}

/// How many ticks are missing; `None` when there are enough.
pub(super) fn missing(ticks: usize, requests: u64, requests_wanted: f64) -> Option<u64> {
    let have = ticks as f64;
    let wanted = TICKS.max(have * requests_wanted / requests as f64);
    (wanted > have).then(|| (wanted - have).ceil() as u64)
}

/// How many requests four blocks must hold, when `per_independent` of them count for one.
pub(super) fn requests_wanted(figure: Figure, ticks: usize, per_independent: f64) -> f64 {
    let each = per_independent * caution(ticks);
    match figure {
        Figure::Mean => INDEPENDENT * each,
        Figure::Quantile(q) => {
            let independent = INDEPENDENT.max(INDEPENDENT_BEYOND / (1.0 - q.share()));
            (independent * each).max(q.samples_wanted() as f64)
        }
    }
}

/// By how much few ticks may have understated the autocorrelation time: ν/χ² with the lower of the two values
/// that hold 68 % of χ² with ν degrees of freedom, in Wilson and Hilferty's approximation, χ²/ν ≈ (1 − a − √a)³ with
/// a = 2/(9ν) ("The distribution of chi-square", 1931). 1.8 for ten ticks, 1.2 for a hundred.
fn caution(ticks: usize) -> f64 {
    let a = 2.0 / (9.0 * (ticks as f64 - 1.0).max(2.0));
    (1.0 - a - a.sqrt()).powi(-3)
}

/// How many requests count for one independent request. Response times tell it better than whether they exceed the
/// quantile: exceedances are so rare that a run without a bad stretch would believe itself long enough.
pub(super) fn requests_per_independent<T: Tick>(ticks: &[T], run: &T) -> f64 {
    times(ticks, run).max(failures(ticks, run))
}

fn times<T: Tick>(ticks: &[T], run: &T) -> f64 {
    let counted = run.counted();
    let (Some(mean), Some(stdev)) = (counted.mean(), counted.stdev()) else {
        return 1.0;
    };
    let sums: Vec<f64> =
        ticks.iter().map(|tick| tick.counted().sum() as f64 - mean * tick.counted().len() as f64).collect();
    autocorrelation::requests_per_independent(&sums, stdev * stdev, counted.len())
}

fn failures<T: Tick>(ticks: &[T], run: &T) -> f64 {
    if run.failures() == 0 {
        return 1.0;
    }
    let pairs: Vec<(u64, u64)> =
        ticks.iter().map(|tick| (tick.failures(), tick.counted().len().saturating_add(tick.failures()))).collect();
    super::share::design_effect(&pairs)
}
