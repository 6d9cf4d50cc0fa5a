//! What a server says does no harm: whatever a run prints, on either stream and in any form, is plain text.
//!
//! [`Ran`] checks that of the JSON and the notes of every run; here it is the text.

use crate::support::{Ran, Server, assert_harmless, output};

#[track_caller]
fn check(url: &str, args: &[&str]) -> String {
    let args = [&["run", url, "-n", "4", "-c", "2", "--timeout", "2s"], args].concat();
    let output = output(&args);
    let (stdout, stderr) = (String::from_utf8(output.stdout), String::from_utf8(output.stderr));
    let (stdout, stderr) = (stdout.expect("stdout is UTF-8"), stderr.expect("stderr is UTF-8"));
    assert_harmless(&stdout);
    assert_harmless(&stderr);
    assert!(!stderr.contains("panicked"), "{stderr}");
    assert!(stdout.contains("requests    4"), "{stdout}{stderr}");
    stdout + &stderr
}

#[test]
fn hostile_answers_are_shown_escaped() {
    let server = Server::start();
    for (name, seen) in [
        ("hostile-reason", "\\x1b[2J"),
        ("hostile-headers", "\\x1b[2J"),
        ("hostile-body", ""),
        ("hostile-garbage", "\\x1b[2J"),
        ("hostile-bytes", ""),
        ("hostile-redirect", "\\x1b[2J"),
    ] {
        let text = check(&server.url(&format!("/bad/{name}")), &["--follow", "3", "--compressed"]);
        assert!(text.contains(seen), "{name}: {text}");
        Ran::of(&server.url(&format!("/bad/{name}")), "-n 4 -c 2 --follow 3 --compressed");
    }
}

/// Well-formed headers may carry any byte above 0x7f: controls of C1 and marks that turn text around among them.
#[test]
fn hostile_text_in_well_formed_headers() {
    let server = Server::start();
    for header in ["Server:evil%c2%9b2J%e2%80%ae%e2%81%a6", "Server:%ff%fe%80", "Content-Encoding:%c2%9b2J"] {
        check(&server.url(&format!("/?header={header}")), &["--compressed"]);
        Ran::of(&server.url(&format!("/?header={header}")), "-n 4 -c 2 --compressed");
    }
    for target in
        ["http://%c2%9b2J/", "http://%e2%80%ae.invalid/", "javascript:alert(1)", "%e2%80%ae:%c2%9b", "http://[::1"]
    {
        let url = server.url(&format!("/?status=302&header=Location:{target}"));
        check(&url, &["--follow", "2"]);
        Ran::of(&url, "-n 4 -c 2 --follow 2");
    }
}

#[test]
fn hostile_arguments_are_shown_escaped() {
    let server = Server::start();
    check(&server.url("/\u{9b}2J\u{202e}"), &["--name", "\u{1b}[2J\u{9b}\u{202e}\u{2066}"]);
    for command in ["run", "check"] {
        let output = output(&[command, "http://\u{1b}[2J\u{202e}/", "--name", "\u{1b}"]);
        assert_harmless(&String::from_utf8_lossy(&output.stderr));
        assert_harmless(&String::from_utf8_lossy(&output.stdout));
    }
}
