//! A table of the plan while it is read: who asks for a key makes it a known one, and what nobody asked for is a
//! mistake.
//!
//! Reading can also be a survey: then there is no plan, every table is gone through once, and what is asked for is
//! noted. So a test can hold the reader against the published schema.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use super::field::Field;
use super::found::{Found, Mistakes};
use super::nearest;
use super::node::{Entry, Node, Origin};

/// The kinds of JSON values that each key may have, by path.
pub(super) type Survey = RefCell<BTreeMap<String, BTreeSet<&'static str>>>;

/// What all tables and fields of one reading share.
#[derive(Clone, Copy)]
pub(super) struct Reading<'r> {
    pub(super) found: &'r Mistakes,
    pub(super) survey: Option<&'r Survey>,
}

/// A table while it is read.
pub(super) struct Table<'r> {
    pub(super) reading: Reading<'r>,
    /// As in `load.` or `journey[].`; empty for the whole file.
    prefix: String,
    origin: Origin,
    entries: &'r [Entry],
    asked: RefCell<Vec<&'static str>>,
    /// Somebody reads all keys, whatever they are called.
    free: Cell<bool>,
}

impl<'r> Table<'r> {
    /// The whole file.
    pub(super) fn whole(reading: Reading<'r>, node: &'r Node) -> Self {
        Self::new(reading, String::new(), Origin::Whole, node.entries())
    }

    pub(super) fn new(reading: Reading<'r>, path: String, origin: Origin, entries: &'r [Entry]) -> Self {
        let prefix = if path.is_empty() { path } else { path + "." };
        Self { reading, prefix, origin, entries, asked: RefCell::default(), free: Cell::new(false) }
    }

    /// A key, be it there or not.
    pub(super) fn get(&self, key: &'static str) -> Field<'r> {
        self.asked.borrow_mut().push(key);
        let entry = self.entries.iter().find(|entry| entry.key == key);
        Field {
            reading: self.reading,
            path: format!("{}{key}", self.prefix),
            key_origin: entry.map_or(self.origin, |entry| entry.origin),
            node: entry.map(|entry| &entry.node),
        }
    }

    /// All keys that nobody asked for before, with their names: for tables whose keys people choose. In a survey there
    /// is one, and `pattern` stands for its name.
    pub(super) fn rest(&self, pattern: &'static str) -> Vec<(&'r str, Field<'r>)> {
        self.free.set(true);
        if self.reading.survey.is_some() {
            return vec![(pattern, self.get(pattern))];
        }
        let asked = self.asked.borrow();
        let unknown = self.entries.iter().filter(|entry| !asked.contains(&entry.key.as_str()));
        unknown.map(|entry| (entry.key.as_str(), self.chosen(entry))).collect()
    }

    /// Shows a survey what it would not come across by itself.
    pub(super) fn survey(&self, pattern: &'static str, read: impl FnOnce(&Field<'r>)) {
        if self.reading.survey.is_some() {
            read(&self.get(pattern));
        }
    }

    /// A key that somebody chose; in quotes where TOML wants them.
    fn chosen(&self, entry: &'r Entry) -> Field<'r> {
        let bare = entry.key.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-');
        let key = if bare { entry.key.clone() } else { format!("\"{}\"", entry.key) };
        Field {
            reading: self.reading,
            path: format!("{}{key}", self.prefix),
            key_origin: entry.origin,
            node: Some(&entry.node),
        }
    }

    /// Complains about the table as a whole.
    pub(super) fn mistake(&self, message: impl Into<String>, hint: impl Into<String>) {
        self.reading.found.add(Found::new(self.origin, message, hint));
    }

    /// Complains about every key that nobody asked for.
    pub(super) fn finish(self) {
        if self.free.get() {
            return;
        }
        let known = self.asked.into_inner();
        for entry in self.entries.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            let message = format!("unknown key `{}{}`", self.prefix.replace("[]", ""), entry.key);
            self.reading.found.add(Found::new(entry.origin, message, nearest::hint(&entry.key, &known)));
        }
    }
}
