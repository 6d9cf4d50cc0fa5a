//! Frames that make up answers.

use super::reader::{Block, Data};
use super::streams::Stream;
use super::{CONNECTION_WINDOW, Client, Effects, Fields, STREAM_WINDOW};
use crate::h2::error::H2Error;
use crate::h2::events::{Events, StreamFailure};
use crate::h2::frame::{self, ErrorCode, FrameHeader, Kind, StreamId, flag};
use crate::h2::hpack::Excess;
use crate::{HEAD_BYTES_MAX, INTERIM_MAX};

impl Client {
    #[inline]
    pub(super) fn headers<E: Events>(
        &mut self,
        header: &FrameHeader,
        payload: &[u8],
        to: &mut Effects<'_, E>,
    ) -> Result<(), H2Error> {
        self.expect_answerable(header)?;
        let (id, ends) = (header.stream, header.has(flag::END_STREAM));
        let fragment = fragment(header, payload)?;
        if let Some(stream) = self.streams.get_mut(id) {
            stream.answered = true;
        }
        if header.has(flag::END_HEADERS) {
            return self.block(id, fragment, ends, to);
        }
        self.reader.block = Some(Block { id, ends, frames: 1, bytes: fragment.to_vec() });
        Ok(())
    }

    pub(super) fn continuation<E: Events>(
        &mut self,
        header: &FrameHeader,
        payload: &[u8],
        to: &mut Effects<'_, E>,
    ) -> Result<(), H2Error> {
        let Some(mut block) = self.reader.block.take() else {
            return Err(H2Error::LoneContinuation { stream: header.stream });
        };
        if block.bytes.len() + payload.len() > HEAD_BYTES_MAX {
            return Err(H2Error::HeadTooLarge);
        }
        block.bytes.extend_from_slice(payload);
        block.frames += 1;
        if header.has(flag::END_HEADERS) {
            return self.block(block.id, &block.bytes, block.ends, to);
        }
        self.reader.block = Some(block);
        Ok(())
    }

    /// Reads a whole header block; that of a stream which is gone too, as it changes the table.
    #[inline]
    fn block<E: Events>(
        &mut self,
        id: StreamId,
        block: &[u8],
        ends: bool,
        to: &mut Effects<'_, E>,
    ) -> Result<(), H2Error> {
        self.fields.clear();
        let excess = self.decoder.decode(block, |name, value| self.fields.add(name, value))?;
        let Some(stream) = self.streams.get_mut(id) else { return Ok(()) };
        let read = match excess {
            Some(Excess::Fields) => Err(H2Error::TooManyHeaders),
            Some(Excess::Bytes) => Err(H2Error::HeadTooLarge),
            None => self.fields.finish().and_then(|()| stream.fields(&self.fields, ends, to.events)),
        };
        match read {
            Ok(()) if ends => self.done(id, to),
            Ok(()) => Ok(()),
            Err(error) => self.fail(id, error, to),
        }
    }

    /// Begins a `DATA` frame. All of it, padding included, counts against the windows at once: nothing of it waits
    /// here, so the room is given back as soon as half of a window is used.
    #[inline]
    pub(super) fn begin_data<E: Events>(
        &mut self,
        header: &FrameHeader,
        to: &mut Effects<'_, E>,
    ) -> Result<Data, H2Error> {
        self.expect_answerable(header)?;
        let (id, length, ends) = (header.stream, header.length, header.has(flag::END_STREAM));
        let is_padded = header.has(flag::PADDED);
        if is_padded && length == 0 {
            return Err(H2Error::FrameLength { kind: Kind::Data, length, expected: "the length of the padding" });
        }
        self.use_connection_window(length, to)?;
        if let Some(stream) = self.streams.get_mut(id)
            && let Err(error) = stream.use_window(length)
        {
            self.fail(id, error, to)?;
        }
        if !ends {
            self.widen_stream(id, to)?;
        }
        if !is_padded {
            self.announce_body(id, length, to)?;
        }
        Ok(Data { id, is_padded, body: length, padding: 0, ends })
    }

    /// A frame with so many body bytes has begun. That they are too many is said before any of them is passed on.
    #[inline]
    pub(super) fn announce_body<E: Events>(
        &mut self,
        id: StreamId,
        bytes: u32,
        to: &mut Effects<'_, E>,
    ) -> Result<(), H2Error> {
        let Some(stream) = self.streams.get_mut(id) else { return Ok(()) };
        stream.got += u64::from(bytes);
        match stream.expected {
            Some(expected) if stream.got > expected => {
                let got = stream.got;
                self.fail(id, H2Error::LengthMismatch { expected, got }, to)
            }
            _ => Ok(()),
        }
    }

    /// Passes on a piece of a body, unless its stream is gone.
    #[inline]
    pub(super) fn body<E: Events>(&mut self, id: StreamId, piece: &[u8], to: &mut Effects<'_, E>) {
        if self.streams.get_mut(id).is_some() {
            to.events.body(id, piece);
        }
    }

    #[inline]
    pub(super) fn end_of_body<E: Events>(&mut self, id: StreamId, to: &mut Effects<'_, E>) -> Result<(), H2Error> {
        let Some(stream) = self.streams.get_mut(id) else { return Ok(()) };
        match stream.check_length() {
            Ok(()) => self.done(id, to),
            Err(error) => self.fail(id, error, to),
        }
    }

    /// Fails one stream for what the server did on it, and tells the server.
    #[cold]
    pub(super) fn fail<E: Events>(
        &mut self,
        id: StreamId,
        error: H2Error,
        to: &mut Effects<'_, E>,
    ) -> Result<(), H2Error> {
        if self.remove(id).is_some() {
            let code = error.code();
            to.events.failed(id, StreamFailure::Violation(error));
            self.owe(4)?;
            self.reset(id, code, to.out);
        }
        Ok(())
    }

    #[inline]
    fn done<E: Events>(&mut self, id: StreamId, to: &mut Effects<'_, E>) -> Result<(), H2Error> {
        let Some(stream) = self.remove(id) else { return Ok(()) };
        to.events.done(id);
        // A complete answer is a sign that the server reads.
        self.owed_bytes = 0;
        if stream.unsent.is_some() {
            // Answered before all was asked (RFC 9113 section 8.1): the rest of the body is not sent.
            self.reset(id, ErrorCode::CANCEL, to.out);
        }
        Ok(())
    }

    /// `HEADERS` and `DATA` must be of a stream that is open, or be late.
    #[inline]
    fn expect_answerable(&mut self, header: &FrameHeader) -> Result<(), H2Error> {
        let (kind, stream) = (header.kind, header.stream);
        self.expect_opened(header)?;
        if stream > self.newest_reset && self.streams.get_mut(stream).is_none() {
            return Err(H2Error::StreamClosed { kind, stream });
        }
        Ok(())
    }

    #[inline]
    fn use_connection_window<E>(&mut self, length: u32, to: &mut Effects<'_, E>) -> Result<(), H2Error> {
        let (stream, window) = (StreamId::CONNECTION, self.receive_window);
        let overrun = H2Error::WindowOverrun { stream, window, length };
        self.receive_window = window.checked_sub(length).ok_or(overrun)?;
        if self.receive_window <= CONNECTION_WINDOW / 2 {
            self.owe(4)?;
            frame::put_window_update(to.out, stream, CONNECTION_WINDOW - self.receive_window);
            self.receive_window = CONNECTION_WINDOW;
        }
        Ok(())
    }

    #[inline]
    fn widen_stream<E>(&mut self, id: StreamId, to: &mut Effects<'_, E>) -> Result<(), H2Error> {
        let half_used = |stream: &&mut Stream| stream.receive_window <= STREAM_WINDOW / 2;
        if let Some(stream) = self.streams.get_mut(id).filter(half_used) {
            frame::put_window_update(to.out, id, STREAM_WINDOW - stream.receive_window);
            stream.receive_window = STREAM_WINDOW;
            self.owe(4)?;
        }
        Ok(())
    }
}

impl Stream {
    /// Takes the fields of a header block: an interim head, the head, or trailers.
    #[inline]
    fn fields(&mut self, fields: &Fields, ends: bool, events: &mut impl Events) -> Result<(), H2Error> {
        if self.has_head {
            return self.trailers(fields, ends, events);
        }
        let status = fields.status().ok_or(H2Error::NoStatus)?;
        if status < 200 {
            return self.interim(fields, status, ends, events);
        }
        let is_bodiless = self.request_is_head || matches!(status, 204 | 304);
        self.expected = if is_bodiless { Some(0) } else { fields.length() };
        self.has_head = true;
        events.head(self.id, &fields.head(status));
        if ends { self.check_length() } else { Ok(()) }
    }

    #[cold]
    fn interim(&mut self, fields: &Fields, status: u16, ends: bool, events: &mut impl Events) -> Result<(), H2Error> {
        if status == 101 {
            return Err(H2Error::UnexpectedUpgrade);
        }
        if ends {
            return Err(H2Error::InterimEnd);
        }
        self.interim += 1;
        if self.interim > INTERIM_MAX {
            return Err(H2Error::TooManyInterim);
        }
        events.interim(self.id, &fields.head(status));
        Ok(())
    }

    #[cold]
    fn trailers(&mut self, fields: &Fields, ends: bool, events: &mut impl Events) -> Result<(), H2Error> {
        if !ends {
            return Err(H2Error::OpenTrailers);
        }
        if fields.status().is_some() {
            return Err(H2Error::PseudoField { seen: ":status".into() });
        }
        self.check_length()?;
        fields.iter().for_each(|field| events.trailer(self.id, field.name, field.value));
        Ok(())
    }

    /// Whether the body that has ended is as long as announced.
    fn check_length(&self) -> Result<(), H2Error> {
        match (self.expected, self.got) {
            (Some(expected), got) if got != expected => Err(H2Error::LengthMismatch { expected, got }),
            _ => Ok(()),
        }
    }

    fn use_window(&mut self, length: u32) -> Result<(), H2Error> {
        if !self.has_head {
            return Err(H2Error::DataBeforeHeaders);
        }
        let (stream, window) = (self.id, self.receive_window);
        let overrun = H2Error::WindowOverrun { stream, window, length };
        self.receive_window = window.checked_sub(length).ok_or(overrun)?;
        Ok(())
    }
}

/// The part of a header block in `HEADERS`: without padding and priority.
#[inline]
fn fragment<'p>(header: &FrameHeader, payload: &'p [u8]) -> Result<&'p [u8], H2Error> {
    let kind = Kind::Headers;
    let too_short = H2Error::FrameLength { kind, length: header.length, expected: "room for padding and priority" };
    let mut rest = payload;
    let mut padding = 0;
    if header.has(flag::PADDED) {
        let (&first, tail) = rest.split_first().ok_or(too_short.clone())?;
        (padding, rest) = (usize::from(first), tail);
    }
    if header.has(flag::PRIORITY) {
        rest = rest.get(5..).ok_or(too_short)?;
    }
    let block_bytes = rest.len().checked_sub(padding).ok_or(H2Error::Padding { kind })?;
    Ok(&rest[..block_bytes])
}
