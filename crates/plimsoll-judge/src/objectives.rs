//! What the run was held to, and what came of it.
//!
//! Expected refusals are left out of every objective. Of the n requests that are left, ok or failed:
//! a quantile counts failures as slower than any bound, so it is the ⌈q·n⌉-th smallest of the ok times followed by
//! failures of infinite time; `max` is the quantile of all, infinite as soon as one failed; `mean` is over the ok
//! ones alone (it would be infinite otherwise; bound the errors beside it); `errors` is failures ÷ n.
//! An objective is met when its value is *below* its bound; a bound of zero (`errors<0%`) is met by zero failures.
//! The interval is reported beside it and decides nothing. What cannot be told (`met` null) is not shown to hold,
//! so it does not pass.

use plimsoll_model::run::{ObjectiveResult, Remark, Verdict};
use plimsoll_model::{Measure, Objective};
use plimsoll_stats::Quantile;

use crate::evidence::Evidence;
use crate::figures::ms;
use crate::intervals::{self, Interval};
use crate::whole::Whole;
use crate::words;

/// The value of one objective, as far as it can be told.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    /// Measured, in reported units.
    Finite(f64),
    /// Too many failures for a time.
    Infinite(String),
    /// It cannot be told, and why.
    Unknown(String),
}

/// Every objective of the plan, in its order.
pub(crate) fn results(evidence: &Evidence) -> Vec<ObjectiveResult> {
    let of_all = evidence.plan.objectives.iter().map(|objective| result(evidence, objective));
    of_all
        .chain(evidence.plan.step_objectives.iter().map(|(step, objective)| of_step(evidence, step, objective)))
        .collect()
}

/// A step's own objective. There is no interval: a step's course over time is not kept.
fn of_step(evidence: &Evidence, step: &str, objective: &Objective) -> ObjectiveResult {
    let names = evidence.plan.step_names();
    let ticks =
        names.iter().zip(&evidence.recording.steps).filter(|(name, _)| *name == step).map(|(_, tick)| tick.clone());
    let whole = Whole::of_steps(evidence.plan, &ticks.collect::<Vec<_>>());
    let name = format!("{step}: {objective}");
    judged(evidence, &whole, name, objective, [None, None])
}

/// The verdict; anything said against the run's validity comes first.
pub(crate) fn verdict(validity: &[Remark], results: &[ObjectiveResult]) -> Verdict {
    if !validity.is_empty() {
        Verdict::Invalid
    } else if results.is_empty() {
        Verdict::None
    } else if results.iter().all(|result| result.met == Some(true)) {
        Verdict::Pass
    } else {
        Verdict::Fail
    }
}

fn result(evidence: &Evidence, objective: &Objective) -> ObjectiveResult {
    let interval = match objective.measure {
        Measure::Quantile(q) => intervals::judged_quantile(&evidence.course, q),
        Measure::Mean => intervals::ok_mean(&evidence.course),
        Measure::Errors => intervals::errors(&evidence.course),
        Measure::Max => Interval::NoData,
    };
    judged(evidence, &evidence.whole, objective.to_string(), objective, interval.ends())
}

fn judged(
    evidence: &Evidence,
    whole: &Whole,
    name: String,
    objective: &Objective,
    ends: [Option<f64>; 2],
) -> ObjectiveResult {
    let bound = objective.bound_reported();
    let (value, met, note) = match value(evidence, whole, objective.measure) {
        Value::Finite(value) => (Some(value), Some(value < bound || (value == 0.0 && bound == 0.0)), None),
        Value::Infinite(note) => (None, Some(false), Some(note)),
        Value::Unknown(note) => (None, None, Some(format!("{note}, so it is not shown to hold"))),
    };
    let [low, high] = match value {
        Some(_) => ends,
        None => [None, None],
    };
    ObjectiveResult { name, bound, value, low, high, met, note }
}

fn value(evidence: &Evidence, whole: &Whole, measure: Measure) -> Value {
    if whole.judged() == 0 {
        let refused = if whole.refused > 0 { " that was not an expected refusal" } else { "" };
        return Value::Unknown(format!("no request{refused} ended in the measured phase"));
    }
    match measure {
        Measure::Errors => Value::Finite(whole.failures as f64 / whole.judged() as f64),
        Measure::Mean => match whole.response_ok.mean() {
            Some(ns) => Value::Finite(ns / 1e6),
            None => Value::Infinite(format!("all {} failed", words::count(whole.judged(), "request"))),
        },
        Measure::Max => at_rank(whole, whole.judged()),
        Measure::Quantile(q) => quantile(evidence, whole, q),
    }
}

fn quantile(evidence: &Evidence, whole: &Whole, q: Quantile) -> Value {
    let (n, wanted) = (whole.judged(), q.samples_wanted());
    if n >= wanted {
        return at_rank(whole, q.rank(n));
    }
    let seconds = evidence.recording.measured.as_secs_f64();
    let lacking = (wanted - n) as f64 * seconds / n as f64;
    let more = if lacking > 0.0 { format!(": {} more at this rate", words::wait(lacking)) } else { String::new() };
    Value::Unknown(format!("{q} wants {wanted} requests and has {n}{more}"))
}

/// The `rank`-th fastest of the judged requests, failures last.
fn at_rank(whole: &Whole, rank: u64) -> Value {
    match whole.response_ok.value_at_rank(rank) {
        Some(ns) => Value::Finite(ms(ns)),
        None => Value::Infinite(format!(
            "{} of {} failed, and a failure is slower than any bound",
            whole.failures,
            words::count(whole.judged(), "request")
        )),
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_model::Outcome::{Dropped, Limited, Ok, ServerError, Timeout};
    use plimsoll_model::Recording;

    use super::*;
    use crate::support::{Recorded, held_to, open};

    #[track_caller]
    fn check(recorded: Recorded, objective: &str, value: Option<f64>, met: Option<bool>) -> ObjectiveResult {
        check_recording(&recorded.done(), objective, value, met)
    }

    #[track_caller]
    fn check_recording(
        recording: &Recording,
        objective: &str,
        value: Option<f64>,
        met: Option<bool>,
    ) -> ObjectiveResult {
        let plan = held_to(open(100.0), objective);
        let mut results = results(&Evidence::new(&plan, recording));
        let result = results.remove(0);
        assert_eq!((result.value, result.met), (value, met), "{objective}: {:?}", result.note);
        assert_eq!(result.note.is_some(), value.is_none(), "a note says why there is no value");
        let verdict = if met == Some(true) { Verdict::Pass } else { Verdict::Fail };
        assert_eq!(super::verdict(&[], std::slice::from_ref(&result)), verdict);
        result
    }

    fn ten_seconds() -> Recorded {
        Recorded::seconds(10)
    }

    #[test]
    fn a_value_is_below_its_bound_or_not() {
        check(ten_seconds().each(Ok, 100, 8.0), "p99<9ms", Some(8.0), Some(true));
        check(ten_seconds().each(Ok, 100, 8.0), "p99<8ms", Some(8.0), Some(false));
        check(ten_seconds().each(Ok, 100, 8.0), "mean<9ms", Some(8.0), Some(true));
        check(ten_seconds().each(Ok, 100, 8.0), "max<1ms", Some(8.0), Some(false));
        check(ten_seconds().each(Ok, 100, 8.0), "errors<0.1%", Some(0.0), Some(true));
        check(ten_seconds().each(Ok, 100, 8.0), "errors<0%", Some(0.0), Some(true));
        check(ten_seconds().each(Ok, 99, 8.0).each(Timeout, 1, 9.0), "errors<1%", Some(0.01), Some(false));
    }

    #[test]
    fn a_failure_is_slower_than_any_bound() {
        let result = check(ten_seconds().each(Ok, 98, 8.0).each(ServerError, 2, 0.1), "p99<1s", None, Some(false));
        assert_eq!(result.note.as_deref(), Some("20 of 1000 requests failed, and a failure is slower than any bound"));
        check(ten_seconds().each(Ok, 98, 8.0).each(ServerError, 2, 0.1), "p95<1s", Some(8.0), Some(true));
        check(ten_seconds().each(Ok, 98, 8.0).each(ServerError, 2, 0.1), "mean<1s", Some(8.0), Some(true));
        check(ten_seconds().each(Ok, 98, 8.0).each(Dropped, 2, 30_000.0), "max<60s", None, Some(false));
        check(ten_seconds().each(Timeout, 50, 30_000.0), "mean<60s", None, Some(false));
    }

    #[test]
    fn expected_refusals_are_left_out() {
        check(ten_seconds().each(Ok, 50, 8.0).refused(Limited, 50, 0.1), "errors<0.1%", Some(0.0), Some(true));
        check(ten_seconds().each(Ok, 50, 8.0).refused(Limited, 50, 99.0), "p99<9ms", Some(8.0), Some(true));
        check(ten_seconds().refused(Limited, 50, 0.1), "errors<0.1%", None, None);
    }

    #[test]
    fn too_few_samples_are_not_judged_and_say_what_they_lack() {
        let result = check(ten_seconds().each(Ok, 20, 8.0), "p99<1s", None, None);
        let note = "p99 wants 299 requests and has 200: 5s more at this rate, so it is not shown to hold";
        assert_eq!(result.note.as_deref(), Some(note));
        check(ten_seconds().each(Ok, 20, 8.0), "p95<1s", Some(8.0), Some(true));
        check_recording(&Recording::default(), "errors<1%", None, None);
        check_recording(&Recording::default(), "p50<1s", None, None);
    }

    #[test]
    fn the_verdict_weighs_validity_first() {
        let remark = Remark { code: "lag", detail: String::new(), hint: String::new() };
        assert_eq!(verdict(&[remark], &[]), Verdict::Invalid);
        assert_eq!(verdict(&[], &[]), Verdict::None);
    }
}
