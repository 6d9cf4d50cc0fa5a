//! How many requests a second were due, and were answered.
//!
//! An *answer* came with a status line: ok, limited, client error, server error or assertion.
//! offered = due (flows, where the plan has journeys) ÷ measured seconds (null in the closed model, where the server decides); achieved = answers that
//! came while load was offered ÷ measured seconds; final = answers ÷ seconds over the last whole spans of the
//! measured phase that together cover ten seconds (all of them in a shorter run, one in a run so long that a span
//! covers more). Without one whole span the final rate is the achieved one.

use plimsoll_model::{Load, Plan, Recording, Span};

use crate::course::Course;

const FINAL_S: u64 = 10;

/// Arrivals due a second, which are flows where the plan has journeys; null in the closed model.
pub(crate) fn offered(plan: &Plan, recording: &Recording) -> Option<f64> {
    let arrivals = if plan.journeys.is_empty() { recording.due } else { flows(recording) };
    match plan.load {
        Load::Open(_) => per_second(arrivals, recording.measured.as_secs_f64()),
        Load::Closed(_) => None,
    }
}

/// Answers a second while load was offered.
pub(crate) fn achieved(recording: &Recording) -> f64 {
    per_second(recording.answered_in_time, recording.measured.as_secs_f64()).unwrap_or(0.0)
}

/// Answers a second at the end.
pub(crate) fn last(recording: &Recording, course: &Course) -> f64 {
    let spans = FINAL_S.div_ceil(course.step_s.max(1)) as usize;
    let spans = &course.spans[course.spans.len().saturating_sub(spans)..];
    let answers = spans.iter().map(Span::answered).sum();
    let seconds = spans.len() as u64 * course.step_s;
    per_second(answers, seconds as f64).unwrap_or_else(|| achieved(recording))
}

/// All flows that began in the measured phase.
fn flows(recording: &Recording) -> u64 {
    recording.flows_cut + recording.flows.iter().map(|flow| flow.passed.len() + flow.failed.len()).sum::<u64>()
}

fn per_second(count: u64, seconds: f64) -> Option<f64> {
    (seconds > 0.0).then(|| count as f64 / seconds)
}

#[cfg(test)]
mod tests {
    use plimsoll_model::Outcome;

    use super::*;
    use crate::support::{Recorded, closed, open};

    #[track_caller]
    fn check(recording: &Recording, expected: (Option<f64>, f64, f64)) {
        let course = Course::of(recording);
        assert_eq!((offered(&open(1.0), recording), achieved(recording), last(recording, &course)), expected);
        assert_eq!(offered(&closed(1.0), recording), None);
    }

    #[test]
    fn rates_are_over_the_measured_phase() {
        check(&Recorded::seconds(20).each(Outcome::Ok, 8, 1.0).done(), (Some(8.0), 8.0, 8.0));
        check(&Recorded::seconds(20).each(Outcome::Timeout, 8, 1.0).done(), (Some(8.0), 0.0, 0.0));
        check(&Recorded::seconds(4).each(Outcome::ServerError, 8, 1.0).done(), (Some(8.0), 8.0, 8.0));
        check(&Recording::default(), (None, 0.0, 0.0));
    }

    #[test]
    fn the_final_rate_is_that_of_the_last_ten_seconds() {
        let slowed = Recorded::seconds(30).each(Outcome::Ok, 8, 1.0).during(10..30, Outcome::Ok, 2, 1.0).done();
        check(&slowed, (Some(4.0), 4.0, 2.0));
    }
}
