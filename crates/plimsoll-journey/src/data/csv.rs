//! Comma-separated values by RFC 4180: CRLF or LF ends a row, quotes protect separators and line ends, and two quotes
//! inside quotes are one. A quote inside a value that does not begin with one is part of it, as everybody reads it.

use std::borrow::Cow;

use super::misread::Fault;
use super::{Table, without_mark};
use crate::value::Value;

/// Reads the whole file once.
pub(super) fn read(text: &str, separator: u8) -> Result<Table, Fault> {
    let mut table = Table::for_lines_of(text);
    let mut cursor = Cursor { text, at: without_mark(text), separator };
    cursor.skip_empty_lines();
    if cursor.at_end() {
        return Err(Fault::new(0, "nothing in the file", "the first row names the columns"));
    }
    while {
        let at = cursor.at;
        let (name, ending) = cursor.value()?;
        table.name(name.trim(), at)?;
        ending == Ending::Value
    } {}
    cursor.skip_empty_lines();
    while !cursor.at_end() {
        table.row(cursor.at);
        cursor.pass_row(table.columns.len())?;
        cursor.skip_empty_lines();
    }
    if table.rows.is_empty() {
        return Err(Fault::new(text.len(), "no row below the names of the columns", ""));
    }
    Ok(table)
}

/// The values of the row with which a text begins.
pub(super) fn values(text: &str, separator: u8, columns: usize) -> impl Iterator<Item = (usize, Value)> + '_ {
    let mut cursor = Cursor { text, at: 0, separator };
    // Every row was read before, so there is no fault any more.
    (0..columns).map_while(move |column| Some((column, Value::Text(cursor.value().ok()?.0.into()))))
}

/// What ended a value.
#[derive(PartialEq, Eq)]
enum Ending {
    /// A separator: another follows.
    Value,
    Row,
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
    separator: u8,
}

impl<'a> Cursor<'a> {
    fn at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn skip_empty_lines(&mut self) {
        while let Some(length) = self.line_end(self.at) {
            self.at += length;
        }
    }

    /// How long the line end is that stands there, if one does.
    fn line_end(&self, at: usize) -> Option<usize> {
        match (self.byte(at)?, self.byte(at + 1)) {
            (b'\n', _) => Some(1),
            (b'\r', Some(b'\n')) => Some(2),
            _ => None,
        }
    }

    /// Goes to the next row, if this one has so many values.
    fn pass_row(&mut self, columns: usize) -> Result<(), Fault> {
        let start = self.at;
        let mut values = 0;
        loop {
            let at = self.at;
            let (_, ending) = self.value()?;
            values += 1;
            match (ending, values == columns) {
                (Ending::Value, true) => return Err(Fault::new(self.at, many(columns), quote_hint(self.separator))),
                (Ending::Row, true) => return Ok(()),
                (Ending::Row, false) => {
                    let place = if values == 1 { start } else { at };
                    return Err(Fault::new(place, few(columns, values), ""));
                }
                (Ending::Value, false) => {}
            }
        }
    }

    /// The next value, and what ended it.
    fn value(&mut self) -> Result<(Cow<'a, str>, Ending), Fault> {
        let value = match self.byte(self.at) {
            Some(b'"') => self.quoted()?,
            _ => Cow::Borrowed(self.plain()),
        };
        if let Some(length) = self.line_end(self.at) {
            self.at += length;
            return Ok((value, Ending::Row));
        }
        let ending = if self.at_end() { Ending::Row } else { Ending::Value };
        self.at += 1;
        Ok((value, ending))
    }

    /// Up to a separator or a line end.
    fn plain(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(|byte| byte == self.separator || byte == b'\n').unwrap_or(rest.len());
        let value = &rest[..length];
        let is_row = rest.as_bytes().get(length) != Some(&self.separator);
        // The carriage return of a line end belongs to it.
        let value = if is_row { value.strip_suffix('\r').unwrap_or(value) } else { value };
        self.at += if rest.len() == length { length } else { value.len() };
        value
    }

    /// What stands between quotes.
    fn quoted(&mut self) -> Result<Cow<'a, str>, Fault> {
        let start = self.at + 1;
        let mut at = start;
        loop {
            let Some(length) = self.text[at..].find('"') else {
                return Err(Fault::new(self.at, "a quote that is never closed", quotes_hint()));
            };
            at += length + 1;
            if self.byte(at) != Some(b'"') {
                break;
            }
            at += 1;
        }
        let inside = &self.text[start..at - 1];
        // A carriage return at the very end of the file is half a line end.
        let at = if self.text[at..] == *"\r" { at + 1 } else { at };
        let ends = at == self.text.len() || self.byte(at) == Some(self.separator) || self.line_end(at).is_some();
        if !ends {
            return Err(Fault::new(at, "more of a value after its closing quote", quotes_hint()));
        }
        self.at = at;
        Ok(if inside.contains('"') { Cow::Owned(inside.replace("\"\"", "\"")) } else { Cow::Borrowed(inside) })
    }
}

fn few(columns: usize, values: usize) -> String {
    let verb = if values == 1 { "value" } else { "values" };
    format!("{values} {verb} in a row, where the first row names {columns} columns")
}

fn many(columns: usize) -> String {
    let noun = if columns == 1 { "column" } else { "columns" };
    format!("more values in a row than the {columns} {noun} that the first row names")
}

fn quote_hint(separator: u8) -> String {
    format!("a value that holds `{}` stands in quotes", char::from(separator).escape_default())
}

fn quotes_hint() -> &'static str {
    "inside quotes, a quote is written as two: `\"say \"\"yes\"\"\"`"
}
