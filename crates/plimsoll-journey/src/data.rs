//! What journeys are fed with: files of rows, whose columns become variables.
//!
//! A file is kept as it was read, with one offset a row, and a row becomes values when it is used: two million rows
//! cost their own bytes and four more each. All of it is read once beforehand, so that a mistake in the last row is
//! known before the first request. Which row it is at a time is [`Pick`]'s to say.

mod csv;
mod json_lines;
mod misread;
mod pick;
mod zipf;

use std::path::Path;

pub use misread::Misread;
pub use pick::{AtEnd, Order, Pick, Spent, Turn};
pub use zipf::Zipf;

use crate::value::Value;
use misread::{Fault, Source};

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// RFC 4180: the first row names the columns. Values are text; lines without anything are passed over.
    Csv {
        /// What stands between two values: `,` `;` or a tab.
        separator: u8,
    },
    /// An object a line, all with the same keys. Values keep their type.
    JsonLines,
}

impl Format {
    /// The format that a file's ending promises; none for other endings.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "csv" => Some(Self::Csv { separator: b',' }),
            "tsv" => Some(Self::Csv { separator: b'\t' }),
            "jsonl" | "ndjson" | "jsonlines" => Some(Self::JsonLines),
            _ => None,
        }
    }
}

/// A file of rows; immutable, and shared by all threads.
#[derive(Debug, Clone)]
pub struct Data {
    text: Box<str>,
    format: Format,
    columns: Vec<String>,
    /// Where each row begins; never empty.
    rows: Box<[u32]>,
}

impl Data {
    /// Reads a file's bytes; `file` is what complaints call it.
    ///
    /// # Errors
    /// At the first row that is not as it should be.
    pub fn read(file: &str, bytes: Vec<u8>, format: Format) -> Result<Self, Misread> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(Misread::without_place(file, "more than 4 GiB, which is the most that is read"));
        }
        let text = String::from_utf8(bytes).map_err(|error| Misread::not_text(file, &error))?.into_boxed_str();
        let table = match format {
            Format::Csv { separator } => csv::read(&text, separator),
            Format::JsonLines => json_lines::read(&text),
        };
        let Table { columns, rows } = table.map_err(|fault| Source { file, text: &text }.misread(fault))?;
        Ok(Self { text, format, columns, rows: rows.into_boxed_slice() })
    }

    /// The names of the variables, in the order of the file.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// How many rows there are; at least one.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The values of a row with the numbers of their columns; nothing for a row that does not exist.
    pub fn row(&self, index: usize) -> impl Iterator<Item = (usize, Value)> + '_ {
        let rest = self.rows.get(index).and_then(|start| self.text.get(*start as usize..));
        let (csv, json) = match (rest, self.format) {
            (None, _) => (None, None),
            (Some(rest), Format::Csv { separator }) => (Some(csv::values(rest, separator, self.columns.len())), None),
            (Some(rest), Format::JsonLines) => (None, Some(json_lines::values(rest, &self.columns))),
        };
        csv.into_iter().flatten().chain(json.into_iter().flatten())
    }

    /// The memory that it takes, without what the columns' names take.
    pub fn held_bytes(&self) -> usize {
        self.text.len() + size_of_val(&*self.rows)
    }
}

/// What the formats find in a file.
struct Table {
    columns: Vec<String>,
    rows: Vec<u32>,
}

impl Table {
    /// Room for one row a line at first: growing would take twice the memory for a moment.
    fn for_lines_of(text: &str) -> Self {
        let lines = text.bytes().filter(|byte| *byte == b'\n').count() + 1;
        Self { columns: Vec::new(), rows: Vec::with_capacity(lines) }
    }

    /// Adds a column; `at` is where its name stands.
    fn name(&mut self, name: &str, at: usize) -> Result<(), Fault> {
        if name.is_empty() {
            return Err(Fault::new(at, "a column without a name", "every column names the variable that it becomes"));
        }
        if self.columns.iter().any(|known| known == name) {
            return Err(Fault::new(at, format!("column `{name}` a second time"), ""));
        }
        self.columns.push(name.to_owned());
        Ok(())
    }

    /// Adds a row that begins there.
    fn row(&mut self, at: usize) {
        // The whole file is below 4 GiB.
        self.rows.push(at as u32);
    }
}

/// Editors of another system put a mark before the text; it is no part of the first name.
fn without_mark(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

#[cfg(test)]
mod tests;
