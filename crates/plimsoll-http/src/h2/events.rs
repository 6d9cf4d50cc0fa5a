//! What becomes of streams, as it is understood.

use super::H2Error;
use super::frame::{ErrorCode, StreamId};
use crate::Head;

/// Receives the parts of all answers of a connection. Every stream that was opened ends with exactly one of
/// [`done`](Self::done) and [`failed`](Self::failed), unless it is cancelled, which ends it without a word.
pub trait Events {
    /// An interim (1xx) head; the answer itself is still to come.
    fn interim(&mut self, _id: StreamId, _head: &Head<'_>) {}
    /// The head of the answer. It comes once, before any body bytes.
    fn head(&mut self, id: StreamId, head: &Head<'_>);
    /// Some of the body, never empty, borrowed from what was fed.
    fn body(&mut self, id: StreamId, bytes: &[u8]);
    /// A field that followed the body; `name` is a token, `value` has no control characters but tab.
    fn trailer(&mut self, _id: StreamId, _name: &str, _value: &[u8]) {}
    /// The answer is complete.
    fn done(&mut self, id: StreamId);
    /// There will be no answer, or no more of it.
    fn failed(&mut self, id: StreamId, failure: StreamFailure);
}

/// Why a stream has no complete answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StreamFailure {
    /// The server gave it up.
    #[error("the server reset the stream: {code}")]
    Reset {
        /// Why.
        code: ErrorCode,
    },
    /// The server says that it did nothing for it: by `REFUSED_STREAM`, or by a `GOAWAY` that leaves the stream out.
    /// It can be sent again whatever its method.
    #[error("the server refused the stream before it did anything for it")]
    Refused,
    /// The server broke HTTP/2, on this stream or on the whole connection.
    #[error(transparent)]
    Violation(H2Error),
    /// The server closed the connection.
    #[error("the server closed the connection {}", when(*.answered))]
    Closed {
        /// Whether a byte of the answer had come.
        answered: bool,
    },
}

fn when(answered: bool) -> &'static str {
    if answered { "in the middle of the answer" } else { "before it answered" }
}
