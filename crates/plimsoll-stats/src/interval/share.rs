//! Intervals for shares: how many of the requests failed, how many were slower than a bound.

use super::{Estimate, Interval};
use crate::autocorrelation::{requests_per_independent, time};
use crate::student;

/// With fewer ticks nobody can tell whether hits come singly or in bursts.
const TICKS: u64 = 10;

/// The interval of a share, from `(hits, total)` of each tick.
///
/// Wilson's interval with the effective number of requests: n divided by how many requests count for one, because
/// hits come in bursts (the design effect: Kish, *Survey Sampling*, 1965; with Student's t for the number of ticks as
/// in Korn and Graubard, "Confidence intervals for proportions with small expected number of positive counts
/// estimated from survey data", Survey Methodology 24, 1998). Where there was no hit at all, or nothing but hits, no
/// burst was seen either: the interval is that of independent requests, and holds if hits would come singly.
pub fn share(ticks: &[(u64, u64)], confidence: f64) -> Estimate {
    let (hits, total) = sum(ticks);
    if total == 0 {
        return Estimate::NoData;
    }
    if hits == 0 || hits == total {
        return Estimate::Interval(wilson(hits, total, confidence));
    }
    let have = ticks.len() as u64;
    if have < TICKS {
        return Estimate::TooShort { ticks_more: TICKS - have };
    }
    let independent = total as f64 / design_effect(ticks);
    let critical = student::t(confidence, freedom(ticks));
    Estimate::Interval(wilson_effective(hits as f64 / total as f64, independent, critical))
}

/// Wilson's interval of a share of `hits` among `total` independent requests ("Probable inference, the law of
/// succession, and statistical inference", 1927): unlike p ± z·error it is right for 0 hits too.
pub fn wilson(hits: u64, total: u64, confidence: f64) -> Interval {
    if total == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let share = hits as f64 / total as f64;
    wilson_effective(share, total as f64, student::z(confidence))
}

/// How many requests count for one independent request, judged by the hits.
pub(super) fn design_effect(ticks: &[(u64, u64)]) -> f64 {
    let (hits, total) = sum(ticks);
    let share = hits as f64 / total.max(1) as f64;
    requests_per_independent(&excess(ticks, share), share * (1.0 - share), total)
}

fn freedom(ticks: &[(u64, u64)]) -> usize {
    let (hits, total) = sum(ticks);
    let independent = ticks.len() as f64 / time(&excess(ticks, hits as f64 / total as f64));
    (independent as usize).saturating_sub(1).max(1)
}

/// Each tick's hits less what its share of them would be.
fn excess(ticks: &[(u64, u64)], share: f64) -> Vec<f64> {
    let one = |&(hits, total): &(u64, u64)| hits as f64 - share * total as f64;
    ticks.iter().map(one).collect()
}

fn sum(ticks: &[(u64, u64)]) -> (u64, u64) {
    let add = |(a, b): (u64, u64), &(c, d): &(u64, u64)| (a.saturating_add(c), b.saturating_add(d));
    ticks.iter().fold((0, 0), add)
}

/// (p + z²/2n ± z√(p(1 − p)/n + z²/4n²)) / (1 + z²/n).
fn wilson_effective(p: f64, n: f64, z: f64) -> Interval {
    let square = z * z / n;
    let centre = p + square / 2.0;
    let reach = z * (p * (1.0 - p) / n + square / (4.0 * n)).sqrt();
    Interval {
        low: if p == 0.0 { 0.0 } else { ((centre - reach) / (1.0 + square)).max(0.0) },
        high: if p == 1.0 { 1.0 } else { ((centre + reach) / (1.0 + square)).min(1.0) },
    }
}
