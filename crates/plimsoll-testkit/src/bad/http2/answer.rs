//! Answers in good frames on their stream, under the windows of the client: what is wrong with them is what they say,
//! or when they say it.

use super::Misdeed;
use crate::http2::{Block, Part, Script};
use crate::script::{Flow, Pace};
use std::time::Duration;

/// An answer on its stream, under the windows of the client.
#[derive(Debug)]
pub(in crate::bad) struct Answer {
    status: u16,
    block: Block,
    late: Option<Duration>,
    parts: Vec<Part>,
}

impl Answer {
    /// One of this status that says nothing yet.
    pub(in crate::bad) fn new(status: u16) -> Self {
        Self { status, block: Block::answer(status), late: None, parts: Vec::new() }
    }

    /// A good one for a body of `length` bytes.
    pub(in crate::bad) fn of(length: u64) -> Self {
        Self::new(200).field("content-length", length.to_string())
    }

    /// With this field.
    pub(in crate::bad) fn field(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        Self { block: self.block.field(name, value), ..self }
    }

    /// Goes on with nothing for so long.
    pub(in crate::bad) fn pause(self, time: Duration) -> Self {
        self.part(Part::Pause(time))
    }

    /// Ends with these bytes.
    pub(in crate::bad) fn body(self, bytes: impl AsRef<[u8]>) -> Misdeed {
        self.part(Part::Body { flow: Flow::once(bytes.as_ref()), last: true }).open()
    }

    /// Ends with these bytes, each after so long.
    pub(in crate::bad) fn drip(self, bytes: &[u8], every: Duration) -> Misdeed {
        let flow = Flow::once(bytes).paced(Some(Pace { piece: 1, every }));
        self.part(Part::Body { flow, last: true }).open()
    }

    /// Goes on with these bytes over and over.
    pub(in crate::bad) fn endless(self, bytes: &[u8]) -> Misdeed {
        let flow = Flow::endless(bytes.repeat(4096 / bytes.len().max(1)));
        self.part(Part::Body { flow, last: false }).open()
    }

    /// Begins so long after it is due.
    pub(in crate::bad) fn late(self, time: Duration) -> Self {
        Self { late: Some(time), ..self }
    }

    /// Stops after these bytes, and the stream stays open.
    pub(in crate::bad) fn begun(self, bytes: &[u8]) -> Misdeed {
        let unfinished = self.part(Part::Body { flow: Flow::once(bytes), last: false });
        Self { status: 0, ..unfinished }.open()
    }

    /// As it is, and the stream stays open where no part of it was the last.
    pub(in crate::bad) fn open(self) -> Misdeed {
        let head = Part::Head { block: self.block.done(), last: false };
        let parts = self.late.map(Part::Pause).into_iter().chain([head]).chain(self.parts);
        Misdeed::Stream(Script { status: self.status, parts: parts.collect() })
    }

    fn part(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }
}

/// Nothing, ever, on this stream.
pub(in crate::bad) fn silent() -> Misdeed {
    Misdeed::Stream(Script { status: 0, parts: Vec::new() })
}
