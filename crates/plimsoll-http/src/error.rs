//! What an answer can do wrong, in words.
//!
//! Every message says what was seen and what was expected. What was seen is quoted through [`printable`] when
//! the error is made, so an error can be printed anywhere.

use std::fmt;

use crate::chunk::ChunkError;
use crate::escape::printable;
use crate::{HEAD_BYTES_MAX, HEADERS_MAX, INTERIM_MAX};

/// How an answer broke HTTP/1.1. The connection it came on is of no further use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// The first bytes are no HTTP at all: TLS, SSH, the middle of another answer.
    #[error("expected an answer that starts with `HTTP/1.`, saw `{seen}`")]
    NotHttp {
        /// The start of what came, escaped.
        seen: Box<str>,
    },
    /// HTTP, of another version than 1.0 and 1.1.
    #[error("expected version `HTTP/1.1` or `HTTP/1.0`, saw `{seen}`")]
    Version {
        /// The status line, escaped.
        seen: Box<str>,
    },
    /// A status line whose code or reason is malformed.
    #[error("expected a status line like `HTTP/1.1 200 OK`, saw `{seen}`")]
    StatusLine {
        /// The status line, escaped.
        seen: Box<str>,
    },
    /// A line of the head that is no header field.
    #[error("expected a header field like `name: value`, saw `{seen}`")]
    HeaderField {
        /// The line, escaped.
        seen: Box<str>,
    },
    /// More than [`HEADERS_MAX`] header fields.
    #[error("expected at most {HEADERS_MAX} header fields, saw more")]
    TooManyHeaders,
    /// No end of the head within [`HEAD_BYTES_MAX`].
    #[error("expected the head to end within {HEAD_BYTES_MAX} bytes, it did not")]
    HeadTooLarge,
    /// `Content-Length` is not a decimal number that fits 64 bits.
    #[error("expected `content-length` to be a number of bytes, saw `{seen}`")]
    BadLength {
        /// The value, escaped.
        seen: Box<str>,
    },
    /// `Content-Length` came more than once, with different values.
    #[error("expected one `content-length`, saw both {first} and {second}")]
    ConflictingLengths {
        /// The first value.
        first: u64,
        /// The first that differed.
        second: u64,
    },
    /// Two framings at once: what request smuggling is made of (RFC 9112 section 6.3).
    #[error("expected `content-length` or `transfer-encoding`, saw both")]
    LengthAndCoding,
    /// `chunked` applied twice (RFC 9112 section 6.1 forbids it).
    #[error("expected `chunked` at most once in `transfer-encoding`, saw `{seen}`")]
    ChunkedTwice {
        /// The value, escaped.
        seen: Box<str>,
    },
    /// A 101 to a request that asked for no upgrade.
    #[error("expected an answer in HTTP/1.1, saw 101 (switching protocols) without having asked")]
    UnexpectedUpgrade,
    /// More than [`INTERIM_MAX`] interim answers.
    #[error("expected at most {INTERIM_MAX} interim (1xx) answers, saw more")]
    TooManyInterim,
    /// The chunked framing broke.
    #[error(transparent)]
    Chunk(#[from] ChunkError),
    /// The peer closed in the middle of an answer.
    #[error("the peer closed too early: {part}")]
    Truncated {
        /// Where the answer stopped.
        part: Part,
    },
}

/// Where a truncated answer stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Before the head's blank line; also after an interim answer.
    Head,
    /// Before the length that was announced.
    Body {
        /// Body bytes that came.
        got: u64,
        /// Body bytes that were announced.
        expected: u64,
    },
    /// Before the last chunk, or in the trailers after it.
    Chunks {
        /// Body bytes that came.
        got: u64,
    },
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Head => write!(f, "expected the rest of the head"),
            Self::Body { got, expected } => {
                write!(f, "expected {expected} body bytes, saw {got}")
            }
            Self::Chunks { got } => write!(f, "expected more chunks after {got} body bytes"),
        }
    }
}

impl ProtocolError {
    /// A short name that never changes, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NotHttp { .. } => "not-http",
            Self::Version { .. } => "version",
            Self::StatusLine { .. } => "status-line",
            Self::HeaderField { .. } => "header-field",
            Self::TooManyHeaders => "too-many-headers",
            Self::HeadTooLarge => "head-too-large",
            Self::BadLength { .. } => "bad-length",
            Self::ConflictingLengths { .. } => "conflicting-lengths",
            Self::LengthAndCoding => "length-and-coding",
            Self::ChunkedTwice { .. } => "chunked-twice",
            Self::UnexpectedUpgrade => "unexpected-upgrade",
            Self::TooManyInterim => "too-many-interim",
            Self::Chunk(error) => error.kind(),
            Self::Truncated { part: Part::Head } => "truncated-head",
            Self::Truncated { .. } => "truncated-body",
        }
    }
}

/// What an error quotes: escaped, and cut to 60 characters.
pub(crate) fn seen(bytes: &[u8]) -> Box<str> {
    printable(bytes, 60).into_boxed_str()
}
