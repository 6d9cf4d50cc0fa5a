//! One request as it went.

use plimsoll_model::Outcome;

use crate::clock::Moment;

/// One request as it went. `due ≤ sent ≤ end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sample {
    /// When it was meant to be sent.
    pub(crate) due: Moment,
    /// When the generator began with it: connecting, where there was no connection.
    pub(crate) sent: Moment,
    /// When the last byte of its answer had come, or it was clear that none would.
    pub(crate) end: Moment,
    pub(crate) outcome: Outcome,
    /// Which of all steps it was.
    pub(crate) step: usize,
    /// The answer's status; 0 without an answer.
    pub(crate) status: u16,
    /// Bytes of the answer's body, as they came over the wire.
    pub(crate) body_bytes: u64,
    pub(crate) spans: Spans,
}

/// How long the parts of an exchange took, in nanoseconds; none for a part that did not happen. With redirects,
/// those of all hops together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Spans {
    pub(crate) connect: Option<u64>,
    pub(crate) tls: Option<u64>,
    pub(crate) first_byte: Option<u64>,
    pub(crate) body: Option<u64>,
}

impl Spans {
    /// A connection was made.
    pub(crate) fn connected(&mut self, connect: u64, tls: Option<u64>) {
        *self.connect.get_or_insert_default() += connect;
        if let Some(tls) = tls {
            *self.tls.get_or_insert_default() += tls;
        }
    }

    /// An answer came to a request that went out at `asked`.
    #[inline]
    pub(crate) fn answered(&mut self, asked: Moment, first: Moment, last: Moment) {
        *self.first_byte.get_or_insert_default() += first.saturating_sub(asked);
        *self.body.get_or_insert_default() += last.saturating_sub(first);
    }
}
