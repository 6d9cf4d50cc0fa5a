//! What is wrong with a data file, and where.

use std::string::FromUtf8Error;

use crate::program::Place;

/// What is wrong with a data file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}:{}: {message}", place.file, place.line, place.column)]
pub struct Misread {
    /// Where; line and column 1 where the file as a whole is at fault.
    pub place: Place,
    /// The line as it was written; empty where there is none to show.
    pub line: String,
    /// What is wrong, in lower case and without a full stop.
    pub message: String,
    /// What to try; empty where there is nothing to say.
    pub hint: String,
}

/// A longer line would fill the screen, and the mark below it would say nothing.
const LINE_CHARS_MAX: usize = 300;

/// What is wrong, and at which byte.
pub(super) struct Fault {
    at: usize,
    message: String,
    hint: String,
}

impl Fault {
    pub(super) fn new(at: usize, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { at, message: message.into(), hint: hint.into() }
    }
}

/// A file's text under its name.
pub(super) struct Source<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
}

impl Source<'_> {
    /// Turns bytes into lines and columns; it happens once, so it may count.
    pub(super) fn misread(&self, fault: Fault) -> Misread {
        let before = self.text.get(..fault.at).unwrap_or(self.text);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text[start..].lines().next().unwrap_or_default();
        let place = Place {
            file: self.file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
        };
        let line = if line.chars().count() > LINE_CHARS_MAX { "" } else { line };
        Misread { place, line: line.to_owned(), message: fault.message, hint: fault.hint }
    }
}

impl Misread {
    pub(super) fn without_place(file: &str, message: &str) -> Self {
        let place = Place { file: file.to_owned(), line: 1, column: 1 };
        Self { place, line: String::new(), message: message.to_owned(), hint: String::new() }
    }

    pub(super) fn not_text(file: &str, error: &FromUtf8Error) -> Self {
        let at = error.utf8_error().valid_up_to();
        let byte = error.as_bytes().get(at).copied().unwrap_or_default();
        let text = String::from_utf8_lossy(error.as_bytes());
        let message = format!("byte 0x{byte:02x} is not UTF-8");
        // What came before it was text, so its place is the same in both.
        Source { file, text: &text }.misread(Fault::new(at, message, "save the file as UTF-8"))
    }
}
