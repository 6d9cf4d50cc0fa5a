//! Proper answers, byte for byte.

use crate::support::Server;
use flate2::read::GzDecoder;
use std::io::Read as _;

#[test]
fn an_answer_is_what_the_keys_say() {
    let server = Server::start(&[]);
    let answer = server.get("/any/path?status=201&body=hi+there&type=text/x&header=X-A:b&header=X-C:d");
    let head = "HTTP/1.1 201 Created\r\nContent-Type: text/x\r\nX-A: b\r\nX-C: d\r\nContent-Length: 8\r\n\r\n";
    assert_eq!((answer.head.as_str(), answer.text().as_str()), (head, "hi there"));
}

#[test]
fn flags_are_the_defaults_of_every_path() {
    let server = Server::start(&["--status", "418", "--size", "3"]);
    assert_eq!(server.get("/").status(), 418);
    let answer = server.get("/?size=5");
    assert_eq!((answer.status(), answer.text().as_str()), (418, "01234"));
}

#[test]
fn bodies_of_any_size_and_framing_are_whole() {
    let server = Server::start(&[]);
    let mut client = server.client();
    for size in [0, 1, 16_384, 16_385, 32_768, 32_769, 100_000, 3_000_000] {
        for keys in ["", "&framing=chunked", "&framing=chunked&chunk=1000", "&pace=1GB/s"] {
            let body = client.get(&format!("/?size={size}{keys}")).body;
            // Chunked bodies repeat the pattern from the beginning in each chunk, when they are large.
            assert_eq!(body.len(), size, "{size}{keys}");
            assert!(body.starts_with(&b"0123456789abcdef"[..size.min(16)]));
            if keys.contains("chunk") {
                assert_eq!(client.bytes(2), b"\r\n");
            }
        }
    }
    assert_eq!(server.stat("/statuses/200"), 32);
}

#[test]
fn trailers_follow_the_last_chunk() {
    let server = Server::start(&[]);
    let request = "GET /?framing=chunked&body=abc&chunk=2&trailer=X-T:1 HTTP/1.1\r\nConnection: close\r\n\r\n";
    let answer = String::from_utf8(server.exchange(request)).expect("text");
    assert!(answer.ends_with("\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\nX-T: 1\r\n\r\n"), "{answer}");
}

#[test]
fn some_bodies_end_with_the_connection() {
    let server = Server::start(&[]);
    let answer = server.exchange("GET /?framing=close&size=100000 HTTP/1.1\r\n\r\n");
    let text = String::from_utf8(answer).expect("text");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    assert!(head.contains("Connection: close") && !head.contains("Content-Length"), "{head}");
    assert_eq!(body.len(), 100_000);
}

#[test]
fn interim_answers_come_first() {
    let server = Server::start(&[]);
    let mut client = server.client();
    let request = "GET /?interim=103,100 HTTP/1.1\r\n\r\n";
    client.send(request);
    assert_eq!(client.head(), "HTTP/1.1 103 Early Hints\r\n\r\n");
    assert_eq!(client.head(), "HTTP/1.1 100 Continue\r\n\r\n");
    assert_eq!(client.answer().status(), 200);
}

#[test]
fn some_answers_have_no_body() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.send("HEAD /?size=1000 HTTP/1.1\r\n\r\n");
    assert!(client.head().contains("Content-Length: 1000\r\n"));
    client.send("GET /?status=204 HTTP/1.1\r\n\r\n");
    assert!(!client.head().contains("Content-Length"));
    client.send("GET /?status=304&framing=chunked HTTP/1.1\r\n\r\n");
    assert_eq!(client.head().split(' ').nth(1), Some("304"));
    assert_eq!(client.get("/?body=next").text(), "next");
}

#[test]
fn compressed_bodies_unpack_to_the_same() {
    let server = Server::start(&[]);
    let answer = server.get("/?encoding=gzip&size=5000");
    let mut body = Vec::new();
    GzDecoder::new(answer.body.as_slice()).read_to_end(&mut body).expect("gzip");
    assert_eq!(body, server.get("/?size=5000").body);
}

#[test]
fn redirects_lead_somewhere_or_nowhere() {
    let server = Server::start(&[]);
    let answer = server.get("/?redirect=/x%3Fstatus=204");
    assert_eq!(answer.status(), 302);
    assert!(answer.head.contains("Location: /x?status=204\r\n"));
    let looping = server.get("/a/b?redirect=self&status=307");
    assert_eq!(looping.status(), 307);
    assert!(looping.head.contains("Location: /a/b?redirect=self&status=307\r\n"));
}

#[test]
fn an_echo_is_the_request() {
    let server = Server::start(&[]);
    let mut client = server.client();
    let head = "POST /echo HTTP/1.1\r\nX-Odd:  \tvalue\r\n";
    client.send(&format!("{head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: t\r\n\r\n"));
    assert_eq!(client.answer().text(), format!("{head}Transfer-Encoding: chunked\r\n\r\nabcde"));
    let large = "x".repeat(200_000);
    client.send(&format!("PUT /?echo HTTP/1.1\r\nContent-Length: 200000\r\n\r\n{large}"));
    let answer = client.answer().text();
    assert!(answer.ends_with(&format!("\r\n\r\n{large}")) && answer.starts_with("PUT /?echo"));
}

#[test]
fn a_body_is_asked_for_where_the_client_waits_to_be_asked() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.send("POST /?echo HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    assert_eq!(client.head(), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("hi");
    assert!(client.answer().text().ends_with("\r\n\r\nhi"));
}
