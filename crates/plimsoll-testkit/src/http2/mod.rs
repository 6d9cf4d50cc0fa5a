//! The server's side of a connection of HTTP/2 (RFC 9113) as a state machine, like [`session`](crate::session) for
//! HTTP/1.1: bytes in, bytes out, and what to wait for. Each stream is an exchange of its own; what is decided about
//! it is decided by the same behaviours. `receive` takes frames, `exchange` decides about
//! whole requests, `send` puts frames.
//!
//! Frames and header compression are those of `plimsoll-http`, which are held against their standards; what they are
//! used for is decided here, apart from the client that is tested.

mod block;
mod exchange;
mod receive;
mod request;
mod script;
mod send;
mod streams;

pub(crate) use block::Block;
pub(crate) use script::{Part, Script};

use crate::routes::Desk;
use crate::script::{End, Played, Player};
use crate::session::Next;
use crate::visit::Visit;
use plimsoll_http::h2::frame::{ErrorCode, FRAME_BYTES_DEFAULT, StreamId, WINDOW_DEFAULT, setting};
use plimsoll_http::h2::frame::{put_goaway, put_settings, put_window_update};
use plimsoll_http::h2::hpack::Decoder;
use request::Head;
use script::Line;
use std::time::Duration;
use streams::Streams;

/// One connection from the client's preface on.
#[derive(Debug)]
pub(crate) struct Session {
    streams_max: u32,
    visit: Visit,
    streams: Streams,
    decoder: Decoder,
    head: Head,
    // A header block of which more is to come.
    block: Option<receive::Unfinished>,
    line: Line,
    // Windows of new streams, as the client wants them.
    window_first: i64,
    // The highest stream of the client.
    highest: StreamId,
    // Bytes of bodies since the client was last given room.
    taken: u32,
    // The client has sent its settings, we have sent ours.
    is_introduced: bool,
    is_announced: bool,
    // What is to be sent before any stream sends.
    control: Vec<u8>,
    // Closed when the streams up to here are over.
    leaves_after: Option<StreamId>,
    // Something befalls the whole connection.
    misdeed: Option<Player>,
    // The rest of the input is of no interest.
    is_deaf: bool,
}

/// What a client did to end its connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Violation {
    code: ErrorCode,
    why: &'static str,
}

/// What clients may send on a stream before they are given more room.
const STREAM_WINDOW: u32 = 1 << 20;
/// The same for all streams together.
const CONNECTION_WINDOW: u32 = 16 << 20;

impl Session {
    /// A connection whose preface has just been read, with at most `streams_max` streams at once.
    pub(crate) fn new(streams_max: u32) -> Self {
        let window = i64::from(WINDOW_DEFAULT);
        Self {
            streams_max,
            visit: Visit::default(),
            streams: Streams::default(),
            decoder: Decoder::new(),
            head: Head::default(),
            block: None,
            line: Line { window, frame_bytes_max: FRAME_BYTES_DEFAULT as usize, owes_resize: false },
            window_first: window,
            highest: StreamId::CONNECTION,
            taken: 0,
            is_introduced: false,
            is_announced: false,
            control: Vec::new(),
            leaves_after: None,
            misdeed: None,
            is_deaf: false,
        }
    }

    /// Goes on as far as `input` and the room in `out` allow; what is used of `input` is taken from its front.
    pub(crate) fn advance(&mut self, now: Duration, input: &mut &[u8], out: &mut Vec<u8>, desk: &mut Desk) -> Next {
        loop {
            if let Some(next) = self.misbehave(now, input, out, desk) {
                return next;
            }
            let taken = self.take_frames(input, now, desk);
            self.announce();
            out.append(&mut self.control);
            if let Err(violation) = taken {
                return self.give_up(violation, out, desk);
            }
            if let Some(next) = self.send(now, out, desk) {
                return next;
            }
        }
    }

    /// Goes on with what befalls the connection; `None` where nothing does.
    fn misbehave(&mut self, now: Duration, input: &mut &[u8], out: &mut Vec<u8>, desk: &Desk) -> Option<Next> {
        if self.is_deaf {
            *input = &[];
            return Some(Next::Read);
        }
        let player = self.misdeed.as_mut()?;
        let end = match player.play(now, out) {
            Played::Until(due) => return Some(Next::Wait(due)),
            Played::Full => return Some(Next::Flush),
            Played::Finished(end) => end,
        };
        desk.tally.answered(player.status());
        self.misdeed = None;
        self.is_deaf = end != End::Keep;
        match end {
            End::Keep => None,
            End::Close => Some(Next::Close { linger: true }),
            End::Cut => Some(Next::Cut),
            End::Reset => Some(Next::Reset),
            End::Silence => {
                *input = &[];
                Some(Next::Read)
            }
        }
    }

    /// Our settings come first, whatever else there is to say. They wait until the client's first bytes are looked
    /// at, since some requests ask that they never come.
    fn announce(&mut self) {
        if std::mem::replace(&mut self.is_announced, true) {
            return;
        }
        let mut first = Vec::new();
        let settings =
            [(setting::MAX_CONCURRENT_STREAMS, self.streams_max), (setting::INITIAL_WINDOW_SIZE, STREAM_WINDOW)];
        put_settings(&mut first, &settings);
        put_window_update(&mut first, StreamId::CONNECTION, CONNECTION_WINDOW - WINDOW_DEFAULT);
        self.control.splice(0..0, first);
    }

    fn give_up(&mut self, violation: Violation, out: &mut Vec<u8>, desk: &Desk) -> Next {
        desk.tally.refused();
        put_goaway(out, self.highest, violation.code, violation.why.as_bytes());
        self.is_deaf = true;
        Next::Close { linger: true }
    }
}

#[cfg(test)]
mod tests;
