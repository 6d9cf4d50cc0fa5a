//! The highest closed-loop rate of one core: 64 users who never pause, one thread.

use std::time::Duration;

use plimsoll_model::{ClosedLoad, Load, Recording, Shape};

use super::{Bench, Shot, Wire, median, rate};
use crate::error::CalibrateError;

/// Enough that there is always an answer to read, few enough that their state stays in the nearest cache.
pub(super) const USERS: f64 = 64.0;
/// A thread that was busy, or waited for its core, for less of the time than this waited for the server.
const BUSY: f64 = 0.95;

/// What came out of the rounds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rates {
    pub(crate) median: f64,
    pub(crate) range: [f64; 2],
    pub(crate) limit: String,
}

/// Users who never pause.
pub(super) fn users(users: f64, think: Duration) -> Load {
    Load::Closed(ClosedLoad { shape: Shape::constant(users, None), think })
}

pub(crate) fn measure(bench: &Bench<'_>) -> Result<Rates, CalibrateError> {
    let shot = Shot {
        name: "the closed-loop rate",
        load: users(USERS, Duration::ZERO),
        length: bench.pace.closed,
        warmup: Duration::ZERO,
        wire: Wire::Kept,
    };
    let rounds =
        (0..bench.pace.closed_rounds).map(|_| Ok(bench.shoot(&shot)?.recording)).collect::<Result<Vec<_>, _>>()?;
    Ok(rates(&rounds))
}

/// The rates of these rounds, and what was the limit.
pub(super) fn rates(rounds: &[Recording]) -> Rates {
    let rates: Vec<f64> = rounds.iter().map(rate).collect();
    let busy: Vec<f64> = rounds.iter().map(|round| round.generator.thread_share).collect();
    let range = [rates.iter().copied().fold(f64::MAX, f64::min), rates.iter().copied().fold(0.0, f64::max)];
    Rates { median: median(&rates), range, limit: limit(median(&busy)) }
}

fn limit(busy: f64) -> String {
    let percent = (busy * 100.0).round();
    if busy >= BUSY {
        "the generator's core had no time left".to_owned()
    } else {
        format!(
            "the generator's core was needed for {percent}% of the time only: it waited for the server otherwise, so this is a lower bound"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(answers: u64, busy: f64) -> Recording {
        let mut recording = Recording { answered_in_time: answers, ..Recording::default() };
        recording.measured = Duration::from_secs(2);
        recording.generator.thread_share = busy;
        recording
    }

    #[test]
    fn the_median_round_and_its_limit() {
        let found = rates(&[round(200, 0.99), round(400, 0.97), round(300, 0.98)]);
        assert_eq!((found.median, found.range), (150.0, [100.0, 200.0]));
        assert_eq!(found.limit, "the generator's core had no time left");
        assert!(rates(&[round(200, 0.6)]).limit.contains("60% of the time only"));
    }
}
