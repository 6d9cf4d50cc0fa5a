//! Frames as they are sent.

use super::header::{FrameHeader, Kind, StreamId, flag};
use super::{ErrorCode, WINDOW_MAX};

/// Appends `SETTINGS` with these values, by the numbers of [`setting`](super::setting).
pub fn put_settings(out: &mut Vec<u8>, settings: &[(u16, u32)]) {
    put_header(out, settings.len() * 6, Kind::Settings, 0, StreamId::CONNECTION);
    for (id, value) in settings {
        out.extend_from_slice(&id.to_be_bytes());
        out.extend_from_slice(&value.to_be_bytes());
    }
}

/// Appends the acknowledgement of the other side's `SETTINGS`.
pub fn put_settings_ack(out: &mut Vec<u8>) {
    put_header(out, 0, Kind::Settings, flag::ACK, StreamId::CONNECTION);
}

/// Appends a `PING`, or the answer to one.
pub fn put_ping(out: &mut Vec<u8>, ack: bool, opaque: [u8; 8]) {
    put_header(out, 8, Kind::Ping, if ack { flag::ACK } else { 0 }, StreamId::CONNECTION);
    out.extend_from_slice(&opaque);
}

/// Appends `GOAWAY`: streams above `last` were not looked at. `debug` is text for whoever reads a trace.
pub fn put_goaway(out: &mut Vec<u8>, last: StreamId, code: ErrorCode, debug: &[u8]) {
    put_header(out, 8 + debug.len(), Kind::Goaway, 0, StreamId::CONNECTION);
    out.extend_from_slice(&last.get().to_be_bytes());
    out.extend_from_slice(&code.0.to_be_bytes());
    out.extend_from_slice(debug);
}

/// Appends `RST_STREAM`.
pub fn put_rst_stream(out: &mut Vec<u8>, stream: StreamId, code: ErrorCode) {
    put_header(out, 4, Kind::RstStream, 0, stream);
    out.extend_from_slice(&code.0.to_be_bytes());
}

/// Appends `WINDOW_UPDATE`: room for `increment` more bytes, at most [`WINDOW_MAX`].
pub fn put_window_update(out: &mut Vec<u8>, stream: StreamId, increment: u32) {
    put_header(out, 4, Kind::WindowUpdate, 0, stream);
    out.extend_from_slice(&(increment & WINDOW_MAX).to_be_bytes());
}

/// Appends a header block as `HEADERS`, and as `CONTINUATION` what exceeds `frame_bytes_max`, which must not be 0.
#[inline]
pub fn put_headers(out: &mut Vec<u8>, stream: StreamId, block: &[u8], end_stream: bool, frame_bytes_max: usize) {
    let (mut now, mut rest) = block.split_at(block.len().min(frame_bytes_max));
    let mut kind = Kind::Headers;
    let mut flags = if end_stream { flag::END_STREAM } else { 0 };
    loop {
        if rest.is_empty() {
            flags |= flag::END_HEADERS;
        }
        put_header(out, now.len(), kind, flags, stream);
        out.extend_from_slice(now);
        if rest.is_empty() {
            return;
        }
        (kind, flags) = (Kind::Continuation, 0);
        (now, rest) = rest.split_at(rest.len().min(frame_bytes_max));
    }
}

/// Appends one `DATA` frame; the caller keeps to the frame size and the windows.
pub fn put_data(out: &mut Vec<u8>, stream: StreamId, bytes: &[u8], end_stream: bool) {
    put_header(out, bytes.len(), Kind::Data, if end_stream { flag::END_STREAM } else { 0 }, stream);
    out.extend_from_slice(bytes);
}

#[inline]
fn put_header(out: &mut Vec<u8>, length: usize, kind: Kind, flags: u8, stream: StreamId) {
    // The field has 24 bits; every writer's payload is far below that.
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    FrameHeader { length, kind, flags, stream }.put(out);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(put: impl FnOnce(&mut Vec<u8>), expected: &[u8]) {
        let mut out = Vec::new();
        put(&mut out);
        assert_eq!(out, expected);
    }

    #[test]
    fn frames() {
        let five = StreamId::new(5);
        check(|out| put_settings(out, &[(4, 258)]), &[0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 1, 2]);
        check(put_settings_ack, &[0, 0, 0, 4, 1, 0, 0, 0, 0]);
        check(|out| put_ping(out, true, *b"12345678"), b"\0\0\x08\x06\x01\0\0\0\x0012345678");
        check(
            |out| put_goaway(out, five, ErrorCode::CANCEL, b"hi"),
            &[0, 0, 10, 7, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 8, b'h', b'i'],
        );
        check(|out| put_rst_stream(out, five, ErrorCode::CANCEL), &[0, 0, 4, 3, 0, 0, 0, 0, 5, 0, 0, 0, 8]);
        check(|out| put_window_update(out, five, 1), &[0, 0, 4, 8, 0, 0, 0, 0, 5, 0, 0, 0, 1]);
        check(|out| put_data(out, five, b"x", true), &[0, 0, 1, 0, 1, 0, 0, 0, 5, b'x']);
    }

    #[test]
    fn header_blocks_are_split() {
        let put = |block: &'static [u8], max: usize| {
            move |out: &mut Vec<u8>| {
                put_headers(out, StreamId::new(1), block, true, max);
            }
        };
        check(put(b"ab", 2), &[0, 0, 2, 1, 5, 0, 0, 0, 1, b'a', b'b']);
        check(
            put(b"abc", 1),
            &[
                0, 0, 1, 1, 1, 0, 0, 0, 1, b'a', // HEADERS, END_STREAM
                0, 0, 1, 9, 0, 0, 0, 0, 1, b'b', // CONTINUATION
                0, 0, 1, 9, 4, 0, 0, 0, 1, b'c', // CONTINUATION, END_HEADERS
            ],
        );
        check(put(b"", 1), &[0, 0, 0, 1, 5, 0, 0, 0, 1]);
    }
}
