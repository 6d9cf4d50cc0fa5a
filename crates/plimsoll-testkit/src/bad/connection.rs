//! What connections do that servers should not: resets, early closes, silence, and answers at the wrong time.

use super::http2::{Answer, ending, ending_soon, half, half_head, silent, whole};
use super::{Entry, MOMENT, Misdeed, head, reset};
use crate::script::{End, Flow, Pace, Script, Step};
use std::time::Duration;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("close", "closed without an answer", || wordless(End::Close)).or(|_| ending(&[], End::Close)),
    Entry::new("reset", "reset without an answer", || wordless(End::Reset)).or(|_| ending(&[], End::Reset)),
    Entry::new("silence", "no answer, ever, and the connection stays open", || wordless(End::Silence)).or(|_| silent()),
    Entry::new("reset-mid-head", "reset in the middle of the head", || reset("HTTP/1.1 200 OK\r\nContent-Le"))
        .or(|stream| ending_soon(&[half_head(stream)], End::Reset)),
    Entry::new("reset-mid-body", "reset in the middle of the body", || reset(head(10) + "hello"))
        .or(|stream| ending_soon(&[half(stream)], End::Reset)),
    Entry::new("silence-mid-head", "the head stops in its middle, and the connection stays open", || {
        Script::bytes(0, *b"HTTP/1.1 200 OK\r\nContent-Le", End::Silence)
    })
    .or(|stream| ending(&[half_head(stream)], End::Silence)),
    Entry::new("silence-mid-body", "the body stops in its middle, and the connection stays open", || {
        Script::bytes(0, (head(10) + "hello").into_bytes(), End::Silence)
    })
    .or(|_| Answer::of(10).begun(b"hello")),
    Entry::new("reset-after-answer", "a whole answer, and a reset a moment later", || reset(head(5) + "hello"))
        .or(|stream| ending_soon(&[whole(stream)], End::Reset)),
    Entry::new("close-after-answer", "a whole answer that keeps the connection, which is closed at once", || {
        Script::bytes(200, (head(5) + "hello").into_bytes(), End::Close)
    })
    .or(|stream| Misdeed::Connection(Script::bytes(200, whole(stream), End::Close))),
    Entry::new("tls-truncated", "a body that ends with the connection, which ends without TLS's farewell", || {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nhello";
        Script::bytes(0, answer.as_slice(), End::Cut)
    })
    .or(|stream| ending(&[half(stream)], End::Cut)),
    Entry::new("late", "a whole answer, ten seconds late", || after(Duration::from_secs(10), End::Keep))
        .or(|_| Answer::of(5).late(Duration::from_secs(10)).body("hello")),
    Entry::new("late-body", "the head at once, the body ten seconds later", || Script {
        status: 200,
        steps: vec![
            Step::Flow(Flow::once(head(5).into_bytes())),
            Step::Pause(Duration::from_secs(10)),
            Step::Flow(Flow::once(*b"hello")),
        ],
        end: End::Keep,
    })
    .or(|_| Answer::of(5).pause(Duration::from_secs(10)).body("hello")),
    Entry::new("late-close", "nothing for ten seconds, then closed", || Script {
        status: 0,
        steps: vec![Step::Pause(Duration::from_secs(10))],
        end: End::Close,
    })
    .or(|_| {
        let steps = vec![Step::Pause(Duration::from_secs(10))];
        Misdeed::Connection(Script { status: 0, steps, end: End::Close })
    }),
    Entry::new("byte-at-a-time", "a whole answer, a byte every 2 ms", || drip(Duration::from_millis(2)))
        .or(|_| Answer::of(5).drip(b"hello", Duration::from_millis(2))),
    Entry::new("byte-a-second", "a whole answer, a byte a second", || drip(Duration::from_secs(1)))
        .or(|_| Answer::of(5).drip(b"hello", Duration::from_secs(1))),
    Entry {
        early: true,
        ..Entry::new("early-answer", "answered, and closed, before the request's body is read", || {
            let answer = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 5\r\nConnection: close\r\n\r\nearly";
            Script::bytes(413, answer.as_bytes(), End::Close)
        })
        .or(|_| Answer::new(413).field("content-length", "5").body("early"))
    },
    Entry::new("unsolicited", "a whole answer, and a moment later another one nobody asked for", || Script {
        status: 200,
        steps: vec![
            Step::Flow(Flow::once((head(5) + "hello").into_bytes())),
            Step::Pause(MOMENT),
            Step::Flow(Flow::once((head(5) + "again").into_bytes())),
        ],
        end: End::Keep,
    }),
];

fn wordless(end: End) -> Script {
    Script { status: 0, steps: Vec::new(), end }
}

fn after(pause: Duration, end: End) -> Script {
    Script {
        status: 200,
        steps: vec![Step::Pause(pause), Step::Flow(Flow::once((head(5) + "hello").into_bytes()))],
        end,
    }
}

fn drip(every: Duration) -> Script {
    let pace = Pace { piece: 1, every };
    let flow = Flow::once((head(5) + "hello").into_bytes());
    Script { status: 200, steps: vec![Step::Flow(flow.paced(Some(pace)))], end: End::Keep }
}
