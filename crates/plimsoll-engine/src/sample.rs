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
    /// The answer's status; 0 without an answer.
    pub(crate) status: u16,
    /// Bytes of the answer's body, as they came over the wire.
    pub(crate) body_bytes: u64,
}
