//! Whether the target kept up, and stayed the same: `backlog_growing` and `drift`.
//!
//! Both read the whole spans of the measured phase by the score of [`crate::trend`].
//! - `backlog_growing` (open model, from ten spans on): requests in flight score above 1.2, and grew by more than
//!   √(2n), n being the requests that were due: as far as a queue at exactly its capacity wanders by chance, each of
//!   n arrivals and n departures being a step of one.
//! - `drift` (from twenty spans on, while the load's shape is level, and with no growing backlog to explain it): the
//!   logarithm of mean response time scores beyond ±1.7, and its change is at least 10 %.
//!
//! On a stationary M/M/1 at 90 % load both together raise a false alarm in at most one run in a hundred.

use plimsoll_model::run::Remark;
use plimsoll_model::{Shape, Span};

use super::remark;
use crate::evidence::Evidence;
use crate::trend::trend;
use crate::words;

const BACKLOG_SCORE: f64 = 1.2;
const BACKLOG_SPANS_MIN: usize = 10;
const DRIFT_SCORE: f64 = 1.7;
const DRIFT_SPANS_MIN: usize = 20;
const DRIFT_CHANGE_MIN: f64 = 1.1; // as a ratio

/// At most one of the two.
pub(super) fn find(evidence: &Evidence) -> Vec<Remark> {
    backlog_growing(evidence).or_else(|| drift(evidence)).into_iter().collect()
}

fn backlog_growing(evidence: &Evidence) -> Option<Remark> {
    let spans = &evidence.course.spans;
    let in_flight = |part: &[Span]| part.iter().map(|span| span.in_flight as f64).sum::<f64>() / part.len() as f64;
    let trend = trend(spans.len(), BACKLOG_SPANS_MIN, |range| Some(in_flight(&spans[range])))?;
    let due: u64 = spans.iter().map(|span| span.due).sum();
    let by_chance = (2.0 * due as f64).sqrt();
    let grows = trend.score > BACKLOG_SCORE && trend.after - trend.before > by_chance;
    (evidence.is_open() && grows).then(|| {
        let (before, after) = (words::digits(trend.before.round()), words::digits(trend.after.round()));
        remark(
            "backlog_growing",
            format!("requests in flight grew from {before} to {after} (means of the first and last three tenths)"),
            "the target does not keep up with this rate: response times depend on how long the run lasts; lower the rate",
        )
    })
}

fn drift(evidence: &Evidence) -> Option<Remark> {
    if !is_level(evidence) {
        return None;
    }
    let spans = &evidence.course.spans;
    let trend = trend(spans.len(), DRIFT_SPANS_MIN, |range| mean_response(&spans[range]).map(f64::ln))?;
    let ratio = (trend.after - trend.before).exp();
    let drifted = trend.score.abs() > DRIFT_SCORE && ratio.max(1.0 / ratio) >= DRIFT_CHANGE_MIN;
    drifted.then(|| {
        let [before, after] = [trend.before, trend.after].map(|ln_ns| words::ms(ln_ns.exp() / 1e6));
        let hint = if ratio > 1.0 {
            "the target got slower at the same load: look for what fills up (memory, tables, logs, a credit of processor time)"
        } else {
            "the target got faster at the same load: give it a longer --warmup"
        };
        remark("drift", format!("mean response time went from {before} to {after} at a constant load"), hint)
    })
}

/// Nanoseconds; `None` if nothing ended, or all took no time.
fn mean_response(spans: &[Span]) -> Option<f64> {
    let times = spans.iter().flat_map(|span| [&span.ok, &span.failed, &span.refusals]);
    let (sum, count) = times.fold((0.0, 0), |(sum, count), times| (sum + times.sum() as f64, count + times.len()));
    (sum > 0.0).then(|| sum / count as f64)
}

/// Whether the plan asks for one constant level throughout the measured phase.
fn is_level(evidence: &Evidence) -> bool {
    let begin = evidence.recording.warmup.as_secs_f64();
    level_within(evidence.plan.load.shape(), begin, begin + evidence.recording.measured.as_secs_f64())
}

fn level_within(shape: &Shape, begin: f64, end: f64) -> bool {
    let level = shape.level_at(begin);
    let mut start = 0.0;
    shape.phases().iter().all(|phase| {
        let phase_start = start;
        start += phase.length.map_or(f64::INFINITY, |length| length.as_secs_f64());
        let outside = start <= begin || phase_start >= end;
        outside || (phase.from == phase.to && phase.from == level)
    })
}

#[cfg(test)]
mod tests {
    use plimsoll_model::{Outcome, Plan, Recording, StepTick, Tick};
    use plimsoll_stats::queue::{Observed, Queue, Random, mm1_relaxation, observe};

    use super::*;
    use crate::support::{Recorded, closed, open};

    const LOAD: f64 = 0.9;

    fn recording(observed: Observed) -> Recording {
        let seconds = observed.ticks.into_iter().zip(observed.arrivals).zip(observed.in_flight);
        let ticks = seconds.enumerate().map(|(second, ((times, due), in_flight))| {
            let mut step = StepTick::default();
            step.cell(Outcome::Ok, false).timings.response = times;
            Tick { second: second as u64, due, in_flight, steps: vec![step], ..Tick::default() }
        });
        Recorded::of(ticks.collect()).done()
    }

    fn codes(plan: &Plan, recording: &Recording) -> Vec<&'static str> {
        find(&Evidence::new(plan, recording)).iter().map(|remark| remark.code).collect()
    }

    /// M/M/1 in its steady state at [`LOAD`].
    fn steady(service_rate: f64, seconds: f64, seed: u64) -> Recording {
        let rate = LOAD * service_rate;
        let warmup_s = 15.0 * mm1_relaxation(rate, service_rate);
        recording(observe(Queue::mm1(rate, service_rate, seed), warmup_s, (rate * seconds) as u64, 1.0))
    }

    #[test]
    fn a_stationary_queue_raises_a_false_alarm_in_at_most_one_run_in_a_hundred() {
        // From two relaxation times of the queue to hundreds.
        let cases =
            [(30.0, 30.0, 250), (30.0, 120.0, 150), (100.0, 60.0, 150), (100.0, 300.0, 60), (1_000.0, 30.0, 60)];
        let (mut alarms, mut runs) = (Vec::new(), 0);
        for (service_rate, seconds, seeds) in cases {
            for seed in 0..seeds {
                let codes = codes(&open(LOAD * service_rate), &steady(service_rate, seconds, 10_000 + runs + seed));
                alarms.extend((!codes.is_empty()).then_some((service_rate, seconds, codes)));
            }
            runs += seeds;
        }
        assert!(alarms.len() as u64 * 100 <= runs, "{} alarms in {runs} runs: {alarms:?}", alarms.len());
    }

    #[test]
    fn a_queue_above_its_capacity_is_found_to_grow() {
        let overloaded = |load: f64, seed| {
            let rate = load * 500.0;
            let observed = observe(Queue::mm1(rate, 500.0, seed), 0.0, (rate * 30.0) as u64, 1.0);
            codes(&open(rate), &recording(observed)) == ["backlog_growing"]
        };
        let found = |load| (0..20).filter(|seed| overloaded(load, *seed)).count();
        assert!(found(1.05) >= 18, "{} of 20 at 105 %", found(1.05));
        assert_eq!(found(1.1), 20);
    }

    /// Seconds of a hundred responses around `ms`, each second's level off by a few percent.
    fn noisy(seconds: u64, seed: u64, ms: impl Fn(f64) -> f64) -> Recording {
        let mut random = Random::new(seed);
        let ticks = (0..seconds).map(|second| {
            let level = ms(second as f64 / seconds as f64) * (0.95 + 0.1 * random.uniform());
            let mut step = StepTick::default();
            for _ in 0..100 {
                let times = &mut step.cell(Outcome::Ok, false).timings.response;
                times.record((random.exponential(level) * 1e6) as u64);
            }
            Tick { second, due: 100, steps: vec![step], ..Tick::default() }
        });
        Recorded::of(ticks.collect()).done()
    }

    #[track_caller]
    fn check_drift(seconds: u64, ms: impl Fn(f64) -> f64, expected: usize) {
        let found = (0..20).filter(|seed| codes(&open(100.0), &noisy(seconds, *seed, &ms)) == ["drift"]);
        assert_eq!(found.count(), expected);
    }

    #[test]
    fn a_target_that_changes_is_found_to_drift() {
        check_drift(60, |_| 5.0, 0);
        check_drift(60, |t| 5.0 + 5.0 * t, 20);
        check_drift(60, |t| if t < 0.5 { 5.0 } else { 10.0 }, 20);
        check_drift(60, |t| if t < 0.5 { 10.0 } else { 5.0 }, 20);
        check_drift(600, |t| 5.0 + 1.5 * t, 20);
        check_drift(19, |t| 5.0 + 5.0 * t, 0);
    }

    #[test]
    fn drift_is_asked_for_only_under_a_level_load() {
        let recording = noisy(60, 1, |t| 5.0 + 15.0 * t);
        let with_shape = |text: &str| {
            let mut plan = closed(1.0);
            plan.load = plimsoll_model::Load::Closed(plimsoll_model::ClosedLoad {
                shape: Shape::parse_closed(text).expect("the test's shape is valid"),
                think: std::time::Duration::ZERO,
            });
            codes(&plan, &recording)
        };
        assert_eq!(with_shape("10 users"), ["drift"]);
        assert_eq!(with_shape("10 users for 60s, hold 1m"), ["drift"]);
        assert_eq!(with_shape("10 users, ramp to 20 users over 1m"), ["drift"; 0]);
        assert_eq!(with_shape("10 users for 30s, 20 users for 30s"), ["drift"; 0]);
    }
}
