//! Any bytes as a server's side of HTTP/2: no panic, bounded memory, one end for each stream, and the same events
//! however split.
//!
//! The first byte says how the rest is cut, the second what else happens between the cuts: streams are opened and
//! cancelled. A server's greeting is put before the rest, or nearly everything would end at the first frame.

#![no_main]

use std::collections::BTreeSet;
use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use plimsoll_http::h2::frame::put_settings;
use plimsoll_http::h2::{Client, Events, Request, StreamFailure, StreamId};
use plimsoll_http::{HEAD_BYTES_MAX, Head, Request as Http1};

/// What was told of streams; a body is the number of its bytes.
#[derive(Default, PartialEq, Debug)]
struct Log {
    lines: Vec<(StreamId, String)>,
    bodies: u64,
    open: BTreeSet<StreamId>,
}

impl Log {
    fn line(&mut self, id: StreamId, line: String) {
        assert!(self.open.contains(&id), "{id} is not open: {line}");
        self.lines.push((id, line));
    }
}

impl Events for Log {
    fn interim(&mut self, id: StreamId, head: &Head<'_>) {
        self.line(id, format!("{:?}", head.raw()));
    }
    fn head(&mut self, id: StreamId, head: &Head<'_>) {
        assert!((200..1000).contains(&head.status()));
        self.line(id, format!("{:?} {}", head.raw(), head.headers().map(|h| h.text().len()).sum::<usize>()));
    }
    fn body(&mut self, id: StreamId, bytes: &[u8]) {
        assert!(!bytes.is_empty() && self.open.contains(&id));
        self.bodies += bytes.len() as u64;
    }
    fn trailer(&mut self, id: StreamId, name: &str, value: &[u8]) {
        self.line(id, format!("{name} {value:?}"));
    }
    fn done(&mut self, id: StreamId) {
        self.line(id, "done".to_owned());
        self.open.remove(&id);
    }
    fn failed(&mut self, id: StreamId, failure: StreamFailure) {
        let text = failure.to_string();
        assert!(!text.contains(|c: char| c.is_control()));
        let line = if let StreamFailure::Violation(error) = failure { error.kind().to_owned() } else { text };
        self.line(id, line);
        self.open.remove(&id);
    }
}

fn requests() -> [Arc<Request>; 2] {
    [("GET", 0), ("POST", 80_000)].map(|(method, body_bytes)| {
        let builder = Http1::builder(method, "/").host("h").body(vec![b'x'; body_bytes]);
        Arc::new(builder.build_h2("http").expect("a good request"))
    })
}

/// A connection with four streams, fed the pieces; `between` is called after each.
fn run<'i>(
    pieces: impl Iterator<Item = &'i [u8]>,
    mut between: impl FnMut(&mut Client, &mut Vec<u8>, &mut Log),
) -> (Log, Option<&'static str>) {
    let (mut out, mut log) = (Vec::new(), Log::default());
    let mut client = Client::new(&mut out);
    for request in requests().iter().cycle().take(4) {
        log.open.extend(client.open(request, &mut out));
    }
    let mut error = None;
    for piece in pieces {
        out.clear();
        error = client.feed(piece, &mut out, &mut log).err().map(|error| error.kind());
        assert!(client.kept_bytes() <= 4 * HEAD_BYTES_MAX);
        assert_eq!(client.streams(), log.open.len());
        if error.is_some() {
            break;
        }
        between(&mut client, &mut out, &mut log);
    }
    client.close(&mut log);
    assert!(log.open.is_empty() && client.streams() == 0);
    (log, error)
}

fuzz_target!(|data: &[u8]| {
    let &[cut, what, ref rest @ ..] = data else { return };
    let mut input = Vec::new();
    put_settings(&mut input, &[]);
    input.extend_from_slice(rest);
    let cut = usize::from(cut) + 1;

    let whole = run([&input[..]].into_iter(), |_, _, _| {});
    assert_eq!(run(input.chunks(cut), |_, _, _| {}), whole);
    assert_eq!(run(input.chunks(1), |_, _, _| {}), whole);

    let (requests, mut turn) = (requests(), 0_u32);
    run(input.chunks(cut), |client, out, log| {
        turn += 1;
        if what & 1 == 1 {
            log.open.extend(client.open(&requests[turn as usize & 1], out));
        }
        if turn % 4 == u32::from(what >> 6) {
            let id = StreamId::new(turn | 1);
            client.cancel(id, out);
            log.open.remove(&id);
        }
        client.resume(out);
    });
});
