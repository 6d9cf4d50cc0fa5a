//! One step that did not go as its journey wants it, for a person who has to find out why.
//!
//! Where it is written, what was wanted and seen, what was sent and answered. Secrets were redacted where the sample was
//! taken; here it is only made harmless and made to fit.

use plimsoll_model::FailureSample;

use crate::escape::harmless_short;
use crate::paint::{Ink, Style};
use crate::wrap::wrap;

/// Columns of the labels: `wanted`, `answer`.
const LABEL: usize = 8;
/// Characters of what was wanted, or seen.
const WORDS_MAX: usize = 300;
/// Characters of a head's line, or of a body: more than a sample holds.
const MESSAGE_MAX: usize = 4_000;

/// How much of a failure is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    /// Columns to the left.
    pub(crate) indent: usize,
    /// Lines of a message's head; the first is its request or status line.
    pub(crate) head_lines: usize,
    /// Lines of its body.
    pub(crate) body_lines: usize,
}

/// All of it, in lines beneath the step.
pub(crate) fn details(failure: &FailureSample, extent: Extent, style: Style) -> String {
    let mut text = String::new();
    let source = if failure.source == failure.step { "" } else { &failure.source };
    for (label, what) in
        [("at", failure.place.as_str()), ("line", source), ("wanted", &failure.expected), ("saw", &failure.actual)]
    {
        if !what.is_empty() {
            text += &row(label, &harmless_short(what, WORDS_MAX), extent, style);
        }
    }
    text + &message("request", &failure.request, extent, style) + &message("answer", &failure.answer, extent, style)
}

fn row(label: &str, words: &str, extent: Extent, style: Style) -> String {
    let body = wrap(words, style.columns(), extent.indent + LABEL);
    let folded = body.lines().flat_map(|line| fold(line.trim_start(), room(extent, style)));
    beside(label, folded.collect(), extent, style)
}

/// The first lines of a message, and the first of its body.
fn message(label: &str, text: &str, extent: Extent, style: Style) -> String {
    if text.is_empty() {
        return String::new();
    }
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let head = lines(head, extent.head_lines, extent, style);
    let body = lines(body, extent.body_lines, extent, style);
    beside(label, head, extent, style) + &beside("body", body, extent, style)
}

/// Lines that fit; where there are more of them, the last says so.
fn lines(text: &str, lines_max: usize, extent: Extent, style: Style) -> Vec<String> {
    let whole = text.trim_end_matches(['\r', '\n']);
    let mut lines: Vec<String> = whole
        .lines()
        .take(lines_max + 1)
        .flat_map(|line| fold(&harmless_short(line, MESSAGE_MAX), room(extent, style)))
        .take(lines_max + 1)
        .collect();
    if lines.len() > lines_max {
        lines.truncate(lines_max);
        // A head of one line is the line that matters; that there were headers goes without saying.
        if let Some(last) = lines.last_mut().filter(|_| lines_max > 1) {
            *last = "…".to_owned();
        }
    }
    lines
}

/// A label, and lines to its right.
fn beside(label: &str, lines: Vec<String>, extent: Extent, style: Style) -> String {
    let mut text = String::new();
    for (nth, line) in lines.iter().enumerate() {
        let label = style.paint(Ink::Dim, &format!("{:<LABEL$}", if nth == 0 { label } else { "" }));
        text += format!("{:indent$}{label}{line}", "", indent = extent.indent).trim_end();
        text.push('\n');
    }
    text
}

fn room(extent: Extent, style: Style) -> usize {
    style.columns().saturating_sub(extent.indent + LABEL).max(1)
}

/// A line cut into as many as it needs; an empty one stays one.
fn fold(line: &str, columns: usize) -> Vec<String> {
    let chars: Vec<char> = line.chars().collect();
    if chars.is_empty() {
        vec![String::new()]
    } else {
        chars.chunks(columns).map(|part| part.iter().collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style { colour: false, width: 60 };
    const EXTENT: Extent = Extent { indent: 4, head_lines: 3, body_lines: 2 };

    #[track_caller]
    fn check(label: &str, text: &str, expected: &str) {
        assert_eq!(message(label, text, EXTENT, STYLE), expected);
    }

    #[test]
    fn of_messages_the_beginning_is_shown() {
        check("request", "", "");
        check("request", "GET / HTTP/1.1\nHost: t\n", "    request GET / HTTP/1.1\n            Host: t\n");
        check(
            "answer",
            "HTTP/1.1 200 OK\na: 1\nb: 2\nc: 3\n\none\ntwo\nthree",
            "    answer  HTTP/1.1 200 OK\n            a: 1\n            …\n    body    one\n            …\n",
        );
        check("answer", &format!("{}\n", "x".repeat(50)), &format!("    answer  {}\n            xx\n", "x".repeat(48)));
    }
}
