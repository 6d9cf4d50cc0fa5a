//! How long a body is, and whether the connection outlives it (RFC 9112 sections 6.3 and 9.3).
//!
//! Pure: header fields in, [`Framing`] out. Only three fields matter, and a name's length tells them apart from
//! nearly everything else, so the usual answer costs a few comparisons.

use crate::error::{ProtocolError, seen};
use crate::field;

/// What ends a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    Length(u64),
    Chunked,
    UntilClose,
}

/// What the header fields say about the message around them.
#[derive(Debug, Default)]
struct Facts {
    length: Option<u64>,
    has_coding: bool,
    /// Whether any transfer coding so far is `chunked`.
    was_chunked: bool,
    /// Whether the last transfer coding so far is `chunked`.
    chunked: bool,
    close: bool,
    keep_alive: bool,
}

/// The framing of the body, and whether the connection may be used again after it.
pub(crate) fn of(
    minor_version: u8,
    fields: &[httparse::Header<'_>],
    bodiless: bool,
) -> Result<(Framing, bool), ProtocolError> {
    let mut facts = Facts::default();
    for field in fields {
        facts.add(field, bodiless)?;
    }
    let framing = facts.framing(bodiless)?;
    let keep_alive = match minor_version {
        // HTTP/1.0 knows no transfer codings: the framing is to be distrusted (RFC 9112 section 6.1).
        0 => facts.keep_alive && !facts.close && !facts.has_coding,
        _ => !facts.close,
    };
    Ok((framing, keep_alive && framing != Framing::UntilClose))
}

impl Facts {
    #[inline]
    fn add(&mut self, field: &httparse::Header<'_>, bodiless: bool) -> Result<(), ProtocolError> {
        match field.name.len() {
            10 if field.name.eq_ignore_ascii_case("connection") => self.connection(field.value),
            // Whatever they say, an answer without a body ends at its blank line.
            14 | 17 if bodiless => {}
            14 if field.name.eq_ignore_ascii_case("content-length") => add_length(&mut self.length, field.value)?,
            17 if field.name.eq_ignore_ascii_case("transfer-encoding") => {
                self.coding(field.value)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn connection(&mut self, value: &[u8]) {
        for option in field::elements(value) {
            self.close |= option.eq_ignore_ascii_case(b"close");
            self.keep_alive |= option.eq_ignore_ascii_case(b"keep-alive");
        }
    }

    fn coding(&mut self, value: &[u8]) -> Result<(), ProtocolError> {
        self.has_coding = true;
        for coding in field::elements(value) {
            let chunked = coding.eq_ignore_ascii_case(b"chunked");
            if chunked && self.was_chunked {
                return Err(ProtocolError::ChunkedTwice { seen: seen(value) });
            }
            self.was_chunked |= chunked;
            self.chunked = chunked;
        }
        Ok(())
    }

    fn framing(&self, bodiless: bool) -> Result<Framing, ProtocolError> {
        match (self.length, self.has_coding) {
            _ if bodiless => Ok(Framing::Length(0)),
            (Some(_), true) => Err(ProtocolError::LengthAndCoding),
            (Some(length), false) => Ok(Framing::Length(length)),
            (None, true) if self.chunked => Ok(Framing::Chunked),
            (None, _) => Ok(Framing::UntilClose),
        }
    }
}

/// Notes the value of a `content-length`. A repeated field may arrive joined: `5, 5` (RFC 9112 section 6.3, item 5).
pub(crate) fn add_length(noted: &mut Option<u64>, value: &[u8]) -> Result<(), ProtocolError> {
    for element in value.split(|&b| b == b',') {
        let Some(length) = number(field::trim(element)) else {
            return Err(ProtocolError::BadLength { seen: seen(value) });
        };
        let first = *noted.get_or_insert(length);
        if first != length {
            let second = length;
            return Err(ProtocolError::ConflictingLengths { first, second });
        }
    }
    Ok(())
}

/// Digits only: no sign, no blanks, no overflow.
fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u64, |sum, byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        sum.checked_mul(10)?.checked_add(digit)
    })
}
