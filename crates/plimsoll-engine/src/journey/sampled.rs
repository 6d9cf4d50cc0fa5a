//! A failure as it is kept for people: what was sent, what came back, without secrets, and not too much of it.

use plimsoll_http::printable;
use plimsoll_journey::Failure;
use plimsoll_model::{FailureSample, redact};

use super::kept::Kept;
use crate::compile::Ask;

/// So much of a body is shown.
const BODY_BYTES: usize = 512;
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
    hide: &dyn Fn(&str) -> String,
) -> FailureSample {
    let place = &failure.place;
    FailureSample {
        journey: at.journey.to_owned(),
        step: at.step.to_owned(),
        place: format!("{}:{}", place.file, place.line),
        source: hide(&failure.source),
        expected: hide(&failure.expected),
        actual: hide(&failure.actual),
        request: ask.map_or_else(String::new, |ask| hide(&message(&ask.text()))),
        answer: kept.map_or_else(String::new, |kept| hide(&answer(kept))),
    }
}

fn answer(kept: &Kept) -> String {
    let mut text = kept.head.clone();
    text.extend_from_slice(&kept.body[..kept.body.len().min(BODY_BYTES + 1)]);
    message(&text)
}

/// Head and body of a message as text, credentials redacted.
fn message(bytes: &[u8]) -> String {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").map_or(bytes.len(), |at| at + 4);
    let (head, body) = bytes.split_at(end);
    let head = &head[..head.len().min(HEAD_BYTES)];
    let mut text = String::new();
    for line in String::from_utf8_lossy(head).lines().filter(|line| !line.is_empty()) {
        match line.split_once(':') {
            Some((name, value)) => text += &format!("{name}: {}\n", redact(name, value.trim())),
            None => text += &format!("{line}\n"),
        }
    }
    if !body.is_empty() {
        text += &format!("\n{}", shown(body));
    }
    text
}

/// Text as it is, anything else in escapes.
fn shown(body: &[u8]) -> String {
    let part = &body[..body.len().min(BODY_BYTES)];
    let more = if body.len() > BODY_BYTES { "…" } else { "" };
    match std::str::from_utf8(part) {
        Ok(text) => format!("{text}{more}"),
        // A character may have been cut in two.
        Err(error) if error.error_len().is_none() => {
            format!("{}{more}", String::from_utf8_lossy(&part[..error.valid_up_to()]))
        }
        Err(_) => format!("{}{more}", printable(part, BODY_BYTES)),
    }
}
