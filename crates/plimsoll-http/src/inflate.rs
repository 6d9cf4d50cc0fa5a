//! Content codings undone as the body arrives: gzip and deflate.
//!
//! Flate2 inflates; what a body is (members, checksums, an end) is checked here, so that a corrupt body and a
//! truncated one are told apart. Output goes out in small pieces, so a body that grows a thousandfold takes no
//! more memory than any other: about 45 KB a decoder, allocated by [`Inflate::new`] and reused by
//! [`Inflate::reset`].

use flate2::{Decompress, FlushDecompress, Status};

use crate::gzip::{Gzip, Step};

/// A content coding this can undo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// `gzip` or `x-gzip` (RFC 1952), of any number of members.
    Gzip,
    /// `deflate`: the zlib format (RFC 1950); bare deflate, which some servers send, is recognised.
    Deflate,
}

impl Coding {
    /// The value for `Accept-Encoding`.
    pub const ACCEPT: &'static str = "gzip, deflate";

    /// The coding that a `Content-Encoding` value names; `None` for `identity`, lists and what is unknown.
    pub fn named(value: &[u8]) -> Option<Self> {
        let value = value.trim_ascii();
        let is = |name: &str| value.eq_ignore_ascii_case(name.as_bytes());
        if is("gzip") || is("x-gzip") {
            Some(Self::Gzip)
        } else if is("deflate") {
            Some(Self::Deflate)
        } else {
            None
        }
    }
}

/// How a compressed body was wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InflateError {
    /// The start is not that of the announced coding.
    #[error("expected a {coding} header, saw something else")]
    Header {
        /// The announced coding.
        coding: &'static str,
    },
    /// The compressed data are not valid.
    #[error("expected valid compressed data, saw corrupt data after {decoded_bytes} decoded bytes")]
    Corrupt {
        /// What had been decoded.
        decoded_bytes: u64,
    },
    /// The data are valid and not what was compressed.
    #[error("expected the checksum and length of the {decoded_bytes} decoded bytes, saw others")]
    Checksum {
        /// What had been decoded.
        decoded_bytes: u64,
    },
    /// The body ended before the compressed data did.
    #[error("expected more compressed data after {decoded_bytes} decoded bytes, saw the end")]
    Truncated {
        /// What had been decoded.
        decoded_bytes: u64,
    },
}

impl InflateError {
    /// A short name that never changes, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Header { .. } => "inflate-header",
            Self::Corrupt { .. } => "inflate-corrupt",
            Self::Checksum { .. } => "inflate-checksum",
            Self::Truncated { .. } => "inflate-truncated",
        }
    }
}

/// A streaming decoder of one body after another.
#[derive(Debug)]
pub struct Inflate {
    inner: Decompress,
    format: Format,
    decoded_bytes: u64,
}

#[derive(Debug)]
enum Format {
    Gzip(Gzip),
    /// Before the first two bytes of `deflate`, which tell zlib from bare deflate; holds the first.
    DeflateStart(Option<u8>),
    Deflate,
    DeflateDone,
}

impl Inflate {
    /// A decoder at the start of a body.
    pub fn new(coding: Coding) -> Self {
        Self { inner: Decompress::new(false), format: Format::of(coding), decoded_bytes: 0 }
    }

    /// Starts over with another body, keeping the memory.
    pub fn reset(&mut self, coding: Coding) {
        self.inner.reset(false);
        self.format = Format::of(coding);
        self.decoded_bytes = 0;
    }

    /// Bytes decoded so far.
    pub fn decoded_bytes(&self) -> u64 {
        self.decoded_bytes
    }

    /// Decodes `input`, passing what comes of it to `out` in pieces of a few kilobytes.
    ///
    /// # Errors
    /// When the data are corrupt; the decoder wants a [`reset`](Self::reset) then.
    pub fn feed(&mut self, input: &[u8], out: &mut impl FnMut(&[u8])) -> Result<(), InflateError> {
        let mut rest = input;
        while !rest.is_empty() {
            rest = match &mut self.format {
                Format::Gzip(gzip) => match gzip.advance(rest)? {
                    Step::Inflate => self.gzip_data(rest, out)?,
                    Step::Eaten(bytes) => &rest[bytes..],
                },
                Format::DeflateStart(first) => match *first {
                    None => {
                        *first = Some(rest[0]);
                        &rest[1..]
                    }
                    Some(first) => self.deflate_start(first, rest, out)?,
                },
                Format::Deflate => self.deflate_data(rest, out)?,
                // Padding after the end; harmless, and some servers send it.
                Format::DeflateDone => &[],
            };
        }
        Ok(())
    }

    /// The body has ended.
    ///
    /// # Errors
    /// When the compressed data have not. A body without any bytes is fine: it was never compressed.
    pub fn finish(&self) -> Result<(), InflateError> {
        let complete = match &self.format {
            Format::Gzip(gzip) => gzip.may_end(),
            Format::DeflateStart(first) => first.is_none(),
            Format::Deflate => false,
            Format::DeflateDone => true,
        };
        let decoded_bytes = self.decoded_bytes;
        complete.then_some(()).ok_or(InflateError::Truncated { decoded_bytes })
    }

    fn gzip_data<'i>(&mut self, input: &'i [u8], out: &mut impl FnMut(&[u8])) -> Result<&'i [u8], InflateError> {
        let Format::Gzip(gzip) = &mut self.format else {
            return Ok(input);
        };
        let (rest, ended) = inflate(&mut self.inner, &mut self.decoded_bytes, input, &mut |piece| {
            gzip.decoded(piece);
            out(piece);
        })?;
        if ended {
            gzip.data_ended(self.decoded_bytes);
            self.inner.reset(false);
        }
        Ok(rest)
    }

    fn deflate_start<'i>(
        &mut self,
        first: u8,
        input: &'i [u8],
        out: &mut impl FnMut(&[u8]),
    ) -> Result<&'i [u8], InflateError> {
        // RFC 1950 section 2.2: method 8 in the low bits, and both bytes together a multiple of 31.
        let is_zlib = first & 0x0f == 8 && u16::from_be_bytes([first, input[0]]).is_multiple_of(31);
        self.inner.reset(is_zlib);
        self.format = Format::Deflate;
        self.deflate_data(&[first], out)?;
        Ok(input)
    }

    fn deflate_data<'i>(&mut self, input: &'i [u8], out: &mut impl FnMut(&[u8])) -> Result<&'i [u8], InflateError> {
        let (rest, ended) = inflate(&mut self.inner, &mut self.decoded_bytes, input, out)?;
        if ended {
            self.format = Format::DeflateDone;
        }
        Ok(rest)
    }
}

impl Format {
    fn of(coding: Coding) -> Self {
        match coding {
            Coding::Gzip => Self::Gzip(Gzip::default()),
            Coding::Deflate => Self::DeflateStart(None),
        }
    }
}

/// Inflates until the input is eaten or the deflate stream ends; returns the rest, and whether it ended.
fn inflate<'i>(
    inner: &mut Decompress,
    decoded_bytes: &mut u64,
    input: &'i [u8],
    out: &mut impl FnMut(&[u8]),
) -> Result<(&'i [u8], bool), InflateError> {
    let mut buffer = [0; 8192];
    let mut rest = input;
    loop {
        let (read, written) = (inner.total_in(), inner.total_out());
        let status = inner.decompress(rest, &mut buffer, FlushDecompress::None);
        let written = (inner.total_out() - written) as usize;
        let read = (inner.total_in() - read) as usize;
        rest = &rest[read..];
        *decoded_bytes += written as u64;
        if written > 0 {
            out(&buffer[..written]);
        }
        match status {
            Ok(Status::StreamEnd) => return Ok((rest, true)),
            Ok(_) if written == buffer.len() || (!rest.is_empty() && read + written > 0) => {}
            Ok(_) if rest.is_empty() => return Ok((rest, false)),
            Ok(_) | Err(_) => {
                let decoded_bytes = *decoded_bytes;
                return Err(InflateError::Corrupt { decoded_bytes });
            }
        }
    }
}
