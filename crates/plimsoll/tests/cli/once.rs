//! `plimsoll run file.hurl` without a word about load: each journey once, and whether it goes well; and what `check`
//! says of journeys.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::support::{Server, finished, plimsoll, scratch, spawned};

const GOOD: &str = "# say hello\nGET {{host}}/\nHTTP 200\n\nGET {{host}}/?error=1:404\nHTTP 404\n";
const BAD: &str = "GET {{host}}/\nHTTP 200\n\nGET {{host}}/?error=1:503\nHTTP 200\n\nGET {{host}}/never\nHTTP 200\n";
/// Answers that no assert is about: hurl takes them all.
const TOLERANT: &str = "GET {{host}}/?error=1:500\n";
const AGAIN: &str = "GET {{host}}/?error=1:404\n[Options]\nretry: 2\nretry-interval: 5ms\nHTTP 200\n";

/// Runs a command beside these files, with the server's address and a secret as variables.
fn ran(host: &str, files: &[(&str, &str)], args: &[&str]) -> Output {
    let directory = scratch();
    for (name, text) in files {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    }
    let host = format!("host={host}");
    let args = [args, &["--variable", &host, "--secret", "key=hunter2"]].concat();
    finished(spawned(&mut plimsoll(directory.path(), &args)))
}

#[track_caller]
fn check(files: &[(&str, &str)], what: &str, code: i32, lines: &[&str]) {
    let server = Server::start();
    let output = ran(server.url("").trim_end_matches('/'), files, &["run", what]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(code), "{text}{}", String::from_utf8_lossy(&output.stderr));
    for line in lines {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
    for word in ["p99", "too few", "model ·", "calibrat", "generator"] {
        assert!(!text.contains(word), "`{word}` in\n{text}");
    }
}

#[test]
fn each_journey_is_shown_and_the_asserts_decide() {
    check(&[("good.hurl", GOOD)], "good.hurl", 0, &["✓ good", "✓ say hello  200", "404", "PASS 1 of 1 journey\n"]);
    let lines = [
        "✓ GET /",
        "503",
        "at      bad.hurl:5",
        "line    HTTP 200",
        "saw     integer <503>",
        "request GET /?error=1:503 HTTP/1.1",
        "answer  HTTP/1.1 503",
        "– GET /never",
        "not reached",
        "FAIL 0 of 1 journey passed\n",
    ];
    check(&[("bad.hurl", BAD)], "bad.hurl", 1, &lines);
    check(&[("t.hurl", TOLERANT)], "t.hurl", 0, &["500", "PASS 1 of 1 journey\n"]);
    check(&[("again.hurl", AGAIN)], "again.hurl", 1, &["404 × 3", "slowest of 3"]);
}

#[test]
fn a_folder_is_several_journeys() {
    let files = [("tests/a/x.hurl", GOOD), ("tests/b/x.hurl", BAD), ("tests/y.hurl", TOLERANT)];
    check(&files, "tests", 1, &["✓ tests/a/x", "✗ tests/b/x", "✓ y", "FAIL 2 of 3 journeys passed\n"]);
}

#[test]
fn nothing_that_answers_is_said_and_has_its_own_code() {
    let output = ran("http://127.0.0.1:1", &[("x.hurl", GOOD)], &["run", "x.hurl"]);
    let (text, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(3), "{text}{error}");
    assert!(text.contains("no connection") && text.contains("wanted  an answer"), "{text}");
    assert!(error.contains("not one request was answered"), "{error}");
}

#[test]
fn the_result_is_the_run_of_every_other_command() {
    let server = Server::start();
    let output = ran(server.url("").trim_end_matches('/'), &[("x.hurl", GOOD)], &["run", "x.hurl", "--json", "-q"]);
    let run: Value = serde_json::from_slice(&output.stdout).expect("stdout is JSON");
    assert_eq!((&run["schema"], &run["verdict"]), (&"plimsoll.run/1".into(), &"pass".into()), "{run}");
    assert_eq!((&run["journeys"][0]["passed"], &run["requests"]), (&1.into(), &2.into()), "{run}");
}

#[test]
fn check_says_what_journeys_would_do() {
    let server = Server::start();
    let (host, files) = (server.url(""), [("a.hurl", GOOD), ("b.hurl", BAD)]);
    let host = host.trim_end_matches('/');
    let load = ["check", "a.hurl", "b.hurl", "--rate", "10/s", "-d", "10s"];
    let output = ran(host, &files, &load);
    let text = String::from_utf8_lossy(&output.stdout);
    let second = format!("2. GET / (a.hurl:5)\n       GET {host}/?error=1:404");
    for line in [
        "10 flows/s, even arrivals",
        "100 begin",
        "about 250, if every step is made once",
        "Each flow is one of these:",
        "a · 50% of all flows",
        "1. say hello (a.hurl:2)",
        &second,
        "key = [redacted]",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
    let output = ran(host, &files, &[&load[..], &["--json"]].concat());
    let object: Value = serde_json::from_slice(&output.stdout).expect("stdout is JSON");
    assert_eq!((&object["flows_expected"], &object["requests_expected"]), (&100.into(), &250.into()), "{object}");
    let step = &object["journeys"][0]["steps"][0];
    assert_eq!((&step["name"], &step["place"]), (&"say hello".into(), &"a.hurl:2".into()), "{object}");
    assert_eq!((&step["method"], &step["url"]), (&"GET".into(), &format!("{host}/").into()), "{object}");
    assert!(!object.to_string().contains("hunter2"), "{object}");
    assert_eq!(server.stat("/requests"), 0);
}
