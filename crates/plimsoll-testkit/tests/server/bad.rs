//! Malformed answers, as they reach a client.

use crate::support::{Client, Server};
use std::io::{ErrorKind, Read as _};

fn ask(server: &Server, name: &str) -> Client {
    let mut client = server.client();
    client.send(&format!("GET /bad/{name} HTTP/1.1\r\n\r\n"));
    client
}

#[test]
fn truncated_answers_end_in_a_close() {
    let server = Server::start(&[]);
    for (name, end) in [
        ("truncated-head", "Content-Le"),
        ("truncated-body", "Content-Length: 10\r\n\r\nhello"),
        ("truncated-chunk", "\r\n\r\na\r\nhello"),
        ("no-last-chunk", "5\r\nhello\r\n"),
        ("http-0.9", "<html>hello</html>\n"),
        ("close", ""),
    ] {
        let mut answer = Vec::new();
        ask(&server, name).stream.read_to_end(&mut answer).expect("a close, not a reset");
        assert!(answer.ends_with(end.as_bytes()), "{name}: {:?}", String::from_utf8_lossy(&answer));
    }
}

#[test]
fn resets_are_resets_and_the_bytes_before_them_arrive() {
    let server = Server::start(&[]);
    for (name, end) in [("reset", ""), ("reset-mid-head", "Content-Le"), ("reset-mid-body", "\r\n\r\nhello")] {
        let mut client = ask(&server, name);
        let mut answer = Vec::new();
        let error = client.stream.read_to_end(&mut answer).expect_err(name);
        assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{name}");
        assert!(answer.ends_with(end.as_bytes()), "{name}");
    }
}

#[test]
fn endless_answers_cost_the_server_no_memory() {
    let server = Server::start(&[]);
    let before = resident_kib(server.id());
    for name in
        ["endless-head", "endless-body", "endless-1xx", "endless-chunk-extension", "endless-chunks", "endless-trailers"]
    {
        let mut client = ask(&server, name);
        // More than any buffer between.
        assert_eq!(client.bytes(20_000_000).len(), 20_000_000, "{name}");
    }
    if let (Some(before), Some(after)) = (before, resident_kib(server.id())) {
        assert!(after < before + 4096, "{before} KiB, then {after} KiB");
    }
}

#[test]
fn a_drip_arrives_whole_and_keeps_the_connection() {
    let server = Server::start(&[]);
    let mut client = ask(&server, "byte-at-a-time");
    assert_eq!(client.answer().text(), "hello");
    assert_eq!(client.get("/?body=next").text(), "next");
}

#[test]
fn two_answers_come_to_one_request() {
    let server = Server::start(&[]);
    for name in ["extra-answer", "unsolicited"] {
        let mut client = ask(&server, name);
        assert_eq!((client.answer().text(), client.answer().text()), ("hello".into(), "again".into()), "{name}");
    }
}

#[test]
fn an_early_answer_does_not_wait_for_the_body() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.send("POST /bad/early-answer HTTP/1.1\r\nContent-Length: 1000000000\r\n\r\nbegun");
    let answer = client.answer();
    assert_eq!((answer.status(), answer.text().as_str()), (413, "early"));
    client.assert_closed();
    // What comes after the answer is drained, not answered by a reset.
    client.send(&"x".repeat(10_000_000));
}

#[test]
fn silence_ends_when_the_client_goes() {
    let server = Server::start(&[]);
    let mut client = ask(&server, "silence-mid-body");
    assert_eq!(client.head().lines().count(), 4);
    assert_eq!(client.bytes(5), b"hello");
    assert_eq!(server.stat("/connections/open"), 2);
    drop(client);
    while server.stat("/connections/open") > 1 {
        std::thread::yield_now();
    }
}

#[test]
fn a_share_of_the_answers_may_be_bad() {
    let server = Server::start(&[]);
    let mut statuses = Vec::new();
    let mut client = server.client();
    for _ in 0..200 {
        statuses.push(client.get("/?bad=status-999:0.5").status());
    }
    let bad = statuses.iter().filter(|&&status| status == 999).count();
    assert!((60..140).contains(&bad), "{bad}");
    assert_eq!(server.stat("/statuses/999"), bad as u64);
}

#[test]
fn the_catalogue_is_served_and_every_name_answers_or_ends() {
    let server = Server::start(&[]);
    let list = server.get("/bad").text();
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 60);
    for name in names {
        let mut client = ask(&server, name);
        let quiet = name.starts_with("silence") || name.starts_with("late") || name == "byte-a-second";
        if !quiet {
            // The first bytes, a close, or a reset: whichever it is, it comes.
            let _ = client.stream.read(&mut [0; 64]).map_err(|error| {
                assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{name}");
            });
        }
    }
    assert_eq!(server.get("/health").text(), "ok\n");
}

#[cfg(target_os = "linux")]
pub(crate) fn resident_kib(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn resident_kib(_: u32) -> Option<u64> {
    None
}
