//! Connections: kept, pipelined, closed politely and rudely, counted.

use crate::support::{Server, binary};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::thread;

#[test]
fn pipelined_requests_are_answered_in_order() {
    let server = Server::start(&[]);
    let mut client = server.client();
    let bodies: Vec<String> = (0..500).map(|i| format!("body-{i}")).collect();
    let service = |i: usize| if i.is_multiple_of(50) { "&service=1ms" } else { "" };
    let requests: String = bodies
        .iter()
        .enumerate()
        .map(|(i, body)| format!("GET /?body={body}{} HTTP/1.1\r\n\r\n", service(i)))
        .collect();
    client.send(&requests);
    for body in &bodies {
        assert_eq!(client.answer().text(), *body);
    }
    assert_eq!(server.stat("/requests"), 500);
}

#[test]
fn a_request_may_come_in_pieces() {
    let server = Server::start(&[]);
    let mut client = server.client();
    for piece in [
        "GET /?bo",
        "dy=whole HT",
        "TP/1.1\r",
        "\n\r",
        "\nPOST /?body=two HTTP/1.1\r\nContent-Length: 5\r\n\r\nab",
        "cde",
    ] {
        client.send(piece);
        client.stream.get_mut().flush().expect("flushed");
        thread::yield_now();
    }
    assert_eq!(client.answer().text(), "whole");
    assert_eq!(client.answer().text(), "two");
}

#[test]
fn a_large_request_body_is_skipped() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.send("POST / HTTP/1.1\r\nContent-Length: 10000000\r\n\r\n");
    for _ in 0..1000 {
        client.send(&"x".repeat(10_000));
    }
    assert_eq!(client.answer().status(), 200);
    assert_eq!(client.get("/?body=next").text(), "next");
}

#[test]
fn old_clients_are_closed_unless_they_ask() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    assert!(client.answer().head.contains("Connection: keep-alive\r\n"));
    client.send("GET / HTTP/1.0\r\n\r\n");
    assert!(client.answer().head.contains("Connection: close\r\n"));
    client.assert_closed();
}

#[test]
fn connections_close_after_so_many_answers() {
    let server = Server::start(&[]);
    for (keys, told) in [("close_after=3", true), ("close_after=3,rude", false)] {
        let mut client = server.client();
        for n in 1..=3 {
            let head = client.get(&format!("/?{keys}")).head;
            assert_eq!(head.contains("Connection: close"), told && n == 3, "{keys} {n}");
        }
        client.assert_closed();
    }
}

#[test]
fn connections_and_requests_are_counted_over_all_threads() {
    let server = Server::start(&["--threads", "3"]);
    let mut clients: Vec<_> = (0..30).map(|_| server.client()).collect();
    for client in &mut clients {
        client.get("/");
        client.get("/?status=503");
        client.get("/health");
    }
    // One more connection each for the questions themselves.
    assert_eq!(server.stat("/connections/open"), 31);
    assert_eq!(server.stat("/requests"), 60);
    assert_eq!((server.stat("/statuses/200"), server.stat("/statuses/503")), (30, 30));
    assert_eq!(server.stat("/connections/accepted"), 35);
}

#[test]
fn a_unix_socket_serves_and_is_taken_away() {
    let path = std::env::temp_dir().join(format!("plimsoll-testkit-{}.sock", std::process::id()));
    let mut child = binary()
        .args(["--exit-with-parent", "--threads", "2", "--unix"])
        .arg(&path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    assert_eq!(line, format!("listening on unix:{}\n", path.display()));
    let mut stream = UnixStream::connect(&path).expect("the server accepts");
    stream.write_all(b"GET /?body=hi HTTP/1.1\r\nConnection: close\r\n\r\n").expect("the server reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.ends_with("\r\n\r\nhi"));
    drop(child.stdin.take());
    assert!(child.wait().expect("an end").success());
    assert!(!path.exists());
}

#[test]
fn what_is_said_on_accept_needs_no_request() {
    for (what, said) in [("close", ""), ("unsolicited", "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nunsolicited\n")] {
        let server = Server::start(&["--on-accept", what]);
        let mut client = server.client();
        assert_eq!(client.bytes(said.len()), said.as_bytes());
        if said.is_empty() {
            client.assert_closed();
        } else {
            assert_eq!(client.get("/?body=hi").text(), "hi");
        }
    }
    let server = Server::start(&["--on-accept", "reset"]);
    let error = server.client().stream.read_to_end(&mut Vec::new()).expect_err("a reset");
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
}
