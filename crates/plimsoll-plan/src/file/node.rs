//! A plan as a tree of values that know where they were written.
//!
//! The tree stands between TOML and the typed plan, because overrides, secrets, scenarios and factors change values
//! before anybody can say whether they make sense, and a complaint must still find the line.

use super::text::Text;

/// Where something was written. What stands in the file comes before what was typed after `--set`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Origin {
    /// Nowhere in particular: the whole file is meant.
    #[default]
    Whole,
    /// At this byte of the file.
    At(usize),
    /// In the so-many-th `--set`.
    Set(usize),
}

/// A value and its origin.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Node {
    pub(super) value: Value,
    pub(super) origin: Origin,
}

/// What TOML can say.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(Text),
    Integer(i64),
    Float(f64),
    Bool(bool),
    /// A date or a time; no key of a plan wants one.
    Date(String),
    List(Vec<Node>),
    Table(Vec<Entry>),
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) key: String,
    /// Where the key stands.
    pub(super) origin: Origin,
    pub(super) node: Node,
}

impl Default for Value {
    fn default() -> Self {
        Self::Table(Vec::new())
    }
}

impl Value {
    /// What it is, for people.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Integer(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::Bool(_) => "true or false",
            Self::Date(_) => "a date",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }

    /// A single value as the text it would be written as; none for lists and tables.
    pub(super) fn scalar(&self) -> Option<Text> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Integer(number) => Some(Text::plain(number.to_string())),
            Self::Float(number) => Some(Text::plain(number.to_string())),
            Self::Bool(yes) => Some(Text::plain(yes.to_string())),
            Self::Date(date) => Some(Text::plain(date.clone())),
            Self::List(_) | Self::Table(_) => None,
        }
    }
}

impl Node {
    /// The entries of a table; none of anything else.
    pub(super) fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Table(entries) => entries,
            _ => &[],
        }
    }

    /// The values of a list; none of anything else.
    pub(super) fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// A list of names.
    pub(super) fn names(&self, key: &str) -> Vec<String> {
        let names = self.get(key).map_or(&[][..], Self::items);
        names.iter().filter_map(|name| name.value.scalar()).map(|name| name.reveal().to_owned()).collect()
    }

    /// The values of a list, to be changed; none of anything else.
    pub(super) fn items_mut(&mut self) -> &mut [Self] {
        match &mut self.value {
            Value::List(items) => items,
            _ => &mut [],
        }
    }

    /// A value of a table.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// A value of a table, to be changed.
    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        match &mut self.value {
            Value::Table(entries) => entries.iter_mut().find(|entry| entry.key == key).map(|entry| &mut entry.node),
            _ => None,
        }
    }

    /// Gives a key of a table its value, in place of any it has. What is no table becomes one.
    pub(super) fn put(&mut self, entry: Entry) {
        if !matches!(self.value, Value::Table(_)) {
            self.value = Value::default();
        }
        let Value::Table(entries) = &mut self.value else { return };
        match entries.iter_mut().find(|known| known.key == entry.key) {
            Some(known) => *known = entry,
            None => entries.push(entry),
        }
    }

    /// Takes a key out of a table.
    pub(super) fn remove(&mut self, key: &str) -> Option<Entry> {
        let Value::Table(entries) = &mut self.value else { return None };
        let index = entries.iter().position(|entry| entry.key == key)?;
        Some(entries.remove(index))
    }

    /// Shows every single value of the tree to `change`, which may replace it.
    pub(super) fn for_each_scalar(&mut self, change: &mut dyn FnMut(&mut Self)) {
        match &mut self.value {
            Value::List(items) => items.iter_mut().for_each(|item| item.for_each_scalar(change)),
            Value::Table(entries) => entries.iter_mut().for_each(|entry| entry.node.for_each_scalar(change)),
            _ => change(self),
        }
    }
}
