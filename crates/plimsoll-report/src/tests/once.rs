//! Reports of journeys that were gone through once.

use std::collections::BTreeMap;

use plimsoll_model::run::{JourneyResult, Reason, StepResult, Verdict};
use plimsoll_model::{FailureSample, Outcome, OutcomeCounts, Run};

use super::{Figures, PLAIN, PhaseFigures, Style, objective, passed as load};
use crate::once;

/// A step that was made `statuses.len()` times; 0 for no answer.
pub(super) fn step(journey: &str, name: &str, statuses: &[u16], outcome: Outcome, ms: f64) -> StepResult {
    let mut outcomes = OutcomeCounts::default();
    outcomes[outcome] = statuses.len() as u64;
    let mut counts = BTreeMap::new();
    for status in statuses.iter().filter(|status| **status > 0) {
        *counts.entry(*status).or_default() += 1;
    }
    let requests = statuses.len() as u64;
    let wants = BTreeMap::from([("p50", 5), ("p99", 299)]);
    let times =
        Figures { count: requests, max: Some(ms).filter(|_| requests > 0), mean: None, wants, ..Figures::default() };
    let nothing = Figures::default;
    StepResult {
        name: name.to_owned(),
        journey: Some(journey.to_owned()),
        requests,
        outcomes,
        statuses: counts,
        refused: 0,
        success: (requests > 0).then(|| if outcome == Outcome::Ok { 1.0 } else { 0.0 }),
        body_bytes: 0,
        response_ms: times,
        response_ok_ms: nothing(),
        service_ms: nothing(),
        lag_ms: nothing(),
        phases_ms: PhaseFigures::default(),
    }
}

pub(super) fn flow(name: &str, passed: u64, total: u64, ms: f64) -> JourneyResult {
    let flow_ms = Figures { count: passed, max: Some(ms).filter(|_| passed > 0), ..Figures::default() };
    JourneyResult { name: name.to_owned(), passed, total, passed_share: None, flow_ms }
}

pub(super) fn sample(journey: &str, step: &str) -> FailureSample {
    FailureSample {
        journey: journey.to_owned(),
        step: step.to_owned(),
        place: "tests/checkout.hurl:22".to_owned(),
        source: "jsonpath \"$.items\" count == 1".to_owned(),
        expected: "integer <1>".to_owned(),
        actual: "integer <2>".to_owned(),
        request: "GET /orders/42 HTTP/1.1\nHost: shop.test\nAuthorization: [redacted]\n".to_owned(),
        answer: "HTTP/1.1 200 OK\nContent-Type: application/json\n\n{\"id\":42,\"state\":\"new\",\"items\":[{\"sku\":\
                 \"x\",\"n\":1},{\"sku\":\"y\",\"n\":2}],\"note\":\"longer than the line is\"}"
            .to_owned(),
    }
}

fn run(journeys: Vec<JourneyResult>, steps: Vec<StepResult>, failures: Vec<FailureSample>) -> Run {
    let verdict = if journeys.iter().all(|one| one.passed == 1) { Verdict::Pass } else { Verdict::Fail };
    Run { model: "closed", verdict, journeys, steps, failures, objectives: Vec::new(), ..load() }
}

fn checkout(fails: bool) -> Run {
    let mut steps = vec![
        step("checkout", "log in", &[200], Outcome::Ok, 16.6),
        step("checkout", "create an order", &[201], Outcome::Ok, 6.6),
    ];
    if fails {
        steps.push(step("checkout", "GET /orders/{{order}}", &[200], Outcome::Assertion, 0.324));
        steps.push(step("checkout", "DELETE /orders/{{order}}", &[], Outcome::Ok, 0.0));
        return run(vec![flow("checkout", 0, 1, 0.0)], steps, vec![sample("checkout", "GET /orders/{{order}}")]);
    }
    run(vec![flow("checkout", 1, 1, 23.2)], steps, Vec::new())
}

#[test]
fn a_journey_that_goes_well() {
    insta::assert_snapshot!(once(&checkout(false), PLAIN), @"
    ✓ checkout  23.2 ms
        ✓ log in           200    16.6 ms
        ✓ create an order  201    6.60 ms

    PASS 1 of 1 journey
    ");
}

#[test]
fn a_step_that_goes_wrong_ends_its_journey() {
    insta::assert_snapshot!(once(&checkout(true), PLAIN), @r#"
    ✗ checkout
        ✓ log in                    200    16.6 ms
        ✓ create an order           201    6.60 ms
        ✗ GET /orders/{{order}}     200     324 µs
            at      tests/checkout.hurl:22
            line    jsonpath "$.items" count == 1
            wanted  integer <1>
            saw     integer <2>
            request GET /orders/42 HTTP/1.1
                    Host: shop.test
                    Authorization: [redacted]
            answer  HTTP/1.1 200 OK
                    Content-Type: application/json
            body    {"id":42,"state":"new","items":[{"sku":"x","n":1},{"sku":"y","n"
                    :2}],"note":"longer than the line is"}
        – DELETE /orders/{{order}}  not reached

    FAIL 0 of 1 journey passed
    "#);
}

#[test]
fn several_journeys_of_which_some_go_wrong() {
    let (polls, skips) = ([404, 404, 200], [404, 404, 404]);
    let mut steps = vec![
        step("orders/poll", "orders/poll: until it is there", &polls, Outcome::Ok, 1.2),
        step("orders/skip", "orders/skip: only sometimes", &[], Outcome::Ok, 0.0),
        step("orders/skip", "GET /gone", &skips, Outcome::Ok, 0.085),
        step("refused", "GET /x", &[0], Outcome::Connect, 1.12),
        step("refused", "GET /y", &[], Outcome::Ok, 0.0),
        step("unmade", "GET /{{missing}}", &[0], Outcome::Assertion, 0.0),
        step("cut", "GET /", &[200], Outcome::Ok, 1.0),
        step("cut", "GET /slow", &[], Outcome::Ok, 0.0),
    ];
    steps[0].outcomes[Outcome::ClientError] = 2;
    steps[0].outcomes[Outcome::Ok] = 1;
    let journeys = vec![
        flow("orders/poll", 1, 1, 51.3),
        flow("orders/skip", 1, 1, 20.4),
        flow("refused", 0, 1, 0.0),
        flow("unmade", 0, 1, 0.0),
        flow("cut", 0, 0, 0.0),
    ];
    let refused = FailureSample {
        journey: "refused".to_owned(),
        step: "GET /x".to_owned(),
        place: "refused.hurl:1".to_owned(),
        source: "GET /x".to_owned(),
        expected: "an answer".to_owned(),
        actual: "no connection: connection refused".to_owned(),
        request: "GET /x HTTP/1.1\nHost: shop.test\n".to_owned(),
        answer: String::new(),
    };
    let mut run = run(journeys, steps, vec![refused]);
    run.reasons = vec![Reason { text: "the only reason there is".to_owned(), count: 1 }];
    run.ended_by = Some("interrupted".to_owned());
    insta::assert_snapshot!(once(&run, PLAIN), @"
    ✓ orders/poll  51.3 ms
        ✓ until it is there  200, 404 × 2    1.20 ms  slowest of 3

    ✓ orders/skip  20.4 ms
        – only sometimes  left out
        ✓ GET /gone       404 × 3    85.0 µs  slowest of 3

    ✗ refused
        ✗ GET /x  no connection    1.12 ms
            at      refused.hurl:1
            wanted  an answer
            saw     no connection: connection refused
            request GET /x HTTP/1.1
                    Host: shop.test
        – GET /y  not reached

    ✗ unmade
        ✗ GET /{{missing}}  not sent       0 ms
            the only reason there is

    – cut  did not come to its end
        ✓ GET /      200    1.00 ms
        – GET /slow  not reached

    FAIL 2 of 5 journeys passed, interrupted
    ");
}

#[test]
fn objectives_count_too() {
    let mut run = checkout(false);
    run.verdict = Verdict::Fail;
    run.objectives = vec![objective("max < 10ms", Some(16.6), Some(false))];
    let report = once(&run, PLAIN);
    let end: Vec<&str> = report.lines().skip_while(|line| !line.contains("objectives")).collect();
    insta::assert_snapshot!(end.join("\n"), @"
      objectives
        ✗ max < 10ms  16.6 ms

    FAIL 1 of 1 journey passed, and an objective is not met
    ");
}

/// Every text that a file, a server or a variable may choose.
fn hostile() -> Run {
    let evil = "\x1b]0;owned\x07\x1b[2J\u{9b}31m\u{202e}gnp\r\n\u{200b}".repeat(9);
    let long = "x".repeat(300);
    let mut run = run(
        vec![flow(&evil, 0, 1, 0.0), flow(&long, 1, 1, 1.0)],
        vec![
            step(&evil, &evil, &[200; 3], Outcome::Ok, 1.0),
            step(&evil, &long, &[200, 404, 503, 0], Outcome::Timeout, 1.0),
            step(&evil, "after", &[], Outcome::Ok, 1.0),
            step(&long, &long, &[200; 12], Outcome::Ok, 1.0),
        ],
        vec![FailureSample {
            journey: evil.clone(),
            step: long.clone(),
            place: evil.clone(),
            source: evil.clone(),
            expected: long.clone(),
            actual: evil.clone(),
            request: format!("{evil}\n\n{evil}"),
            answer: format!("{long}\n\n{long}{evil}"),
        }],
    );
    run.ended_by = Some(evil);
    run
}

#[test]
fn hostile_text_reaches_no_terminal_and_every_line_fits() {
    for width in [60, 80, 120] {
        for run in [hostile(), checkout(true), checkout(false)] {
            let report = once(&run, Style { colour: false, width });
            let bad = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{200b}');
            assert_eq!(report.chars().find(|c| bad(*c)), None, "{report}");
            let widest = report.lines().max_by_key(|line| line.chars().count()).unwrap_or_default();
            assert!(widest.chars().count() <= width, "{width}: {widest}");
        }
    }
}

#[test]
fn it_is_no_load_report() {
    let report = once(&checkout(true), PLAIN);
    for word in ["p50", "p99", "too few", "model", "calibrat", "generator", "per CPU", "response time"] {
        assert!(!report.contains(word), "{word}: {report}");
    }
}
