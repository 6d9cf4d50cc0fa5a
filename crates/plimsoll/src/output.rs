//! The two streams: results on stdout, everything else on stderr.
//!
//! A reader of stdout who has seen enough (`plimsoll … | head`) is no error. Nothing that was typed or received
//! reaches the terminal unescaped.

use std::io::{self, ErrorKind, IsTerminal, Write};

use anyhow::Context;
use plimsoll_report::{Style, harmless};

use crate::progress::CLEAR;
use crate::usage::Usage;

/// Columns where nothing is known of the terminal.
const WIDTH_DEFAULT: usize = 80;

/// Writes a result, which ends with a newline.
pub(crate) fn result(text: &str) -> anyhow::Result<()> {
    result_bytes(text.as_bytes())
}

/// Writes a result.
pub(crate) fn result_bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.context("cannot write to stdout"),
    }
}

/// Writes a line for the person who waits.
pub(crate) fn note(text: &str) {
    // There is no place left to complain about a stderr that is closed.
    let clear = if rewrites_lines() { CLEAR } else { "" };
    let _ = writeln!(io::stderr().lock(), "{clear}{}", harmless(text));
}

/// Writes text that is safe already, where stdout is taken.
pub(crate) fn text_on_stderr(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Writes what is wrong, and what to try.
pub(crate) fn error(usage: &Usage) {
    let colour = colour_allowed() && IsTerminal::is_terminal(&io::stderr());
    let label = |text: &str, code: u8| if colour { format!("\x1b[1;{code}m{text}\x1b[0m") } else { text.to_owned() };
    let mut text = format!("{} {}\n", label("error:", 31), harmless_lines(&usage.to_string()));
    if let Some(hint) = usage.hint() {
        text += &format!("{} {}\n", label("hint:", 36), harmless(hint));
    }
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// A complaint may show the lines that it is about; each of them is made harmless by itself.
fn harmless_lines(text: &str) -> String {
    text.lines().map(harmless).collect::<Vec<_>>().join("\n")
}

/// Writes `plimsoll.error/1`.
pub(crate) fn error_object(usage: &Usage) {
    if let Ok(json) = usage.json() {
        // The exit code says the same to whoever closed stdout.
        let _ = result(&(json + "\n"));
    }
}

/// Whether stderr is a terminal that understands how to go back and clear a line.
pub(crate) fn rewrites_lines() -> bool {
    IsTerminal::is_terminal(&io::stderr()) && !is_dumb()
}

/// How text on this stream may look.
pub(crate) fn style(stream: &impl AsTerminal) -> Style {
    let terminal = stream.is_terminal();
    Style { colour: terminal && colour_allowed(), width: stream.width().unwrap_or(WIDTH_DEFAULT) }
}

/// A stream that may be a terminal.
pub(crate) trait AsTerminal {
    /// Whether it is one.
    fn is_terminal(&self) -> bool;
    /// Its columns, if it is one.
    fn width(&self) -> Option<usize>;
}

impl<S: IsTerminal + std::os::fd::AsFd> AsTerminal for S {
    fn is_terminal(&self) -> bool {
        IsTerminal::is_terminal(self)
    }

    fn width(&self) -> Option<usize> {
        terminal_size::terminal_size_of(self).map(|(width, _)| usize::from(width.0))
    }
}

/// <https://no-color.org>: set and not empty means none.
fn colour_allowed() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && !is_dumb()
}

/// A terminal that says it understands no escapes.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
