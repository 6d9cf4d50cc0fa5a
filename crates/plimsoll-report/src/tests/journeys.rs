//! Load reports of journeys.

use std::collections::BTreeMap;

use plimsoll_model::run::{JourneyResult, Rites, StepResult};
use plimsoll_model::{FailureSample, Outcome, RiteRecord, Run};

use super::once::{flow, sample, step};
use super::{Figures, PLAIN, Style, figures, passed as load};
use crate::text;

/// A step of which many requests were ok.
fn busy(journey: &str, name: &str, requests: u64, ok: u64, scale: f64) -> StepResult {
    let mut step = step(journey, name, &[], Outcome::Ok, 0.0);
    step.requests = requests;
    step.outcomes[Outcome::Ok] = ok;
    step.outcomes[Outcome::Assertion] = requests - ok;
    step.success = Some(ok as f64 / requests as f64);
    step.response_ms = figures(scale);
    step
}

fn flows(name: &str, passed: u64, total: u64, share: [f64; 2]) -> JourneyResult {
    JourneyResult { passed_share: Some(share), flow_ms: figures(4.0), ..flow(name, passed, total, 0.0) }
}

/// One journey of three steps, all well.
fn one() -> Run {
    Run {
        model: "open",
        offered_rate: Some(10.0),
        achieved_rate: 30.0,
        journeys: vec![flows("checkout", 1200, 1200, [0.9968, 1.0])],
        steps: vec![
            busy("checkout", "log in", 1200, 1200, 1.0),
            busy("checkout", "create an order", 1200, 1200, 2.0),
            busy("checkout", "GET /orders/{{order}}", 1200, 1200, 0.5),
        ],
        ..load()
    }
}

/// Three journeys, failures of several kinds, what comes before and after, a step that nobody reached.
fn three() -> Run {
    let rite = |name: &str, passed, total| RiteRecord { name: name.to_owned(), passed, total, seconds: 1.25 };
    let no_answer = FailureSample {
        place: "tests/browse.hurl:1".to_owned(),
        source: "GET /slow".to_owned(),
        expected: "an answer".to_owned(),
        actual: "time-out: no answer within 30s".to_owned(),
        answer: String::new(),
        ..sample("browse", "GET /slow")
    };
    let not_made = FailureSample {
        place: "tests/return.hurl:7".to_owned(),
        expected: "a value for the variable `id`".to_owned(),
        actual: "none: the variable is not defined".to_owned(),
        source: "PUT /returns/{{id}}".to_owned(),
        request: String::new(),
        answer: String::new(),
        ..sample("return", "PUT /returns/{{id}}")
    };
    let fourth = FailureSample { place: "tests/return.hurl:9".to_owned(), ..not_made.clone() };
    let checkout = sample("checkout", "GET /orders/{{order}}");
    let few = Figures { count: 12, p50: Some(3.0), max: Some(9.0), ..Figures::default() };
    let few = Figures { wants: BTreeMap::from([("p99", 299)]), ..few };
    let mut rare = busy("return", "return: GET /api/v1/customers/{{customer}}/orders/{{order}}", 12, 12, 1.0);
    rare.response_ms = few.clone();
    Run {
        journeys: vec![
            flows("checkout", 1198, 1200, [0.9941, 0.9995]),
            flows("browse", 0, 40, [0.0, 0.0876]),
            JourneyResult { flow_ms: few, ..flows("return", 12, 12, [0.7575, 1.0]) },
        ],
        steps: vec![
            busy("checkout", "checkout: log in", 1200, 1200, 1.0),
            busy("checkout", "GET /orders/{{order}}", 1200, 1198, 0.5),
            busy("browse", "GET /slow", 40, 0, 1000.0),
            step("browse", "browse: nobody comes here", &[], Outcome::Ok, 0.0),
            rare,
            step("return", "PUT /returns/{{id}}", &[], Outcome::Ok, 0.0),
        ],
        flows_cut: 1,
        rites: Rites {
            setup: vec![rite("create users", 20, 20), rite("fill the shop", 1, 1)],
            teardown: vec![rite("delete users", 18, 20), rite("empty the shop", 0, 1)],
        },
        failures: vec![checkout.clone(), checkout, no_answer, not_made, fourth],
        ..one()
    }
}

/// What stands before the latency table.
fn beginning(report: &str) -> &str {
    report.split("           response").next().unwrap_or_default().trim_end()
}

#[test]
fn one_journey() {
    insta::assert_snapshot!(beginning(&text(&one(), PLAIN)), @"");
}

#[test]
fn three_journeys_with_failures() {
    let report = text(&three(), PLAIN);
    insta::assert_snapshot!(beginning(&report), @"");
    let end = report.split("  failures").nth(1).and_then(|end| end.split("\n\n").next());
    insta::assert_snapshot!(end.unwrap_or_default(), @"");
}

#[test]
fn a_closed_run_is_told_which_rate_would_show_more() {
    let run = Run { model: "closed", offered_rate: None, ..one() };
    let report = text(&run, PLAIN);
    assert!(report.contains("`--rate`, in flows a\n  second, shows it"), "{report}");
    assert!(report.contains("closed model · achieved 30 requests/s"), "{report}");
}

#[test]
fn every_line_fits_whatever_it_is_made_of() {
    let evil = "\x1b[2J\u{202e}gnp\r\n".repeat(20);
    let mut hostile = three();
    for journey in &mut hostile.journeys {
        journey.name = evil.clone();
    }
    for step in &mut hostile.steps {
        (step.name, step.journey) = (evil.clone(), Some(evil.clone()));
    }
    for failure in &mut hostile.failures {
        for text in [&mut failure.journey, &mut failure.step, &mut failure.place, &mut failure.answer] {
            text.clone_from(&evil);
        }
    }
    for rite in hostile.rites.setup.iter_mut().chain(&mut hostile.rites.teardown) {
        rite.name.clone_from(&evil);
    }
    for width in [60, 80, 120] {
        for run in [one(), three(), hostile.clone()] {
            let report = text(&run, Style { colour: false, width });
            let bad = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
            assert_eq!(report.chars().find(|c| bad(*c)), None, "{report}");
            let widest = report.lines().max_by_key(|line| line.chars().count()).unwrap_or_default();
            assert!(widest.chars().count() <= width, "{width}: {widest}");
        }
    }
}
