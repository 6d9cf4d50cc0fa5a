//! Whether a quantile is infinite because too many requests failed: what the spread of blocks cannot see.
//!
//! A quantile jumps from finite to infinite when the share of failures reaches 1 − q. Four blocks that happen to lie
//! on the same side of the jump do not spread at all, so the interval of the share decides.

use super::{Estimate, Interval, share};
use crate::histogram::Histogram;
use crate::quantile::Quantile;

/// `interval`, opened to infinity, or down to the slowest answer, where the share of failures leaves that possible.
pub(super) fn open(interval: Interval, ticks: &[(Histogram, u64)], q: Quantile, confidence: f64) -> Estimate {
    let slowest = ticks.iter().filter_map(|(counted, _)| counted.max()).max();
    if ticks.iter().all(|&(_, failures)| failures == 0) {
        return Estimate::Interval(interval);
    }
    let failures: Vec<(u64, u64)> =
        ticks.iter().map(|(counted, failures)| (*failures, counted.len().saturating_add(*failures))).collect();
    let share = match share(&failures, confidence) {
        Estimate::Interval(share) => share,
        none => return none,
    };
    let beyond = 1.0 - q.share();
    Estimate::Interval(Interval {
        low: match slowest {
            Some(ns) if share.low < beyond => interval.low.min(ns as f64),
            _ => interval.low,
        },
        high: if share.high >= beyond { f64::INFINITY } else { interval.high },
    })
}
