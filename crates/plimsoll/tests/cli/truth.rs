//! Servers whose truth is computed on paper, and what the real binary measures of them.
//!
//! The exact version of this, on a machine of its own, is the bench's. Here the machine is shared, and where it kept
//! the generator from its core for longer than the truth allows for, the run says so itself: it is repeated.

use crate::support::{Ran, Server, alone, finished, scratch, started};

/// Frozen for the last half second of every two.
const PERIOD_S: f64 = 2.0;
const FROZEN_S: f64 = 0.5;
const PATH: &str = "/?freeze=0.5s/2s";

const FIGURES: [(&str, f64); 5] = [("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("max", 1.0)];
const ATTEMPTS: usize = 3;
/// A generator that was later than this measured the machine.
const LATE_MS: f64 = 8.0;

/// What a request due so long after the first one has to wait, in milliseconds.
fn on_paper_ms(due_s: f64) -> f64 {
    let left_s = PERIOD_S - due_s.rem_euclid(PERIOD_S);
    if left_s <= FROZEN_S { left_s * 1e3 } else { 0.0 }
}

/// The quantile by nearest rank.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() as f64 * share).ceil() as usize).clamp(1, sorted.len()) - 1]
}

/// Requests came at these times; the figures must be what the paper says.
#[track_caller]
fn check(ran: &Ran, due_s: &[f64]) {
    let first = due_s.iter().copied().fold(f64::INFINITY, f64::min);
    let mut expected: Vec<f64> = due_s.iter().map(|due| on_paper_ms(due - first)).collect();
    expected.sort_by(f64::total_cmp);
    for (name, share) in FIGURES {
        let (paper, measured) = (quantile(&expected, share), ran.figure(&format!("/response_ms/{name}")));
        let allowed = (paper * 0.03).max(15.0);
        // A single stall of the machine moves the maximum, and by no more than the lag that the run owns up to.
        let late = if name == "max" { ran.figure("/lag_ms/max") } else { 0.0 };
        assert!(
            (-allowed..=allowed + late).contains(&(measured - paper)),
            "{name}: {measured} ms, on paper {paper} ms; {:#}",
            ran.json
        );
    }
}

/// When the requests of a log were due.
fn due_in(log: &str) -> Vec<f64> {
    log.lines().skip(1).filter_map(|line| line.split(',').next()?.parse().ok()).collect()
}

#[test]
fn a_server_that_freezes() {
    let loads: [&[&str]; 3] = [
        &["--rate", "200/s"],
        &["--rate", "200/s", "--arrivals", "poisson", "--seed", "7"],
        // As many requests a second, from users who wait.
        &["-c", "10", "--think", "50ms"],
    ];
    let _machine = alone();
    for attempt in 1.. {
        let directory = scratch();
        // A server for each, so that each freezes by its own clock.
        let servers = loads.map(|_| Server::start());
        let children = [0, 1, 2].map(|index| {
            let log = format!("{index}.log");
            let args = [loads[index], &["-d", "6s", "--log", &log, "--threads", "1"]].concat();
            started(directory.path(), &servers[index].url(PATH), &args)
        });
        let [even, poisson, closed] = children.map(|child| Ran::from(&finished(child)));
        let late = [&even, &poisson].map(|ran| ran.figure("/lag_ms/max")).into_iter().fold(0.0, f64::max);
        if late > LATE_MS && attempt < ATTEMPTS {
            eprintln!("the machine kept the generator waiting for {late} ms: once more");
            continue;
        }
        let log = |index: usize| {
            let path = directory.path().join(format!("{index}.log"));
            due_in(&std::fs::read_to_string(path).expect("the log was written"))
        };
        // Even arrivals need no log: they are due every 5 ms.
        let due: Vec<f64> = (0..1200).map(|n| f64::from(n) / 200.0).collect();
        assert_eq!(log(0).len(), 1200);
        check(&even, &due);
        check(&poisson, &log(1));
        check_closed(&closed);
        return;
    }
}

/// Ten users meet three freezes each, whatever the time between: so few that no quantile but the last shows them.
#[track_caller]
fn check_closed(ran: &Ran) {
    let (p95, max) = (ran.figure("/response_ms/p95"), ran.figure("/response_ms/max"));
    assert!(p95 < 100.0, "a quarter of the time was frozen, and a user's p95 hides it: {p95} ms; {:#}", ran.json);
    assert!((400.0..=560.0).contains(&max), "{max}");
    assert!(ran.codes("findings").contains(&"closed_model"), "{:#}", ran.json["findings"]);
}

#[test]
fn an_exact_rate_limit() {
    for (args, refused, errors) in [("", 0, false), ("--expect 429", 15, true)] {
        let server = Server::start();
        let load = "--rate 200/s -n 65 --slo errors<1%";
        let ran = Ran::of(&server.url("/?limit=50/60s"), &format!("{load} {args}"));
        assert_eq!(ran.outcomes(), [("limited", 15), ("ok", 50)]);
        assert_eq!(ran.json["statuses"], serde_json::json!({"200": 50, "429": 15}));
        assert_eq!(ran.count("/refused"), refused);
        let objective = &ran.json["objectives"][0];
        assert_eq!(objective["met"], errors, "{objective:#}");
        ran.assert_exit(if errors { 0 } else { 1 });
        let value = objective["value"].as_f64().expect("it was measured");
        assert!((value - if errors { 0.0 } else { 15.0 / 65.0 }).abs() < 1e-9, "{objective:#}");
    }
}

#[test]
fn shares_of_failures_are_counted_exactly() {
    let server = Server::start();
    let ran = Ran::of(&server.url("/?limit=30/60s&error=1:503"), "--rate 200/s -n 40 --expect 503");
    assert_eq!(ran.outcomes(), [("limited", 10), ("server_error", 30)]);
    assert_eq!(ran.json["statuses"], serde_json::json!({"429": 10, "503": 30}));
    assert_eq!(ran.count("/refused"), 30);
}

/// The testkit counts what it served; plimsoll counts what it sent. Every request must be in both.
#[test]
fn the_server_counted_the_same() {
    let server = Server::start();
    for (index, load) in
        ["-c 3 -n 301", "--rate 500/s -n 301", "-c 1 -n 31 --fresh", "-c 5 -d 300ms"].iter().enumerate()
    {
        let before = server.stat("/requests");
        let ran = Ran::of(&server.url(&format!("/?service=1ms&tag={index}")), load);
        assert_eq!(server.stat("/requests") - before, ran.count("/requests"), "{load}");
    }
}
