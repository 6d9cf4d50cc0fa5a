//! Heads that are none.

use super::http2::{Answer, ending, half_head};
use super::{Entry, closed, endless, kept};
use crate::script::End;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("garbage-status-line", "bytes that are no status line", || {
        closed(b"\x16\x03\x01 what is this?\r\n\r\n".as_slice())
    }),
    Entry::new("http-0.9", "a body without any head, and a close", || closed("<html>hello</html>\n")),
    Entry::new("bad-version", "HTTP/9.9", || kept("HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\nok")),
    Entry::new("http-2-preface", "a frame of HTTP/2 in answer to HTTP/1.1", || {
        closed(b"\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64".as_slice())
    }),
    Entry::new("no-status", "a status line without a status", || kept("HTTP/1.1 \r\nContent-Length: 2\r\n\r\nok")),
    Entry::new("no-reason", "a status line without a reason (which is allowed)", || {
        kept("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok")
    }),
    Entry::new("status-word", "a status that is no number", || kept("HTTP/1.1 OK 200\r\nContent-Length: 2\r\n\r\nok")),
    Entry::new("status-999", "a status of no class", || {
        let script = kept("HTTP/1.1 999 Whatever\r\nContent-Length: 2\r\n\r\nok");
        crate::script::Script { status: 999, ..script }
    })
    .or(|_| Answer::new(999).field("content-length", "2").body("ok")),
    Entry::new("status-1000", "a status of four digits", || {
        kept("HTTP/1.1 1000 Too Many\r\nContent-Length: 2\r\n\r\nok")
    }),
    Entry::new("status-101", "a change of protocol that nobody asked for", || {
        kept("HTTP/1.1 101 Switching Protocols\r\nUpgrade: chess\r\nConnection: Upgrade\r\n\r\ne2e4")
    }),
    Entry::new("header-without-colon", "a header line without a colon", || {
        kept("HTTP/1.1 200 OK\r\nthis is no header\r\nContent-Length: 2\r\n\r\nok")
    }),
    Entry::new("empty-header-name", "a header line that begins with its colon", || {
        kept("HTTP/1.1 200 OK\r\n: nameless\r\nContent-Length: 2\r\n\r\nok")
    }),
    Entry::new("space-before-colon", "a space between a header's name and its colon", || {
        kept("HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok")
    }),
    Entry::new("nul-in-header", "a NUL in a header's value", || {
        kept("HTTP/1.1 200 OK\r\nX-Nul: a\0b\r\nContent-Length: 2\r\n\r\nok")
    }),
    Entry::new("leading-space-header", "a header folded over two lines (obs-fold)", || {
        kept("HTTP/1.1 200 OK\r\nX-Folded: one\r\n two\r\nContent-Length: 2\r\n\r\nok")
    }),
    Entry::new("bare-lf", "lines that end in LF alone", || kept("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")),
    Entry::new("bare-cr", "a CR in the middle of a line", || {
        kept("HTTP/1.1 200 OK\r\nX-Cr: a\rb\r\nContent-Length: 2\r\n\r\nok")
    }),
    Entry::new("huge-header-line", "a header line of 1 MiB", || {
        let line = "h".repeat(1 << 20);
        kept(format!("HTTP/1.1 200 OK\r\nX-Huge: {line}\r\nContent-Length: 2\r\n\r\nok"))
    }),
    Entry::new("many-headers", "ten thousand headers", || {
        let lines = "X-Many: yes\r\n".repeat(10_000);
        kept(format!("HTTP/1.1 200 OK\r\n{lines}Content-Length: 2\r\n\r\nok"))
    }),
    Entry::new("endless-status-line", "a reason without end", || endless("HTTP/1.1 200 ", b"OK")),
    Entry::new("endless-head", "headers without end", || endless("HTTP/1.1 200 OK\r\n", b"X-Endless: yes\r\n")),
    Entry::new("endless-1xx", "interim answers without end", || endless("", b"HTTP/1.1 103 Early Hints\r\n\r\n")),
    Entry::new("truncated-head", "closed in the middle of the head", || closed("HTTP/1.1 200 OK\r\nContent-Le"))
        .or(|stream| ending(&[half_head(stream)], End::Close)),
    Entry::new("truncated-after-1xx", "closed after an interim answer", || closed("HTTP/1.1 100 Continue\r\n\r\n")),
];
