//! Answers, good and bad, and what becomes of them.

use crate::outcome::{End, read, summary};
use plimsoll_http::{Closed, Fed, HEAD_BYTES_MAX, HEADERS_MAX, ResponseParser};

/// Checks an answer to `GET`, whole and byte by byte.
#[track_caller]
fn check(answer: impl AsRef<[u8]>, expected: &str) {
    check_for(false, answer.as_ref(), expected);
}

#[track_caller]
fn check_for(request_is_head: bool, answer: &[u8], expected: &str) {
    let whole = read(request_is_head, [answer]);
    assert_eq!(summary(&whole), expected);
    let bytewise = read(request_is_head, answer.chunks(1));
    assert_eq!(bytewise.without_quotes(), whole.without_quotes(), "byte by byte");
}

/// The message of the error an answer leads to.
#[track_caller]
fn check_message(answer: &[u8], expected: &str) {
    match read(false, [answer]).end {
        End::Failed(error) => assert_eq!(error.to_string(), expected),
        end => panic!("no error but {end:?}"),
    }
}

#[test]
fn length() {
    check("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "200 keep `hello`");
    check("HTTP/1.1 200 OK\r\ncontent-LENGTH:5 \r\n\r\nhello", "200 keep `hello`");
    check("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "200 keep ``");
    check("HTTP/1.1 200 OK\r\nContent-Length: 0005\r\n\r\nhello", "200 keep `hello`");
    check("HTTP/1.1 500\r\nContent-Length: 2\r\n\r\nno", "500 keep `no`");
    check("HTTP/1.1 999 \r\nContent-Length: 2\r\n\r\nno", "999 keep `no`");
    check("HTTP/1.1 200 OK\nContent-Length: 2\n\nok", "200 keep `ok`");
}

#[test]
fn lengths_that_agree_and_that_do_not() {
    let two = |a: &str, b: &str| format!("HTTP/1.1 200 OK\r\nContent-Length: {a}\r\nContent-Length: {b}\r\n\r\nhello");
    let one = |a: &str| format!("HTTP/1.1 200 OK\r\nContent-Length: {a}\r\n\r\nhello");
    check(two("5", "5"), "200 keep `hello`");
    check(one("5, 5"), "200 keep `hello`");
    check(two("5", "6"), "conflicting-lengths");
    check(one("5, 6"), "conflicting-lengths");
    check(one("-5"), "bad-length");
    check(one("+5"), "bad-length");
    check(one("5 5"), "bad-length");
    check(one("5,"), "bad-length");
    check(one("0x5"), "bad-length");
    check(one("5.0"), "bad-length");
    check(one(""), "bad-length");
    check(one("18446744073709551616"), "bad-length");
    check(one("18446744073709551615"), "truncated-body");
}

#[test]
fn chunked() {
    let chunked = |body: &str| format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{body}");
    check(chunked("5\r\nhello\r\n0\r\n\r\n"), "200 keep `hello`");
    check(chunked("2\r\nhe\r\n3;x=\"y\"\r\nllo\r\n0\r\nA: b\r\n\r\n"), "200 keep `hello`");
    check(chunked("0\r\n\r\n"), "200 keep ``");
    check(chunked("0\r\n\r\nHTTP"), "200 keep `` left=4");
    check(chunked("5\r\nhel"), "truncated-body");
    check(chunked("5\r\nhello\r\n"), "truncated-body");
    check(chunked("5\r\nhello\r\n0\r\nA: b\r\n"), "truncated-body");
    check(chunked("x\r\n"), "chunk-size");
    check(chunked("5\r\nhelloX"), "chunk-line-end");
}

#[test]
fn transfer_codings() {
    let coded = |te: &str| format!("HTTP/1.1 200 OK\r\n{te}\r\n\r\n2\r\nhi\r\n0\r\n\r\n");
    check(coded("Transfer-Encoding: gzip, Chunked"), "200 keep `hi`");
    check(coded("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked"), "200 keep `hi`");
    check(coded("Transfer-Encoding: , chunked,"), "200 keep `hi`");
    check(coded("Transfer-Encoding:\r\n chunked"), "200 keep `hi`");
    check(coded("Transfer-Encoding: chunked, chunked"), "chunked-twice");
    check(coded("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"), "chunked-twice");
    check(coded("Transfer-Encoding: chunked, gzip, chunked"), "chunked-twice");
    check(coded("Transfer-Encoding: chunked\r\nContent-Length: 5"), "length-and-coding");
    check(coded("Content-Length: 5\r\nTransfer-Encoding: gzip"), "length-and-coding");
    let raw = "`2\r\nhi\r\n0\r\n\r\n`";
    check(coded("Transfer-Encoding: gzip"), &format!("200 close {raw} until close"));
    check(coded("Transfer-Encoding: chunked, gzip"), &format!("200 close {raw} until close"));
    check(coded("Transfer-Encoding: xchunked"), &format!("200 close {raw} until close"));
}

#[test]
fn until_close() {
    check("HTTP/1.1 200 OK\r\n\r\nhello", "200 close `hello` until close");
    check("HTTP/1.1 200 OK\r\n\r\n", "200 close `` until close");
    check("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\nhello", "200 close `hello` until close");
}

#[test]
fn no_body() {
    check("HTTP/1.1 204 No Content\r\n\r\n", "204 keep ``");
    check("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", "304 keep ``");
    check("HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0", "204 keep `` left=1");
    check_for(true, b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "200 keep ``");
    check_for(true, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "200 keep ``");
    check_for(true, b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", "200 close ``");
    check_for(true, b"HTTP/1.1 200 OK\r\n\r\nhello", "200 keep `` left=5");
}

#[test]
fn persistence() {
    let with =
        |version: &str, connection: &str| format!("HTTP/1.{version} 200 OK\r\n{connection}Content-Length: 1\r\n\r\nx");
    check(with("1", ""), "200 keep `x`");
    check(with("1", "Connection: close\r\n"), "200 close `x`");
    check(with("1", "CONNECTION: Foo, CLOSE\r\n"), "200 close `x`");
    check(with("1", "Connection: keep-alive\r\nConnection: close\r\n"), "200 close `x`");
    check(with("1", "Connection: closed\r\n"), "200 keep `x`");
    check(with("1", "Set-Cookie: close\r\n"), "200 keep `x`");
    check(with("0", ""), "200 close `x`");
    check(with("0", "Connection: Keep-Alive\r\n"), "200 keep `x`");
    check(with("0", "Connection: keep-alive, close\r\n"), "200 close `x`");
    // RFC 9112 section 6.1: HTTP/1.0 knows no transfer codings.
    check("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "200 close ``");
}

#[test]
fn interim_answers() {
    let then_ok = |interim: &str| format!("{interim}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    let early = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nContent-Length: 9\r\n\r\n";
    check(then_ok("HTTP/1.1 100 Continue\r\n\r\n"), "200 keep `ok`");
    check(then_ok(&early.repeat(16)), "200 keep `ok`");
    check(then_ok(&early.repeat(17)), "too-many-interim");
    check(then_ok("HTTP/1.1 101 Switching Protocols\r\n\r\n"), "unexpected-upgrade");
    check(early, "truncated-head");
    assert_eq!(read(false, [then_ok(early).as_bytes()]).kept.interim, [103]);
}

#[test]
fn leftovers_belong_to_what_comes_next() {
    check("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1", "200 keep `ok` left=8");
    let mut parser = ResponseParser::new();
    assert_eq!(parser.feed(b"unasked", &mut ()), Ok(Fed::Done { consumed: 0 }));
    assert!(!parser.answered());
}

#[test]
fn closes() {
    check("", "before answer");
    check("H", "truncated-head");
    check("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", "truncated-body");
    let mut parser = ResponseParser::new();
    assert_eq!(parser.close(), Ok(Closed::Complete));
    parser.begin(false);
    assert_eq!(parser.close(), Ok(Closed::BeforeAnswer));
}

#[test]
fn heads_that_are_none() {
    check("SSH-2.0-OpenSSH_9.6\r\n", "not-http");
    check("\x15\x03\x01\0\x02\x02\x16", "not-http");
    check("\r\nHTTP/1.1 200 OK\r\n\r\n", "not-http");
    check("HTML", "not-http");
    check("ICY 200 OK\r\n\r\n", "not-http");
    check("HTTP/2 200\r\n\r\n", "version");
    check("HTTP/1.2 200 OK\r\n\r\n", "version");
    check("HTTP/3.0 200 OK\r\n\r\n", "version");
    check("http/1.1 200 OK\r\n\r\n", "not-http");
    check("HTTP/1.1 20 OK\r\n\r\n", "status-line");
    check("HTTP/1.1 2000 OK\r\n\r\n", "status-line");
    check("HTTP/1.1 abc\r\n\r\n", "status-line");
    check("HTTP/1.1 099 Low\r\n\r\n", "status-line");
    check("HTTP/1.1 200 O\0K\r\n\r\n", "status-line");
    check("HTTP/1.1 200 OK\rX\r\n\r\n", "status-line");
}

#[test]
fn fields_that_are_none() {
    let with = |field: &str| format!("HTTP/1.1 200 OK\r\nA: b\r\n{field}\r\nContent-Length: 0\r\n\r\n");
    check(with("no colon"), "header-field");
    check(with("Name : value"), "header-field");
    check(with(": value"), "header-field");
    check(with("Name: a\0b"), "header-field");
    check(with("Name: a\x7fb"), "header-field");
    check(with("Name: a\rb"), "header-field");
    check(with("Name\u{e4}: a"), "header-field");
    check(with("Folded: a\r\n  b"), "200 keep ``");
    check(with("Text: \u{e4}\tb"), "200 keep ``");
}

#[test]
fn bounds() {
    let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n";
    let padded = |total: usize| {
        let padding = total - ok.len() - "X: \r\n\r\n".len();
        format!("{ok}X: {}\r\n\r\n", "x".repeat(padding))
    };
    check(padded(HEAD_BYTES_MAX), "200 keep ``");
    check(padded(HEAD_BYTES_MAX + 1), "head-too-large");
    check(format!("{ok}{}\r\n", "a: b\r\n".repeat(HEADERS_MAX - 1)), "200 keep ``");
    check(format!("{ok}{}\r\n", "a: b\r\n".repeat(HEADERS_MAX)), "too-many-headers");
}

#[test]
fn parts_reach_the_sink() {
    let answer = b"HTTP/1.1 404 Not  \xc3\xa4 there\r\nA: 1\r\nb:2\r\nTransfer-Encoding: chunked\r\n\r\n\
        1\r\nx\r\n0\r\nC: 3\r\nD:\r\n\r\n";
    let kept = read(false, [&answer[..]]).kept;
    assert_eq!(kept.reason, b"Not  \xc3\xa4 there");
    assert_eq!(kept.headers[..2], [("A".into(), b"1".to_vec()), ("b".into(), b"2".to_vec())]);
    assert_eq!(kept.trailers, [("C".into(), b"3".to_vec()), ("D".into(), b"".to_vec())]);
    assert_eq!(kept.heads, [404]);
    assert!(read(false, [&b"HTTP/1.1 404\r\n\r\n"[..]]).kept.reason.is_empty());
}

#[test]
fn errors_say_what_was_seen_and_expected() {
    check_message(b"\x1b[31mred\r\n", r"expected an answer that starts with `HTTP/1.`, saw `\x1b[31mred\r\n`");
    check_message(
        b"HTTP/1.1 200 OK\r\nGood: 1\r\nBad Name: \x1b[2J\r\n\r\n",
        r"expected a header field like `name: value`, saw `Bad Name: \x1b[2J`",
    );
    check_message(
        b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhello",
        "the peer closed too early: expected 20 body bytes, saw 5",
    );
    check_message(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\x9b",
        r"expected a chunk size in hexadecimal, saw `\x9b`",
    );
    let long = format!("HTTP/1.1 {}\r\n\r\n", "9".repeat(500));
    let shown = format!("HTTP/1.1 {}…", "9".repeat(51));
    check_message(long.as_bytes(), &format!("expected a status line like `HTTP/1.1 200 OK`, saw `{shown}`"));
}

#[test]
fn a_parser_is_small_and_lets_go() {
    assert!(size_of::<ResponseParser>() <= 64, "{}", size_of::<ResponseParser>());
    let mut parser = ResponseParser::new();
    parser.begin(false);
    assert_eq!(parser.kept_bytes(), 0);
    assert_eq!(parser.feed(b"HTTP/1.1 200 OK\r\nContent-", &mut ()), Ok(Fed::More));
    assert!(parser.answered() && parser.kept_bytes() > 0);
    assert_eq!(parser.feed(b"Length: 100\r\n\r\nabc", &mut ()), Ok(Fed::More));
    assert_eq!((parser.kept_bytes(), parser.status(), parser.body_bytes()), (0, 200, 3));
}

#[test]
fn after_an_error_nothing_is_read() {
    let mut parser = ResponseParser::new();
    parser.begin(false);
    assert!(parser.feed(b"nonsense", &mut ()).is_err());
    assert_eq!(parser.feed(b"more", &mut ()), Ok(Fed::Done { consumed: 0 }));
    assert!(!parser.keep_alive() && parser.answered());
}

#[test]
fn any_size_of_body_takes_no_memory() {
    let mut parser = ResponseParser::new();
    parser.begin(false);
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n";
    assert_eq!(parser.feed(head, &mut ()), Ok(Fed::More));
    let piece = vec![0; 10_000_000];
    for _ in 1..1000 {
        assert_eq!(parser.feed(&piece, &mut ()), Ok(Fed::More));
    }
    assert_eq!(parser.kept_bytes(), 0);
    assert_eq!(parser.feed(&piece, &mut ()), Ok(Fed::Done { consumed: piece.len() }));
    assert_eq!(parser.body_bytes(), 10_000_000_000);
}
