//! Whether the target kept up, and stayed the same: `backlog_growing` and `drift`.
//!
//! Both read the whole spans of the measured phase.
//! - `backlog_growing` (open model): requests in flight at the spans' ends grew more than a queue at exactly its
//!   capacity would by chance (`plimsoll_stats::growth`), by at least one request in a thousand that came.
//! - `drift` (while the load's shape is level, and with no growing backlog to explain it): mean response times of the
//!   spans have a trend, and changed by at least a tenth (`plimsoll_stats::drift`). One sudden jump is no trend: the
//!   series over time show it.
//!
//! On a stationary M/M/1 at 90 % load both together raised a false alarm in 0.5 % of 8 550 runs of ten lengths and
//! speeds, all of them `drift`; the worst of the ten had 1.4 % (14 of 1 000: five relaxation times, sixty seconds).

use plimsoll_model::run::Remark;
use plimsoll_model::{Shape, Span};
use plimsoll_stats::{Drift, Growth, Histogram, drift, growth};

use super::remark;
use crate::evidence::Evidence;
use crate::words;

const BACKLOG_SHARE_MIN: f64 = 0.001;

/// At most one of the two.
pub(super) fn find(evidence: &Evidence) -> Vec<Remark> {
    backlog_growing(evidence).or_else(|| drifting(evidence)).into_iter().collect()
}

fn backlog_growing(evidence: &Evidence) -> Option<Remark> {
    let spans = &evidence.course.spans;
    let counts = |of: fn(&Span) -> u64| spans.iter().map(of).collect::<Vec<u64>>();
    let in_flight = counts(|span| span.in_flight);
    let found = growth::growth(&in_flight, &counts(|span| span.due), evidence.course.step_s as f64);
    let Growth::Growing { per_second, share_of_arrivals } = found else {
        return None;
    };
    (evidence.is_open() && share_of_arrivals >= BACKLOG_SHARE_MIN).then(|| {
        let (from, to) = (in_flight.first().copied().unwrap_or(0), in_flight.last().copied().unwrap_or(0));
        let (rate, share) = (words::digits(per_second), words::percent(share_of_arrivals));
        remark(
            "backlog_growing",
            format!("requests in flight grew from {from} to {to}: {rate} a second, {share} of those that came"),
            "the target does not keep up with this rate, and response times depend on how long the run lasts: lower \
             the rate",
        )
    })
}

fn drifting(evidence: &Evidence) -> Option<Remark> {
    if !is_level(evidence) {
        return None;
    }
    let responses: Vec<Histogram> = evidence.course.spans.iter().map(Span::response).collect();
    let Drift::Drifting { ratio } = drift::response(&responses) else {
        return None;
    };
    let (how, hint) = if ratio > 1.0 {
        ("longer", "look for what fills up: memory, tables, logs, a credit of processor time")
    } else {
        ("shorter", "if the target was still warming up, give it a longer --warmup")
    };
    let detail = format!(
        "mean response time at the end was {} times that of the beginning: it got {how} at a constant load",
        words::digits(ratio)
    );
    Some(remark("drift", detail, hint))
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
    use plimsoll_stats::queue::{Queue, Random, observe};

    use super::*;
    use crate::support::{Recorded, closed, open, simulated, steady};

    const LOAD: f64 = 0.9;

    fn codes(plan: &Plan, recording: &Recording) -> Vec<&'static str> {
        find(&Evidence::new(plan, recording)).iter().map(|remark| remark.code).collect()
    }

    #[test]
    fn a_stationary_queue_raises_a_false_alarm_in_at_most_one_run_in_a_hundred() {
        // From two relaxation times of the queue to hundreds.
        let cases =
            [(30.0, 30.0, 250), (30.0, 120.0, 150), (100.0, 60.0, 150), (100.0, 300.0, 60), (1_000.0, 30.0, 60)];
        let (mut alarms, mut runs) = (Vec::new(), 0);
        for (service_rate, seconds, seeds) in cases {
            for seed in 0..seeds {
                let codes =
                    codes(&open(LOAD * service_rate), &steady(LOAD, service_rate, seconds, 10_000 + runs + seed));
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
            codes(&open(rate), &simulated(observed)) == ["backlog_growing"]
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

    /// Of twenty runs at most `range.end()` and at least `range.start()` are found to drift.
    #[track_caller]
    fn check_drift(seconds: u64, ms: impl Fn(f64) -> f64, range: std::ops::RangeInclusive<usize>) {
        let found = (0..20).filter(|seed| codes(&open(100.0), &noisy(seconds, *seed, &ms)) == ["drift"]).count();
        assert!(range.contains(&found), "{found} of 20");
    }

    #[test]
    fn a_target_that_changes_is_found_to_drift() {
        check_drift(60, |_| 5.0, 0..=1);
        check_drift(60, |t| 5.0 + 5.0 * t, 18..=20);
        check_drift(60, |t| 10.0 - 5.0 * t, 18..=20);
        check_drift(600, |t| 5.0 + 1.5 * t, 18..=20);
        check_drift(30, |t| 5.0 + 5.0 * t, 0..=0);
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
        assert_eq!(with_shape("10 users for 60s, 10 users for 60s"), ["drift"]);
        assert_eq!(with_shape("10 users for 30s, ramp to 20 users over 1m"), ["drift"; 0]);
        assert_eq!(with_shape("10 users for 30s, 20 users for 30s"), ["drift"; 0]);
    }
}
