//! How runs end: as planned, by a rule, by a signal, by a second signal; and that stdout is one object all the same.

use std::io::{BufRead, BufReader, Read};
use std::process::Child;

use rustix::process::Signal;

use crate::support::{Ran, Server, finished, output, scratch, signal, started, wait_until};

#[test]
fn exactly_as_many_requests_as_asked() {
    let server = Server::start();
    for load in ["-c 1", "-c 2", "-c 3", "-c 7", "-c 50", "--rate 2000/s", "--rate 500/s --arrivals poisson"] {
        for threads in ["1", "2", "3"] {
            let ran = Ran::of(&server.url("/"), &format!("{load} -n 41 --threads {threads}"));
            assert_eq!((ran.count("/requests"), ran.count("/unfinished")), (41, 0), "{load} --threads {threads}");
            assert!(ran.json["ended_by"].is_null());
        }
    }
    assert_eq!(server.stat("/requests"), 7 * 3 * 41);
}

#[test]
fn whichever_end_comes_first() {
    let server = Server::start();
    assert_eq!(Ran::of(&server.url("/"), "--rate 100/s -n 10 -d 10s").count("/requests"), 10);
    assert_eq!(Ran::of(&server.url("/"), "--rate 100/s -n 1000 -d 300ms").count("/requests"), 30);
}

#[test]
fn a_rule_ends_a_run_early() {
    let server = Server::start();
    let started = std::time::Instant::now();
    for load in ["--rate 50/s", "-c 2 --think 20ms"] {
        let rule = ["-d", "10m", "--slo", "errors<1%", "--abort", "errors > 50% for 2s"];
        let args = [&load.split(' ').collect::<Vec<_>>()[..], &rule].concat();
        let ran = Ran::within(scratch().path(), &server.url("/?error=1"), &args);
        assert!(ran.json["ended_by"].as_str().is_some_and(|rule| rule.contains("errors > 50%")), "{:#}", ran.json);
        assert!(ran.codes("findings").contains(&"aborted"));
        ran.assert_exit(1);
    }
    assert!(started.elapsed().as_secs() < 60, "ten minutes were asked for, and given up");
}

#[test]
fn warm_up_is_left_out_of_every_figure() {
    let server = Server::start();
    // Slow and failing for the first half second, as the testkit counts from its first request.
    let ran = Ran::of(&server.url("/?freeze=400ms/100s@start"), "--rate 100/s -d 1500ms --warmup 500ms");
    assert_eq!((ran.count("/requests"), ran.figure("/warmup_s")), (100, 0.5));
    assert!((ran.figure("/duration_s") - 1.0).abs() < 1e-6, "{}", ran.figure("/duration_s"));
    assert_eq!(server.stat("/requests"), 150);
    assert!((ran.figure("/offered_rate") - 100.0).abs() < 1e-6);
    let refused = Ran::of(&server.url("/?limit=60/60s"), "--rate 100/s -d 1s --warmup 600ms");
    assert_eq!(refused.outcomes(), [("limited", 40)], "the sixty that were allowed came in the warm-up");
}

/// A run whose three users wait for answers that never come.
fn waiting(server: &Server, json: &str) -> (Child, tempfile::TempDir) {
    let directory = scratch();
    let args = ["-c", "3", "-d", "5m", "--timeout", "4m", json];
    let child = started(directory.path(), &server.url("/bad/silence"), &args);
    wait_until("three requests are in flight", || server.stat("/requests") == 3);
    (child, directory)
}

#[track_caller]
fn check_interrupted(ran: &Ran) {
    assert_eq!(ran.code, 130);
    assert_eq!((ran.count("/requests"), ran.count("/unfinished")), (0, 3), "{:#}", ran.json);
    assert_eq!(ran.json["ended_by"], "interrupted");
    assert_eq!(ran.json["success"], serde_json::Value::Null);
    assert_eq!(ran.codes("findings").first(), Some(&"interrupted"));
}

#[test]
fn one_signal_keeps_the_partial_result() {
    for kind in [Signal::INT, Signal::TERM] {
        let server = Server::start();
        let (child, _directory) = waiting(&server, "--quiet");
        signal(&child, kind);
        let ran = Ran::from(&finished(child));
        check_interrupted(&ran);
        assert!(ran.stderr.contains("stopping: nothing new is sent"), "{}", ran.stderr);
    }
}

#[test]
fn a_second_signal_ends_it_at_once() {
    for second in [Signal::INT, Signal::TERM] {
        let server = Server::start();
        let (mut child, _directory) = waiting(&server, "--quiet");
        let mut stderr = BufReader::new(child.stderr.take().expect("stderr is piped"));
        signal(&child, Signal::INT);
        let mut line = String::new();
        stderr.read_line(&mut line).expect("a pipe can be read");
        assert!(line.starts_with("stopping: nothing new is sent"), "{line}");
        signal(&child, second);
        let ran = Ran::from(&finished(child));
        check_interrupted(&ran);
        let mut rest = String::new();
        stderr.read_to_string(&mut rest).expect("a pipe can be read");
        assert!(rest.starts_with("stopping at once"), "{rest}");
    }
}

#[test]
fn what_ended_before_a_signal_is_kept() {
    let (server, directory) = (Server::start(), scratch());
    let child = started(directory.path(), &server.url("/"), &["--rate", "200/s", "-d", "5m", "--slo", "errors<1%"]);
    wait_until("a hundred requests were served", || server.stat("/requests") >= 100);
    signal(&child, Signal::INT);
    let ran = Ran::from(&finished(child));
    assert_eq!(ran.code, 130);
    assert_eq!(ran.count("/requests") + ran.count("/unfinished"), server.stat("/requests"));
    assert!(ran.figure("/duration_s") < 60.0, "only what was measured counts");
    assert!((ran.figure("/offered_rate") - 200.0).abs() < 20.0, "{}", ran.figure("/offered_rate"));
}

#[test]
fn one_object_on_stdout_whatever_the_exit_code() {
    let server = Server::start();
    let cases: [(&str, &[&str], i32); 6] = [
        ("/", &["-n", "4", "--slo", "errors<1%"], 0),
        ("/?error=1", &["-n", "4", "--slo", "errors<1%"], 1),
        ("/", &["-n", "0"], 2),
        ("/", &["--no-such-flag"], 2),
        ("/", &["-H", "a b: c"], 2),
        ("/bad/close", &["-n", "4"], 3),
    ];
    for (path, args, code) in cases {
        let before = server.stat("/requests");
        let output = output(&[&["run", &server.url(path), "--json"], args].concat());
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("stdout is one object");
        let attempted = server.stat("/requests") > before;
        let schema = if attempted { "plimsoll.run/1" } else { "plimsoll.error/1" };
        assert_eq!((json["schema"].as_str(), attempted), (Some(schema), code != 2), "{args:?} {json:#}");
        if attempted {
            Ran::from(&output).assert_exit(code);
        } else {
            assert_eq!(output.status.code(), Some(code));
            assert!(json["message"].is_string() && json["hint"].is_string(), "{json:#}");
        }
    }
}

#[track_caller]
fn check_full_disk(flag: &str) {
    if !std::path::Path::new("/dev/full").exists() {
        eprintln!("SKIPPED: there is no /dev/full");
        return;
    }
    let server = Server::start();
    let ran = Ran::of(&server.url("/"), &format!("-c 2 -n 2000 {flag} /dev/full"));
    assert_eq!(ran.count("/requests"), 2000);
    assert!(ran.stderr.contains(&format!("warning: `{flag} /dev/full`")), "{flag}: {:?}", ran.stderr);
}

#[test]
fn a_stream_that_fills_the_disk_is_told_and_ends_no_run() {
    check_full_disk("--stream");
}

#[test]
fn a_log_that_fills_the_disk_is_told_and_ends_no_run() {
    check_full_disk("--log");
}

/// A run of a few requests takes a few milliseconds, and starting a thread is most of that. A generator that had
/// nothing to wait for is not one that was too slow.
#[test]
fn a_short_run_is_not_void() {
    let _machine = crate::support::alone();
    let server = Server::start();
    let void = (0..20).filter(|_| Ran::of(&server.url("/"), "-n 4 -c 2 --threads 1").code == 4).count();
    assert_eq!(void, 0, "of twenty runs of four requests each");
}
