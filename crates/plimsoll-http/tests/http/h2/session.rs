//! What a connection does when all goes well, and when the server has its reasons.

use super::model::{Log, Script, client, get, id, request, run, sent};
use plimsoll_http::h2::frame::{ErrorCode, Kind, flag, setting};
use plimsoll_http::h2::{Client, StreamFailure};

/// Checks what becomes of three streams, whole and byte by byte.
#[track_caller]
fn check(script: Script, expected: &str) {
    let (log, _, result) = run(client(3), [&script.bytes[..]]);
    assert_eq!((log.text().as_str(), &result), (expected, &Ok(())));
    let (bytewise, _, _) = run(client(3), script.bytes.chunks(1));
    assert_eq!(bytewise.text(), expected, "byte by byte");
}

const NOT_ANSWERED: &str =
    "1 failed closed answered=false, 3 failed closed answered=false, 5 failed closed answered=false";

#[test]
fn answers() {
    check(Script::new(), NOT_ANSWERED);
    let three = |script: Script| script.head(3, ":status: 204|", true).head(5, ":status: 204|", true);
    let tail = "3 head 204, 3 done, 5 head 204, 5 done";
    let ok = || Script::new().head(1, ":status: 200|content-length: 5|server: s|", false);
    let head = "1 head 200 content-length=5 server=s";
    check(three(ok().data(1, b"hello", true)), &format!("{head}, 1 body hello, 1 done, {tail}"));
    check(
        three(ok().data(1, b"hel", false).data(1, b"", false).data(1, b"lo", false).data(1, b"", true)),
        &format!("{head}, 1 body hello, 1 done, {tail}"),
    );
    check(
        three(ok().data(1, b"hello", false).head(1, "grpc-status: 0|", true)),
        &format!("{head}, 1 body hello, 1 trailer grpc-status=0, 1 done, {tail}"),
    );
    check(
        three(Script::new().head(1, ":status: 103|link: x|", false).head(1, ":status: 200|", true)),
        &format!("1 interim 103 link=x, 1 head 200, 1 done, {tail}"),
    );
}

#[test]
fn streams_are_answered_in_any_order() {
    let script = Script::new().ok(5).ok(1).data(5, b"five", false).data(1, b"one", true).ok(3).data(3, b"", true);
    check(
        script.data(5, b"5", true),
        "5 head 200, 1 head 200, 5 body five, 1 body one, 1 done, 3 head 200, 3 done, 5 body 5, 5 done",
    );
}

#[test]
fn padding_and_priority_are_skipped() {
    let padded = flag::PADDED | flag::END_HEADERS | flag::PRIORITY;
    let script = Script::new()
        .frame(Kind::Headers, padded, 1, b"\x02\0\0\0\0\0\x88pp")
        .frame(Kind::Data, flag::PADDED, 1, b"\x03hippp")
        .frame(Kind::Data, flag::PADDED, 1, b"\0")
        .frame(Kind::Data, flag::PADDED | flag::END_STREAM, 1, b"\x01p");
    check(script, &NOT_ANSWERED.replace("1 failed closed answered=false", "1 head 200, 1 body hi, 1 done"));
}

#[test]
fn blocks_go_on_in_continuations() {
    let mut script = Script::new();
    let block = script.block(":status: 200|a: b|");
    let script = script
        .frame(Kind::Headers, flag::END_STREAM, 1, &block[..2])
        .frame(Kind::Continuation, 0, 1, b"")
        .frame(Kind::Continuation, flag::END_HEADERS, 1, &block[2..]);
    check(script, &NOT_ANSWERED.replace("1 failed closed answered=false", "1 head 200 a=b, 1 done"));
}

#[test]
fn what_is_not_understood_is_ignored() {
    let script = Script::new()
        .frame(Kind::Unknown(10), 0xff, 0, b"alt-svc")
        .frame(Kind::Priority, 0, 1, b"12345")
        .settings(&[(0x99, 1)]);
    check(script, NOT_ANSWERED);
}

#[test]
fn resets_and_refusals() {
    let rest = ", 3 failed closed answered=true, 5 failed closed answered=false";
    check(Script::new().reset(1, 8).ok(3), &format!("1 failed reset CANCEL, 3 head 200{rest}"));
    check(Script::new().reset(1, 7).ok(3), &format!("1 failed refused, 3 head 200{rest}"));
    check(
        Script::new().goaway(3, 0).head(1, ":status: 200|", true).ok(3),
        "5 failed refused, 1 head 200, 1 done, 3 head 200, 3 failed closed answered=true",
    );
    check(
        Script::new().goaway(u32::MAX >> 1, 0).goaway(0, 0).ok(5),
        "1 failed refused, 3 failed refused, 5 failed refused",
    );
}

#[test]
fn a_head_that_began_counts_as_an_answer() {
    let script = Script::new().ok(1);
    let (log, _, _) = run(client(1), [&script.bytes[..script.bytes.len() - 1]]);
    assert_eq!(log.text(), "1 failed closed answered=true");
}

#[test]
fn goaway_closes_the_connection_to_new_streams() {
    let (mut client, mut out, mut log) = (client(1), Vec::new(), Log::default());
    assert!(client.has_room() && !client.is_closing());
    assert_eq!(client.feed(&Script::new().goaway(1, 11).bytes, &mut out, &mut log), Ok(()));
    assert_eq!((client.has_room(), client.is_closing(), client.streams()), (false, true, 1));
    assert_eq!(client.goaway(), Some(ErrorCode::ENHANCE_YOUR_CALM));
    assert_eq!(client.open(&get(), &mut out), None);
}

#[test]
fn the_server_says_how_many_streams_may_be_open() {
    let (mut out, mut log) = (Vec::new(), Log::default());
    let mut client = Client::new(&mut out);
    while client.open(&get(), &mut out).is_some() {}
    assert_eq!(client.streams(), 100);
    let settings = |max| Script::default().settings(&[(setting::MAX_CONCURRENT_STREAMS, max)]).bytes;
    assert_eq!(client.feed(&settings(101), &mut out, &mut log), Ok(()));
    assert!(client.open(&get(), &mut out).is_some() && !client.has_room());
    assert_eq!(client.feed(&settings(0), &mut out, &mut log), Ok(()));
    client.cancel(id(1), &mut out);
    assert_eq!((client.streams(), client.has_room()), (100, false));
}

#[test]
fn what_a_client_sends() {
    let (mut out, mut log) = (Vec::new(), Log::default());
    let mut client = Client::new(&mut out);
    client.open(&get(), &mut out);
    assert!(out.starts_with(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
    assert_eq!(sent(&out), "0 SETTINGS f0, 0 WINDOW_UPDATE f0 +16711681, 1 HEADERS f5 GET /");
    out.clear();
    assert_eq!(client.feed(&Script::new().ping().bytes, &mut out, &mut log), Ok(()));
    client.cancel(id(1), &mut out);
    client.cancel(id(1), &mut out);
    client.leave(&mut out);
    assert_eq!(sent(&out), "0 SETTINGS f1, 0 PING f1, 1 RST_STREAM f0 CANCEL, 0 GOAWAY f0 ");
    assert_eq!(log.text(), "");
}

#[test]
fn a_request_sent_again_is_a_few_bytes() {
    let (mut out, request) = (Vec::new(), get());
    let mut client = Client::new(&mut out);
    let mut sizes = (0..4).map(|_| {
        out.clear();
        client.open(&request, &mut out);
        out.len()
    });
    let first = sizes.next();
    assert!(first > Some(30), "{first:?}");
    // Nine bytes of frame header and one for each field.
    assert_eq!(sizes.collect::<Vec<_>>(), [15, 15, 15]);
}

#[test]
fn a_smaller_table_makes_new_blocks() {
    let (mut out, mut log, request) = (Vec::new(), Log::default(), get());
    let mut client = Client::new(&mut out);
    assert!((0..3).all(|_| client.open(&request, &mut out).is_some()));
    let settings = Script::default().settings(&[(setting::HEADER_TABLE_SIZE, 0)]);
    assert_eq!(client.feed(&settings.bytes, &mut out, &mut log), Ok(()));
    assert!((0..3).all(|_| client.open(&request, &mut out).is_some()));
    // `sent` decodes them all with one decoder, as the server would.
    assert_eq!(sent(&out).matches("HEADERS f5 GET /").count(), 6);
}

#[test]
fn late_frames_of_a_cancelled_stream_are_ignored() {
    let (mut client, mut out, mut log) = (client(2), Vec::new(), Log::default());
    client.cancel(id(1), &mut out);
    // The head of the cancelled stream puts a field into the table that the other uses.
    let script = Script::new().head(1, ":status: 200|x: y|", false).data(1, b"late", true).reset(1, 8).widen(1, 1);
    let script = script.head(3, ":status: 200|x: y|", true);
    assert_eq!(client.feed(&script.bytes, &mut out, &mut log), Ok(()));
    assert_eq!(log.text(), "3 head 200 x=y, 3 done");
}

#[test]
fn a_stream_that_is_cancelled_in_the_middle_of_a_frame_is_silent() {
    let (mut client, mut out, mut log) = (client(1), Vec::new(), Log::default());
    let script = Script::new().ok(1).data(1, b"hello", true);
    let (start, end) = script.bytes.split_at(script.bytes.len() - 2);
    assert_eq!(client.feed(start, &mut out, &mut log), Ok(()));
    client.cancel(id(1), &mut out);
    assert_eq!(client.feed(end, &mut out, &mut log), Ok(()));
    assert_eq!(log.text(), "1 head 200, 1 body hel");
}

/// The sizes of `DATA` frames in `out`, which is emptied.
fn data(out: &mut Vec<u8>) -> String {
    let lines = sent(out);
    out.clear();
    lines.split(", ").filter(|line| line.contains("DATA")).collect::<Vec<_>>().join(", ")
}

#[test]
fn bodies_wait_for_windows() {
    let (mut out, mut log) = (Vec::new(), Log::default());
    let mut client = Client::new(&mut out);
    client.open(&request("POST", &[b'x'; 70_000]), &mut out);
    client.open(&request("POST", b"small"), &mut out);
    assert_eq!(data(&mut out), "1 DATA f0 16384, 1 DATA f0 16384, 1 DATA f0 16384, 1 DATA f0 16383");
    let mut feed = |script: Script| {
        assert_eq!(client.feed(&script.bytes, &mut out, &mut log), Ok(()));
        data(&mut out)
    };
    assert_eq!(feed(Script::new()), "");
    assert_eq!(feed(Script::default().widen(1, 4000)), "");
    assert_eq!(feed(Script::default().widen(0, 10)), "1 DATA f0 10");
    assert_eq!(feed(Script::default().widen(0, 6000)), "3 DATA f1 5, 1 DATA f0 3990");
    // What is taken from the windows of streams is owed first.
    assert_eq!(feed(Script::default().settings(&[(setting::INITIAL_WINDOW_SIZE, 65_000)])), "");
    assert_eq!(feed(Script::default().widen(1, 535)), "");
    assert_eq!(feed(Script::default().widen(1, 1000)), "1 DATA f1 465");
}

#[test]
fn bodies_wait_for_the_output() {
    let (mut out, mut log) = (Vec::new(), Log::default());
    let mut client = Client::new(&mut out);
    let windows = Script::default().settings(&[(setting::INITIAL_WINDOW_SIZE, 1 << 30)]).widen(0, 1 << 30);
    assert_eq!(client.feed(&windows.bytes, &mut out, &mut log), Ok(()));
    let bytes = 1_000_000;
    client.open(&request("PUT", &vec![b'x'; bytes]), &mut out);
    let (mut turns, mut sent) = (0, 0);
    while sent < bytes {
        assert!(out.len() < 100_000, "the output is bounded");
        let frames = data(&mut out);
        let sizes = frames.split_terminator(", ").filter_map(|line| line.rsplit(' ').next()?.parse::<usize>().ok());
        sent += sizes.sum::<usize>();
        turns += 1;
        client.resume(&mut out);
    }
    assert_eq!((sent, out.len()), (bytes, 0));
    assert!(turns > 10);
}

#[test]
fn an_answer_before_the_end_of_the_request_ends_it() {
    let (mut out, mut log) = (Vec::new(), Log::default());
    let mut client = Client::new(&mut out);
    client.open(&request("POST", &[b'x'; 70_000]), &mut out);
    out.clear();
    let script = Script::new().head(1, ":status: 413|", true).widen(0, 1 << 20).reset(1, 0);
    assert_eq!(client.feed(&script.bytes, &mut out, &mut log), Ok(()));
    assert_eq!(log.text(), "1 head 413, 1 done");
    assert_eq!(sent(&out), "0 SETTINGS f1, 1 RST_STREAM f0 CANCEL");
}

#[test]
fn windows_are_opened_again_before_they_close() {
    let mut script = Script::new().ok(1);
    let piece = [b'x'; 16_384];
    // 24 MiB, more than the connection's window, padding included.
    for _ in 0..1536 {
        script = script.data(1, &piece, false);
    }
    let (log, out, result) = run(client(1), [&script.data(1, b"", true).bytes[..]]);
    assert_eq!(result, Ok(()));
    assert_eq!(log.lines[1].len(), "1 body ".len() + 1536 * piece.len());
    let sent = sent(&out);
    assert_eq!(sent.matches("0 WINDOW_UPDATE f0 +8388608").count(), 3);
    assert_eq!(sent.matches("1 WINDOW_UPDATE f0 +524288").count(), 48);
}

#[test]
fn failures_in_words() {
    let check = |failure: StreamFailure, expected: &str| assert_eq!(failure.to_string(), expected);
    check(
        StreamFailure::Reset { code: ErrorCode::INTERNAL_ERROR },
        "the server reset the stream: INTERNAL_ERROR (the sender failed inside)",
    );
    check(StreamFailure::Refused, "the server refused the stream before it did anything for it");
    check(StreamFailure::Closed { answered: true }, "the server closed the connection in the middle of the answer");
    check(StreamFailure::Closed { answered: false }, "the server closed the connection before it answered");
}
