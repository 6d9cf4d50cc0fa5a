//! Hurl files become journeys: the only module of the library that knows `hurl_core`.
//!
//! The official parser says what a file means, and each construct of it either becomes part of the program that
//! `plimsoll-journey` evaluates, or is a mistake with its place and the reason: nothing is ignored in silence. Files
//! that a Hurl file names are read here, once, so that a run opens none. What a server answers is not known here.
//! `docs/hurl.md` says of every feature what becomes of it.

mod body;
mod expected;
mod files;
mod filter;
mod json;
mod label;
mod multipart;
mod options;
mod predicate;
mod query;
mod reader;
mod refused;
mod request;
mod settings;
mod syntax;
mod template;
#[cfg(test)]
mod tests;
mod variables;
mod xpath;

use std::path::Path;

use plimsoll_journey::{Journey, Names};

pub use self::variables::{Mention, Use, Variables};
pub use self::xpath::LibXml;
use crate::mistake::Mistake;

/// A Hurl file that was read.
#[derive(Debug, Clone)]
pub struct Reading {
    /// What it says.
    pub journey: Journey,
    /// Which variables it reads and which it sets.
    pub variables: Variables,
}

/// Compiles a Hurl file. `path` is what it is called in messages, and its folder is where the files it names are.
///
/// # Errors
/// Whatever cannot be read or honoured, in the order of the file. The parser stops at its first error, so a mistake
/// of syntax comes alone.
pub fn read(path: &Path, text: &str, names: &mut Names) -> Result<Journey, Vec<Mistake>> {
    read_with_variables(path, text, names).map(|reading| reading.journey)
}

/// As [`read`], with the variables, so that one that nobody sets is found before the run.
///
/// # Errors
/// As [`read`].
pub fn read_with_variables(path: &Path, text: &str, names: &mut Names) -> Result<Reading, Vec<Mistake>> {
    // An editor's mark of the encoding is no part of the first request.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = reader::Reader::new(path, text, names);
    if reader.is_parsable(text) {
        match hurl_core::parser::parse_hurl_file(text) {
            Ok(file) => reader.journey(&file),
            Err(error) => reader.syntax_error(&error),
        }
    }
    reader.finish()
}
