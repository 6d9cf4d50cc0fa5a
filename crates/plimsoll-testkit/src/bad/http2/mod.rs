//! What a server of HTTP/2 can do wrong. What stays on its stream is a plan of that stream; what breaks the framing,
//! the header compression or the connection is bytes, which are put between whole frames.

mod answer;
mod courses;
mod fields;
mod frames;

pub(super) use answer::{Answer, silent};
pub(super) use courses::ENTRIES as COURSES;
pub(super) use fields::ENTRIES as FIELDS;
pub(super) use frames::ENTRIES as FRAMES;

use super::{Entry, MOMENT, Misdeed};
use crate::http2::Block;
use crate::script::{End, Flow, Script, Step};
use plimsoll_http::h2::frame::{FrameHeader, Kind, StreamId, flag};

/// A frame of whatever kind and content.
fn frame(kind: Kind, flags: u8, stream: StreamId, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    // The payloads of this catalogue are far below the 24 bits of the field.
    let length = payload.len() as u32;
    FrameHeader { length, kind, flags, stream }.put(&mut bytes);
    bytes.extend_from_slice(payload);
    bytes
}

/// A whole header block in one frame.
fn headers(stream: StreamId, block: Block, more: u8) -> Vec<u8> {
    frame(Kind::Headers, flag::END_HEADERS | more, stream, &block.done())
}

/// A good head and a good body.
pub(super) fn whole(stream: StreamId) -> Vec<u8> {
    [head(stream), hello(stream)].concat()
}

/// A good head, and half of its body.
pub(super) fn half(stream: StreamId) -> Vec<u8> {
    [head(stream), frame(Kind::Data, 0, stream, b"hel")].concat()
}

/// The beginning of a head.
pub(super) fn half_head(stream: StreamId) -> Vec<u8> {
    frame(Kind::Headers, 0, stream, &[0x88])
}

/// A good head for a body of five bytes.
fn head(stream: StreamId) -> Vec<u8> {
    headers(stream, Block::answer(200).field("content-length", "5"), 0)
}

/// The body of five bytes, and the end of the stream.
fn hello(stream: StreamId) -> Vec<u8> {
    frame(Kind::Data, flag::END_STREAM, stream, b"hello")
}

/// Frames in a row, and the connection is kept.
fn kept(frames: &[Vec<u8>]) -> Misdeed {
    ending(frames, End::Keep)
}

/// Frames in a row that are a good answer after all.
fn good(frames: &[Vec<u8>]) -> Misdeed {
    Misdeed::Connection(Script::bytes(200, frames.concat(), End::Keep))
}

/// Frames in a row, and what becomes of the connection.
pub(super) fn ending(frames: &[Vec<u8>], end: End) -> Misdeed {
    Misdeed::Connection(Script::bytes(0, frames.concat(), end))
}

/// Frames in a row, a moment for the client to read them, and what becomes of the connection.
pub(super) fn ending_soon(frames: &[Vec<u8>], end: End) -> Misdeed {
    let steps = vec![Step::Flow(Flow::once(frames.concat())), Step::Pause(MOMENT)];
    Misdeed::Connection(Script { status: 0, steps, end })
}

/// Frames in a row, and then one without end.
fn endless(frames: &[Vec<u8>], again: &[u8]) -> Misdeed {
    // Blocks of some kilobytes cost no more to send than one short frame.
    let block = again.repeat(4096 / again.len().max(1) + 1);
    let steps = vec![Step::Flow(Flow::once(frames.concat())), Step::Flow(Flow::endless(block))];
    Misdeed::Connection(Script { status: 0, steps, end: End::Close })
}
