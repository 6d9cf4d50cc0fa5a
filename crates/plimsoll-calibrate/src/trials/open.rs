//! The highest open-loop rate whose due times are kept: p99 of lag at most 1 ms, one thread.
//!
//! A machine that takes the core away now and then fails a trial at any rate. So a rate passes when two of three trials
//! pass; the third is left out where the first two agree.

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
        let verdict = two_of_three(|| Ok(failure(rate, &bench.shoot(&shot(bench, rate, in_flight_max))?)))?;
        failures.extend(verdict.clone());
        Ok::<_, CalibrateError>(Some(verdict.is_none()))
    };
    let found = search(round(closed_rate * FIRST_SHARE), RATE_MIN, |rate| passes(round(rate)))?;
    Ok(Highest { rate: found.passed.map(round), limit: limit(found, &failures, out_of_time) })
}

fn shot(bench: &Bench<'_>, rate: f64, in_flight_max: u64) -> Shot {
    let load = Load::Open(OpenLoad {
        shape: Shape::constant(rate, None),
        arrivals: Arrivals::Even,
        in_flight_max: u32::try_from(in_flight_max).unwrap_or(u32::MAX),
    });
    Shot { name: "the open-loop rate", load, length: bench.pace.open, warmup: bench.pace.warmup, wire: Wire::Kept }
}

/// The verdict of two trials that agree.
fn two_of_three<E>(mut trial: impl FnMut() -> Result<Option<Failure>, E>) -> Result<Option<Failure>, E> {
    let (first, second) = (trial()?, trial()?);
    if first.is_some() == second.is_some() { Ok(second) } else { trial() }
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

    #[track_caller]
    fn check(trials: &[bool], expected: bool) {
        let mut trials = trials.iter();
        let trial = || Ok::<_, ()>((!trials.next().expect("no more trials than needed")).then(|| failed(1.0)));
        assert_eq!(two_of_three(trial).expect("it never fails").is_none(), expected);
        assert_eq!(trials.len(), 0, "every trial was needed");
    }

    #[test]
    fn two_of_three_decide() {
        check(&[true, true], true);
        check(&[false, false], false);
        check(&[true, false, true], true);
        check(&[false, true, false], false);
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
