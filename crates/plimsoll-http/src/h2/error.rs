//! What a server can do wrong in HTTP/2, in words.
//!
//! Some of it spoils one answer, some the connection; which, is decided where it is noticed. As in
//! [`ProtocolError`], what was seen is escaped when the error is made.

use super::frame::{ErrorCode, FRAME_BYTES_DEFAULT, Kind, StreamId};
use super::hpack::HpackError;
use crate::{HEAD_BYTES_MAX, HEADERS_MAX, INTERIM_MAX, ProtocolError};

/// The most frames that one header block may take.
pub(super) const BLOCK_FRAMES_MAX: u16 = 64;
/// The most bytes of answers to frames (acknowledgements, resets, windows) that wait to be sent.
pub(super) const OWED_BYTES_MAX: usize = 64 * 1024;

/// How a server broke HTTP/2.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum H2Error {
    /// The server speaks HTTP/1.
    #[error("expected HTTP/2, the server answered in HTTP/1: `{seen}`")]
    Http1 {
        /// The start of what came, escaped.
        seen: Box<str>,
    },
    /// The first frame was another, or no frame at all.
    #[error("expected SETTINGS as the first frame, saw `{seen}`")]
    FirstFrame {
        /// The start of what came, escaped.
        seen: Box<str>,
    },
    /// A frame beyond the size we read.
    #[error("expected frames of at most {FRAME_BYTES_DEFAULT} bytes, saw {kind} of {length}")]
    FrameTooLarge {
        /// The frame.
        kind: Kind,
        /// Its length.
        length: u32,
    },
    /// A frame whose length its kind does not allow.
    #[error("expected {expected} in {kind}, saw {length} bytes")]
    FrameLength {
        /// The frame.
        kind: Kind,
        /// Its length.
        length: u32,
        /// What it should have been.
        expected: &'static str,
    },
    /// A frame on a stream where its kind cannot be.
    #[error("expected {kind} on {expected}, saw it on stream {stream}")]
    WrongStream {
        /// The frame.
        kind: Kind,
        /// Its stream.
        stream: StreamId,
        /// What the stream should have been.
        expected: &'static str,
    },
    /// Part of an answer that had already ended.
    #[error("expected no more of stream {stream}, which had ended, saw {kind}")]
    StreamClosed {
        /// The frame.
        kind: Kind,
        /// Its stream.
        stream: StreamId,
    },
    /// Padding longer than the frame.
    #[error("expected padding to fit into its {kind} frame, it does not")]
    Padding {
        /// The frame.
        kind: Kind,
    },
    /// A frame in the middle of a header block.
    #[error("expected CONTINUATION on stream {stream}, saw {kind} on stream {seen}")]
    Interleaved {
        /// The stream whose block is open.
        stream: StreamId,
        /// What came instead.
        kind: Kind,
        /// The stream it came on.
        seen: StreamId,
    },
    /// `CONTINUATION` of nothing.
    #[error("expected CONTINUATION only inside a header block, saw it on stream {stream} outside of one")]
    LoneContinuation {
        /// Its stream.
        stream: StreamId,
    },
    /// A header block in too many frames.
    #[error("expected a header block in at most {BLOCK_FRAMES_MAX} frames, saw more")]
    TooManyContinuations,
    /// More than [`HEAD_BYTES_MAX`], compressed or not.
    #[error("expected a head of at most {HEAD_BYTES_MAX} bytes, saw more")]
    HeadTooLarge,
    /// More than [`HEADERS_MAX`] fields.
    #[error("expected at most {HEADERS_MAX} header fields, saw more")]
    TooManyHeaders,
    /// The header compression broke.
    #[error(transparent)]
    Hpack(#[from] HpackError),
    /// A pseudo-field that an answer does not have, or has elsewhere.
    #[error("expected `:status` once, before other fields, and no other pseudo-field, saw `{seen}`")]
    PseudoField {
        /// The name, escaped.
        seen: Box<str>,
    },
    /// A `:status` that is no number of three digits.
    #[error("expected `:status` to be in 100..=999, saw `{seen}`")]
    Status {
        /// The value, escaped.
        seen: Box<str>,
    },
    /// An answer without `:status`.
    #[error("expected `:status` in the head, saw none")]
    NoStatus,
    /// A name that is no token in lower case.
    #[error("expected a header name in lower case without blanks or separators, saw `{seen}`")]
    HeaderName {
        /// The name, escaped.
        seen: Box<str>,
    },
    /// A value with control characters, or whitespace around it.
    #[error("expected the value of `{name}` without control characters or blanks around it, saw `{seen}`")]
    HeaderValue {
        /// The field.
        name: Box<str>,
        /// The value, escaped.
        seen: Box<str>,
    },
    /// A field that only HTTP/1.1 has.
    #[error("expected no field about the connection in HTTP/2, saw `{seen}`")]
    ConnectionField {
        /// The name, escaped.
        seen: Box<str>,
    },
    /// `content-length` is no number, or two.
    #[error(transparent)]
    Length(ProtocolError),
    /// The body is not as long as announced, or there is one where there cannot be.
    #[error("expected {expected} body bytes, saw {got}")]
    LengthMismatch {
        /// What `content-length` said; 0 where the answer cannot have a body.
        expected: u64,
        /// Body bytes that came or were about to.
        got: u64,
    },
    /// A body without a head.
    #[error("expected HEADERS before DATA, saw DATA first")]
    DataBeforeHeaders,
    /// A second head after the final one.
    #[error("expected the stream to end with its trailers, it did not")]
    OpenTrailers,
    /// An interim answer that ended the stream.
    #[error("expected a final answer after an interim (1xx) one, saw the end of the stream")]
    InterimEnd,
    /// A 101, which HTTP/2 does not have.
    #[error("expected an answer in HTTP/2, saw 101 (switching protocols)")]
    UnexpectedUpgrade,
    /// More than [`INTERIM_MAX`] interim answers.
    #[error("expected at most {INTERIM_MAX} interim (1xx) answers, saw more")]
    TooManyInterim,
    /// A push, though they are switched off.
    #[error("expected no PUSH_PROMISE, as pushes are switched off, saw one")]
    Push,
    /// A setting with a value it cannot have.
    #[error("expected {name} to be {expected}, saw {value}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: u32,
        /// What it should have been.
        expected: &'static str,
    },
    /// The server sends frames that we have to answer, and does not read the answers.
    #[error(
        "expected the server to read our answers to its frames, saw more than {OWED_BYTES_MAX} bytes of them waiting"
    )]
    Flood,
    /// A window was to be enlarged by nothing.
    #[error("expected WINDOW_UPDATE to enlarge the window of stream {stream}, saw an increment of 0")]
    ZeroIncrement {
        /// The stream; 0 for the connection.
        stream: StreamId,
    },
    /// A window beyond 2^31 - 1.
    #[error("expected the window of stream {stream} to stay below 2^31 bytes, it did not")]
    WindowOverflow {
        /// The stream; 0 for the connection.
        stream: StreamId,
    },
    /// More was sent than our window allowed.
    #[error("expected at most {window} bytes more on stream {stream}, saw DATA of {length}")]
    WindowOverrun {
        /// The stream; 0 for the connection.
        stream: StreamId,
        /// What was left of the window.
        window: u32,
        /// The length of the frame.
        length: u32,
    },
    /// A second `GOAWAY` took in streams that the first had left out.
    #[error("expected the last stream of GOAWAY to be at most {first} as before, saw {second}")]
    GoawayRose {
        /// The last stream so far.
        first: StreamId,
        /// The one that is higher.
        second: StreamId,
    },
}

impl H2Error {
    /// A short name that never changes, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Http1 { .. } => "http1",
            Self::FirstFrame { .. } => "first-frame",
            Self::FrameTooLarge { .. } => "frame-too-large",
            Self::FrameLength { .. } => "frame-length",
            Self::WrongStream { .. } => "wrong-stream",
            Self::StreamClosed { .. } => "stream-closed",
            Self::Padding { .. } => "padding",
            Self::Interleaved { .. } => "interleaved",
            Self::LoneContinuation { .. } => "lone-continuation",
            Self::TooManyContinuations => "too-many-continuations",
            Self::HeadTooLarge => "head-too-large",
            Self::TooManyHeaders => "too-many-headers",
            Self::Hpack(error) => error.kind(),
            Self::PseudoField { .. } => "pseudo-field",
            Self::Status { .. } => "status",
            Self::NoStatus => "no-status",
            Self::HeaderName { .. } => "header-name",
            Self::HeaderValue { .. } => "header-value",
            Self::ConnectionField { .. } => "connection-field",
            Self::Length(error) => error.kind(),
            Self::LengthMismatch { .. } => "length-mismatch",
            Self::DataBeforeHeaders => "data-before-headers",
            Self::OpenTrailers => "open-trailers",
            Self::InterimEnd => "interim-end",
            Self::UnexpectedUpgrade => "unexpected-upgrade",
            Self::TooManyInterim => "too-many-interim",
            Self::Push => "push",
            Self::Setting { .. } => "setting",
            Self::Flood => "flood",
            Self::ZeroIncrement { .. } => "zero-increment",
            Self::WindowOverflow { .. } => "window-overflow",
            Self::WindowOverrun { .. } => "window-overrun",
            Self::GoawayRose { .. } => "goaway-rose",
        }
    }

    /// The code that tells the server of it.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::FrameTooLarge { .. } | Self::FrameLength { .. } => ErrorCode::FRAME_SIZE_ERROR,
            Self::StreamClosed { .. } => ErrorCode::STREAM_CLOSED,
            Self::Hpack(_) => ErrorCode::COMPRESSION_ERROR,
            Self::Setting { name: "SETTINGS_INITIAL_WINDOW_SIZE", .. }
            | Self::WindowOverflow { .. }
            | Self::WindowOverrun { .. } => ErrorCode::FLOW_CONTROL_ERROR,
            Self::TooManyContinuations | Self::HeadTooLarge | Self::TooManyHeaders | Self::Flood => {
                ErrorCode::ENHANCE_YOUR_CALM
            }
            _ => ErrorCode::PROTOCOL_ERROR,
        }
    }
}
