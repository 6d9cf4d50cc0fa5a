//! `httparse` behind our bounds and in our words.
//!
//! It finds the head; what the head means is not decided here. When a head is bad, this looks again, slowly,
//! for the line to quote: errors are rare and may cost.

use std::mem::MaybeUninit;

use crate::error::{ProtocolError, seen};
use crate::{HEAD_BYTES_MAX, HEADERS_MAX, field};

/// Room for the fields of a head; not initialised, as most of it stays unused.
pub(crate) type Fields<'b> = [MaybeUninit<httparse::Header<'b>>; HEADERS_MAX];

/// Parses the head at the start of `bytes` and returns its length; `None` when it is incomplete. A head of more
/// than [`HEAD_BYTES_MAX`] is refused even if it came whole, so that how it was split changes nothing.
#[inline]
pub(crate) fn parse<'h, 'b>(
    bytes: &'b [u8],
    parsed: &mut httparse::Response<'h, 'b>,
    fields: &'h mut Fields<'b>,
) -> Result<Option<usize>, ProtocolError> {
    let bounded = &bytes[..bytes.len().min(HEAD_BYTES_MAX)];
    if !matches!(bytes.first(), Some(b'H') | None) {
        // httparse would skip blank lines; before an answer there are none.
        return Err(bad_head(httparse::Error::Version, bounded));
    }
    let mut config = httparse::ParserConfig::default();
    // RFC 9112 section 5.2: a user agent has to understand folded fields.
    config.allow_obsolete_multiline_headers_in_responses(true);
    match config.parse_response_with_uninit_headers(parsed, bounded, fields) {
        Ok(httparse::Status::Complete(head_bytes)) => Ok(Some(head_bytes)),
        Ok(httparse::Status::Partial) if bounded.len() == HEAD_BYTES_MAX => Err(ProtocolError::HeadTooLarge),
        Ok(httparse::Status::Partial) => Ok(None),
        Err(error) => Err(bad_head(error, bounded)),
    }
}

/// What is wrong with an incomplete head, if anything is already.
pub(crate) fn check_partial(bytes: &[u8]) -> Result<(), ProtocolError> {
    let mut fields = [const { MaybeUninit::uninit() }; HEADERS_MAX];
    let mut parsed = httparse::Response::new(&mut []);
    parse(bytes, &mut parsed, &mut fields).map(drop)
}

/// Whether a head that grew beyond `before` bytes may be complete, or has doubled since it was last looked at.
/// Parsing on every byte of a slow head would take quadratic time; this way it is linear.
pub(crate) fn is_worth_parsing(bytes: &[u8], before: usize) -> bool {
    let doubled = bytes.len().next_power_of_two() != before.next_power_of_two();
    doubled || bytes.len() >= HEAD_BYTES_MAX || has_blank_line(&bytes[before.saturating_sub(2)..])
}

/// The status line of a head, escaped.
#[cold]
pub(crate) fn status_line(head: &[u8]) -> Box<str> {
    seen(lines(head).next().unwrap_or_default())
}

fn has_blank_line(bytes: &[u8]) -> bool {
    let blank = |at: usize| {
        let line_end = bytes[at..].strip_prefix(b"\r").unwrap_or(&bytes[at..]);
        line_end.starts_with(b"\n")
    };
    (1..bytes.len()).any(|at| bytes[at - 1] == b'\n' && blank(at))
}

#[cold]
fn bad_head(error: httparse::Error, head: &[u8]) -> ProtocolError {
    use httparse::Error;
    match error {
        Error::TooManyHeaders => ProtocolError::TooManyHeaders,
        Error::HeaderName | Error::HeaderValue => ProtocolError::HeaderField { seen: seen(bad_field(head)) },
        Error::Version if !head.starts_with(b"HTTP/") => ProtocolError::NotHttp { seen: seen(head) },
        Error::Version => ProtocolError::Version { seen: status_line(head) },
        // A lone CR, where the fields begin or after the status line.
        Error::NewLine if lines(head).nth(1).is_some() => ProtocolError::HeaderField { seen: seen(bad_field(head)) },
        Error::Status | Error::Token | Error::NewLine => ProtocolError::StatusLine { seen: status_line(head) },
    }
}

/// The first line after the status line that is neither a field nor the continuation of one.
fn bad_field(head: &[u8]) -> &[u8] {
    let is_good = |line: &&[u8]| match line.first() {
        None => true,
        Some(b' ' | b'\t') => field::is_value(line),
        Some(_) => field::split(line).is_some(),
    };
    let mut fields = lines(head).skip(1);
    fields.find(|line| !is_good(line)).unwrap_or_default()
}

fn lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = head.split(|&b| b == b'\n');
    lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}
