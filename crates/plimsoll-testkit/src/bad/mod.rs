//! Malformed, truncated, endless and late answers, each with a name. `/bad/NAME` gives one, `/bad` lists them, the
//! key `bad=NAME:0.1` mixes them into proper answers. Whatever is endless is one small block, repeated.

mod body;
mod connection;
mod framing;
mod head;
mod hostile;
mod http2;

use crate::script::{End, Flow, Script, Step};
use plimsoll_http::h2::frame::StreamId;
use std::time::Duration;

/// A malformed answer.
#[derive(Debug)]
pub(crate) struct Entry {
    /// As in `/bad/NAME`.
    pub(crate) name: &'static str,
    /// What is wrong with it.
    pub(crate) what: &'static str,
    /// Sent before the request's body has arrived.
    pub(crate) early: bool,
    /// The plan of its bytes in HTTP/1.1.
    pub(crate) build: fn() -> Script,
    /// What it is on a stream of HTTP/2, if it exists there.
    pub(crate) on_stream: Option<fn(StreamId) -> Misdeed>,
}

/// A malformed answer in HTTP/2.
#[derive(Debug)]
pub(crate) enum Misdeed {
    /// It stays on its stream, under the windows of the client.
    Stream(crate::http2::Script),
    /// These bytes, whatever the others do.
    Connection(Script),
    /// These bytes, before our SETTINGS where those have not been sent yet.
    Unannounced(Script),
}

impl Entry {
    const fn new(name: &'static str, what: &'static str, build: fn() -> Script) -> Self {
        Self { name, what, early: false, build, on_stream: None }
    }

    /// One of HTTP/2 alone.
    const fn http2(name: &'static str, what: &'static str, on_stream: fn(StreamId) -> Misdeed) -> Self {
        Self { on_stream: Some(on_stream), ..Self::new(name, what, not_here) }
    }

    /// The same in HTTP/2.
    const fn or(self, on_stream: fn(StreamId) -> Misdeed) -> Self {
        Self { on_stream: Some(on_stream), ..self }
    }
}

const GROUPS: [&[Entry]; 8] = [
    head::ENTRIES,
    framing::ENTRIES,
    body::ENTRIES,
    connection::ENTRIES,
    hostile::ENTRIES,
    http2::FRAMES,
    http2::FIELDS,
    http2::COURSES,
];

/// The malformed answer of this name.
pub(crate) fn find(name: &str) -> Option<&'static Entry> {
    GROUPS.iter().copied().flatten().find(|entry| entry.name == name)
}

/// A line for each name.
pub(crate) fn list() -> String {
    let line = |entry: &Entry| format!("{:<28} {}\n", entry.name, entry.what);
    GROUPS.iter().copied().flatten().map(line).collect()
}

/// What stands for a malformed answer that the connection's protocol does not have.
pub(crate) fn not_here() -> Script {
    let text = "this malformed answer exists in HTTP/2 only\n";
    let answer = format!("HTTP/1.1 501 Not Implemented\r\nContent-Length: {}\r\n\r\n{text}", text.len());
    Script::bytes(501, answer.into_bytes(), End::Keep)
}

/// A good head for a body of `length` bytes.
fn head(length: u64) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\n")
}

const CHUNKED_HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n";

/// These bytes, and the connection is kept.
fn kept(bytes: impl Into<Vec<u8>>) -> Script {
    Script::bytes(200, bytes.into(), End::Keep)
}

/// These bytes, and the connection is closed.
fn closed(bytes: impl Into<Vec<u8>>) -> Script {
    Script::bytes(200, bytes.into(), End::Close)
}

/// These bytes, and then a block without end.
fn endless(start: impl Into<Vec<u8>>, block: &[u8]) -> Script {
    // Blocks of some kilobytes cost no more to send than one short line.
    let block = block.repeat(4096 / block.len().max(1) + 1);
    Script {
        status: 200,
        steps: vec![Step::Flow(Flow::once(start.into())), Step::Flow(Flow::endless(block))],
        end: End::Close,
    }
}

/// These bytes, a moment for the client to read them, and a reset.
fn reset(bytes: impl Into<Vec<u8>>) -> Script {
    Script { status: 0, steps: vec![Step::Flow(Flow::once(bytes.into())), Step::Pause(MOMENT)], end: End::Reset }
}

/// Long enough for bytes to arrive on their own.
const MOMENT: Duration = Duration::from_millis(20);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::{FULL, Played, Player};
    use std::collections::HashSet;
    use std::rc::Rc;

    #[test]
    fn names_are_unique_and_can_stand_in_a_path() {
        let mut seen = HashSet::new();
        for entry in GROUPS.iter().copied().flatten() {
            assert!(seen.insert(entry.name), "{}", entry.name);
            assert!(entry.name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b)));
            assert!(find(entry.name).is_some());
        }
        assert_eq!(list().lines().count(), seen.len());
    }

    /// Every script plays for an hour without more than one buffer of memory.
    #[test]
    fn every_script_plays() {
        let on_stream = |entry: &Entry| match entry.on_stream.map(|build| build(StreamId::new(5))) {
            Some(Misdeed::Connection(script) | Misdeed::Unannounced(script)) => Some(script),
            _ => None,
        };
        let scripts = |entry: &'static Entry| on_stream(entry).into_iter().chain([(entry.build)()]);
        let all = GROUPS.iter().copied().flatten();
        for (entry, script) in all.flat_map(|entry| scripts(entry).map(move |script| (entry, script))) {
            let mut player = Player::new(Rc::new(script), Duration::ZERO);
            let (mut now, mut out) = (Duration::ZERO, Vec::new());
            for _ in 0..1000 {
                match player.play(now, &mut out) {
                    Played::Finished(_) => break,
                    Played::Until(due) => {
                        assert!(due > now, "{}", entry.name);
                        now = due;
                    }
                    Played::Full => {}
                }
                assert!(out.len() <= FULL, "{}", entry.name);
                out.clear();
            }
        }
    }
}
