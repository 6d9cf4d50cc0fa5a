//! The chunked transfer coding (RFC 9112 section 7.1), decoded as it arrives.
//!
//! It knows no head and no answer, so it serves request bodies in the testkit just as well. Line ends are
//! CRLF and nothing else: a decoder that is lenient here is one half of a request-smuggling pair. Spaces after
//! a size are tolerated, as old servers pad it. Only an unfinished trailer line is ever kept.

use crate::error::seen;
use crate::field;
use crate::sink::{Fed, Sink};
use crate::{CHUNK_LINE_MAX, HEAD_BYTES_MAX, HEADERS_MAX};

/// An incremental decoder of one chunked body.
#[derive(Debug, Default)]
pub struct ChunkDecoder {
    /// The size being read, then what is left of the chunk.
    left: u64,
    /// The trailer line that has no end yet; without memory while there is none.
    line: Vec<u8>,
    /// Bytes seen of the current size line, or of the trailer section.
    seen: u32,
    trailers: u8,
    phase: Phase,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Before the first digit of a size.
    #[default]
    SizeStart,
    Size,
    /// Blanks after a size: an extension or the line's end must follow.
    SizePadding,
    Extension,
    SizeLf,
    Data,
    DataCr,
    DataLf,
    Trailers,
    End,
}

/// How a chunked body broke its framing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChunkError {
    /// Something else than a digit, an extension or a line end where a size is written.
    #[error("expected a chunk size in hexadecimal, saw `{seen}`")]
    Size {
        /// The byte, escaped.
        seen: Box<str>,
    },
    /// A size beyond 64 bits.
    #[error("expected a chunk size below 2^64, saw a larger one")]
    SizeOverflow,
    /// A size line longer than [`CHUNK_LINE_MAX`].
    #[error("expected a chunk-size line of at most {CHUNK_LINE_MAX} bytes, saw a longer one")]
    LineTooLong,
    /// A control character in a chunk extension.
    #[error("expected a chunk extension without control characters, saw `{seen}`")]
    Extension {
        /// The byte, escaped.
        seen: Box<str>,
    },
    /// A line or a chunk that does not end in CRLF.
    #[error("expected CRLF at the end of a chunk or its size line, saw `{seen}`")]
    LineEnd {
        /// The byte, escaped.
        seen: Box<str>,
    },
    /// A trailer line that is no field.
    #[error("expected a trailer field like `name: value`, saw `{seen}`")]
    TrailerField {
        /// The line, escaped.
        seen: Box<str>,
    },
    /// More than [`HEADERS_MAX`] trailer fields.
    #[error("expected at most {HEADERS_MAX} trailer fields, saw more")]
    TooManyTrailers,
    /// No end of the trailers within [`HEAD_BYTES_MAX`].
    #[error("expected the trailers to end within {HEAD_BYTES_MAX} bytes, they did not")]
    TrailersTooLarge,
}

impl ChunkDecoder {
    /// A decoder at the start of a body.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the last chunk and the trailers after it have been read.
    pub fn is_done(&self) -> bool {
        self.phase == Phase::End
    }

    /// Bytes of memory held for an unfinished trailer line.
    pub fn kept_bytes(&self) -> usize {
        self.line.capacity()
    }

    /// Reads `input`, passing data and trailers to `sink`.
    ///
    /// # Errors
    /// When the framing is broken; the decoder is of no use afterwards.
    pub fn feed(&mut self, input: &[u8], sink: &mut impl Sink) -> Result<Fed, ChunkError> {
        let mut rest = input;
        while let Some((&byte, after)) = rest.split_first() {
            match self.phase {
                Phase::Data => rest = self.data(rest, sink),
                Phase::Trailers => rest = self.trailer(rest, sink)?,
                Phase::End => break,
                _ => {
                    self.step(byte)?;
                    rest = after;
                }
            }
        }
        Ok(if self.is_done() { Fed::Done { consumed: input.len() - rest.len() } } else { Fed::More })
    }

    fn data<'i>(&mut self, input: &'i [u8], sink: &mut impl Sink) -> &'i [u8] {
        let take = usize::try_from(self.left).map_or(input.len(), |left| left.min(input.len()));
        let (data, rest) = input.split_at(take);
        self.left -= data.len() as u64;
        if self.left == 0 {
            self.phase = Phase::DataCr;
        }
        sink.body(data);
        rest
    }

    /// One byte of the framing around the data.
    fn step(&mut self, byte: u8) -> Result<(), ChunkError> {
        self.phase = match (self.phase, byte) {
            (Phase::DataCr, b'\r') => Phase::DataLf,
            (Phase::DataLf, b'\n') => Phase::SizeStart,
            (Phase::DataCr | Phase::DataLf, _) => {
                return Err(ChunkError::LineEnd { seen: seen(&[byte]) });
            }
            _ => self.size_line(byte)?,
        };
        Ok(())
    }

    fn size_line(&mut self, byte: u8) -> Result<Phase, ChunkError> {
        self.seen += 1;
        if self.seen > CHUNK_LINE_MAX {
            return Err(ChunkError::LineTooLong);
        }
        match (self.phase, byte) {
            (Phase::SizeLf, b'\n') => Ok(self.size_done()),
            (Phase::SizeLf, _) => Err(ChunkError::LineEnd { seen: seen(&[byte]) }),
            (Phase::Size | Phase::SizePadding | Phase::Extension, b'\r') => Ok(Phase::SizeLf),
            (Phase::Extension, _) if field::is_value(&[byte]) => Ok(Phase::Extension),
            (Phase::Extension, _) => Err(ChunkError::Extension { seen: seen(&[byte]) }),
            (Phase::Size | Phase::SizePadding, b';') => Ok(Phase::Extension),
            (Phase::Size | Phase::SizePadding, b' ' | b'\t') => Ok(Phase::SizePadding),
            (Phase::SizeStart | Phase::Size, _) => self.digit(byte),
            _ => Err(ChunkError::Size { seen: seen(&[byte]) }),
        }
    }

    fn digit(&mut self, byte: u8) -> Result<Phase, ChunkError> {
        let Some(digit) = char::from(byte).to_digit(16) else {
            return Err(ChunkError::Size { seen: seen(&[byte]) });
        };
        let shifted = self.left.checked_mul(16).ok_or(ChunkError::SizeOverflow)?;
        self.left = shifted | u64::from(digit);
        Ok(Phase::Size)
    }

    fn size_done(&mut self) -> Phase {
        self.seen = 0;
        if self.left == 0 { Phase::Trailers } else { Phase::Data }
    }

    fn trailer<'i>(&mut self, input: &'i [u8], sink: &mut impl Sink) -> Result<&'i [u8], ChunkError> {
        let end = input.iter().position(|&b| b == b'\n');
        let (piece, rest) = input.split_at(end.map_or(input.len(), |lf| lf + 1));
        // The sum cannot wrap: `seen` is at most HEAD_BYTES_MAX before it.
        let seen = self.seen as usize + piece.len();
        if seen > HEAD_BYTES_MAX {
            return Err(ChunkError::TrailersTooLarge);
        }
        self.seen = seen as u32;
        if end.is_none() {
            self.line.extend_from_slice(piece);
        } else if self.line.is_empty() {
            self.trailer_line(piece, sink)?;
        } else {
            let mut line = std::mem::take(&mut self.line);
            line.extend_from_slice(piece);
            self.trailer_line(&line, sink)?;
        }
        Ok(rest)
    }

    /// A whole line, its end included.
    fn trailer_line(&mut self, line: &[u8], sink: &mut impl Sink) -> Result<(), ChunkError> {
        if line == b"\r\n" {
            self.phase = Phase::End;
            return Ok(());
        }
        let text = line.strip_suffix(b"\r\n");
        let Some((name, value)) = text.and_then(field::split) else {
            return Err(ChunkError::TrailerField { seen: seen(line) });
        };
        self.trailers += 1;
        if usize::from(self.trailers) > HEADERS_MAX {
            return Err(ChunkError::TooManyTrailers);
        }
        sink.trailer(name, value);
        Ok(())
    }
}

impl ChunkError {
    /// A short name that never changes, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Size { .. } => "chunk-size",
            Self::SizeOverflow => "chunk-size-overflow",
            Self::LineTooLong => "chunk-line-too-long",
            Self::Extension { .. } => "chunk-extension",
            Self::LineEnd { .. } => "chunk-line-end",
            Self::TrailerField { .. } => "trailer-field",
            Self::TooManyTrailers => "too-many-trailers",
            Self::TrailersTooLarge => "trailers-too-large",
        }
    }
}

/// Appends one chunk; nothing when `data` is empty, since an empty chunk would end the body.
pub fn put_chunk(out: &mut Vec<u8>, data: &[u8]) {
    if !data.is_empty() {
        out.extend_from_slice(format!("{:x}\r\n", data.len()).as_bytes());
        out.extend_from_slice(data);
        out.extend_from_slice(b"\r\n");
    }
}

/// Appends the last chunk and no trailers.
pub fn end_chunks(out: &mut Vec<u8>) {
    out.extend_from_slice(b"0\r\n\r\n");
}
