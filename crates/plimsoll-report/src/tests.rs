//! Whole reports of hand-made runs.

mod journeys;
mod once;

use std::collections::BTreeMap;

use plimsoll_model::calibration::Floor;
use plimsoll_model::run::{
    Calibrated, Figures, Generator, HistogramBar, ObjectiveResult, PhaseFigures, Reason, Remark, Rites, Run, SCHEMA,
    TargetFacts, Verdict,
};
use plimsoll_model::{Outcome, OutcomeCounts};

use crate::{Style, text};

const PLAIN: Style = Style { colour: false, width: 80 };

fn figures(scale: f64) -> Figures {
    Figures {
        count: 6000,
        p50: Some(1.234 * scale),
        p90: Some(2.345 * scale),
        p95: Some(3.456 * scale),
        p99: Some(9.876 * scale),
        p999: Some(12.34 * scale),
        max: Some(15.01 * scale),
        mean: Some(1.456 * scale),
        wants: BTreeMap::new(),
    }
}

fn intervals() -> BTreeMap<String, Option<[f64; 2]>> {
    let known = [("p50", [1.2, 1.25]), ("p90", [2.3, 2.4]), ("p99", [9.1, 10.4]), ("mean", [1.4, 1.5])];
    known.map(|(name, ends)| (format!("response_ms.{name}"), Some(ends))).into()
}

fn objective(name: &str, value: Option<f64>, met: Option<bool>) -> ObjectiveResult {
    ObjectiveResult { name: name.to_owned(), bound: 200.0, value, low: None, high: None, met, note: None }
}

/// Six thousand requests of the open model, all well.
fn passed() -> Run {
    let mut outcomes = OutcomeCounts::default();
    outcomes[Outcome::Ok] = 6000;
    let bar =
        |(index, count)| HistogramBar { above_ms: f64::from(1 << index) / 2.0, to_ms: f64::from(1 << index), count };
    Run {
        schema: SCHEMA,
        id: "20261121-091530-3f9a".to_owned(),
        name: "http://127.0.0.1:8080/x".to_owned(),
        started_at: "2026-11-21T09:15:30Z".to_owned(),
        tool: "plimsoll 0.1.0".to_owned(),
        commit: Some("0123456789abcdef0123456789abcdef01234567".to_owned()),
        plan_hash: "0".to_owned(),
        seed: 1,
        model: "open",
        verdict: Verdict::Pass,
        validity: Vec::new(),
        findings: Vec::new(),
        offered_rate: Some(200.0),
        achieved_rate: 200.0,
        final_rate: 200.0,
        duration_s: 30.0,
        warmup_s: 5.0,
        requests: 6000,
        unfinished: 0,
        outcomes,
        statuses: BTreeMap::from([(200, 6000)]),
        refused: 0,
        reconnects: 0,
        success: Some(1.0),
        response_ms: figures(1.0),
        response_ok_ms: figures(1.0),
        service_ms: figures(0.99),
        lag_ms: figures(0.01),
        phases_ms: PhaseFigures::default(),
        intervals: intervals(),
        intervals_want_s: BTreeMap::new(),
        within_ms: BTreeMap::from([("50".to_owned(), 0.999_999), ("100".to_owned(), 1.0), ("5".to_owned(), 0.96)]),
        objectives: vec![
            ObjectiveResult { low: Some(9.1), high: Some(10.4), ..objective("p99 < 200ms", Some(9.876), Some(true)) },
            objective("errors < 0.1%", Some(0.0), Some(true)),
        ],
        journeys: Vec::new(),
        flows_cut: 0,
        rites: Rites::default(),
        failures: Vec::new(),
        steps: Vec::new(),
        generator: Generator {
            cpu_s: 0.35,
            rss_bytes: 12_345_678,
            threads: 2,
            thread_share: 0.012,
            requests_per_cpu_s: Some(17_142.0),
            calibration: None,
        },
        target: TargetFacts {
            url: "http://127.0.0.1:8080/x".to_owned(),
            server: Some("testkit".to_owned()),
            processes: Vec::new(),
        },
        series: Vec::new(),
        reasons: Vec::new(),
        ended_by: None,
        histogram: [(0, 1200), (1, 3600), (2, 900), (3, 240), (4, 60)].map(bar).to_vec(),
        phase_histograms: BTreeMap::new(),
    }
}

fn remark(code: &'static str, detail: &str, hint: &str) -> Remark {
    Remark { code, detail: detail.to_owned(), hint: hint.to_owned() }
}

#[test]
fn a_run_that_passes() {
    insta::assert_snapshot!(text(&passed(), PLAIN), @"
    PASS  http://127.0.0.1:8080/x
      both objectives are met
      open model · offered 200/s · achieved 200/s · 30 s after 5 s of warm-up

      requests    6,000, all of them ok
      statuses    200 × 6,000
      within      5 ms 96% · 50 ms > 99.99% · 100 ms 100%

               response       95 % interval
      p50       1.23 ms      1.20 – 1.25 ms
      p90       2.35 ms      2.30 – 2.40 ms
      p95       3.46 ms
      p99       9.88 ms      9.10 – 10.4 ms
      p99.9     12.3 ms
      max       15.0 ms
      mean      1.46 ms      1.40 – 1.50 ms

      response time, up to
        1.00 ms  1,200  ████████████████▋
        2.00 ms  3,600  ██████████████████████████████████████████████████
        4.00 ms    900  ████████████▌
        8.00 ms    240  ███▍
        16.0 ms     60  ▉

      objectives
        ✓ p99 < 200ms    9.88 ms (9.10 – 10.4 ms)
        ✓ errors < 0.1%  0%

      generator: 2 threads, the busiest ran or waited for a core 1% of the time,
      12.3 MB of memory, 17,142 requests per CPU second
      run 20261121-091530-3f9a · server testkit · commit 0123456789ab · seed 1
    ");
}

#[test]
fn a_run_that_fails() {
    let mut run = passed();
    run.verdict = Verdict::Fail;
    run.outcomes[Outcome::Ok] = 5000;
    run.outcomes[Outcome::ServerError] = 900;
    run.outcomes[Outcome::Dropped] = 100;
    run.statuses = BTreeMap::from([(200, 5000), (503, 900)]);
    run.success = Some(5000.0 / 6000.0);
    run.achieved_rate = 166.7;
    run.service_ms = figures(0.2);
    run.response_ms = figures(100.0);
    run.lag_ms = Figures { p99: Some(3.0), ..figures(0.1) };
    run.reasons = vec![Reason { text: "503 Service Unavailable".to_owned(), count: 900 }];
    run.objectives = vec![
        objective("p99 < 200ms", Some(987.6), Some(false)),
        ObjectiveResult {
            note: Some("too few samples: 2,995 are wanted".to_owned()),
            ..objective("p99.9 < 1s", None, None)
        },
        objective("errors < 0.1%", Some(0.166_7), Some(false)),
    ];
    run.findings = vec![remark(
        "backlog",
        "requests in flight grew from 3 to 512 and were still growing at the end",
        "the target carries less than was offered: lower the rate, or find what limits it",
    )];
    run.reconnects = 1;
    insta::assert_snapshot!(text(&run, PLAIN), @"
    FAIL  http://127.0.0.1:8080/x
      2 objectives are missed, 1 not shown to hold
      open model · offered 200/s · achieved 167/s · 30 s after 5 s of warm-up

      requests    6,000, 83.33% ok
      outcomes    5,000 ok · 900 server error · 100 dropped, never sent
      statuses    200 × 5,000 · 503 × 900
      why         503 Service Unavailable × 900
      within      5 ms 96% · 50 ms > 99.99% · 100 ms 100%
      reconnects  1 connection that the server had closed

               response       95 % interval    ok only    service        lag
      p50        123 ms      1.20 – 1.25 ms    1.23 ms     247 µs     123 µs
      p90        235 ms      2.30 – 2.40 ms    2.35 ms     469 µs     235 µs
      p95        346 ms                        3.46 ms     691 µs     346 µs
      p99        988 ms      9.10 – 10.4 ms    9.88 ms    1.98 ms    3.00 ms
      p99.9      1.23 s                        12.3 ms    2.47 ms    1.23 ms
      max        1.50 s                        15.0 ms    3.00 ms    1.50 ms
      mean       146 ms      1.40 – 1.50 ms    1.46 ms     291 µs     146 µs

      response time, up to
        1.00 ms  1,200  ████████████████▋
        2.00 ms  3,600  ██████████████████████████████████████████████████
        4.00 ms    900  ████████████▌
        8.00 ms    240  ███▍
        16.0 ms     60  ▉

      objectives
        ✗ p99 < 200ms    988 ms
        ? p99.9 < 1s     – too few samples: 2,995 are wanted
        ✗ errors < 0.1%  16.67%

      findings about the target
        ! backlog: requests in flight grew from 3 to 512 and were still growing at
          the end
          → the target carries less than was offered: lower the rate, or find what
            limits it

      generator: 2 threads, the busiest ran or waited for a core 1% of the time,
      12.3 MB of memory, 17,142 requests per CPU second
      run 20261121-091530-3f9a · server testkit · commit 0123456789ab · seed 1
    ");
}

#[test]
fn a_void_run() {
    let mut run = passed();
    run.verdict = Verdict::Invalid;
    run.validity = vec![remark("lag", "requests were sent late: p99 of lag is 16.5 ms", "give the generator a core")];
    let report = text(&run, PLAIN);
    insta::assert_snapshot!(report.lines().take(3).collect::<Vec<_>>().join("\n"), @"
    VOID  http://127.0.0.1:8080/x
      the generator was at fault: these figures say nothing about the target
      open model · offered 200/s · achieved 200/s · 30 s after 5 s of warm-up
    ");
    insta::assert_snapshot!(report.split("void because").nth(1).unwrap_or_default(), @"

      ! lag: requests were sent late: p99 of lag is 16.5 ms
        → give the generator a core

    generator: 2 threads, the busiest ran or waited for a core 1% of the time,
    12.3 MB of memory, 17,142 requests per CPU second
    `plimsoll calibrate` says which results this machine can give, and what spoils
    them here
    run 20261121-091530-3f9a · server testkit · commit 0123456789ab · seed 1
    ");
}

#[test]
fn no_answer_at_all() {
    let mut run = passed();
    run.outcomes = OutcomeCounts::default();
    run.outcomes[Outcome::Connect] = 6000;
    (run.statuses, run.success, run.verdict) = (BTreeMap::new(), Some(0.0), Verdict::None);
    (run.objectives, run.achieved_rate) = (Vec::new(), 0.0);
    run.reasons = vec![Reason { text: "connection refused".to_owned(), count: 6000 }];
    run.response_ok_ms = Figures::default();
    run.intervals = BTreeMap::new();
    run.within_ms = BTreeMap::new();
    run.target.server = None;
    insta::assert_snapshot!(text(&run, PLAIN), @"
    NO ANSWER  http://127.0.0.1:8080/x
      not one request was answered
      open model · offered 200/s · achieved 0/s · 30 s after 5 s of warm-up

      requests    6,000, 0% ok
      outcomes    6,000 no connection
      why         connection refused × 6,000

               response
      p50       1.23 ms
      p90       2.35 ms
      p95       3.46 ms
      p99       9.88 ms
      p99.9     12.3 ms
      max       15.0 ms
      mean      1.46 ms

      response time, up to
        1.00 ms  1,200  ████████████████▋
        2.00 ms  3,600  ██████████████████████████████████████████████████
        4.00 ms    900  ████████████▌
        8.00 ms    240  ███▍
        16.0 ms     60  ▉

      generator: 2 threads, the busiest ran or waited for a core 1% of the time,
      12.3 MB of memory, 17,142 requests per CPU second
      run 20261121-091530-3f9a · commit 0123456789ab · seed 1
    ");
}

#[test]
fn one_request_leaves_most_figures_open() {
    let mut run = passed();
    run.model = "closed";
    run.offered_rate = None;
    (run.requests, run.duration_s, run.warmup_s, run.achieved_rate) = (1, 0.0123, 0.0, 81.3);
    run.outcomes = OutcomeCounts::default();
    run.outcomes[Outcome::Ok] = 1;
    run.statuses = BTreeMap::from([(204, 1)]);
    run.response_ms = Figures {
        count: 1,
        max: Some(1.2),
        mean: Some(1.2),
        wants: BTreeMap::from([("p50", 5), ("p90", 29), ("p95", 59), ("p99", 299), ("p999", 2995)]),
        ..Figures::default()
    };
    (run.response_ok_ms, run.service_ms, run.lag_ms) =
        (run.response_ms.clone(), Figures::default(), Figures::default());
    run.intervals = BTreeMap::from([("response_ms.p50".to_owned(), None), ("response_ms.mean".to_owned(), None)]);
    run.intervals_want_s =
        BTreeMap::from([("response_ms.p50".to_owned(), 39.2), ("response_ms.mean".to_owned(), 12.0)]);
    (run.within_ms, run.objectives, run.verdict) = (BTreeMap::new(), Vec::new(), Verdict::None);
    run.histogram = vec![HistogramBar { above_ms: 1.0, to_ms: 2.0, count: 1 }];
    run.commit = None;
    insta::assert_snapshot!(text(&run, PLAIN), @"
    DONE  http://127.0.0.1:8080/x
      nothing to judge: `--slo 'p99<200ms'` sets an objective
      closed model · achieved 81.3/s · 12.3 ms

      requests    1, all of them ok
      statuses    204 × 1

               response
      p50             –
      p90             –
      p95             –
      p99             –
      p99.9           –
      max       1.20 ms
      mean      1.20 ms
      – too few requests (1): p50 wants 5, p90 wants 29, p95 wants 59, p99 wants
      299, p99.9 wants 2,995
      the run is too short for an interval of p50, mean: about 40 s more would do

      users who wait ask a slow server less, so these times hide what others would
      wait: `--rate 81.3/s` shows it
      generator: 2 threads, the busiest ran or waited for a core 1% of the time,
      12.3 MB of memory, 17,142 requests per CPU second
      run 20261121-091530-3f9a · server testkit · seed 1
    ");
}

#[test]
fn an_interrupted_run_says_so() {
    let mut run = passed();
    (run.ended_by, run.unfinished) = (Some("interrupted".to_owned()), 12);
    let report = text(&run, PLAIN);
    assert!(report.contains("interrupted"), "{report}");
    assert!(report.contains("and 12 unfinished"), "{report}");
}

/// Every text that a server, a plan or a URL may choose.
fn hostile() -> Run {
    let evil = "\x1b]0;owned\x07\x1b[2J\u{9b}31m\u{202e}gnp\r\n".to_owned();
    let mut run = passed();
    (run.name, run.id, run.commit) = (evil.clone(), evil.clone(), Some(evil.clone()));
    run.target = TargetFacts { url: evil.clone(), server: Some(evil.clone()), processes: Vec::new() };
    run.reasons = vec![Reason { text: evil.clone(), count: 1 }];
    run.objectives[0].name = evil.clone();
    run.objectives[0].note = Some(evil.clone());
    run.findings = vec![remark("drift", &evil, &evil)];
    run.validity = run.findings.clone();
    run.ended_by = Some(evil);
    run
}

#[test]
fn hostile_text_reaches_no_terminal() {
    let report = text(&hostile(), PLAIN);
    let bad = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert_eq!(report.chars().find(|c| bad(*c)), None, "{report}");
    assert!(report.contains("\\x1b[2J"), "{report}");
}

#[test]
fn every_line_fits() {
    let cases = [(60, passed()), (80, passed()), (80, hostile()), (120, passed()), (120, hostile())];
    for (width, run) in cases {
        let report = text(&run, Style { colour: false, width });
        let widest = report.lines().max_by_key(|line| line.chars().count()).unwrap_or_default();
        assert!(widest.chars().count() <= width, "{width}: {widest}");
    }
}

#[test]
fn colour_changes_nothing_but_colour() {
    let report = text(&passed(), Style { colour: true, width: 80 });
    assert!(report.starts_with("\x1b[1;32mPASS\x1b[0m"));
    let mut plain = String::new();
    for piece in report.split('\x1b') {
        plain += if plain.is_empty() { piece } else { piece.split_once('m').map_or("", |(_, rest)| rest) };
    }
    assert_eq!(plain.trim_start_matches("[1;32m"), text(&passed(), PLAIN));
}

#[track_caller]
fn check_calibration(run: &Run, lines: &[&str]) {
    let text = text(run, PLAIN);
    for line in lines {
        assert!(text.contains(line), "{text}");
    }
    assert_eq!(text.contains("calibrat"), !lines.is_empty(), "{text}");
}

#[test]
fn a_run_cites_the_calibration_or_says_where_to_get_one() {
    let mut run = passed();
    check_calibration(&run, &[]);
    run.verdict = Verdict::Invalid;
    check_calibration(&run, &["`plimsoll calibrate` says which results"]);
    run.generator.calibration = Some(Calibrated {
        at: "2026-11-21T09:15:30.000Z".to_owned(),
        closed_rate_per_core: 181_234.0,
        open_rate_max: Some(38_000.0),
        latency_floor_ms: Floor { p50: 0.0401, p99: 0.09 },
        cited: vec!["asked for more".to_owned()],
    });
    let figures = "  calibrated 2026-11-21: 181,234/s closed and 38,000/s open per core, latency";
    check_calibration(&run, &[figures, "  calibration: asked for more\n"]);
}

#[test]
fn phases_are_shown_where_a_handshake_was_part_of_it() {
    let few = Figures { count: 50, p999: None, ..figures(2.0) };
    let phases_ms = PhaseFigures {
        connect: Figures { count: 50, p99: None, ..figures(0.1) },
        tls: few,
        first_byte: figures(0.9),
        body: figures(0.01),
    };
    let report = text(&Run { phases_ms, ..passed() }, PLAIN);
    let shown: Vec<&str> = report.lines().skip_while(|line| !line.contains("phase")).take(6).collect();
    insta::assert_snapshot!(shown.join("\n"), @"
    phase            count        p50        p99        max
    connect             50     123 µs          –    1.50 ms
    TLS                 50    2.47 ms    19.8 ms    30.0 ms
    first byte       6,000    1.11 ms    8.89 ms    13.5 ms
    body             6,000    12.3 µs    98.8 µs     150 µs
    ");
    assert!(!text(&passed(), PLAIN).contains("phase"), "a run on kept connections has nothing to say");
}
