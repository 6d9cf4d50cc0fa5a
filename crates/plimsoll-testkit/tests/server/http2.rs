//! HTTP/2 on the same port: the same behaviours on every stream, the client's windows, and misdeeds.

use crate::bad::resident_kib;
use crate::framed::{Event, Framed};
use crate::support::Server;
use crate::tls::Secured;
use std::collections::HashMap;
use std::io::{Read, Write};

#[test]
fn answers_are_what_the_keys_say() {
    let server = Server::start(&[]);
    let mut client = Framed::open(&server);
    let answer = client.get("/any/path?status=201&body=hi+there&type=text/x&header=X-A:b&header=Connection:close");
    let fields = [(":status", "201"), ("content-type", "text/x"), ("x-a", "b"), ("content-length", "8")];
    assert_eq!(answer.fields, fields.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert_eq!(answer.text(), "hi there");
    assert_eq!(client.get("/?status=204").field("content-length"), None);
    assert_eq!(client.get("/?redirect=self&tag=1").field("location"), Some("/?redirect=self&tag=1"));
    assert_eq!(client.get("/?error=1:503").status(), 503);
    assert_eq!(client.get("/?interim=103,100").interim, ["103", "100"]);
    assert_eq!(client.get("/?servise=2ms").status(), 400);
    let framed = client.get("/?framing=chunked&trailer=X-T:1");
    assert_eq!((framed.text().as_str(), framed.field("content-length")), ("0123456789abcdef", None));
    assert_eq!(framed.trailers, [("x-t".to_owned(), "1".to_owned())]);
    let stream = client.head("HEAD", "/?size=1000", true);
    client.flush();
    let head = client.exchange(stream);
    assert_eq!((head.field("content-length"), head.body.len()), (Some("1000"), 0));
    assert_eq!(client.get("/bad/bare-lf").status(), 501);
    assert_eq!(server.get("/bad/h2-ping-flood").status(), 501);
}

#[test]
fn bodies_of_any_size_are_whole_in_both_directions() {
    let secured = Secured::http2(&[]);
    let plain = Server::start(&[]);
    for mut client in [Framed::open(&plain), Framed::on(secured.wire(), 1 << 30)] {
        for size in [0, 1, 16_384, 16_385, 32_768, 3_000_000] {
            for keys in ["", "&pace=1GB/s", "&framing=chunked&trailer=X-T:1"] {
                assert_eq!(client.get(&format!("/?size={size}{keys}")).body.len(), size, "{size}{keys}");
            }
        }
        let stream = client.head("PUT", "/echo", false);
        for _ in 0..50 {
            client.body(stream, &[b'x'; 16_000], false);
        }
        client.body(stream, b"end", true);
        client.flush();
        let echo = client.exchange(stream).text();
        assert!(echo.starts_with("PUT /echo HTTP/2\r\nhost: test\r\n\r\nxxx") && echo.ends_with("xxxend"));
    }
}

#[test]
fn both_protocols_are_spoken_on_one_port() {
    let secured = Secured::http2(&[]);
    assert_eq!(Framed::on(secured.wire(), 1 << 20).get("/?body=two").text(), "two");
    let mut config = secured.config.clone();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    let old = Secured { config, ..secured };
    assert_eq!(old.client().get("/?body=one").text(), "one");
    let stats = old.client().get("/stats");
    let counts = ["/http2/connections", "/http2/streams", "/requests"].map(|pointer| stats.number(pointer));
    assert_eq!(counts, [1, 1, 2]);
    let mut without = Secured::http2(&["--no-http2"]);
    without.config.alpn_protocols.push(b"http/1.1".to_vec());
    let mut wire = without.wire();
    wire.write_all(b"GET / HTTP/1.1\r\n\r\n").expect("the server reads");
    wire.read_exact(&mut [0; 12]).expect("an answer");
    assert_eq!(wire.conn.alpn_protocol(), Some(&b"http/1.1"[..]));
}

#[test]
fn streams_share_the_behaviour_and_not_their_time() {
    let server = Server::start(&["--threads", "2"]);
    let mut clients: Vec<Framed> = (0..4).map(|_| Framed::open(&server)).collect();
    for client in &mut clients {
        for _ in 0..50 {
            client.head("GET", "/?limit=120/10m", true);
        }
        client.flush();
    }
    let mut statuses: HashMap<String, usize> = HashMap::new();
    for client in &mut clients {
        let mut over = 0;
        while over < 50 {
            match client.event() {
                Event::Head { fields, .. } => *statuses.entry(fields[0].1.clone()).or_default() += 1,
                Event::Body { last, .. } => over += usize::from(last),
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!(statuses, HashMap::from([("200".to_owned(), 120), ("429".to_owned(), 80)]));
    // The second is due long before the first.
    let client = &mut clients[0];
    let (slow, fast) = (client.ask("/?service=500ms"), client.ask("/?service=1ms"));
    client.exchange(fast);
    client.exchange(slow);
}

#[test]
fn the_windows_of_the_client_are_kept_to() {
    let server = Server::start(&[]);
    let mut client = Framed::on(server.connect(), 1000);
    let stream = client.ask("/bad/endless-body");
    let mut received = 0;
    for granted in [1000, 5000, 65_000] {
        while received < granted {
            match client.event() {
                Event::Body { bytes, .. } => received += bytes.len(),
                Event::Head { .. } => {}
                other => panic!("{other:?}"),
            }
        }
        client.ping();
        assert_eq!((received, client.event()), (granted, Event::Pong));
        client.open_window(stream, if granted == 1000 { 4000 } else { 60_000 });
    }
}

#[test]
fn more_streams_than_allowed_are_refused() {
    let server = Server::start(&["--h2-streams", "3"]);
    let mut client = Framed::open(&server);
    for _ in 0..5 {
        client.head("GET", "/?service=200ms", true);
    }
    client.flush();
    assert_eq!(client.event(), Event::Reset { stream: 7, code: 7 });
    assert_eq!(client.event(), Event::Reset { stream: 9, code: 7 });
    for stream in [1, 3, 5] {
        client.exchange(stream);
    }
    assert_eq!((server.stat("/http2/refused"), server.stat("/requests")), (2, 3));
}

#[test]
fn a_connection_is_a_flow_whatever_its_streams() {
    let server = Server::start(&[]);
    let (mut first, mut second) = (Framed::open(&server), Framed::open(&server));
    let of = |client: &mut Framed| client.get("/?flows=1").status();
    assert_eq!([of(&mut first), of(&mut first), of(&mut second)], [200, 200, 503]);
}

#[test]
fn connections_close_after_so_many_answers() {
    let server = Server::start(&[]);
    let mut told = Framed::open(&server);
    told.get("/?close_after=2");
    let stream = told.ask("/?close_after=2");
    assert_eq!(told.event(), Event::Goaway { last: stream, code: 0 });
    told.exchange(stream);
    assert_eq!(told.event(), Event::Closed);
    let mut rude = Framed::open(&server);
    rude.get("/?close_after=1,rude");
    assert_eq!(rude.event(), Event::Closed);
}

#[test]
fn an_early_answer_does_not_wait_for_the_body() {
    let server = Server::start(&[]);
    let mut client = Framed::open(&server);
    let stream = client.head("POST", "/bad/early-answer", false);
    client.body(stream, b"begun", false);
    client.flush();
    assert_eq!(client.exchange(stream).status(), 413);
    assert_eq!(client.event(), Event::Reset { stream, code: 0 });
    client.body(stream, b"gone on", true);
    assert_eq!(client.get("/?body=next").text(), "next");
}

/// What comes after a request for `/bad/NAME`.
#[track_caller]
fn check(server: &Server, name: &str, expected: &[Event]) {
    let mut client = Framed::open(server);
    client.ask(&format!("/bad/{name}"));
    for event in expected {
        assert_eq!(client.event(), *event, "{name}");
    }
}

#[test]
fn misdeeds_are_what_they_are_called() {
    let server = Server::start(&[]);
    let fields = |fields: &[(&str, &str)]| fields.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let head =
        || Event::Head { stream: 1, fields: fields(&[(":status", "200"), ("content-length", "5")]), last: false };
    let body = |text: &str, last| Event::Body { stream: 1, bytes: text.into(), last };
    check(&server, "h2-reset-cancel", &[Event::Reset { stream: 1, code: 8 }]);
    check(&server, "h2-reset-unknown", &[Event::Reset { stream: 1, code: 0xdead_beef }]);
    check(&server, "h2-reset-mid-body", &[head(), body("hel", false), Event::Reset { stream: 1, code: 2 }]);
    check(&server, "h2-goaway", &[Event::Goaway { last: 0, code: 0 }, Event::Closed]);
    check(&server, "h2-goaway-error", &[Event::Goaway { last: 1, code: 11 }, Event::Closed]);
    check(&server, "h2-data-after-end", &[head(), body("hello", true), body("hello", true)]);
    check(&server, "h2-data-first", &[body("hello", false)]);
    check(&server, "h2-half-frame", &[head(), Event::Closed]);
    check(&server, "truncated-body", &[head(), body("hel", false), Event::Closed]);
    check(&server, "close", &[Event::Closed]);
    check(&server, "reset", &[Event::Closed]);
    check(&server, "extra-bytes", &[head(), body("hello, and then some", true)]);
    let no_status = Event::Head { stream: 1, fields: fields(&[("content-length", "5")]), last: false };
    check(&server, "h2-no-status", &[no_status, body("hello", true)]);
    check(&server, "h2-push-promise", &[Event::Other(plimsoll_http::h2::frame::Kind::PushPromise), head()]);
}

#[test]
fn some_misdeeds_come_before_our_settings() {
    let server = Server::start(&[]);
    // The kind of a frame is its fourth byte.
    for (name, start) in [("h2-no-settings", &b"\0\0\x13\x01"[..]), ("h2-http1-answer", b"HTTP")] {
        let mut wire = server.connect();
        Framed::on(wire.try_clone().expect("a socket"), 1000).ask(&format!("/bad/{name}"));
        let mut first = [0; 4];
        wire.read_exact(&mut first).expect("an answer");
        assert_eq!(first, start, "{name}");
    }
}

#[test]
fn a_silent_stream_leaves_the_others_alone() {
    let server = Server::start(&[]);
    let mut client = Framed::open(&server);
    let silent = client.ask("/bad/h2-silence-after-headers");
    assert!(matches!(client.event(), Event::Head { stream, .. } if stream == silent));
    client.ask("/bad/silence");
    assert_eq!(client.get("/?body=next").text(), "next");
}

#[test]
fn endless_misdeeds_cost_the_server_no_memory() {
    let server = Server::start(&[]);
    let before = resident_kib(server.id());
    for name in [
        "endless-body",
        "h2-endless-continuation",
        "h2-endless-empty-continuation",
        "h2-window-overrun",
        "h2-ping-flood",
        "h2-settings-flood",
        "h2-reset-storm",
        "h2-endless-interim",
    ] {
        let wire = server.connect();
        let mut bare = wire.try_clone().expect("a socket");
        let mut client = Framed::on(wire, 1 << 30);
        client.ask(&format!("/bad/{name}"));
        bare.read_exact(&mut vec![0; 20_000_000]).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    if let (Some(before), Some(after)) = (before, resident_kib(server.id())) {
        assert!(after < before + 4096, "{before} KiB, then {after} KiB");
    }
}

#[test]
fn the_catalogue_leaves_the_server_well() {
    let secured = Secured::http2(&[]);
    let plain = Server::start(&[]);
    let list = plain.get("/bad").text();
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.iter().filter(|name| name.starts_with("h2-")).count() > 80);
    for name in names {
        for mut client in [Framed::open(&plain), Framed::on(secured.wire(), 1 << 20)] {
            client.ask(&format!("/bad/{name}"));
            let mut ping = Framed::open(&plain);
            assert_eq!(ping.get("/?body=well").text(), "well", "{name}");
        }
    }
    assert_eq!(Framed::on(secured.wire(), 1 << 20).get("/health").text(), "ok\n");
}

#[test]
fn what_is_no_http2_is_told_so() {
    let server = Server::start(&[]);
    let mut client = Framed::open(&server);
    client.body(1, b"before its head", true);
    client.flush();
    assert_eq!(client.event(), Event::Goaway { last: 0, code: 1 });
    assert_eq!(client.event(), Event::Closed);
    let mut client = Framed::open(&server);
    let stream = client.head("GET", "", true);
    client.flush();
    assert_eq!(client.event(), Event::Reset { stream, code: 1 });
    assert_eq!(client.get("/?body=next").text(), "next");
    assert_eq!(server.stat("/malformed_requests"), 2);
}
