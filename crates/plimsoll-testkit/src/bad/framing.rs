//! Bodies whose end cannot be known: lengths that are wrong or contradict each other.

use super::http2::Answer;
use super::{Entry, closed, head, kept};

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("negative-length", "a length below zero", || kept("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello")),
    Entry::new("length-word", "a length that is no number", || {
        kept("HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nhello")
    }),
    Entry::new("plus-length", "a length with a sign", || kept("HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello")),
    Entry::new("huge-length", "a length beyond 64 bits, and a close", || {
        closed("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nhello")
    }),
    Entry::new("largest-length", "a length of 2^64 - 1, and a close", || closed(head(u64::MAX) + "hello")),
    Entry::new("two-lengths-equal", "the same length twice", || {
        kept("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello")
    }),
    Entry::new("two-lengths-conflicting", "two different lengths", || {
        kept("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello")
    }),
    Entry::new("length-list", "two lengths in one header", || {
        kept("HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\nhello")
    }),
    Entry::new("length-and-chunked", "a length, and chunks", || {
        kept("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
    }),
    Entry::new("unknown-transfer-encoding", "a transfer coding that nobody knows", || {
        closed("HTTP/1.1 200 OK\r\nTransfer-Encoding: rot13\r\n\r\nuryyb")
    }),
    Entry::new("no-length-kept", "neither length nor chunks, and the connection is kept", || {
        kept("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello")
    }),
    Entry::new("body-on-204", "a body where none may be", || {
        let script = kept("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello");
        crate::script::Script { status: 204, ..script }
    })
    .or(|_| Answer::new(204).body("hello")),
    Entry::new("extra-bytes", "more bytes than the length says", || kept(head(5) + "hello, and then some"))
        .or(|_| Answer::of(5).body("hello, and then some")),
    Entry::new("extra-answer", "two answers to one request", || kept(head(5) + "hello" + &head(5) + "again")),
];
