//! Taking frames, and what they ask for.

use super::streams::Phase;
use super::{CONNECTION_WINDOW, STREAM_WINDOW, Session, Violation};
use crate::routes::Desk;
use plimsoll_http::h2::frame::{ErrorCode, FRAME_BYTES_DEFAULT, FRAME_BYTES_MAX, FrameHeader, Kind, StreamId};
use plimsoll_http::h2::frame::{WINDOW_MAX, flag, setting};
use plimsoll_http::h2::frame::{put_ping, put_settings_ack, put_window_update};
use std::time::Duration;

/// A header block of which more is to come.
#[derive(Debug)]
pub(super) struct Unfinished {
    stream: StreamId,
    end_stream: bool,
    bytes: Vec<u8>,
}

// A block that is longer than this before decompression is no head of a request.
const BLOCK_BYTES_MAX: usize = 64 << 10;
// What our table of header compression holds (RFC 7541); a client's smaller one has to be acknowledged.
const TABLE_BYTES: u32 = 4096;

impl Session {
    /// Takes whole frames from the front of `input`, until something befalls the connection.
    pub(super) fn take_frames(&mut self, input: &mut &[u8], now: Duration, desk: &mut Desk) -> Result<(), Violation> {
        while self.misdeed.is_none()
            && let Some((header, payload)) = next_frame(input)?
        {
            self.take(&header, payload, now, desk)?;
        }
        Ok(())
    }

    fn take(&mut self, header: &FrameHeader, payload: &[u8], now: Duration, desk: &mut Desk) -> Result<(), Violation> {
        let id = header.stream;
        if let Some(block) = &self.block
            && (header.kind != Kind::Continuation || block.stream != id)
        {
            return violation(ErrorCode::PROTOCOL_ERROR, "a frame within a header block");
        }
        if !self.is_introduced && (header.kind != Kind::Settings || header.has(flag::ACK)) {
            return violation(ErrorCode::PROTOCOL_ERROR, "a first frame that is no SETTINGS");
        }
        let belongs = match header.kind {
            Kind::Settings | Kind::Ping | Kind::Goaway => id == StreamId::CONNECTION,
            Kind::WindowUpdate | Kind::Unknown(_) => true,
            _ => id.is_clients(),
        };
        if !belongs {
            return violation(ErrorCode::PROTOCOL_ERROR, "a frame on a stream where it does not belong");
        }
        match header.kind {
            Kind::Data => self.data(header, payload, now, desk),
            Kind::Headers => self.headers(header, payload, now, desk),
            Kind::Continuation => self.continuation(header, payload, now, desk),
            Kind::RstStream => self.reset(id, payload, desk),
            Kind::Settings => self.settings(header, payload),
            Kind::Ping => self.ping(header, payload),
            Kind::WindowUpdate => self.window_update(id, payload),
            Kind::PushPromise => violation(ErrorCode::PROTOCOL_ERROR, "a PUSH_PROMISE of a client"),
            Kind::Priority if payload.len() != 5 => {
                violation(ErrorCode::FRAME_SIZE_ERROR, "a PRIORITY of wrong length")
            }
            // A client that will open no more streams is served as any other; advice and what is unknown is ignored.
            Kind::Goaway | Kind::Priority | Kind::Unknown(_) => Ok(()),
        }
    }

    fn headers(
        &mut self,
        header: &FrameHeader,
        payload: &[u8],
        now: Duration,
        desk: &mut Desk,
    ) -> Result<(), Violation> {
        let mut fragment = unpadded(header, payload)?;
        if header.has(flag::PRIORITY) {
            let Some((_, rest)) = fragment.split_at_checked(5) else {
                return violation(ErrorCode::FRAME_SIZE_ERROR, "a HEADERS frame without its priority");
            };
            fragment = rest;
        }
        let end_stream = header.has(flag::END_STREAM);
        if header.has(flag::END_HEADERS) {
            return self.block(header.stream, end_stream, fragment, now, desk);
        }
        self.block = Some(Unfinished { stream: header.stream, end_stream, bytes: fragment.to_vec() });
        Ok(())
    }

    fn continuation(
        &mut self,
        header: &FrameHeader,
        payload: &[u8],
        now: Duration,
        desk: &mut Desk,
    ) -> Result<(), Violation> {
        let Some(mut block) = self.block.take() else {
            return violation(ErrorCode::PROTOCOL_ERROR, "a CONTINUATION of nothing");
        };
        block.bytes.extend_from_slice(payload);
        if block.bytes.len() > BLOCK_BYTES_MAX {
            return violation(ErrorCode::ENHANCE_YOUR_CALM, "a header block that is too long");
        }
        if header.has(flag::END_HEADERS) {
            return self.block(block.stream, block.end_stream, &block.bytes, now, desk);
        }
        self.block = Some(block);
        Ok(())
    }

    /// Takes a whole header block, which always has to be read: the next one may refer to it.
    fn block(
        &mut self,
        id: StreamId,
        end_stream: bool,
        block: &[u8],
        now: Duration,
        desk: &mut Desk,
    ) -> Result<(), Violation> {
        self.head.clear();
        let head = &mut self.head;
        let Ok(excess) = self.decoder.decode(block, |name, value| head.take(name, value)) else {
            return violation(ErrorCode::COMPRESSION_ERROR, "a header block that cannot be read");
        };
        if id <= self.highest {
            self.trailers(id, end_stream, now, desk);
            return Ok(());
        }
        self.highest = id;
        if self.leaves_after.is_some() {
            // The client has not read our GOAWAY yet; there it will see that this was not looked at.
            return Ok(());
        }
        desk.tally.stream();
        if self.streams.count() >= self.streams_max as usize {
            desk.tally.stream_refused();
            self.reset_stream(id, ErrorCode::REFUSED_STREAM);
        } else if excess.is_some() {
            self.refuse(id, !end_stream, 431, now, desk);
        } else if self.head.flaw().is_some() {
            desk.tally.refused();
            self.reset_stream(id, ErrorCode::PROTOCOL_ERROR);
        } else {
            self.open(id, end_stream, now, desk);
        }
        Ok(())
    }

    /// A second block of fields on a stream.
    fn trailers(&mut self, id: StreamId, end_stream: bool, now: Duration, desk: &mut Desk) {
        let Some(stream) = self.streams.get(id) else {
            // Of a stream that is over: it was on its way.
            return;
        };
        if !stream.is_open {
            return self.reset_stream(id, ErrorCode::STREAM_CLOSED);
        }
        if !end_stream || self.head.flaw_of_trailers().is_some() {
            desk.tally.refused();
            return self.reset_stream(id, ErrorCode::PROTOCOL_ERROR);
        }
        if matches!(stream.phase, Phase::Request(_)) {
            return self.request_ends(id, now, desk);
        }
        // Answered early.
        stream.is_open = false;
    }

    fn data(&mut self, header: &FrameHeader, payload: &[u8], now: Duration, desk: &mut Desk) -> Result<(), Violation> {
        let id = header.stream;
        if id > self.highest {
            return violation(ErrorCode::PROTOCOL_ERROR, "a DATA frame before its HEADERS");
        }
        let body = unpadded(header, payload)?;
        self.make_room(header.length)?;
        let Some(stream) = self.streams.get(id) else {
            return Ok(());
        };
        if !stream.is_open {
            self.reset_stream(id, ErrorCode::STREAM_CLOSED);
            return Ok(());
        }
        let Phase::Request(request) = &mut stream.phase else {
            // Answered early: the body is of no interest, and gets no more room.
            stream.is_open = !header.has(flag::END_STREAM);
            return Ok(());
        };
        let taken = request.take(body);
        stream.taken += header.length;
        if stream.taken > STREAM_WINDOW {
            self.reset_stream(id, ErrorCode::FLOW_CONTROL_ERROR);
        } else if let Err(status) = taken {
            match status {
                0 => {
                    desk.tally.refused();
                    self.reset_stream(id, ErrorCode::PROTOCOL_ERROR);
                }
                status => self.refuse(id, !header.has(flag::END_STREAM), status, now, desk),
            }
        } else if header.has(flag::END_STREAM) {
            self.request_ends(id, now, desk);
        } else if stream.taken > STREAM_WINDOW / 2 {
            put_window_update(&mut self.control, id, std::mem::take(&mut stream.taken));
        }
        Ok(())
    }

    /// Gives the client the room back that its bodies took of the connection.
    fn make_room(&mut self, taken: u32) -> Result<(), Violation> {
        self.taken += taken;
        if self.taken > CONNECTION_WINDOW {
            return violation(ErrorCode::FLOW_CONTROL_ERROR, "more than the window of the connection");
        }
        if self.taken > CONNECTION_WINDOW / 2 {
            put_window_update(&mut self.control, StreamId::CONNECTION, std::mem::take(&mut self.taken));
        }
        Ok(())
    }

    fn reset(&mut self, id: StreamId, payload: &[u8], desk: &Desk) -> Result<(), Violation> {
        if payload.len() != 4 {
            return violation(ErrorCode::FRAME_SIZE_ERROR, "a RST_STREAM of wrong length");
        }
        if id > self.highest {
            return violation(ErrorCode::PROTOCOL_ERROR, "a RST_STREAM before its HEADERS");
        }
        if self.streams.remove(id).is_some() {
            desk.tally.stream_reset();
        }
        Ok(())
    }

    fn settings(&mut self, header: &FrameHeader, payload: &[u8]) -> Result<(), Violation> {
        if header.has(flag::ACK) {
            return match payload {
                [] => Ok(()),
                _ => violation(ErrorCode::FRAME_SIZE_ERROR, "an acknowledgement that says more"),
            };
        }
        let (settings, []) = payload.as_chunks::<6>() else {
            return violation(ErrorCode::FRAME_SIZE_ERROR, "a SETTINGS of wrong length");
        };
        for [i0, i1, v0, v1, v2, v3] in settings {
            self.set(u16::from_be_bytes([*i0, *i1]), u32::from_be_bytes([*v0, *v1, *v2, *v3]))?;
        }
        self.is_introduced = true;
        put_settings_ack(&mut self.control);
        Ok(())
    }

    fn set(&mut self, id: u16, value: u32) -> Result<(), Violation> {
        match id {
            setting::HEADER_TABLE_SIZE => self.line.owes_resize |= value < TABLE_BYTES,
            setting::ENABLE_PUSH if value > 1 => {
                return violation(ErrorCode::PROTOCOL_ERROR, "a setting about pushes that is neither 0 nor 1");
            }
            setting::INITIAL_WINDOW_SIZE => {
                let by = i64::from(value) - self.window_first;
                self.window_first = i64::from(value);
                if value > WINDOW_MAX || !self.streams.widen_all(by) {
                    return violation(ErrorCode::FLOW_CONTROL_ERROR, "a window beyond 31 bits");
                }
            }
            setting::MAX_FRAME_SIZE => {
                if !(FRAME_BYTES_DEFAULT..=FRAME_BYTES_MAX).contains(&value) {
                    return violation(ErrorCode::PROTOCOL_ERROR, "a frame size out of bounds");
                }
                self.line.frame_bytes_max = value as usize;
            }
            _ => {}
        }
        Ok(())
    }

    fn ping(&mut self, header: &FrameHeader, payload: &[u8]) -> Result<(), Violation> {
        let Ok(opaque) = payload.try_into() else {
            return violation(ErrorCode::FRAME_SIZE_ERROR, "a PING of wrong length");
        };
        if !header.has(flag::ACK) {
            put_ping(&mut self.control, true, opaque);
        }
        Ok(())
    }

    fn window_update(&mut self, id: StreamId, payload: &[u8]) -> Result<(), Violation> {
        let Ok(bytes) = payload.try_into() else {
            return violation(ErrorCode::FRAME_SIZE_ERROR, "a WINDOW_UPDATE of wrong length");
        };
        let by = u32::from_be_bytes(bytes) & WINDOW_MAX;
        if id > self.highest {
            return violation(ErrorCode::PROTOCOL_ERROR, "a WINDOW_UPDATE before its HEADERS");
        }
        if id == StreamId::CONNECTION {
            self.line.window += i64::from(by);
            self.streams.feed();
            if by == 0 || self.line.window > i64::from(WINDOW_MAX) {
                return violation(ErrorCode::FLOW_CONTROL_ERROR, "a window of the connection beyond its bounds");
            }
        } else if by == 0 {
            self.reset_stream(id, ErrorCode::PROTOCOL_ERROR);
        } else if !self.streams.widen(id, i64::from(by)) {
            self.reset_stream(id, ErrorCode::FLOW_CONTROL_ERROR);
        }
        Ok(())
    }
}

/// The frame at the front of `input`, if it is there as a whole.
fn next_frame<'a>(input: &mut &'a [u8]) -> Result<Option<(FrameHeader, &'a [u8])>, Violation> {
    let Some((header, rest)) = input.split_first_chunk() else {
        return Ok(None);
    };
    let header = FrameHeader::parse(header);
    if header.length > FRAME_BYTES_DEFAULT {
        return violation(ErrorCode::FRAME_SIZE_ERROR, "a frame that is longer than allowed");
    }
    let Some((payload, rest)) = rest.split_at_checked(header.length as usize) else {
        return Ok(None);
    };
    *input = rest;
    Ok(Some((header, payload)))
}

/// The payload without its padding.
fn unpadded<'a>(header: &FrameHeader, payload: &'a [u8]) -> Result<&'a [u8], Violation> {
    if !header.has(flag::PADDED) {
        return Ok(payload);
    }
    let inner = payload.split_first().and_then(|(&padding, rest)| rest.len().checked_sub(usize::from(padding)));
    match inner {
        Some(length) => Ok(&payload[1..=length]),
        None => violation(ErrorCode::PROTOCOL_ERROR, "padding that is longer than its frame"),
    }
}

fn violation<T>(code: ErrorCode, why: &'static str) -> Result<T, Violation> {
    Err(Violation { code, why })
}
