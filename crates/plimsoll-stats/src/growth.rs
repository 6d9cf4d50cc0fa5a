//! Does a backlog grow: more arrives than is served, second after second?
//!
//! It sees how many requests were in flight at the end of each tick. It knows no limit on them, and does not judge.

use crate::student;

/// What the number of requests in flight did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Growth {
    /// It went up, and not by chance.
    Growing {
        /// By so many requests a second.
        per_second: f64,
        /// That is this share of what arrived.
        share_of_arrivals: f64,
    },
    /// Nothing that a queue at its limit would not do by chance.
    Steady,
    /// Too few ticks to tell.
    TooShort,
}

const TICKS: usize = 10;

/// One-sided significance 0.5 %, so that false alarms stay well under 1 %.
const CONFIDENCE: f64 = 0.99;

/// Whether the backlog grows, from what was in flight at each tick's end and what arrived in each tick of `tick_s`
/// seconds.
///
/// The t test for the mean of the steps from tick to tick. It treats them as independent, as if the backlog were a
/// random walk: the wildest that a queue does without growing, for a queue at exactly 100 % load is one (Asmussen,
/// *Applied Probability and Queues*, 2003, chapter X). Every stationary queue is pulled back towards its mean, so the
/// test raises fewer alarms there than it is allowed, and the fewer the longer the run.
pub fn growth(in_flight: &[u64], arrivals: &[u64], tick_s: f64) -> Growth {
    if in_flight.len() < TICKS {
        return Growth::TooShort;
    }
    let steps: Vec<f64> = in_flight.windows(2).map(|w| w[1] as f64 - w[0] as f64).collect();
    let n = steps.len() as f64;
    let mean = steps.iter().sum::<f64>() / n;
    let variance = steps.iter().map(|step| (step - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let critical = student::t(CONFIDENCE, steps.len() - 1);
    if mean <= critical * (variance / n).sqrt() {
        return Growth::Steady;
    }
    let arrived = arrivals.iter().sum::<u64>() as f64 / arrivals.len().max(1) as f64;
    Growth::Growing { per_second: mean / tick_s, share_of_arrivals: if arrived > 0.0 { mean / arrived } else { 0.0 } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(in_flight: impl Iterator<Item = u64>, expected: Growth) {
        let in_flight: Vec<u64> = in_flight.collect();
        let arrivals = vec![100; in_flight.len()];
        assert_eq!(growth(&in_flight, &arrivals, 0.5), expected);
    }

    #[test]
    fn backlogs_grow_or_do_not() {
        let growing = Growth::Growing { per_second: 20.0, share_of_arrivals: 0.1 };
        check((0..30).map(|i| 10 * i), growing);
        check((0..30).map(|_| 7), Growth::Steady);
        check((0..30).map(|i| 300 - 10 * i), Growth::Steady);
        check((0..9).map(|i| 10 * i), Growth::TooShort);
        // A server that freezes for one tick in five and catches up, seen last in the middle of a freeze.
        check((0..30).map(|i| if i % 5 == 4 { 1_000 } else { 3 }), Growth::Steady);
    }
}
