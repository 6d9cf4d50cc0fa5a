//! Loads over time: what was due when, by the log.

use crate::support::{Ran, Server, scratch};

/// Requests due in each half second.
#[track_caller]
fn due(shape: &str, args: &[&str]) -> (Ran, Vec<usize>) {
    let (server, directory) = (Server::start(), scratch());
    let args = [&["--shape", shape, "--log", "log"], args].concat();
    let ran = Ran::within(directory.path(), &server.url("/?service=20ms"), &args);
    let log = std::fs::read_to_string(directory.path().join("log")).expect("the log was written");
    let mut halves = Vec::new();
    for line in log.lines().skip(1) {
        let due: f64 = line.split(',').next().and_then(|due| due.parse().ok()).expect("a line begins with its time");
        let half = (due * 2.0) as usize;
        halves.resize(halves.len().max(half + 1), 0);
        halves[half] += 1;
    }
    assert_eq!(halves.iter().sum::<usize>() as u64, ran.count("/requests"));
    (ran, halves)
}

#[test]
fn rates_over_time() {
    let (ran, halves) = due("20/s for 500ms, spike 200/s for 500ms, 40/s for 500ms", &[]);
    assert_eq!(halves, [10, 100, 20]);
    assert!((ran.figure("/offered_rate") - 130.0 / 1.5).abs() < 0.01, "{}", ran.figure("/offered_rate"));
    // From 0 to 200/s over a second: 25 in the first half, 75 in the second, one more or less at the edges.
    let (_, halves) = due("0/s for 1ms, ramp to 200/s over 1s", &[]);
    assert!(halves[0].abs_diff(25) <= 1 && halves[1].abs_diff(75) <= 1, "{halves:?}");
}

#[test]
fn users_over_time() {
    // Two users, then none, then four, each of whom needs 20 ms and pauses 30.
    let (ran, halves) = due("2 users for 500ms, 0 users for 500ms, 4 users for 500ms", &["--think", "30ms"]);
    assert_eq!(ran.json["model"], "closed");
    assert!((6..=22).contains(&halves[0]) && halves[1] == 0 && (12..=44).contains(&halves[2]), "{halves:?}");
}

#[test]
fn a_pause_between_an_answer_and_the_next_request() {
    let server = Server::start();
    // Four users who pause 200 ms ask at most five times a second each, plus the first time.
    let ran = Ran::of(&server.url("/"), "-c 4 -d 1s --think 200ms");
    assert!((8..=24).contains(&ran.count("/requests")), "{}", ran.count("/requests"));
    assert_eq!(server.accepted(), 4);
}
