//! The client's side of one connection.
//!
//! `reader` cuts what comes into frames, `frames` obeys those about the connection, `answers` those that make up
//! answers, `sender` lets bodies go as windows allow. All of them are steps of one [`Client`], whose fields say what a
//! connection is.
//!
//! Late frames of a stream that we reset are ignored, as they must be. Which streams those are is not remembered one by
//! one, since a server may never mention them again: up to the newest of them, frames of streams that are gone count as
//! late, and beyond it as a violation. So a server is never accused falsely, and memory is bounded.

mod answers;
mod blocks;
mod fields;
mod frames;
mod reader;
mod sender;
mod streams;

use std::sync::Arc;

use super::error::{H2Error, OWED_BYTES_MAX};
use super::events::{Events, StreamFailure};
use super::frame::{self, ErrorCode, StreamId, setting};
use super::hpack::Decoder;
use super::request::Request;
use crate::HEAD_BYTES_MAX;
use blocks::Blocks;
use fields::Fields;
use reader::Reader;
use sender::Sender;
use streams::{Stream, Streams, Unsent};

/// The window each stream begins with: an answer below half of it costs no `WINDOW_UPDATE`.
const STREAM_WINDOW: u32 = 1 << 20;
/// The window of the connection.
const CONNECTION_WINDOW: u32 = 1 << 24;
/// How many streams may be open before the server has said how many (RFC 9113 section 6.5.2 advises servers to allow
/// that many).
const STREAMS_UNTIL_TOLD: u32 = 100;

/// The client's side of one HTTP/2 connection; see the [module](super).
///
/// Everywhere, `out` is what the server has not been sent yet: the caller removes from its front what it has written,
/// and nothing else. Bodies go into it piece by piece, so after writing call [`resume`](Self::resume).
#[derive(Debug)]
pub struct Client {
    reader: Reader,
    decoder: Decoder,
    fields: Fields,
    blocks: Blocks,
    streams: Streams,
    sender: Sender,
    /// The number the next stream gets; above [`StreamId::MAX`] when there are none left.
    next_id: u32,
    /// The newest stream that we reset.
    newest_reset: StreamId,
    /// How many streams the server lets us have open.
    streams_max: u32,
    /// What the server may still send on the whole connection.
    receive_window: u32,
    /// Whether the server's first settings have come.
    is_settled: bool,
    goaway: Option<Goaway>,
    /// How many bytes of `out`, at most, are answers to frames.
    owed_bytes: usize,
    is_over: bool,
}

/// What the server said when it closed the connection to new streams.
#[derive(Debug, Clone, Copy)]
struct Goaway {
    last: StreamId,
    code: ErrorCode,
}

/// Where the effects of frames go.
struct Effects<'a, E> {
    out: &'a mut Vec<u8>,
    events: &'a mut E,
}

impl Client {
    /// Starts a connection: the preface, our settings, and a window for the connection. Streams may be opened at once.
    pub fn new(out: &mut Vec<u8>) -> Self {
        out.extend_from_slice(frame::PREFACE);
        let settings = [
            (setting::ENABLE_PUSH, 0),
            (setting::INITIAL_WINDOW_SIZE, STREAM_WINDOW),
            (setting::MAX_HEADER_LIST_SIZE, HEAD_BYTES_MAX as u32),
        ];
        frame::put_settings(out, &settings);
        frame::put_window_update(out, StreamId::CONNECTION, CONNECTION_WINDOW - frame::WINDOW_DEFAULT);
        Self {
            reader: Reader::default(),
            decoder: Decoder::new(),
            fields: Fields::default(),
            blocks: Blocks::default(),
            streams: Streams::default(),
            sender: Sender::default(),
            next_id: 1,
            newest_reset: StreamId::CONNECTION,
            streams_max: STREAMS_UNTIL_TOLD,
            receive_window: CONNECTION_WINDOW,
            is_settled: false,
            goaway: None,
            owed_bytes: 0,
            is_over: false,
        }
    }

    /// Whether another stream may be opened now.
    #[inline]
    pub fn has_room(&self) -> bool {
        !self.is_closing() && self.streams.len() < self.streams_max as usize
    }

    /// Whether no stream will ever be opened here again: the server said so, the numbers are used up, or the
    /// connection is over. Streams that are open may still be answered.
    #[inline]
    pub fn is_closing(&self) -> bool {
        self.is_over || self.goaway.is_some() || self.next_id > StreamId::MAX.get()
    }

    /// How many streams the server allows at once; none until its settings have come.
    #[inline]
    pub fn streams_allowed(&self) -> Option<u32> {
        self.is_settled.then_some(self.streams_max)
    }

    /// How many streams are open.
    #[inline]
    pub fn streams(&self) -> usize {
        self.streams.len()
    }

    /// Why the server closed the connection to new streams, if it did.
    pub fn goaway(&self) -> Option<ErrorCode> {
        self.goaway.map(|goaway| goaway.code)
    }

    /// Sends a request, with as much of its body as may go now; `None` when there is no room.
    #[inline]
    pub fn open(&mut self, request: &Arc<Request>, out: &mut Vec<u8>) -> Option<StreamId> {
        if !self.has_room() {
            return None;
        }
        let id = StreamId::new(self.next_id);
        self.next_id += 2;
        let has_body = !request.body().is_empty();
        frame::put_headers(out, id, self.blocks.block(request), !has_body, self.sender.frame_bytes_max());
        self.streams.insert(Stream {
            id,
            unsent: has_body.then(|| Unsent { request: Arc::clone(request), sent: 0 }),
            send_window: self.sender.stream_window(),
            receive_window: STREAM_WINDOW,
            expected: None,
            got: 0,
            interim: 0,
            answered: false,
            has_head: false,
            request_is_head: request.is_head(),
        });
        if has_body {
            self.sender.enqueue(id);
            self.sender.send(&mut self.streams, out);
        }
        Some(id)
    }

    /// Goes on with bodies that wait, as far as windows allow and until `out` holds enough to be written. Costs next
    /// to nothing when none wait.
    #[inline]
    pub fn resume(&mut self, out: &mut Vec<u8>) {
        self.sender.send(&mut self.streams, out);
    }

    /// Gives up a stream; there will be no more events of it. One that has ended is left alone.
    pub fn cancel(&mut self, id: StreamId, out: &mut Vec<u8>) {
        if self.remove(id).is_some() {
            self.reset(id, ErrorCode::CANCEL, out);
        }
    }

    /// Reads `input`, exactly what came from the server and nothing twice.
    ///
    /// # Errors
    /// When the server broke HTTP/2 such that nothing more can be read. Every open stream has failed then, and what is
    /// in `out` tells the server why; the caller writes that and closes.
    pub fn feed(&mut self, input: &[u8], out: &mut Vec<u8>, events: &mut impl Events) -> Result<(), H2Error> {
        if self.is_over {
            return Ok(());
        }
        self.owed_bytes = self.owed_bytes.min(out.len());
        self.read(input, &mut Effects { out, events }).inspect_err(|error| {
            self.is_over = true;
            // The server opens no streams, so the last of them is none.
            frame::put_goaway(out, StreamId::CONNECTION, error.code(), error.kind().as_bytes());
            self.fail_all(events, |_| StreamFailure::Violation(error.clone()));
        })
    }

    /// The server closed the connection, or it broke: every open stream fails.
    pub fn close(&mut self, events: &mut impl Events) {
        self.is_over = true;
        if let Some(id) = self.reader.unfinished()
            && let Some(stream) = self.streams.get_mut(id)
        {
            stream.answered = true;
        }
        self.fail_all(events, |stream| StreamFailure::Closed { answered: stream.answered });
    }

    /// Tells the server that nothing more will come; the caller writes `out` and closes.
    pub fn leave(&mut self, out: &mut Vec<u8>) {
        if !self.is_over {
            frame::put_goaway(out, StreamId::CONNECTION, ErrorCode::NO_ERROR, b"");
            self.is_over = true;
        }
    }

    /// Bytes of memory held for what has not come whole: at most one frame and one header block.
    pub fn kept_bytes(&self) -> usize {
        self.reader.kept_bytes()
    }

    fn fail_all(&mut self, events: &mut impl Events, failure: impl Fn(&Stream) -> StreamFailure) {
        for id in self.streams.ids() {
            if let Some(stream) = self.remove(id) {
                events.failed(id, failure(&stream));
            }
        }
    }

    fn remove(&mut self, id: StreamId) -> Option<Stream> {
        let stream = self.streams.remove(id)?;
        if stream.unsent.is_some() {
            self.sender.forget(id);
        }
        Some(stream)
    }

    /// Tells the server that a stream is given up, which was removed before.
    fn reset(&mut self, id: StreamId, code: ErrorCode, out: &mut Vec<u8>) {
        frame::put_rst_stream(out, id, code);
        self.newest_reset = self.newest_reset.max(id);
    }

    /// Notes that an answer to a frame is to be put into `out`.
    fn owe(&mut self, bytes: usize) -> Result<(), H2Error> {
        self.owed_bytes += frame::FrameHeader::BYTES + bytes;
        if self.owed_bytes > OWED_BYTES_MAX { Err(H2Error::Flood) } else { Ok(()) }
    }
}
