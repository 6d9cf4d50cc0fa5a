//! Short runs against the testkit on loopback: counts, streams and exit codes, never times.

use std::process::Stdio;

use insta::assert_snapshot;
use rustix::process::Signal;

use crate::support::{Server, finished, output, plimsoll, scratch, shown, signal, wait_until};

/// Exit code, and a few lines of JSON.
fn run_json(args: &[&str]) -> (Option<i32>, String) {
    let output = output(args);
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn as_many_requests_as_asked_are_answered() {
    let server = Server::start();
    let (code, json) = run_json(&["run", &server.url("/"), "-c", "2", "-n", "50", "--json"]);
    // A machine that is busy with other tests may void the run; the counts hold all the same.
    assert!(matches!(code, Some(0 | 4)), "{code:?}");
    assert!(json.contains("\"requests\": 50,") && json.contains("\"ok\": 50,"), "{json}");
}

#[test]
fn a_missed_objective_is_exit_code_1() {
    let server = Server::start();
    let (code, json) = run_json(&["run", &server.url("/?error=1"), "-n", "50", "--slo", "errors<1%", "--json"]);
    assert!(matches!(code, Some(1 | 4)), "{code:?} {json}");
    assert!(json.contains("\"met\": false"), "{json}");
}

#[test]
fn nobody_there_is_exit_code_3() {
    // Port 1 of loopback: nobody listens there, so each connection is refused at once.
    let text = shown(&["run", "http://127.0.0.1:1/", "-c", "1", "-n", "3"]);
    assert!(text.starts_with("exit 3\n--- stdout\nNO ANSWER"), "{text}");
    assert!(text.contains("error: not one request was answered"), "{text}");
}

#[test]
fn ticks_go_to_stdout_and_the_report_to_stderr() {
    let server = Server::start();
    let output = output(&["run", &server.url("/"), "-n", "20", "--stream", "-"]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(!stdout.is_empty() && stdout.lines().all(|line| line.starts_with("{\"schema\":\"plimsoll.tick/1\"")));
    assert!(String::from_utf8_lossy(&output.stderr).contains("requests    20"));
}

#[test]
fn one_ctrl_c_keeps_the_partial_result() {
    let (server, directory) = (Server::start(), scratch());
    let child =
        plimsoll(directory.path(), &["run", &server.url("/"), "--rate", "50/s", "-d", "1m", "--stream", "ticks"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
    // The first tick says that the run is under way.
    let ticks = directory.path().join("ticks");
    wait_until("a tick is written", || std::fs::metadata(&ticks).is_ok_and(|facts| facts.len() > 0));
    signal(&child, Signal::INT);
    let output = finished(child);
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("· interrupted"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("stopping: nothing new is sent"));
}

#[test]
fn check_sends_nothing_and_hides_credentials() {
    let text =
        shown(&["check", "http://u:secret@127.0.0.1:1/x", "--rate", "200/s", "--max-in-flight", "9", "--threads", "1"]);
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"open [\d,]+ descriptors|open any number of descriptors", "open [limit] descriptors");
    settings.bind(|| {
        assert_snapshot!(text, @"
    exit 0
    --- stdout
    Nothing is sent. `plimsoll run` with these flags would do this:

      target        http://127.0.0.1:1/x, which is 127.0.0.1:1
      load          200/s, even arrivals, whatever the server does; beyond 9 in
                    flight requests are dropped
      duration      10s
      requests      2,000 become due
      connections   9 at once at most, kept alive; this process may open 20,000
                    descriptors
      generator     1 thread
      timeout       30s for the whole exchange
      seed          1
      objectives    none, so there will be nothing to judge

    Each request:

      GET /x HTTP/1.1
      Host: 127.0.0.1:1
      User-Agent: plimsoll/0.1.0
      Accept: */*
      Authorization: [redacted]
    ")
    });
}

#[test]
fn completions_are_scripts() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = output(&["completions", shell]);
        assert!(output.status.success() && output.stdout.len() > 1000, "{shell}");
    }
}

#[test]
fn a_reader_who_leaves_is_no_panic() {
    let directory = scratch();
    let mut child = plimsoll(directory.path(), &["completions", "zsh"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
