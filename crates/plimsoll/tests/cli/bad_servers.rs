//! Every malformed, truncated, endless, late, resetting and refusing answer lands in its outcome: with its exit code,
//! its reason, in bounded memory, and no later than the time-out.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::support::{Ran, Server, output, scratch, shown};

/// More than any of these answers may make the generator need.
const MEMORY_MAX: u64 = 40_000_000;

/// Name, outcome of each of its requests, and a part of the first reason; empty where there is none to check.
const EXPECTED: &[(&str, &str, &str)] = &[
    ("garbage-status-line", "protocol", "the server speaks TLS on this port"),
    ("http-0.9", "protocol", "<html>"),
    ("bad-version", "protocol", "HTTP/9.9"),
    ("http-2-preface", "protocol", ""),
    ("no-status", "protocol", ""),
    ("no-reason", "ok", ""),
    ("status-word", "protocol", ""),
    ("status-999", "server_error", ""),
    ("status-1000", "protocol", ""),
    ("status-101", "protocol", "without having asked"),
    ("header-without-colon", "protocol", ""),
    ("empty-header-name", "protocol", ""),
    ("space-before-colon", "protocol", ""),
    ("nul-in-header", "protocol", "a\\x00b"),
    ("leading-space-header", "ok", ""),
    ("bare-lf", "ok", ""),
    ("bare-cr", "protocol", ""),
    ("huge-header-line", "protocol", "within 65536 bytes"),
    ("many-headers", "protocol", "at most 128 header fields"),
    ("endless-status-line", "protocol", "within 65536 bytes"),
    ("endless-head", "protocol", "at most 128"),
    ("endless-1xx", "protocol", "at most 16 interim"),
    ("truncated-head", "reset", "rest of the head"),
    ("truncated-after-1xx", "reset", ""),
    ("negative-length", "protocol", "saw `-5`"),
    ("length-word", "protocol", ""),
    ("plus-length", "protocol", ""),
    ("huge-length", "protocol", ""),
    ("largest-length", "reset", "18446744073709551615"),
    ("two-lengths-equal", "ok", ""),
    ("two-lengths-conflicting", "protocol", "both 5 and 6"),
    ("length-list", "protocol", ""),
    ("length-and-chunked", "protocol", "saw both"),
    ("unknown-transfer-encoding", "ok", ""),
    ("no-length-kept", "timeout", ""),
    ("body-on-204", "ok", "after the end of an answer"),
    ("extra-bytes", "ok", "after the end of an answer"),
    ("extra-answer", "ok", "after the end of an answer"),
    ("bad-chunk-size", "protocol", "hexadecimal"),
    ("negative-chunk-size", "protocol", ""),
    ("empty-chunk-size", "protocol", ""),
    ("chunk-size-overflow", "protocol", "below 2^64"),
    ("chunk-without-crlf", "protocol", ""),
    ("chunk-too-long", "protocol", ""),
    ("bad-trailer", "protocol", ""),
    ("endless-chunk-extension", "protocol", "at most 4096 bytes"),
    ("endless-chunk-size", "protocol", ""),
    ("endless-trailers", "protocol", "at most 128 trailer"),
    ("endless-chunks", "timeout", ""),
    ("endless-body", "timeout", ""),
    ("truncated-body", "reset", "expected 10 body bytes, saw 5"),
    ("truncated-chunk", "reset", ""),
    ("truncated-chunk-size", "reset", ""),
    ("no-last-chunk", "reset", "more chunks"),
    ("bad-gzip", "ok", ""),
    ("truncated-gzip", "ok", ""),
    ("gzip-bomb", "ok", ""),
    ("unknown-encoding", "ok", ""),
    ("close", "reset", "closed without an answer"),
    ("reset", "reset", "before the answer"),
    ("silence", "timeout", "no answer within the time-out"),
    ("reset-mid-head", "reset", "in the middle of the answer"),
    ("reset-mid-body", "reset", "in the middle of the answer"),
    ("silence-mid-head", "timeout", ""),
    ("silence-mid-body", "timeout", "no whole answer within"),
    ("reset-after-answer", "ok", ""),
    ("close-after-answer", "ok", ""),
    ("late", "timeout", "no answer within"),
    ("late-body", "timeout", "no whole answer within"),
    ("late-close", "timeout", ""),
    ("byte-at-a-time", "ok", ""),
    ("byte-a-second", "timeout", "no whole answer within"),
    ("early-answer", "client_error", ""),
    ("unsolicited", "ok", ""),
    ("hostile-reason", "protocol", ""),
    ("hostile-headers", "protocol", ""),
    ("hostile-body", "ok", ""),
    ("hostile-garbage", "protocol", ""),
    ("hostile-bytes", "ok", ""),
    ("hostile-redirect", "protocol", ""),
];

/// The exit code of a run without objectives in which every request ended like this.
fn exit_code(outcome: &str) -> i32 {
    if matches!(outcome, "ok" | "limited" | "client_error" | "server_error") { 0 } else { 3 }
}

#[track_caller]
fn check(url: &str, args: &str, (name, outcome, reason): (&str, &str, &str)) {
    let ran = Ran::of(url, &format!("-n 4 -c 2 --timeout 900ms --threads 1 {args}"));
    assert_eq!(ran.outcomes(), [(outcome, 4)], "{name}: {:#}", ran.json);
    ran.assert_exit(exit_code(outcome));
    let reasons = ran.reasons();
    assert!(reasons.first().is_some_and(|text| text.contains(reason)) || reason.is_empty(), "{name}: {reasons:?}");
    let memory = ran.count("/generator/rss_bytes");
    assert!(memory < MEMORY_MAX, "{name}: {memory} bytes");
}

#[test]
fn the_table_has_every_malformed_answer_of_the_testkit() {
    let list = String::from_utf8(output(&["testkit", "--list"]).stdout).expect("the list is text");
    let listed: BTreeSet<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let of_http1 = |name: &&str| !name.starts_with("h2-") && !name.starts_with("tls-");
    let listed: BTreeSet<&str> = listed.into_iter().filter(of_http1).collect();
    let expected: BTreeSet<&str> = EXPECTED.iter().map(|row| row.0).collect();
    assert_eq!(listed, expected);
}

/// What HTTP/2 allows, or what comes after an answer that is whole.
const GOOD_HTTP2: [&str; 5] =
    ["h2-data-after-end", "h2-headers-after-end", "h2-all-padding", "h2-unknown-frame", "h2-goaway-silence"];

#[test]
fn misbehaviour_in_http2_ends_in_an_outcome() {
    let list = String::from_utf8(output(&["testkit", "--list"]).stdout).expect("the list is text");
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| name.starts_with("h2-")).collect();
    assert!(names.len() > 80, "{names:?}");
    let (server, next) = (Server::start(), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check_http2(&server.url(&format!("/bad/{name}")), name);
                }
            });
        }
    });
}

/// Every request ends, badly, for a reason; nothing hangs or grows.
#[track_caller]
fn check_http2(url: &str, name: &str) {
    let ran = Ran::of(url, "-n 4 -c 2 --timeout 900ms --threads 1 --http2");
    let outcomes = ran.outcomes();
    assert_eq!(outcomes.iter().map(|(_, count)| count).sum::<u64>(), 4, "{name}: {:#}", ran.json);
    let bad = |outcome: &str| matches!(outcome, "protocol" | "reset" | "timeout");
    let good = GOOD_HTTP2.contains(&name);
    let fits = outcomes.iter().all(|(outcome, _)| bad(outcome) || (good && *outcome == "ok"));
    assert!(fits, "{name}: {outcomes:?} {:?}", ran.reasons());
    assert!(good || !ran.reasons().is_empty(), "{name}: {:#}", ran.json);
    let memory = ran.count("/generator/rss_bytes");
    assert!(memory < MEMORY_MAX, "{name}: {memory} bytes");
}

#[test]
fn every_malformed_answer_lands_in_its_outcome() {
    let (server, next) = (Server::start(), AtomicUsize::new(0));
    // Many of them only wait for their time-out, so several at once.
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while let Some(row) = EXPECTED.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(&server.url(&format!("/bad/{}", row.0)), "", *row);
                }
            });
        }
    });
}

#[test]
fn in_the_open_model_too() {
    let server = Server::start();
    for row in EXPECTED.iter().filter(|row| !matches!(row.1, "timeout")).step_by(6) {
        let ran = Ran::of(&server.url(&format!("/bad/{}", row.0)), "--rate 100/s -n 5 --timeout 5s");
        assert_eq!(ran.outcomes(), [(row.1, 5)], "{}: {:#}", row.0, ran.json);
        ran.assert_exit(exit_code(row.1));
    }
}

#[test]
fn compressed_answers_that_are_none() {
    let server = Server::start();
    for row in [
        ("bad-gzip", "protocol", "gzip header"),
        ("truncated-gzip", "protocol", "more compressed data"),
        ("gzip-bomb", "ok", ""),
        ("unknown-encoding", "ok", ""),
    ] {
        check(&server.url(&format!("/bad/{}", row.0)), "--compressed", row);
    }
}

#[test]
fn bytes_that_nobody_asked_for_cost_the_connection_and_are_told() {
    let server = Server::start();
    for name in
        ["extra-bytes", "extra-answer", "body-on-204", "unsolicited", "close-after-answer", "reset-after-answer"]
    {
        // The users pause, so that what comes a moment after the answer comes before the next request.
        let ran = Ran::of(&server.url(&format!("/bad/{name}")), "-n 4 -c 1 --think 60ms --threads 1");
        assert_eq!(ran.outcomes(), [("ok", 4)], "{name}");
        assert!((3..=4).contains(&ran.count("/reconnects")), "{name}: {:#}", ran.json);
        assert!(ran.codes("findings").contains(&"reconnects"), "{name}: {:#}", ran.json);
    }
}

#[track_caller]
fn check_on_accept(what: &str, outcomes: &[&str]) {
    let server = Server::with(&["--on-accept", what]);
    let ran = Ran::of(&server.url("/"), "-n 4 -c 2 --timeout 900ms --threads 1");
    assert!(ran.outcomes().iter().all(|(name, _)| outcomes.contains(name)), "{what}: {:#}", ran.json);
    assert_eq!(ran.count("/requests"), 4);
    ran.assert_exit(exit_code(outcomes[0]));
}

#[test]
fn connections_that_are_met_with_something_else_than_silence() {
    // A reset may come before the connection is known to be there.
    check_on_accept("reset", &["reset", "connect"]);
    check_on_accept("close", &["reset"]);
    check_on_accept("silence", &["timeout"]);
    check_on_accept("unsolicited", &["ok"]);
}

#[test]
fn a_refused_connection_is_one_clear_line_and_a_hint() {
    let text = shown(&["run", "http://127.0.0.1:1/", "-n", "3", "-c", "1", "--quiet"]);
    let stderr = text.split("--- stderr\n").nth(1).expect("something is said");
    assert_eq!(
        stderr,
        "error: not one request was answered: no connection: connection refused\n\
         hint: is the server running, and does it listen where `http://127.0.0.1:1/` points?\n"
    );
    assert!(text.starts_with("exit 3\n"), "{text}");
}

#[test]
fn a_server_that_answers_nonsense_is_not_said_to_be_down() {
    let server = Server::start();
    for (name, hint) in [("http-2-preface", "right port"), ("silence", "in time"), ("close", "closed connections")] {
        let url = server.url(&format!("/bad/{name}"));
        let text = shown(&["run", &url, "-n", "2", "-c", "2", "--timeout", "300ms", "--quiet"]);
        let last = text.lines().last().unwrap_or_default();
        assert!(last.starts_with("hint: ") && last.contains(hint), "{text}");
    }
}

#[test]
fn a_name_without_an_address() {
    let text = shown(&["run", "http://no-such-host.invalid/", "-n", "1"]);
    assert!(text.starts_with("exit 2\n--- stderr\nerror: cannot find the host `no-such-host.invalid`"), "{text}");
    assert_eq!(text.matches("\nhint: ").count(), 1, "{text}");
}

#[test]
fn a_unix_socket_that_is_not_there_or_has_no_listener() {
    let text = shown(&["run", "http://x/", "-n", "1", "--unix-socket", "none.sock"]);
    assert!(
        text.starts_with("exit 2\n--- stderr\nerror: `--unix-socket none.sock`: there is no such socket"),
        "{text}"
    );
    let directory = scratch();
    let path = directory.path().join("left.sock");
    drop(std::os::unix::net::UnixListener::bind(&path).expect("a socket can be made"));
    let ran = Ran::of("http://x/", &format!("-n 2 -c 1 --threads 1 --unix-socket {}", path.display()));
    assert_eq!((ran.outcomes(), ran.code), (vec![("connect", 2)], 3));
}
