//! The incremental parser of answers.
//!
//! It lives in every connection, so it is small, and holds memory only while a head is incomplete. The usual
//! answer, whole in one read, is parsed where it lies and copied nowhere. It decides nothing about the
//! connection: it says whether the answer allows another ([`ResponseParser::keep_alive`]).

use std::mem::MaybeUninit;

use crate::chunk::ChunkDecoder;
use crate::error::{Part, ProtocolError};
use crate::framing::{self, Framing};
use crate::head::Head;
use crate::scan;
use crate::sink::{Counted, Fed, Sink};
use crate::{HEAD_BYTES_MAX, HEADERS_MAX, INTERIM_MAX};

/// Parses one answer after another; call [`begin`](Self::begin) before each.
#[derive(Debug)]
pub struct ResponseParser {
    state: State,
    body_bytes: u64,
    status: u16,
    interim: u8,
    request_is_head: bool,
    answered: bool,
    keep_alive: bool,
}

#[derive(Debug)]
enum State {
    /// Reading a head; holds what came of it, in [0, HEAD_BYTES_MAX] bytes.
    Head(Vec<u8>),
    /// Reading a body of known length; holds what is left of it, never 0.
    Length(u64),
    Chunked(ChunkDecoder),
    UntilClose,
    /// No answer is expected, or it has ended.
    Done,
}

/// What it meant that the peer closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closed {
    /// Nothing is missing: the close ended the body, or no answer was awaited.
    Complete,
    /// Not one byte of the awaited answer had come: a kept-alive connection the peer had given up.
    BeforeAnswer,
}

impl Default for ResponseParser {
    fn default() -> Self {
        Self::new()
    }
}

impl ResponseParser {
    /// A parser that expects nothing yet.
    pub fn new() -> Self {
        Self {
            state: State::Done,
            body_bytes: 0,
            status: 0,
            interim: 0,
            request_is_head: false,
            answered: false,
            keep_alive: false,
        }
    }

    /// Expects the answer to a request. The answer to `HEAD` has no body whatever it announces; for `CONNECT`
    /// pass true as well, since what follows a 2xx is the tunnel.
    pub fn begin(&mut self, request_is_head: bool) {
        *self = Self { state: State::Head(Vec::new()), request_is_head, ..Self::new() };
    }

    /// Reads `input`, passing the parts of the answer to `sink`.
    ///
    /// # Errors
    /// When the answer breaks HTTP/1.1; nothing more can be read from the connection then.
    pub fn feed(&mut self, input: &[u8], sink: &mut impl Sink) -> Result<Fed, ProtocolError> {
        let fed = self.advance(input, sink);
        if fed.is_err() {
            self.state = State::Done;
            self.keep_alive = false;
        }
        fed
    }

    /// The peer closed its side.
    ///
    /// # Errors
    /// When the answer was not complete.
    pub fn close(&mut self) -> Result<Closed, ProtocolError> {
        self.keep_alive = false;
        let got = self.body_bytes;
        let part = match std::mem::replace(&mut self.state, State::Done) {
            State::Done | State::UntilClose => return Ok(Closed::Complete),
            State::Head(_) if !self.answered => return Ok(Closed::BeforeAnswer),
            State::Head(kept) => {
                // What is wrong with it says more than that it is short.
                scan::check_partial(&kept)?;
                Part::Head
            }
            State::Length(left) => Part::Body { got, expected: got + left },
            State::Chunked(_) => Part::Chunks { got },
        };
        Err(ProtocolError::Truncated { part })
    }

    /// Whether a byte of this answer has come.
    pub fn answered(&self) -> bool {
        self.answered
    }

    /// Whether the answer has ended, or none is expected.
    pub fn is_done(&self) -> bool {
        matches!(self.state, State::Done)
    }

    /// The status code; 0 until the head is complete.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Whether the answer leaves the connection open for another request; means something once it has ended.
    pub fn keep_alive(&self) -> bool {
        self.keep_alive
    }

    /// Body bytes so far, chunk framing not counted, content codings not undone.
    pub fn body_bytes(&self) -> u64 {
        self.body_bytes
    }

    /// Bytes of memory held beyond the parser itself: 0 unless a head or a trailer line is incomplete.
    pub fn kept_bytes(&self) -> usize {
        match &self.state {
            State::Head(kept) => kept.capacity(),
            State::Chunked(decoder) => decoder.kept_bytes(),
            _ => 0,
        }
    }

    #[inline]
    fn advance(&mut self, input: &[u8], sink: &mut impl Sink) -> Result<Fed, ProtocolError> {
        let mut rest = input;
        loop {
            if matches!(self.state, State::Done) {
                let consumed = input.len() - rest.len();
                return Ok(Fed::Done { consumed });
            }
            if rest.is_empty() {
                return Ok(Fed::More);
            }
            let consumed = match self.state {
                State::Head(_) => self.head(rest, sink)?,
                _ => self.body(rest, sink)?,
            };
            rest = &rest[consumed..];
        }
    }

    /// Returns how much of `input` was eaten.
    fn body(&mut self, input: &[u8], sink: &mut impl Sink) -> Result<usize, ProtocolError> {
        let (eaten, done) = match &mut self.state {
            State::Length(left) => {
                let take = usize::try_from(*left).map_or(input.len(), |l| l.min(input.len()));
                *left -= take as u64;
                self.body_bytes += take as u64;
                sink.body(&input[..take]);
                (take, *left == 0)
            }
            State::Chunked(decoder) => {
                let bytes = &mut self.body_bytes;
                match decoder.feed(input, &mut Counted { sink, bytes })? {
                    Fed::More => (input.len(), false),
                    Fed::Done { consumed } => (consumed, true),
                }
            }
            _ => {
                self.body_bytes += input.len() as u64;
                sink.body(input);
                (input.len(), false)
            }
        };
        if done {
            self.state = State::Done;
        }
        Ok(eaten)
    }

    /// Returns how much of `input` was eaten.
    fn head(&mut self, input: &[u8], sink: &mut impl Sink) -> Result<usize, ProtocolError> {
        self.answered = true;
        let State::Head(kept) = &mut self.state else {
            return Ok(0);
        };
        if !kept.is_empty() {
            let kept = std::mem::take(kept);
            return self.resume_head(kept, input, sink);
        }
        match self.read_head(input, sink)? {
            Some(head_bytes) => Ok(head_bytes),
            None => {
                self.state = State::Head(input.to_vec());
                Ok(input.len())
            }
        }
    }

    #[cold]
    fn resume_head(&mut self, mut kept: Vec<u8>, input: &[u8], sink: &mut impl Sink) -> Result<usize, ProtocolError> {
        let before = kept.len();
        let take = input.len().min(HEAD_BYTES_MAX - before);
        kept.extend_from_slice(&input[..take]);
        if scan::is_worth_parsing(&kept, before)
            && let Some(head_bytes) = self.read_head(&kept, sink)?
        {
            // An attempt before found no end in the first `before` bytes.
            return Ok(head_bytes.saturating_sub(before));
        }
        self.state = State::Head(kept);
        Ok(take)
    }

    /// Reads the head at the start of `bytes`; `None` when it is incomplete.
    #[inline]
    fn read_head(&mut self, bytes: &[u8], sink: &mut impl Sink) -> Result<Option<usize>, ProtocolError> {
        let mut fields = [const { MaybeUninit::uninit() }; HEADERS_MAX];
        let mut parsed = httparse::Response::new(&mut []);
        let Some(head_bytes) = scan::parse(bytes, &mut parsed, &mut fields)? else {
            return Ok(None);
        };
        let (Some(status), Some(minor)) = (parsed.code, parsed.version) else {
            return Ok(None);
        };
        let head = Head::new(status, minor, &bytes[..head_bytes], parsed.headers);
        self.head_done(&head, parsed.headers, sink)?;
        Ok(Some(head_bytes))
    }

    #[inline]
    fn head_done(
        &mut self,
        head: &Head<'_>,
        fields: &[httparse::Header<'_>],
        sink: &mut impl Sink,
    ) -> Result<(), ProtocolError> {
        let status = head.status();
        if status < 200 {
            return self.interim_done(head, sink);
        }
        let bodiless = self.request_is_head || matches!(status, 204 | 304);
        let (framing, keep_alive) = framing::of(head.minor_version(), fields, bodiless)?;
        self.status = status;
        self.keep_alive = keep_alive;
        self.state = match framing {
            Framing::Length(0) => State::Done,
            Framing::Length(length) => State::Length(length),
            Framing::Chunked => State::Chunked(ChunkDecoder::new()),
            Framing::UntilClose => State::UntilClose,
        };
        sink.head(head);
        Ok(())
    }

    #[cold]
    fn interim_done(&mut self, head: &Head<'_>, sink: &mut impl Sink) -> Result<(), ProtocolError> {
        if head.status() < 100 {
            let seen = scan::status_line(head.raw());
            return Err(ProtocolError::StatusLine { seen });
        }
        if head.status() == 101 {
            return Err(ProtocolError::UnexpectedUpgrade);
        }
        self.interim += 1;
        if self.interim > INTERIM_MAX {
            return Err(ProtocolError::TooManyInterim);
        }
        sink.interim(head);
        Ok(())
    }
}
