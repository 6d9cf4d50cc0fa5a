//! What a server can do wrong, and what becomes of it.

use super::model::{Log, Script, client, request, run, sent};
use plimsoll_http::HEAD_BYTES_MAX;
use plimsoll_http::h2::frame::{Kind, flag, put_ping};
use plimsoll_http::h2::{Client, H2Error};

/// Checks a violation that spoils the connection, noticed whole and byte by byte; every stream fails with it.
#[track_caller]
fn check(script: Script, expected: &str) {
    for piece_bytes in [usize::MAX, 1, 10] {
        let (log, out, result) = run(client(2), script.bytes.chunks(piece_bytes));
        assert_eq!(result.map_err(|error| error.kind()), Err(expected));
        let last = log.lines.last().map(String::as_str);
        assert!(last.is_none_or(|line| !line.starts_with("3 failed") || line == format!("3 failed {expected}")));
        assert!(sent(&out).ends_with(&format!("0 GOAWAY f0 {expected}")));
    }
}

/// Checks a violation that spoils the first stream; the other is answered.
#[track_caller]
fn check_stream(script: Script, expected: &str) {
    let script = script.head(3, ":status: 200|", true);
    for piece_bytes in [usize::MAX, 1, 10] {
        let (log, out, result) = run(client(2), script.bytes.chunks(piece_bytes));
        assert_eq!((log.text().as_str(), result), (format!("{expected}, 3 head 200, 3 done").as_str(), Ok(())));
        assert!(sent(&out).contains("1 RST_STREAM"));
    }
}

/// Checks a head that spoils its stream.
#[track_caller]
fn check_head(fields: &str, expected: &str) {
    check_stream(Script::new().head(1, fields, true), &format!("1 failed {expected}"));
}

#[track_caller]
fn check_message(script: Script, expected: &str) {
    let error = run(client(1), [&script.bytes[..]]).2.expect_err("a violation");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn no_http2_at_all() {
    let raw = |bytes: &[u8]| Script::default().raw(bytes);
    check(raw(b"HTTP/1.1 400 Bad Request\r\n\r\n"), "http1");
    check(raw(b"\x15\x03\x03\0\x02\x02\x28 and more"), "first-frame");
    check(raw(b"SSH-2.0-OpenSSH\r\n"), "first-frame");
    check(Script::default().ping(), "first-frame");
    check(Script::default().frame(Kind::Settings, flag::ACK, 0, b""), "first-frame");
    check_message(
        raw(b"HTTP/1.1 400 Bad Request\r\nServer: x\r\n\r\n"),
        "expected HTTP/2, the server answered in HTTP/1: `HTTP/1.1 400 Bad Request`",
    );
    check_message(raw(b"SSH-2.0-x\r\n"), "expected SETTINGS as the first frame, saw `SSH-2.0-x\\r\\n`");
    check_message(Script::default().ping(), "expected SETTINGS as the first frame, saw `PING`");
}

#[test]
fn sizes_of_frames() {
    let frame = |kind, length: usize| Script::new().frame(kind, 0, 0, &vec![0; length]);
    check(frame(Kind::Unknown(77), 16_385), "frame-too-large");
    check(frame(Kind::Settings, 5), "frame-length");
    check(Script::new().frame(Kind::Settings, flag::ACK, 0, &[0; 6]), "frame-length");
    check(frame(Kind::Ping, 7), "frame-length");
    check(frame(Kind::Goaway, 7), "frame-length");
    check(frame(Kind::WindowUpdate, 5), "frame-length");
    check(Script::new().frame(Kind::RstStream, 0, 1, &[0; 3]), "frame-length");
    check(Script::new().ok(1).frame(Kind::Data, flag::PADDED, 1, b""), "frame-length");
    check(Script::new().frame(Kind::Headers, flag::PADDED, 1, b""), "frame-length");
    check(Script::new().frame(Kind::Headers, flag::PRIORITY, 1, b"1234"), "frame-length");
    check(Script::new().frame(Kind::Headers, flag::PADDED, 1, b"\x02\x88"), "padding");
    check(Script::new().ok(1).frame(Kind::Data, flag::PADDED, 1, b"\x03ab"), "padding");
    check(Script::new().ok(1).frame(Kind::Data, flag::PADDED, 1, b"\x01"), "padding");
    check_message(frame(Kind::Ping, 7), "expected 8 bytes in PING, saw 7 bytes");
}

#[test]
fn streams_that_are_none() {
    for kind in [Kind::Data, Kind::Headers, Kind::RstStream] {
        for stream in [0, 2, 5] {
            check(Script::new().frame(kind, 0, stream, &[0; 4]), "wrong-stream");
        }
    }
    check(Script::new().widen(2, 1), "wrong-stream");
    check(Script::new().widen(5, 1), "wrong-stream");
    check(Script::new().frame(Kind::Settings, 0, 1, b""), "wrong-stream");
    check(Script::new().frame(Kind::Ping, 0, 1, &[0; 8]), "wrong-stream");
    check(Script::new().frame(Kind::Goaway, 0, 1, &[0; 8]), "wrong-stream");
    let done = || Script::new().head(1, ":status: 200|", true);
    check(done().data(1, b"x", false), "stream-closed");
    check(done().head(1, "x: y|", true), "stream-closed");
    check(Script::new().frame(Kind::PushPromise, flag::END_HEADERS, 1, &[0, 0, 0, 2, 0x82]), "push");
    check_message(Script::new().ok(9), "expected HEADERS on a stream that was opened, saw it on stream 9");
}

#[test]
fn blocks_that_do_not_end() {
    let open = || Script::new().frame(Kind::Headers, 0, 1, b"\x88");
    check(open().ping(), "interleaved");
    check(open().frame(Kind::Headers, flag::END_HEADERS, 1, b""), "interleaved");
    check(open().frame(Kind::Continuation, flag::END_HEADERS, 3, b""), "interleaved");
    check(Script::new().frame(Kind::Continuation, 0, 1, b""), "lone-continuation");
    let endless = (0..64).fold(open(), |script, _| script.frame(Kind::Continuation, 0, 1, b""));
    check(endless, "too-many-continuations");
    let large = (0..5).fold(open(), |script, _| script.frame(Kind::Continuation, 0, 1, &[0; 16_384]));
    check(large, "head-too-large");
    check(Script::new().frame(Kind::Headers, flag::END_HEADERS, 1, b"\x80"), "hpack-index");
}

#[test]
fn heads_that_are_none() {
    check_head("x: y|", "no-status");
    check_head("x: y|:status: 200|", "pseudo-field");
    check_head(":status: 200|:status: 200|", "pseudo-field");
    check_head(":status: 200|:path: /|", "pseudo-field");
    check_head(":method: GET|", "pseudo-field");
    for status in ["99", "020", "2000", "abc", "+20", "1"] {
        check_head(&format!(":status: {status}|"), "status");
    }
    for name in ["X", "a b", "", "a\r\nb", "n\u{e4}me"] {
        check_head(&format!(":status: 200|{name}: y|"), "header-name");
    }
    for value in [" a", "a\t", "a\r\nb: c", "a\0"] {
        check_head(&format!(":status: 200|x: {value}|"), "header-value");
    }
    for name in ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"] {
        check_head(&format!(":status: 200|{name}: x|"), "connection-field");
    }
    check_head(":status: 200|content-length: x|", "bad-length");
    check_head(":status: 200|content-length: 1|content-length: 2|", "conflicting-lengths");
    check_head(&format!(":status: 200|{}", "a: b|".repeat(128)), "too-many-headers");
    let value = "\u{1}".repeat(4000);
    check_head(&format!(":status: 200|{}", format!("x: {value}|").repeat(17)), "head-too-large");
    check_head(":status: 101|", "unexpected-upgrade");
    check_head(":status: 103|", "interim-end");
    let many = (0..17).fold(Script::new(), |script, _| script.head(1, ":status: 100|", false));
    let log = "1 interim 100, ".repeat(16) + "1 failed too-many-interim";
    check_stream(many, &log);
}

#[test]
fn bodies_of_another_length() {
    let five = |ends| Script::new().head(1, ":status: 200|content-length: 5|", ends);
    let head = "1 head 200 content-length=5";
    check_stream(five(true), &format!("{head}, 1 failed length-mismatch"));
    check_stream(five(false).data(1, b"four", true), &format!("{head}, 1 body four, 1 failed length-mismatch"));
    check_stream(five(false).data(1, b"sixsix", true), &format!("{head}, 1 failed length-mismatch"));
    let padded = five(false).frame(Kind::Data, flag::PADDED, 1, b"\x01sixsixp");
    check_stream(padded, &format!("{head}, 1 failed length-mismatch"));
    let trailers = five(false).data(1, b"four", false).head(1, "x: y|", true);
    check_stream(trailers, &format!("{head}, 1 body four, 1 failed length-mismatch"));
    check_stream(Script::new().data(1, b"x", true), "1 failed data-before-headers");
    check_stream(
        Script::new().head(1, ":status: 204|", false).data(1, b"x", true),
        "1 head 204, 1 failed length-mismatch",
    );
    check_stream(Script::new().ok(1).head(1, "x: y|", false), "1 head 200, 1 failed open-trailers");
    check_stream(Script::new().ok(1).head(1, ":status: 200|", true), "1 head 200, 1 failed pseudo-field");
}

#[test]
fn an_answer_to_head_has_no_body() {
    let mut out = Vec::new();
    let head = |out: &mut Vec<u8>| {
        let mut client = Client::new(out);
        client.open(&request("HEAD", b""), out);
        client
    };
    let length = Script::new().head(1, ":status: 200|content-length: 5|", true);
    let good = run(head(&mut out), [&length.bytes[..]]).0;
    assert_eq!(good.text(), "1 head 200 content-length=5, 1 done");
    let body = run(head(&mut out), [&Script::new().ok(1).data(1, b"x", true).bytes[..]]).0;
    assert_eq!(body.text(), "1 head 200, 1 failed length-mismatch");
}

#[test]
fn settings_and_windows() {
    check(Script::new().settings(&[(2, 1)]), "setting");
    check(Script::new().settings(&[(4, 1 << 31)]), "setting");
    check(Script::new().settings(&[(5, 16_383)]), "setting");
    check(Script::new().settings(&[(5, 1 << 24)]), "setting");
    check(Script::new().widen(0, 0), "zero-increment");
    check(Script::new().widen(0, (1 << 31) - 1), "window-overflow");
    check(Script::new().widen(1, 1).settings(&[(4, (1 << 31) - 1)]), "window-overflow");
    check_stream(Script::new().widen(1, 0), "1 failed zero-increment");
    check_stream(Script::new().widen(1, (1 << 31) - 1), "1 failed window-overflow");
    check(Script::new().goaway(1, 0).goaway(3, 0), "goaway-rose");
    check_message(
        Script::new().settings(&[(5, 3)]),
        "expected SETTINGS_MAX_FRAME_SIZE to be in [2^14, 2^24 - 1], saw 3",
    );
}

#[test]
fn a_server_that_never_reads_is_given_up() {
    let (mut client, mut out, mut log) = (client(1), Vec::new(), Log::default());
    let mut script = Script::new();
    for _ in 0..1000 {
        put_ping(&mut script.bytes, false, [0; 8]);
    }
    let mut result = client.feed(&script.bytes, &mut out, &mut log);
    let (_, pings) = script.bytes.split_at(9);
    for _ in 0..10 {
        result = result.and_then(|()| client.feed(pings, &mut out, &mut log));
        assert!(out.len() < 70_000);
    }
    assert_eq!((result, log.text().as_str()), (Err(H2Error::Flood), "1 failed flood"));
}

#[test]
fn a_server_that_reads_may_ping_for_ever() {
    let (mut client, mut log) = (client(1), Log::default());
    assert_eq!(client.feed(&Script::new().bytes, &mut Vec::new(), &mut log), Ok(()));
    for _ in 0..10_000 {
        assert_eq!(client.feed(&Script::default().ping().bytes, &mut Vec::new(), &mut log), Ok(()));
    }
}

#[test]
fn an_unfinished_frame_is_kept_up_to_a_limit() {
    let (mut client, mut log) = (client(1), Log::default());
    let script = Script::new().frame(Kind::Headers, flag::END_HEADERS, 1, &[0; 16_384]);
    for piece in script.bytes[..script.bytes.len() - 1].chunks(7) {
        assert_eq!(client.feed(piece, &mut Vec::new(), &mut log), Ok(()));
        assert!(client.kept_bytes() <= HEAD_BYTES_MAX);
    }
}
