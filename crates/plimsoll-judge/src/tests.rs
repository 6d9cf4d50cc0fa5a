//! Whole runs at the edges: each must be judged without a panic, and say something sensible.

use std::time::Duration;

use plimsoll_model::run::Verdict;
use plimsoll_model::{End, FlowTick, Incident, JourneySpec, Outcome, Plan, Recording, Run};

use crate::support::{Recorded, closed, held_to, open};
use crate::{Facts, judge, judge_once};

#[track_caller]
fn check(plan: &Plan, recording: &Recording, verdict: Verdict, codes: &[&str]) -> Run {
    let run = judge(plan, recording, Facts { id: "id".to_owned(), tool: "tool".to_owned(), ..Facts::default() });
    let said: Vec<&str> = run.validity.iter().chain(&run.findings).map(|remark| remark.code).collect();
    assert_eq!((run.verdict, &said[..]), (verdict, codes));
    assert_eq!(run.histogram.iter().map(|bar| bar.count).sum::<u64>(), run.requests);
    assert_eq!(run.outcomes.total(), run.requests);
    for remark in run.validity.iter().chain(&run.findings) {
        assert!(!remark.detail.is_empty() && !remark.hint.is_empty());
    }
    let null = run.intervals.iter().filter(|(_, ends)| ends.is_none());
    assert!(null.count() >= run.intervals_want_s.len());
    run
}

#[test]
fn a_good_run() {
    let recording = Recorded::seconds(60).each(Outcome::Ok, 100, 5.0).done();
    let run = check(&held_to(open(100.0), "p99<10ms, errors<1%"), &recording, Verdict::Pass, &[]);
    assert_eq!((run.requests, run.success, run.offered_rate), (6_000, Some(1.0), Some(100.0)));
    assert_eq!((run.response_ms.p999, run.journeys[0].passed, run.steps[0].requests), (Some(5.0), 6_000, 6_000));
    assert_eq!(run.started_at, "1970-01-01T00:00:00.000Z");
    assert_eq!(run.steps[0].name, "GET /x");
}

#[test]
fn zero_requests() {
    let run = check(&open(1.0), &Recording::default(), Verdict::None, &["no_success"]);
    assert_eq!((run.success, run.offered_rate, run.achieved_rate, run.final_rate), (None, None, 0.0, 0.0));
    assert!(run.histogram.is_empty() && run.intervals.values().all(Option::is_none));
    check(&held_to(open(1.0), "errors<1%"), &Recording::default(), Verdict::Fail, &["no_success"]);
}

#[test]
fn one_request() {
    let recording = Recorded::seconds(1).each(Outcome::Ok, 1, 5.0).done();
    let run = check(&held_to(open(1.0), "max<10ms"), &recording, Verdict::Pass, &["too_few_samples"]);
    assert_eq!((run.response_ms.max, run.response_ms.mean, run.response_ms.p50), (Some(5.0), Some(5.0), None));
    assert_eq!(run.histogram.len(), 1);
    check(&held_to(open(1.0), "p50<10ms"), &recording, Verdict::Fail, &["too_few_samples"]);
}

#[test]
fn no_success_at_all() {
    let recording = Recorded::seconds(10).each(Outcome::Connect, 100, 0.1).done();
    let run = check(&held_to(open(100.0), "p99<1s, errors<1%"), &recording, Verdict::Fail, &["no_success"]);
    assert_eq!((run.success, run.response_ok_ms.count, run.achieved_rate), (Some(0.0), 0, 0.0));
}

#[test]
fn interrupted_at_once() {
    let recording = Recording { end: End::Interrupted, unfinished: 3, ..Recording::default() };
    let run = check(&open(1.0), &recording, Verdict::None, &["interrupted", "no_success"]);
    assert_eq!((run.ended_by.as_deref(), run.unfinished), (Some("interrupted"), 3));
    // A moment later: some answers, not one whole second.
    let mut recording = Recorded::seconds(1).each(Outcome::Ok, 40, 5.0).done();
    (recording.measured, recording.end) = (Duration::from_millis(400), End::Interrupted);
    let run = check(&open(100.0), &recording, Verdict::None, &["interrupted", "too_few_samples"]);
    assert_eq!((run.offered_rate, run.final_rate), (Some(100.0), 100.0));
}

#[test]
fn a_day() {
    // One tick in sixteen, so that the test is quick; the seconds between them are empty.
    let mut recording = Recording { measured: Duration::from_secs(86_400), ..Recorded::seconds(0).done() };
    let part = Recorded::seconds(1).each(Outcome::Ok, 1_600, 5.0).done();
    for second in (0..86_400).step_by(16) {
        let steps = part.steps.clone();
        recording.steps[0].merge(&steps[0]);
        recording.timeline.push(&plimsoll_model::Tick { second, due: 1_600, steps, ..Default::default() });
    }
    (recording.due, recording.answered_in_time) = (8_640_000, 8_640_000);
    let run = check(&open(100.0), &recording, Verdict::None, &[]);
    assert_eq!((run.series[0].step_s, run.series[0].points.len()), (256.0, 338));
    assert_eq!((run.final_rate, run.offered_rate), (100.0, Some(100.0)));
}

#[test]
fn all_refused_as_expected() {
    let recording = Recorded::seconds(10).refused(Outcome::Limited, 100, 1.0).done();
    let run = check(&held_to(open(100.0), "errors<1%"), &recording, Verdict::Fail, &["no_success"]);
    assert_eq!((run.refused, run.objectives[0].met, run.achieved_rate), (1_000, None, 100.0));
}

#[test]
fn dropped_only() {
    let recording = Recorded::seconds(10).each(Outcome::Dropped, 100, 30_000.0).done();
    let plan = held_to(open(100.0), "p99<1s");
    let run = check(&plan, &recording, Verdict::Fail, &["no_success", "in_flight_cap"]);
    assert_eq!((run.response_ms.count, run.service_ms.count, run.lag_ms.count), (1_000, 0, 0));
}

#[test]
fn a_void_run_has_its_figures_but_no_verdict() {
    let mut recording = Recorded::seconds(10).each(Outcome::Ok, 100, 5.0).done();
    recording.incidents.note(Incident::ScheduleMissed);
    let run = check(&held_to(open(100.0), "p99<1s"), &recording, Verdict::Invalid, &["schedule_missed"]);
    assert_eq!((run.response_ms.p99, run.objectives[0].met), (Some(5.0), Some(true)));
}

#[test]
fn the_closed_model() {
    let recording = Recorded::seconds(10).each(Outcome::Ok, 100, 5.0).without_service().done();
    let run = check(&closed(5.0), &recording, Verdict::None, &[]);
    assert_eq!((run.model, run.offered_rate, run.service_ms.count), ("closed", None, 1_000));
}

/// Two journeys, so many flows of which passed and failed.
#[track_caller]
fn check_once(flows: &[(u64, u64)], objectives: &str, verdict: Verdict) {
    let mut plan = closed(1.0);
    if !objectives.is_empty() {
        plan = held_to(plan, objectives);
    }
    let journey = |nth| JourneySpec { name: format!("j{nth}"), share: 0.5, steps: vec!["s".into()], lines: Vec::new() };
    plan.journeys = (0..flows.len()).map(journey).collect();
    // Late enough to void a measurement, and with an attempt that was made again.
    let recorded = Recorded::seconds(1).lag(500.0).each(Outcome::Ok, 9, 5.0).each(Outcome::ClientError, 1, 5.0);
    let mut recording = recorded.without_service().done();
    for (passed, failed) in flows {
        let mut flow = FlowTick::default();
        flow.passed.record_n(5_000_000, *passed);
        flow.failed.record_n(5_000_000, *failed);
        recording.flows.push(flow);
    }
    assert_eq!(judge(&plan, &recording, Facts::default()).verdict, Verdict::Invalid);
    let run = judge_once(&plan, &recording, Facts::default());
    assert_eq!((run.verdict, run.validity.len()), (verdict, 0), "{flows:?} {objectives}");
}

#[test]
fn journeys_that_are_gone_through_once_pass_when_each_goes_well() {
    check_once(&[(1, 0), (1, 0)], "", Verdict::Pass);
    check_once(&[(1, 0), (0, 1)], "", Verdict::Fail);
    check_once(&[(1, 0), (0, 0)], "", Verdict::Fail);
    check_once(&[(1, 0), (1, 0)], "max<1s, errors<50%", Verdict::Fail);
    check_once(&[(1, 0), (1, 0)], "errors<50%", Verdict::Pass);
    check_once(&[(0, 1), (1, 0)], "errors<50%", Verdict::Fail);
}
