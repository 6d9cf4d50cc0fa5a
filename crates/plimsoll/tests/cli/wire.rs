//! What really goes over the wire, heard by a tap before the testkit's `/echo`, and how connections are used.

use std::net::IpAddr;
use std::process::Output;

use crate::support::{Ran, Server, Tap, finished, plimsoll, scratch, spawned};

const USER_AGENT: &str = concat!("plimsoll/", env!("CARGO_PKG_VERSION"));

/// What was sent for a single request with these arguments.
#[track_caller]
fn sent(args: &[&str]) -> String {
    let server = Server::start();
    let (tap, directory) = (Tap::before(&server.address), scratch());
    let url = tap.url("/echo");
    std::fs::write(directory.path().join("order.json"), "{\"n\": 1}").expect("a file can be written");
    let ran = Ran::within(directory.path(), &url, &[&["-n", "1", "-c", "1", "--threads", "1"], args].concat());
    assert_eq!(ran.outcomes(), [("ok", 1)], "{:#}", ran.json);
    let sent = tap.sent();
    // HEAD gets no body; else the testkit's echo is the request, byte for byte.
    let echoed = tap.answered();
    let echoed = echoed.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    assert!(echoed == sent || sent.starts_with("HEAD "), "sent {sent:?}\nechoed {echoed:?}");
    assert_eq!(ran.count("/steps/0/body_bytes"), echoed.len() as u64);
    sent.replace(&tap.address.to_string(), "TAP").replace(USER_AGENT, "plimsoll/VERSION")
}

#[test]
fn what_is_sent() {
    insta::assert_debug_snapshot!(sent(&[]), @r#""GET /echo HTTP/1.1\r\nHost: TAP\r\nUser-Agent: plimsoll/VERSION\r\nAccept: */*\r\n\r\n""#);
    insta::assert_debug_snapshot!(sent(&["-X", "HEAD"]), @r#""HEAD /echo HTTP/1.1\r\nHost: TAP\r\nUser-Agent: plimsoll/VERSION\r\nAccept: */*\r\n\r\n""#);
    insta::assert_debug_snapshot!(sent(&["-X", "PURGE", "-H", "X-A: 1", "-H", "X-A: 2", "-H", "Accept: text/html"]), @r#""PURGE /echo HTTP/1.1\r\nHost: TAP\r\nUser-Agent: plimsoll/VERSION\r\nX-A: 1\r\nX-A: 2\r\nAccept: text/html\r\n\r\n""#);
    insta::assert_debug_snapshot!(sent(&["-u", "Ada:s3:cret", "-H", "Host: other.example"]), @r#""GET /echo HTTP/1.1\r\nHost: other.example\r\nUser-Agent: plimsoll/VERSION\r\nAccept: */*\r\nAuthorization: Basic QWRhOnMzOmNyZXQ=\r\n\r\n""#);
    insta::assert_debug_snapshot!(sent(&["--data", "a=b&c=ü"]), @r#""POST /echo HTTP/1.1\r\nHost: TAP\r\nUser-Agent: plimsoll/VERSION\r\nAccept: */*\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 8\r\n\r\na=b&c=ü""#);
    insta::assert_debug_snapshot!(sent(&["--data", "@order.json"]), @r#""POST /echo HTTP/1.1\r\nHost: TAP\r\nUser-Agent: plimsoll/VERSION\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{\"n\": 1}""#);
    insta::assert_debug_snapshot!(sent(&["--data-file", "order.json", "-X", "PUT", "-H", "Content-Type: text/plain"]), @r#""PUT /echo HTTP/1.1\r\nHost: TAP\r\nUser-Agent: plimsoll/VERSION\r\nAccept: */*\r\nContent-Type: text/plain\r\nContent-Length: 8\r\n\r\n{\"n\": 1}""#);
    insta::assert_debug_snapshot!(sent(&["--compressed", "--fresh"]), @r#""GET /echo HTTP/1.1\r\nHost: TAP\r\nUser-Agent: plimsoll/VERSION\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate\r\nConnection: close\r\n\r\n""#);
}

#[test]
fn check_shows_exactly_what_run_sends() {
    let server = Server::start();
    let tap = Tap::before(&server.address);
    let (url, args) =
        (tap.url("/echo?tag=1"), ["-n", "1", "-c", "1", "--threads", "1", "-H", "X-A: b", "--data", "text"]);
    Ran::within(scratch().path(), &url, &args);
    let directory = scratch();
    let output: Output = finished(spawned(&mut plimsoll(directory.path(), &[&["check", &url][..], &args].concat())));
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let shown = shown.split("Each request:").nth(1).expect("check shows the request");
    let shown: Vec<&str> = shown.trim().lines().map(str::trim).collect();
    assert_eq!(shown, tap.sent().trim().split("\r\n").collect::<Vec<_>>());
}

#[test]
fn through_a_proxy_the_target_is_absolute() {
    let server = Server::start();
    let tap = Tap::before(&server.address);
    let proxy = format!("http://proxy:secret@{}", tap.address);
    let args = ["-n", "1", "-c", "1", "--threads", "1", "--proxy", &proxy];
    // The name is never looked up: the proxy does that.
    let ran = Ran::within(scratch().path(), "http://no-such-host.invalid:81/echo?tag=1", &args);
    assert_eq!(ran.outcomes(), [("ok", 1)]);
    insta::assert_debug_snapshot!(tap.sent().replace(USER_AGENT, "plimsoll/VERSION"), @r#""GET http://no-such-host.invalid:81/echo?tag=1 HTTP/1.1\r\nHost: no-such-host.invalid:81\r\nUser-Agent: plimsoll/VERSION\r\nAccept: */*\r\nProxy-Authorization: Basic cHJveHk6c2VjcmV0\r\n\r\n""#);
    assert!(!ran.json.to_string().contains("secret"));
}

#[test]
fn a_name_resolved_by_hand() {
    let server = Server::start();
    let tap = Tap::before(&server.address);
    let url = format!("http://api.invalid:{}/echo", tap.address.port());
    let ran = Ran::of(&url, "-n 1 -c 1 --threads 1 --resolve api.invalid:127.0.0.1");
    assert_eq!(ran.outcomes(), [("ok", 1)]);
    assert!(tap.sent().contains(&format!("\r\nHost: api.invalid:{}\r\n", tap.address.port())), "{}", tap.sent());
    let other = format!("http://api.invalid/echo --resolve api.invalid:{}", tap.address);
    let (url, resolve) = other.split_once(' ').expect("two parts");
    assert_eq!(Ran::of(url, &format!("-n 1 -c 1 --threads 1 {resolve}")).outcomes(), [("ok", 1)]);
    assert!(tap.sent().contains("\r\nHost: api.invalid\r\n"), "{}", tap.sent());
}

#[test]
fn over_a_unix_socket() {
    let directory = scratch();
    let path = directory.path().join("kit.sock");
    let path = path.to_str().expect("the path is text");
    let _server = Server::with(&["--unix", path]);
    let ran = Ran::of("http://api.example/echo", &format!("-n 20 -c 2 --unix-socket {path}"));
    assert_eq!(ran.outcomes(), [("ok", 20)]);
    // `GET /echo HTTP/1.1` with `Host: api.example`, twenty times.
    let head = "GET /echo HTTP/1.1\r\nHost: api.example\r\nUser-Agent: \r\nAccept: */*\r\n\r\n";
    assert_eq!(ran.count("/steps/0/body_bytes"), 20 * (head.len() + USER_AGENT.len()) as u64);
}

#[test]
fn from_the_local_addresses_given() {
    let server = Server::start();
    let tap = Tap::before(&server.address);
    if std::net::TcpListener::bind("127.0.0.2:0").is_err() {
        eprintln!("SKIPPED: this machine's loopback has no 127.0.0.2");
        return;
    }
    Ran::of(&tap.url("/"), "-n 6 -c 1 --threads 1 --fresh --local-addr 127.0.0.2,127.0.0.3");
    let expected = ["127.0.0.2", "127.0.0.3"].map(|text| text.parse::<IpAddr>().expect("an address"));
    assert_eq!(tap.came_from(), [expected, expected, expected].concat());
    // An address of somebody else: not one connection can be made, and that is the generator's doing.
    let ran = Ran::of(&tap.url("/"), "-n 2 -c 1 --threads 1 --local-addr 192.0.2.1");
    assert_eq!((ran.outcomes(), ran.code), (vec![("connect", 2)], 3));
}

/// All requests are answered well; how many connections that took.
#[track_caller]
fn connections(path: &str, args: &str, requests: u64) -> (u64, u64) {
    let server = Server::start();
    let ran = Ran::of(&server.url(path), args);
    assert_eq!(ran.outcomes(), [("ok", requests)], "{path} {args}: {:#}", ran.json);
    assert_eq!(server.stat("/requests"), requests);
    (server.accepted(), ran.count("/reconnects"))
}

#[test]
fn connections_are_kept_alive_or_not() {
    assert_eq!(connections("/", "-n 60 -c 3", 60), (3, 0));
    assert_eq!(connections("/", "-n 60 -c 3 --fresh", 60), (60, 0));
    assert_eq!(connections("/", "-n 30 --rate 300/s --fresh", 30), (30, 0));
    // Closed with a word of warning after each tenth answer, so nothing is found closed.
    assert_eq!(connections("/?close_after=10", "-n 60 -c 1 --threads 1", 60), (6, 0));
    // Closed without a word, which is found out five times.
    let (accepted, reconnects) = connections("/?close_after=10,rude", "-n 60 -c 1 --threads 1", 60);
    assert_eq!((accepted, reconnects), (6, 5));
}

#[test]
fn answers_of_every_framing_keep_the_connection() {
    for path in [
        "/?status=204",
        "/?status=304",
        "/?status=201&size=0B",
        "/?framing=chunked&size=100KB&chunk=7KB",
        "/?framing=chunked&size=0B",
        "/?framing=chunked&trailer=X-Sum:1&trailer=X-More:2",
        "/?interim=100,103",
        "/?interim=103,103&framing=chunked",
        "/?size=300KB",
    ] {
        assert_eq!(connections(path, "-n 20 -c 2 --threads 1", 20), (2, 0), "{path}");
    }
    for path in ["/?framing=chunked", "/?size=10KB", "/?status=204", "/?interim=103"] {
        assert_eq!(connections(path, "-n 20 -c 2 --threads 1 -X HEAD", 20), (2, 0), "HEAD {path}");
    }
    // Delimited by its close.
    assert_eq!(connections("/?framing=close&size=10KB", "-n 20 -c 2 --threads 1", 20), (20, 0));
}

#[test]
fn bodies_are_counted_as_they_came() {
    let server = Server::start();
    for (path, args, bytes) in [
        ("/?size=10MB&framing=chunked", "-n 4 -c 2", 4 * 10_000_000_u64),
        ("/?size=10MB", "-n 4 -c 2", 4 * 10_000_000),
        ("/?size=10MB&framing=close", "-n 4 -c 2", 4 * 10_000_000),
        ("/?size=10KB", "-n 4 -c 2 -X HEAD", 0),
    ] {
        let ran = Ran::of(&server.url(path), &format!("{args} --timeout 20s"));
        assert_eq!(ran.outcomes(), [("ok", 4)], "{path}: {:#}", ran.json);
        let counted = ran.count("/steps/0/body_bytes");
        if path.contains("chunked") {
            assert!((bytes..bytes + bytes / 100).contains(&counted), "{path}: {counted}");
        } else {
            assert_eq!(counted, bytes, "{path}");
        }
        assert!(ran.count("/generator/rss_bytes") < 40_000_000, "{path}: {:#}", ran.json["generator"]);
    }
}

#[test]
fn a_body_larger_than_any_buffer_is_sent_whole() {
    let (server, directory) = (Server::start(), scratch());
    let body = "0123456789abcdef".repeat(4 << 16);
    std::fs::write(directory.path().join("body"), &body).expect("a file can be written");
    let tap = Tap::before(&server.address);
    let ran =
        Ran::within(directory.path(), &tap.url("/"), &["-n", "2", "-c", "1", "--threads", "1", "--data-file", "body"]);
    assert_eq!(ran.outcomes(), [("ok", 2)], "{:#}", ran.json);
    let sent = tap.sent();
    assert!(sent.contains(&format!("\r\nContent-Length: {}\r\n", body.len())));
    assert_eq!(sent.matches(&body).count(), 2);
}

#[test]
fn compressed_answers_are_decoded_and_counted_as_they_came() {
    let server = Server::start();
    let counted = |args: &str| {
        let ran = Ran::of(&server.url("/?encoding=gzip&size=100KB"), &format!("-n 4 -c 2 {args}"));
        assert_eq!(ran.outcomes(), [("ok", 4)], "{:#}", ran.json);
        ran.count("/steps/0/body_bytes")
    };
    let (plain, compressed) = (counted(""), counted("--compressed"));
    assert!(compressed == plain && compressed < 400_000, "{plain} {compressed}");
}

#[test]
fn redirects_are_followed_as_far_as_asked() {
    let server = Server::start();
    let check = |path: &str, follow: &str, statuses: serde_json::Value, served: u64| {
        let before = server.stat("/requests");
        let ran = Ran::of(&server.url(path), &format!("-n 3 -c 1 --threads 1 {follow}"));
        assert_eq!(ran.json["statuses"], statuses, "{path} {follow}");
        assert_eq!(server.stat("/requests") - before, served, "{path} {follow}");
    };
    check("/?redirect=/end", "", serde_json::json!({"302": 3}), 3);
    check("/?redirect=/end", "--follow 5", serde_json::json!({"200": 3}), 6);
    check("/?redirect=self", "--follow 4", serde_json::json!({"302": 3}), 15);
    check("/?redirect=/end%3Fstatus%3D503", "--follow 5", serde_json::json!({"503": 3}), 6);
}

#[test]
fn a_redirect_to_another_host_takes_no_credentials_along() {
    let (server, other) = (Server::start(), Server::start());
    let tap = Tap::before(&other.address);
    let url = server.url(&format!("/?status=307&header=Location:http://{}/echo", tap.address));
    let args =
        ["-n", "1", "-c", "1", "--threads", "1", "--follow", "1", "-u", "a:b", "-H", "Cookie: c=d", "--data", "x=1"];
    let ran = Ran::within(scratch().path(), &url, &args);
    assert_eq!(ran.json["statuses"], serde_json::json!({"200": 1}));
    let sent = tap.sent();
    assert!(sent.starts_with("POST /echo ") && sent.ends_with("\r\n\r\nx=1"), "{sent:?}");
    assert!(!sent.contains("Authorization") && !sent.contains("Cookie"), "{sent:?}");
}
