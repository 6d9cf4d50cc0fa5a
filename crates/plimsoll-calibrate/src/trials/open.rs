//! The highest open-loop rate whose due times are kept: p99 of lag at most 1 ms, one thread.
//!
//! A machine that takes the core away now and then fails a trial at any rate. So a rate passes as soon as two trials pass.
//! It fails with two failures if the core had no time left, and with three otherwise; and where it had time left at the
//! rate that bounds the search in the end, that rate is asked once more.

use std::time::Instant;

use plimsoll_model::{Arrivals, Incident, Load, OpenLoad, Outcome, Shape};
use plimsoll_stats::Quantile;

use super::search::{Found, search};
use super::{Bench, Shooting, Shot, Wire, times};
use crate::error::CalibrateError;
use plimsoll_report::units;

/// The lag that is still on time: the bound below which no run is void for it.
pub(crate) const LAG_P99_MS_MAX: f64 = 1.0;
/// Below this a short trial has too few requests for a p99.
const RATE_MIN: f64 = 1_000.0;
/// The search begins at this share of the closed-loop rate; the open model costs more for each request.
const FIRST_SHARE: f64 = 0.25;
/// As for runs that do not say otherwise.
const IN_FLIGHT_MAX: u64 = 10_000;

/// A core used for this share of the time had none left.
const FULL: f64 = 0.9;

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Highest {
    pub(crate) rate: Option<f64>,
    pub(crate) limit: String,
}

/// Why a rate failed.
#[derive(Debug, Clone, PartialEq)]
struct Failure {
    rate: f64,
    lag_p99_ms: f64,
    busy: f64,
    dropped: u64,
    missed: u64,
}

/// `closed_rate` is what the core does in the closed model; `descriptors` bound what may be in flight.
pub(crate) fn measure(
    bench: &Bench<'_>,
    closed_rate: f64,
    descriptors: Option<u64>,
) -> Result<Highest, CalibrateError> {
    let deadline = Instant::now() + bench.pace.open_budget;
    let in_flight_max = descriptors.map_or(IN_FLIGHT_MAX, |limit| (limit / 2).clamp(64, IN_FLIGHT_MAX));
    let mut failures = Vec::new();
    let mut out_of_time = false;
    let mut passes = |rate: f64| {
        out_of_time = Instant::now() >= deadline;
        if out_of_time {
            return Ok(None);
        }
        let verdict = agreed(|| Ok(failure(rate, &bench.shoot(&shot(bench, rate, in_flight_max))?)))?;
        failures.extend(verdict.clone());
        Ok::<_, CalibrateError>(Some(verdict.is_none()))
    };
    let found = search_twice(round(closed_rate * FIRST_SHARE), |rate| passes(round(rate)))?;
    Ok(Highest { rate: found.passed.map(round), limit: limit(found, &failures, out_of_time) })
}

/// Searches, and goes on from the rate that failed as long as it passes when it is asked again.
fn search_twice<E>(first: f64, mut passes: impl FnMut(f64) -> Result<Option<bool>, E>) -> Result<Found, E> {
    let mut found = search(first, RATE_MIN, &mut passes)?;
    while let (Some(passed), Some(failed)) = (found.passed, found.failed) {
        let beyond = |rate: f64| if rate > passed { passes(rate) } else { Ok(None) };
        let again = search(failed, RATE_MIN, beyond)?;
        if again.passed.is_none() {
            break;
        }
        found = again;
    }
    Ok(found)
}

fn shot(bench: &Bench<'_>, rate: f64, in_flight_max: u64) -> Shot {
    let load = Load::Open(OpenLoad {
        shape: Shape::constant(rate, None),
        arrivals: Arrivals::Even,
        in_flight_max: u32::try_from(in_flight_max).unwrap_or(u32::MAX),
    });
    Shot { name: "the open-loop rate", load, length: bench.pace.open, warmup: bench.pace.warmup, wire: Wire::Kept }
}

/// The verdict of trials that agree: none after two that passed, the last failure after enough of them.
fn agreed<E>(mut trial: impl FnMut() -> Result<Option<Failure>, E>) -> Result<Option<Failure>, E> {
    let (mut passed, mut full, mut failed) = (0, 0, 0);
    loop {
        let Some(failure) = trial()? else {
            passed += 1;
            if passed == 2 {
                return Ok(None);
            }
            continue;
        };
        failed += 1;
        full += u32::from(failure.busy >= FULL);
        if full == 2 || failed == 3 {
            return Ok(Some(failure));
        }
    }
}

/// Why this trial failed; none if it passed.
fn failure(rate: f64, shooting: &Shooting) -> Option<Failure> {
    let recording = &shooting.recording;
    let sent: Vec<Outcome> = Outcome::ALL.into_iter().filter(|outcome| *outcome != Outcome::Dropped).collect();
    let lag = times(recording, |timings| &timings.lag, &sent);
    let failure = Failure {
        rate,
        lag_p99_ms: lag.quantile(Quantile::P99).unwrap_or(0) as f64 / 1e6,
        busy: shooting.cpu_share,
        dropped: times(recording, |timings| &timings.response, &[Outcome::Dropped]).len(),
        missed: recording.incidents.count(Incident::ScheduleMissed),
    };
    let kept = failure.lag_p99_ms <= LAG_P99_MS_MAX && failure.missed == 0 && failure.dropped == 0;
    (!kept).then_some(failure)
}

/// What stood in the way of more.
fn limit(found: Found, failures: &[Failure], out_of_time: bool) -> String {
    let lowest = failures.iter().min_by(|one, other| one.rate.total_cmp(&other.rate));
    let Some(failure) = lowest else { return "no rate that was tried failed".to_owned() };
    let mut text = format!("at {} {}", units::rate(failure.rate), failure.words());
    if found.passed.is_some() && out_of_time {
        text += "; between the two there was no time to look";
    }
    text
}

impl Failure {
    fn words(&self) -> String {
        let busy = (self.busy * 100.0).round();
        let (lag, bound) = (units::time(self.lag_p99_ms), units::time(LAG_P99_MS_MAX));
        if self.lag_p99_ms > LAG_P99_MS_MAX || self.missed > 0 {
            let why = match self.busy {
                busy if busy >= FULL => "it had no time left",
                _ => "it had time left, but was kept from the generator now and then",
            };
            return format!("p99 of lag was {lag} (wanted: {bound}) with the core used for {busy}% of the time: {why}");
        }
        format!("the server did not keep up: {} never sent", units::plural(self.dropped, "request"))
    }
}

/// Two digits are more than a search of ten percent knows.
fn round(rate: f64) -> f64 {
    let scale = 10f64.powf(rate.max(1.0).log10().floor() - 1.0);
    (rate / scale).round() * scale
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(rate: f64) -> Failure {
        Failure { rate, lag_p99_ms: 4.2, busy: 0.99, dropped: 0, missed: 0 }
    }

    /// Trials by how busy the core was in those that failed.
    #[track_caller]
    fn check(trials: &[Option<f64>], expected: bool) {
        let mut trials = trials.iter();
        let trial = || {
            let busy = trials.next().expect("no more trials than needed");
            Ok::<_, ()>(busy.map(|busy| Failure { busy, ..failed(1.0) }))
        };
        assert_eq!(agreed(trial).expect("it never fails").is_none(), expected);
        assert_eq!(trials.len(), 0, "every trial was needed");
    }

    #[test]
    fn trials_have_to_agree() {
        check(&[None, None], true);
        check(&[Some(0.99), Some(0.99)], false);
        check(&[None, Some(0.99), None], true);
        check(&[Some(0.99), None, Some(0.99)], false);
        check(&[Some(0.4), Some(0.4), None, None], true);
        check(&[Some(0.4), None, Some(0.4), Some(0.4)], false);
        check(&[Some(0.4), Some(0.99), Some(0.99)], false);
    }

    #[test]
    fn a_rate_that_failed_by_chance_does_not_bound_the_search() {
        let (mut asked, truth) = (0, 40_000.0);
        let by_chance = |rate: f64| {
            asked += 1;
            // The second and the fourth question meet a bad moment.
            Ok::<_, ()>(Some(rate <= truth && asked != 2 && asked != 4))
        };
        let found = search_twice(8_000.0, by_chance).expect("it never fails");
        assert!(found.passed.is_some_and(|passed| passed > truth / 1.1 && passed <= truth), "{found:?}");
        let patience =
            search_twice(8_000.0, |rate| Ok::<_, ()>((rate < 9_000.0).then_some(true))).expect("it never fails");
        assert_eq!(patience.passed, Some(8_000.0));
    }

    #[test]
    fn the_limit_is_said_in_words() {
        let found = Found { passed: Some(38_000.0), failed: Some(42_000.0) };
        let failures = [failed(84_000.0), failed(42_000.0)];
        assert_eq!(
            limit(found, &failures, false),
            "at 42,000/s p99 of lag was 4.20 ms (wanted: 1.00 ms) with the core used for 99% of the time: it had \
             no time left"
        );
        let gone = [Failure { busy: 0.4, ..failed(42_000.0) }];
        assert!(limit(found, &gone, true).ends_with("now and then; between the two there was no time to look"));
        let slow = [Failure { lag_p99_ms: 0.1, dropped: 7, ..failed(42_000.0) }];
        assert_eq!(limit(found, &slow, false), "at 42,000/s the server did not keep up: 7 requests never sent");
        assert_eq!(limit(Found::default(), &[], false), "no rate that was tried failed");
    }

    #[test]
    fn rates_have_two_digits() {
        for (rate, expected) in [(38_421.0, 38_000.0), (999.0, 1_000.0), (1_049.0, 1_000.0), (0.0, 0.0)] {
            assert_eq!(round(rate), expected, "{rate}");
        }
    }
}
