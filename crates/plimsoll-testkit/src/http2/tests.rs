//! Connections without sockets: requests in, frames out; and nothing that comes in makes one panic.

use super::*;
use crate::behaviour::Spec;
use crate::routes::World;
use crate::script::FULL;
use plimsoll_http::h2::frame::{
    FrameHeader, Kind, PREFACE, flag, put_data, put_goaway, put_headers, put_rst_stream, put_settings_ack,
};
use plimsoll_http::h2::hpack::{Encoder, Field, Indexing};
use proptest::prelude::*;
use std::sync::Arc;

/// A connection, the client's side of its header compression, and what was said so far.
struct Talk {
    session: Session,
    desk: Desk,
    encoder: Encoder,
    sent: Vec<u8>,
    out: Vec<u8>,
    now: Duration,
}

/// A frame as it was said.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Said {
    kind: Kind,
    flags: u8,
    stream: u32,
    payload: Vec<u8>,
}

impl Talk {
    fn begun(streams_max: u32) -> Self {
        let desk = Desk::new(&Arc::new(World::new(Spec::default(), false, Some(streams_max), 1)), 0);
        let encoder = Encoder::new();
        let (sent, out) = (Vec::new(), Vec::new());
        let mut talk = Self { session: Session::new(streams_max), desk, encoder, sent, out, now: Duration::ZERO };
        put_settings(&mut talk.sent, &[]);
        assert_eq!(talk.go_on(), Next::Read);
        let said = talk.said();
        assert_eq!(said.iter().map(|said| said.kind).collect::<Vec<_>>()[..2], [Kind::Settings, Kind::WindowUpdate]);
        assert_eq!((said.len(), said[2].flags), (3, flag::ACK));
        talk
    }

    fn ask(&mut self, stream: u32, target: &str) {
        self.request(stream, "GET", target, true);
    }

    fn request(&mut self, stream: u32, method: &str, target: &str, ends: bool) {
        let field = |name: &'static str, value| {
            let (name, indexing) = (name.as_bytes(), Indexing::Added);
            Field { name, value, indexing }
        };
        let fields = [
            field(":method", method.as_bytes()),
            field(":scheme", b"http"),
            field(":path", target.as_bytes()),
            field("x-test", b"yes"),
        ];
        let mut block = Vec::new();
        self.encoder.encode(fields, &mut block);
        put_headers(&mut self.sent, StreamId::new(stream), &block, ends, 16_384);
    }

    fn go_on(&mut self) -> Next {
        let sent = std::mem::take(&mut self.sent);
        let mut input = sent.as_slice();
        let next = self.session.advance(self.now, &mut input, &mut self.out, &mut self.desk);
        self.sent = input.to_vec();
        next
    }

    fn said(&mut self) -> Vec<Said> {
        let out = std::mem::take(&mut self.out);
        let (mut rest, mut said) = (out.as_slice(), Vec::new());
        while let Some((header, tail)) = rest.split_first_chunk() {
            let FrameHeader { length, kind, flags, stream } = FrameHeader::parse(header);
            let (payload, tail) = tail.split_at(length as usize);
            said.push(Said { kind, flags, stream: stream.get(), payload: payload.to_vec() });
            rest = tail;
        }
        said
    }

    /// Kind and stream of what is said next.
    fn gist(&mut self) -> Vec<(Kind, u32)> {
        self.said().into_iter().map(|said| (said.kind, said.stream)).collect()
    }
}

#[test]
fn answers_leave_when_they_are_due_and_not_in_the_order_of_requests() {
    let ms = Duration::from_millis;
    let mut talk = Talk::begun(100);
    talk.ask(1, "/?service=3ms");
    talk.ask(3, "/?service=1ms");
    talk.ask(5, "/");
    assert_eq!(talk.go_on(), Next::ReadUntil(ms(1)));
    assert_eq!(talk.gist(), [(Kind::Headers, 5), (Kind::Data, 5)]);
    talk.now = ms(1);
    assert_eq!(talk.go_on(), Next::ReadUntil(ms(3)));
    assert_eq!(talk.gist(), [(Kind::Headers, 3), (Kind::Data, 3)]);
    talk.now = ms(4);
    assert_eq!(talk.go_on(), Next::Read);
    assert_eq!(talk.gist(), [(Kind::Headers, 1), (Kind::Data, 1)]);
}

#[test]
fn streams_take_turns() {
    let mut talk = Talk::begun(100);
    talk.ask(1, "/?size=30000");
    talk.ask(3, "/?size=30000&tag=x");
    assert_eq!(talk.go_on(), Next::Flush);
    assert_eq!(talk.gist()[..4], [(Kind::Headers, 1), (Kind::Data, 1), (Kind::Headers, 3), (Kind::Data, 3)]);
    assert_eq!(talk.go_on(), Next::Read);
    let bytes: usize = talk.said().iter().map(|said| said.payload.len()).sum();
    assert!(bytes < 60_000);
}

#[test]
fn nothing_is_sent_beyond_the_windows() {
    let mut talk = Talk::begun(100);
    put_settings(&mut talk.sent, &[(setting::INITIAL_WINDOW_SIZE, 10)]);
    talk.ask(1, "/?size=25");
    talk.ask(3, "/?size=0");
    assert_eq!(talk.go_on(), Next::Read);
    let said = talk.said();
    assert_eq!((said[2].payload.len(), said[2].stream), (10, 1));
    assert_eq!((said[3].kind, said[3].flags & flag::END_STREAM), (Kind::Headers, 1));
    put_settings(&mut talk.sent, &[(setting::INITIAL_WINDOW_SIZE, 5)]);
    put_window_update(&mut talk.sent, StreamId::new(1), 5);
    talk.go_on();
    assert_eq!(talk.gist(), [(Kind::Settings, 0)]);
    put_window_update(&mut talk.sent, StreamId::new(1), 100);
    talk.go_on();
    let said = talk.said();
    assert_eq!((said[0].payload.len(), said[0].flags), (15, flag::END_STREAM));
}

#[test]
fn too_many_streams_are_refused_and_the_rest_served() {
    let mut talk = Talk::begun(2);
    for stream in [1, 3, 5] {
        talk.ask(stream, "/?service=1s");
    }
    talk.go_on();
    let said = talk.said();
    assert_eq!((said.len(), said[0].kind, said[0].stream), (1, Kind::RstStream, 5));
    assert_eq!(said[0].payload, ErrorCode::REFUSED_STREAM.0.to_be_bytes());
    put_rst_stream(&mut talk.sent, StreamId::new(1), ErrorCode::CANCEL);
    talk.ask(7, "/");
    talk.go_on();
    assert_eq!(talk.gist(), [(Kind::Headers, 7), (Kind::Data, 7)]);
}

#[test]
fn bodies_are_taken_and_room_is_given_back() {
    let mut talk = Talk::begun(100);
    talk.request(1, "POST", "/?echo", false);
    for _ in 0..40 {
        put_data(&mut talk.sent, StreamId::new(1), &[b'x'; 16_000], false);
    }
    put_data(&mut talk.sent, StreamId::new(1), b"end", true);
    talk.go_on();
    let said = talk.said();
    assert_eq!((said[0].kind, said[0].stream), (Kind::WindowUpdate, 1));
    assert!(said[2].payload.starts_with(b"POST /?echo HTTP/2\r\nx-test: yes\r\n\r\nxxxx"));
    // The echo is larger than the windows that this client has never opened.
    let bytes: usize = said.iter().filter(|said| said.kind == Kind::Data).map(|said| said.payload.len()).sum();
    assert!(bytes < FULL);
}

#[test]
fn a_close_is_said_by_a_goaway() {
    let mut talk = Talk::begun(100);
    for stream in [1, 3, 5] {
        talk.ask(stream, "/?close_after=2&service=1ms");
    }
    assert_eq!(talk.go_on(), Next::ReadUntil(Duration::from_millis(1)));
    let said = talk.said();
    assert_eq!((said.len(), said[0].kind), (1, Kind::Goaway));
    assert_eq!(said[0].payload[..8], [0, 0, 0, 3, 0, 0, 0, 0]);
    talk.now = Duration::from_millis(1);
    assert_eq!(talk.go_on(), Next::Close { linger: true });
    assert_eq!(talk.gist(), [(Kind::Headers, 1), (Kind::Data, 1), (Kind::Headers, 3), (Kind::Data, 3)]);
}

#[test]
fn an_early_misdeed_comes_before_our_settings() {
    let mut talk = Talk { session: Session::new(100), ..Talk::begun(100) };
    put_settings(&mut talk.sent, &[]);
    talk.ask(1, "/bad/h2-no-settings");
    assert_eq!(talk.go_on(), Next::Read);
    assert_eq!(talk.gist(), [(Kind::Headers, 1), (Kind::Data, 1)]);
}

/// What the client says, and with which code the connection is given up.
#[track_caller]
fn check(say: impl FnOnce(&mut Talk), code: ErrorCode) {
    let mut talk = Talk::begun(100);
    say(&mut talk);
    assert_eq!(talk.go_on(), Next::Close { linger: true });
    let last = talk.said().pop().expect("a frame");
    assert_eq!((last.kind, &last.payload[4..8]), (Kind::Goaway, &code.0.to_be_bytes()[..]));
    assert_eq!(talk.go_on(), Next::Read);
}

#[test]
fn violations_end_the_connection() {
    let raw = |bytes: &'static [u8]| move |talk: &mut Talk| talk.sent.extend_from_slice(bytes);
    check(raw(b"\0\x40\x01\0\0\0\0\0\x01"), ErrorCode::FRAME_SIZE_ERROR);
    check(raw(b"\0\0\0\0\x01\0\0\0\x01"), ErrorCode::PROTOCOL_ERROR);
    check(raw(b"\0\0\x01\x09\x04\0\0\0\x01\x82"), ErrorCode::PROTOCOL_ERROR);
    check(raw(b"\0\0\x01\x01\x05\0\0\0\x02\x82"), ErrorCode::PROTOCOL_ERROR);
    check(raw(b"\0\0\x01\x01\x05\0\0\0\x01\xff"), ErrorCode::COMPRESSION_ERROR);
    check(raw(b"\0\0\0\x01\0\0\0\0\x01\0\0\x08\x06\0\0\0\0\0pingping"), ErrorCode::PROTOCOL_ERROR);
    check(|talk| put_rst_stream(&mut talk.sent, StreamId::new(1), ErrorCode::CANCEL), ErrorCode::PROTOCOL_ERROR);
    check(|talk| put_window_update(&mut talk.sent, StreamId::CONNECTION, 0), ErrorCode::FLOW_CONTROL_ERROR);
    check(
        |talk| put_window_update(&mut talk.sent, StreamId::CONNECTION, i32::MAX as u32),
        ErrorCode::FLOW_CONTROL_ERROR,
    );
    check(|talk| put_settings(&mut talk.sent, &[(setting::ENABLE_PUSH, 2)]), ErrorCode::PROTOCOL_ERROR);
}

#[test]
fn what_goes_without_saying_is_not_answered() {
    let mut talk = Talk::begun(100);
    put_settings_ack(&mut talk.sent);
    put_goaway(&mut talk.sent, StreamId::CONNECTION, ErrorCode::NO_ERROR, b"");
    talk.sent.extend_from_slice(b"\0\0\x05\x02\0\0\0\0\x03\0\0\0\0\x01\0\0\x02\xfa\xff\0\0\0\x09hm");
    assert_eq!((talk.go_on(), talk.said()), (Next::Read, vec![]));
}

/// Everything that is said until nothing more comes; time jumps to whatever is waited for.
fn converse(talk: &mut Talk, pieces: &[&[u8]]) -> Vec<u8> {
    let mut said = Vec::new();
    for piece in pieces {
        talk.sent.extend_from_slice(piece);
        loop {
            let next = talk.go_on();
            assert!(talk.out.len() < 2 * FULL + (1 << 20));
            said.append(&mut talk.out);
            match next {
                Next::Wait(due) | Next::ReadUntil(due) => talk.now = due,
                Next::Flush if said.len() < 1 << 20 => {}
                Next::Read => break,
                _ => return said,
            }
        }
    }
    said
}

fn conversation() -> Vec<u8> {
    let mut talk = Talk::begun(100);
    talk.ask(1, "/?size=70000");
    talk.request(3, "POST", "/echo", false);
    put_data(&mut talk.sent, StreamId::new(3), b"hello", true);
    put_window_update(&mut talk.sent, StreamId::CONNECTION, 100_000);
    put_window_update(&mut talk.sent, StreamId::new(1), 10_000);
    talk.ask(5, "/?framing=chunked&trailer=X-A:b&interim=103");
    talk.ask(7, "/bad/h2-unknown-frame");
    put_rst_stream(&mut talk.sent, StreamId::new(1), ErrorCode::CANCEL);
    talk.ask(9, "/?close_after=1");
    talk.sent
}

proptest! {
    #[test]
    fn cuts_do_not_matter(cuts in prop::collection::vec(0..300_usize, 0..8)) {
        let conversation = conversation();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(conversation.len())).collect();
        cuts.extend([0, conversation.len()]);
        cuts.sort_unstable();
        let mut talk = Talk::begun(100);
        let pieces: Vec<&[u8]> = cuts.windows(2).map(|cut| &conversation[cut[0]..cut[1]]).collect();
        converse(&mut talk, &pieces);
        prop_assert!(talk.session.is_deaf && talk.session.streams.count() == 0);
    }

    #[test]
    fn nothing_makes_it_panic(kinds in prop::collection::vec((0..12_u8, any::<u8>(), 0..8_u32, prop::collection::vec(any::<u8>(), 0..40)), 0..20)) {
        let mut talk = Talk::begun(3);
        let mut bytes = conversation();
        for (kind, flags, stream, payload) in kinds {
            bytes.extend_from_slice(&[0, 0, payload.len() as u8, kind, flags]);
            bytes.extend_from_slice(&stream.to_be_bytes());
            bytes.extend_from_slice(&payload);
        }
        bytes.truncate(bytes.len().saturating_sub(7));
        converse(&mut talk, &[&bytes]);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        converse(&mut Talk::begun(3), &[&bytes]);
    }
}

#[test]
fn a_preface_begins_it() {
    let mut session = crate::session::Session::new();
    let mut desk = Desk::new(&Arc::new(World::new(Spec::default(), false, Some(100), 1)), 0);
    let mut sent = PREFACE.to_vec();
    put_settings(&mut sent, &[]);
    let mut out = Vec::new();
    assert_eq!(session.advance(Duration::ZERO, &mut sent.as_slice(), &mut out, &mut desk), Next::Read);
    assert_eq!(out[3], 4);
}

#[test]
fn every_misdeed_can_be_done() {
    let list = crate::bad::list();
    for name in list.lines().filter_map(|line| line.split_whitespace().next()) {
        let mut talk = Talk::begun(100);
        talk.ask(1, &format!("/bad/{name}"));
        let sent = std::mem::take(&mut talk.sent);
        let said = converse(&mut talk, &[&sent]);
        let wordless = ["close", "reset", "silence", "late-close"].contains(&name);
        assert_eq!(said.is_empty(), wordless, "{name}");
    }
}
