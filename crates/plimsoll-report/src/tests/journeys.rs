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
    insta::assert_snapshot!(beginning(&text(&one(), PLAIN)), @"
    PASS  http://127.0.0.1:8080/x
      both objectives are met
      open model · offered 10 flows/s · achieved 30 requests/s · 30 s after 5 s of
      warm-up

      requests    6,000, all of them ok
      statuses    200 × 6,000
      within      5 ms 96% · 50 ms > 99.99% · 100 ms 100%

      journey     flows   passed     95 % interval  flow p50  flow p99
      checkout    1,200    1,200     99.68% – 100%   4.94 ms   39.5 ms

      step                   requests       ok       p50       p99       max
      log in                    1,200     100%   1.23 ms   9.88 ms   15.0 ms
      create an order           1,200     100%   2.47 ms   19.8 ms   30.0 ms
      GET /orders/{{order}}     1,200     100%    617 µs   4.94 ms   7.50 ms
    ");
}

#[test]
fn three_journeys_with_failures() {
    let report = text(&three(), PLAIN);
    insta::assert_snapshot!(beginning(&report), @"
    PASS  http://127.0.0.1:8080/x
      both objectives are met
      open model · offered 10 flows/s · achieved 30 requests/s · 30 s after 5 s of
      warm-up

      before      create users went well all 20 times, in 1.25 s
                  fill the shop went well, in 1.25 s
      after       delete users went well 18 of 20 times, in 1.25 s
                  empty the shop went wrong, in 1.25 s

      requests    6,000, all of them ok
      statuses    200 × 6,000
      within      5 ms 96% · 50 ms > 99.99% · 100 ms 100%

      journey     flows   passed     95 % interval  flow p50  flow p99
      checkout    1,200    1,198   99.41% – 99.95%   4.94 ms   39.5 ms
      browse         40        0        0% – 8.76%   4.94 ms   39.5 ms
      return         12       12     75.75% – 100%   3.00 ms         –
      – too few flows that passed: p99 wants 299
      1 flow was cut short by the end of the run, and neither passed nor failed

      step                     requests       ok       p50       p99       max
      checkout
        log in                    1,200     100%   1.23 ms   9.88 ms   15.0 ms
        GET /orders/{{order}}     1,200   99.83%    617 µs   4.94 ms   7.50 ms
      browse
        GET /slow                    40       0%    1.23 s    9.88 s    15.0 s
        nobody comes here             0        –         –         –         –
      return
        GET /api/v1/customers/{{customer}}/orders/{{order}}
                                     12     100%   3.00 ms         –   9.00 ms
        PUT /returns/{{id}}           0        –         –         –         –
      – too few requests of a step: p99 wants 299
    ");
    let end = report.split("  failures").nth(1).and_then(|end| end.split("\n\n").next());
    insta::assert_snapshot!(end.unwrap_or_default(), @r#"
    , one of each kind
        ✗ checkout: GET /orders/{{order}}
          at      tests/checkout.hurl:22
          line    jsonpath "$.items" count == 1
          wanted  integer <1>
          saw     integer <2>
          request GET /orders/42 HTTP/1.1
          answer  HTTP/1.1 200 OK
          body    {"id":42,"state":"new","items":[{"sku":"x","n":1},{"sku":"y","n":2
                  }],"note":"longer than the line is"}
        ✗ browse: GET /slow
          at      tests/browse.hurl:1
          wanted  an answer
          saw     time-out: no answer within 30s
          request GET /orders/42 HTTP/1.1
        ✗ return: PUT /returns/{{id}}
          at      tests/return.hurl:7
          wanted  a value for the variable `id`
          saw     none: the variable is not defined
        1 more is in `--json`
    "#);
}

#[test]
fn a_closed_run_is_told_which_rate_would_show_more() {
    let run = Run { model: "closed", offered_rate: None, ..one() };
    let report = text(&run, PLAIN);
    assert!(report.contains("wait: `--rate`, in flows a second, shows it"), "{report}");
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
