//! `--log` and `--stream`: what they hold adds up to the result, and the same seed sends at the same times.

use std::collections::BTreeMap;
use std::path::Path;

use plimsoll_model::Tick;

use crate::support::{Ran, Server, output, scratch};

const HEADER: &str = "due_s,lag_ms,service_ms,response_ms,outcome,refused,status,body_bytes";

fn rows(directory: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(directory.join("log")).expect("the log was written");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(HEADER));
    lines.map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn tally(rows: &[Vec<String>], column: usize) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    rows.iter().for_each(|row| *counts.entry(row[column].clone()).or_default() += 1);
    counts
}

fn counts(object: &serde_json::Value) -> BTreeMap<String, u64> {
    let pairs = object.as_object().into_iter().flatten();
    pairs.filter_map(|(name, count)| Some((name.clone(), count.as_u64()?))).filter(|(_, count)| *count > 0).collect()
}

/// Every kind of end, and every form of load.
const PATH: &str = "/?service=5ms&error=0.2:503&limit_share=0.2&bad=close:0.1";
const LOADS: [&str; 4] = [
    "--rate 300/s -d 1200ms --max-in-flight 2",
    "-c 4 -n 200",
    "--rate 200/s -d 1200ms --arrivals poisson --warmup 500ms",
    "-c 3 -d 1200ms --warmup 500ms --fresh",
];

#[test]
fn a_line_for_each_request_that_adds_up_to_the_result() {
    let server = Server::start();
    for load in LOADS {
        let (directory, args) = (scratch(), format!("{load} --expect 429 --log log"));
        let args: Vec<&str> = args.split_whitespace().collect();
        let ran = Ran::within(directory.path(), &server.url(PATH), &args);
        let mut rows = rows(directory.path());
        assert!(rows.iter().all(|row| row.len() == HEADER.split(',').count()));
        // The log has the warm-up's requests too, the result has not.
        let warmup = ran.figure("/warmup_s");
        let number = |text: &String| text.parse::<f64>().expect("a number");
        rows.retain(|row| number(&row[0]) >= warmup);
        assert_eq!(rows.len() as u64, ran.count("/requests"), "{load}");
        assert_eq!(tally(&rows, 4), counts(&ran.json["outcomes"]), "{load}");
        assert_eq!(tally(&rows, 5).get("true").copied().unwrap_or(0), ran.count("/refused"), "{load}");
        let mut statuses = tally(&rows, 6);
        statuses.remove("0");
        assert_eq!(statuses, counts(&ran.json["statuses"]), "{load}");
        let bytes: f64 = rows.iter().map(|row| number(&row[7])).sum();
        assert_eq!(bytes as u64, ran.count("/steps/0/body_bytes"), "{load}");
        // Response = lag + service in the open model, to the microsecond that each is rounded to.
        for row in rows.iter().filter(|row| row[4] != "dropped" && load.contains("--rate")) {
            assert!((number(&row[1]) + number(&row[2]) - number(&row[3])).abs() < 0.0021, "{row:?}");
        }
        let sent: Vec<f64> = rows.iter().filter(|row| row[4] != "dropped").map(|row| number(&row[2])).collect();
        let max = sent.iter().copied().fold(0.0, f64::max);
        let told = ran.figure("/service_ms/max");
        assert!((max - told).abs() <= told * 0.002, "{load}: {max} in the log, {told} in the result");
    }
}

#[test]
fn seconds_that_merge_to_the_result() {
    let server = Server::start();
    for load in LOADS {
        let (directory, args) = (scratch(), format!("{load} --expect 429 --stream ticks"));
        let args: Vec<&str> = args.split_whitespace().collect();
        let ran = Ran::within(directory.path(), &server.url(PATH), &args);
        let text = std::fs::read_to_string(directory.path().join("ticks")).expect("the stream was written");
        let mut whole = Tick::default();
        for line in text.lines() {
            assert!(line.starts_with("{\"schema\":\"plimsoll.tick/1\","), "{line}");
            let tick: Tick = serde_json::from_str(line).expect("a line is a tick");
            if !tick.warmup {
                whole.merge(&tick);
            }
        }
        let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
        whole.cells().for_each(|cell| *outcomes.entry(cell.outcome.name().to_owned()).or_default() += cell.count());
        assert_eq!(outcomes, counts(&ran.json["outcomes"]), "{load}");
        assert_eq!(whole.ended(), ran.count("/requests"), "{load}");
        assert_eq!(whole.due, whole.ended() + ran.count("/unfinished"), "{load}");
        assert_eq!(whole.reconnects, ran.count("/reconnects"), "{load}");
        let refused: u64 = whole.cells().filter(|cell| cell.refused).map(plimsoll_model::Cell::count).sum();
        assert_eq!(refused, ran.count("/refused"), "{load}");
        let statuses: BTreeMap<String, u64> =
            whole.steps[0].statuses.iter().map(|(status, count)| (status.to_string(), *count)).collect();
        assert_eq!(statuses, counts(&ran.json["statuses"]), "{load}");
        assert_eq!(whole.steps[0].body_bytes, ran.count("/steps/0/body_bytes"), "{load}");
    }
}

/// The due times of a Poisson run, in order.
fn due(url: &str, args: &str) -> Vec<String> {
    let (directory, args) = (scratch(), format!("--rate 150/s -d 1s --arrivals poisson --log log {args}"));
    Ran::within(directory.path(), url, &args.split_whitespace().collect::<Vec<_>>());
    let mut due: Vec<String> = rows(directory.path()).into_iter().map(|row| row[0].clone()).collect();
    due.sort_by(|a, b| a.parse::<f64>().unwrap_or(0.0).total_cmp(&b.parse().unwrap_or(0.0)));
    due
}

#[test]
fn the_same_seed_sends_at_the_same_times_whatever_the_threads() {
    let server = Server::start();
    let url = server.url("/");
    let first = due(&url, "--seed 11 --threads 1");
    assert!((90..=210).contains(&first.len()), "{} arrivals where 150 are expected", first.len());
    assert_eq!(due(&url, "--seed 11 --threads 1"), first);
    assert_eq!(due(&url, "--seed 11 --threads 2"), first);
    assert_eq!(due(&url, "--seed 11 --threads 3"), first);
    assert_ne!(due(&url, "--seed 12 --threads 1"), first);
}

#[test]
fn a_log_that_cannot_be_written_is_noticed_before_the_run() {
    let server = Server::start();
    for flag in ["--log", "--stream"] {
        let output = output(&["run", &server.url("/"), "-n", "1", flag, "none/file", "--json"]);
        assert_eq!(output.status.code(), Some(2));
        let error: serde_json::Value = serde_json::from_slice(&output.stdout).expect("stdout is JSON");
        assert_eq!(error["schema"], "plimsoll.error/1");
        assert!(error["message"].as_str().is_some_and(|text| text.contains("none/file")), "{error}");
    }
    assert_eq!(server.stat("/requests"), 0);
}
