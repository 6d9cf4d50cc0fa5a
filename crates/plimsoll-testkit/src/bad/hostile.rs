//! Well-framed answers whose text attacks whoever shows it: terminals, HTML, Markdown, spreadsheets, logs.

use super::http2::Answer;
use super::{Entry, kept};

/// Clears the screen, sets the title and the clipboard, asks the terminal to answer, turns the text around.
const TERMINAL: &str =
    "\x1b[2J\x1b[31m\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1b[6n\u{9b}2J\u{202e}drow\u{2066}\x08\x08\x7f";
/// Breaks out of HTML, Markdown, CSV, JSON and log lines.
const MARKUP: &str = "</script><img src=x onerror=alert(1)>|`**[x](javascript:alert(1))=cmd|' /C calc'!A1\",\u{0}";

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("hostile-reason", "a reason full of terminal escapes", || {
        kept(format!("HTTP/1.1 200 {TERMINAL}\r\nContent-Length: 2\r\n\r\nok"))
    }),
    Entry::new("hostile-headers", "headers full of terminal escapes and markup", || {
        kept(format!(
            "HTTP/1.1 200 OK\r\nX-Terminal: {TERMINAL}\r\nX-Markup: {}\r\nLocation: javascript:alert(1)\r\nContent-Type: {TERMINAL}\r\nContent-Length: 2\r\n\r\nok",
            MARKUP.trim_end_matches('\0')
        ))
    })
    .or(|_| {
        // What HTTP/2 does not allow in a value is left out, so that the rest arrives.
        let markup = MARKUP.trim_end_matches('\0');
        let answer = Answer::of(2).field("x-terminal", TERMINAL).field("x-markup", markup);
        answer.field("location", "javascript:alert(1)").field("content-type", TERMINAL).body("ok")
    }),
    Entry::new("hostile-body", "a body full of terminal escapes and markup", || {
        let body = format!("{TERMINAL}\n{MARKUP}\n");
        kept(super::head(body.len() as u64) + &body)
    })
    .or(|_| Answer::new(200).body(format!("{TERMINAL}\n{MARKUP}\n"))),
    Entry::new("hostile-garbage", "terminal escapes where the status line should be", || {
        super::closed(format!("{TERMINAL} {MARKUP}\r\n\r\n"))
    }),
    Entry::new("hostile-bytes", "a reason, a header and a body that are no UTF-8", || {
        let mut bytes = b"HTTP/1.1 200 \xff\xfe\x80\r\nX-Bytes: \xc3\x28\xf0\x28\x8c\xbc\r\n".to_vec();
        bytes.extend(b"Content-Length: 4\r\n\r\n\xff\x00\xfe\x80");
        kept(bytes)
    })
    .or(|_| Answer::of(4).field("x-bytes", b"\xc3\x28\xf0\x28\x8c\xbc").body(b"\xff\x00\xfe\x80")),
    Entry::new("hostile-redirect", "a redirect to an address that breaks out of its line", || {
        let script =
            kept("HTTP/1.1 302 Found\r\nLocation: http://\x1b[2J%0d%0aX: y@[::1/\r\nContent-Length: 0\r\n\r\n");
        crate::script::Script { status: 302, ..script }
    })
    .or(|_| {
        let answer = Answer::new(302).field("location", "http://\x1b[2J%0d%0aX: y@[::1/");
        answer.field("content-length", "0").body("")
    }),
];
