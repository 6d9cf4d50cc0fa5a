//! A failure as it is kept for people: what was sent, what came back, without secrets, and not too much of it.

use plimsoll_http::printable;
use plimsoll_journey::Failure;
use plimsoll_model::{FailureSample, redact};

use super::kept::Kept;
use crate::compile::Ask;

/// So much of a body is shown.
const BODY_BYTES: usize = 512;
/// So much of a body is searched for secrets before the rest is cut off: half a secret is one, too.
const READ_BYTES: usize = 16 * 1024;
/// So much of a head is shown.
const HEAD_BYTES: usize = 2048;

/// Where a failure happened.
pub(super) struct Where<'a> {
    pub(super) journey: &'a str,
    pub(super) step: &'a str,
}

/// A failure as it is kept.
pub(super) fn sample(
    at: &Where<'_>,
    failure: &Failure,
    ask: Option<&Ask>,
    kept: Option<&Kept>,
    hide: Hide<'_>,
) -> FailureSample {
    let place = &failure.place;
    FailureSample {
        journey: at.journey.to_owned(),
        step: at.step.to_owned(),
        place: format!("{}:{}", place.file, place.line),
        source: hide(&failure.source),
        expected: hide(&failure.expected),
        actual: hide(&failure.actual),
        request: ask.map_or_else(String::new, |ask| message(&ask.text(), hide)),
        answer: kept.map_or_else(String::new, |kept| answer(kept, hide)),
    }
}

fn answer(kept: &Kept, hide: Hide<'_>) -> String {
    let mut text = kept.head.clone();
    text.extend_from_slice(&kept.body[..kept.body.len().min(READ_BYTES)]);
    message(&text, hide)
}

/// Takes secrets out of a text.
type Hide<'h> = &'h dyn Fn(&str) -> String;

/// Head and body of a message as text, credentials redacted.
fn message(bytes: &[u8], hide: Hide<'_>) -> String {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").map_or(bytes.len(), |at| at + 4);
    let (head, body) = bytes.split_at(end);
    let head = hide(&String::from_utf8_lossy(&head[..head.len().min(HEAD_BYTES)]));
    let mut text = String::new();
    for (nth, line) in head.lines().filter(|line| !line.is_empty()).enumerate() {
        // The first line is none of the fields, whatever stands in it.
        match line.split_once(':').filter(|_| nth > 0) {
            Some((name, value)) => text += &format!("{name}: {}\n", redact(name, value.trim())),
            None => text += &format!("{line}\n"),
        }
    }
    if !body.is_empty() {
        text += &format!("\n{}", shown(body, hide));
    }
    text
}

/// Text as it is, anything else in escapes.
fn shown(body: &[u8], hide: Hide<'_>) -> String {
    let part = &body[..body.len().min(READ_BYTES)];
    let text = match std::str::from_utf8(part) {
        Ok(text) => hide(text),
        // A character may have been cut in two.
        Err(error) if error.error_len().is_none() => hide(&String::from_utf8_lossy(&part[..error.valid_up_to()])),
        Err(_) => hide(&printable(part, READ_BYTES)),
    };
    let end = text.char_indices().map(|(at, char)| at + char.len_utf8()).take_while(|end| *end <= BODY_BYTES).last();
    let (end, is_cut) = (end.unwrap_or(0), body.len() > part.len() || text.len() > BODY_BYTES);
    format!("{}{}", &text[..end], if is_cut { "…" } else { "" })
}
