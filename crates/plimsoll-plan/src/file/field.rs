//! A key of the plan while it is read: each kind of value has its reader, and every reader its complaint.

use std::path::PathBuf;
use std::time::Duration;

use plimsoll_model::ParseError;
use plimsoll_model::units::{parse_count, parse_duration};

use super::environment::MISSING;
use super::found::Found;
use super::nearest;
use super::node::{Node, Origin, Value};
use super::table::{Reading, Table};
use super::text::{REDACTED, Text};

/// A key that may be there.
pub(super) struct Field<'r> {
    pub(super) reading: Reading<'r>,
    pub(super) path: String,
    pub(super) key_origin: Origin,
    pub(super) node: Option<&'r Node>,
}

impl<'r> Field<'r> {
    /// Whether it is written down at all.
    pub(super) fn is_given(&self) -> bool {
        self.node.is_some()
    }

    /// The key as people write it: `load.shape`.
    pub(super) fn name(&self) -> String {
        self.path.replace("[]", "")
    }

    /// Complains about the value.
    pub(super) fn mistake(&self, message: impl Into<String>, hint: impl Into<String>) {
        let origin = self.node.map_or(self.key_origin, |node| node.origin);
        let message = format!("`{}`: {}", self.name(), message.into());
        self.reading.found.add(Found::new(origin, message, hint));
    }

    /// Complains unless it is there.
    pub(super) fn required(self, example: &str) -> Self {
        if !self.is_given() {
            let message = format!("`{}` is missing", self.name());
            self.reading.found.add(Found::new(self.key_origin, message, format!("write it like `{example}`")));
        }
        self
    }

    /// Text that may be a secret.
    pub(super) fn text(&self) -> Option<Text> {
        self.accepts(&["string"]);
        match self.value()? {
            Value::Text(text) => Some(text.clone()),
            // Nobody quotes a number after `--set`.
            value if matches!(self.node, Some(Node { origin: Origin::Set(_), .. })) => {
                value.scalar().or_else(|| self.wrong(value, "text"))
            }
            value => self.wrong(value, "text"),
        }
    }

    /// Text that is shown wherever it comes from, and says something.
    pub(super) fn word(&self) -> Option<String> {
        let text = self.text()?;
        if text.reveal().trim().is_empty() {
            self.mistake("it is empty", "write a text, or leave the key out");
            return None;
        }
        Some(text.reveal().to_owned())
    }

    /// A path.
    pub(super) fn path(&self) -> Option<PathBuf> {
        self.word().map(PathBuf::from)
    }

    /// Whatever `parse` makes of a text or a number.
    pub(super) fn parsed<T>(&self, parse: impl FnOnce(&str) -> Result<T, ParseError>) -> Option<T> {
        self.accepts(&["string"]);
        let value = self.value()?;
        let Some(text) = value.scalar() else { return self.wrong(value, "text") };
        parse(text.reveal()).map_err(|error| self.refuse(&text, &error)).ok()
    }

    /// A duration longer than nothing.
    pub(super) fn duration(&self) -> Option<Duration> {
        let duration = self.parsed(parse_duration)?;
        if duration.is_zero() {
            self.mistake("it must be longer than nothing", "write it like `30s`, or leave the key out");
            return None;
        }
        Some(duration)
    }

    /// A duration that may be nothing.
    pub(super) fn duration_or_zero(&self) -> Option<Duration> {
        self.parsed(parse_duration)
    }

    /// A whole number of at least `min`.
    pub(super) fn count<T: TryFrom<u64>>(&self, min: u64) -> Option<T> {
        self.accepts(&["integer", "string"]);
        let count = match self.value()? {
            Value::Integer(number) => u64::try_from(*number).ok(),
            Value::Text(text) => {
                parse_count(text.reveal()).map_err(|error| self.refuse(text, &error)).ok().map(Some)?
            }
            value => return self.wrong(value, "a whole number"),
        };
        let Some(count) = count.filter(|count| *count >= min) else {
            self.mistake(format!("it must be at least {min}"), "use a larger number, or leave the key out");
            return None;
        };
        T::try_from(count)
            .map_err(|_| self.mistake("that is more than this tool can count", "use a smaller number"))
            .ok()
    }

    /// A number, finite and not below zero.
    pub(super) fn number(&self) -> Option<f64> {
        self.accepts(&["number", "string"]);
        let number = match self.value()? {
            Value::Integer(number) => *number as f64,
            Value::Float(number) => *number,
            Value::Text(text) => text.reveal().trim().parse().unwrap_or(f64::NAN),
            value => return self.wrong(value, "a number"),
        };
        if number.is_finite() && number >= 0.0 {
            return Some(number);
        }
        self.mistake("it must be a number that is not below zero", "write it like `1.5`");
        None
    }

    /// True or false.
    pub(super) fn switch(&self) -> Option<bool> {
        self.accepts(&["boolean", "string"]);
        match self.value()? {
            Value::Bool(yes) => Some(*yes),
            Value::Text(text) if text.reveal() == "true" => Some(true),
            Value::Text(text) if text.reveal() == "false" => Some(false),
            value => self.wrong(value, "`true` or `false`"),
        }
    }

    /// One of a few words.
    pub(super) fn choice<T: Copy>(&self, words: &[(&'static str, T)]) -> Option<T> {
        let typed = self.word()?;
        if let Some((_, meant)) = words.iter().find(|(word, _)| *word == typed) {
            return Some(*meant);
        }
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let shown = self.text().map_or(String::new(), |text| text.to_string());
        let nearest = nearest::nearest(&typed, known.iter().copied());
        let hint = nearest.map_or("use one of these".to_owned(), |word| format!("did you mean `{word}`?"));
        self.mistake(format!("`{shown}` is not {}", nearest::list(&known)), hint);
        None
    }

    /// A list, each item by itself.
    pub(super) fn list<T>(&self, item: impl Fn(&Field<'r>) -> Option<T>) -> Vec<T> {
        self.accepts(&["array"]);
        self.survey_item(&item);
        match self.value() {
            Some(Value::List(items)) => items.iter().filter_map(|node| item(&self.item(Some(node)))).collect(),
            Some(value) => self.wrong(value, "a list, such as `[\"…\"]`").unwrap_or_default(),
            None => Vec::new(),
        }
    }

    /// A list, or its only item.
    pub(super) fn one_or_many<T>(&self, item: impl Fn(&Field<'r>) -> Option<T>) -> Vec<T> {
        match self.value() {
            Some(Value::List(_)) => self.list(item),
            Some(_) => item(self).into_iter().collect(),
            None if self.reading.survey.is_some() => {
                item(self);
                self.list(item)
            }
            None => Vec::new(),
        }
    }

    /// A table.
    pub(super) fn table<T>(&self, read: impl FnOnce(&Table<'r>) -> T) -> Option<T> {
        self.accepts(&["object"]);
        let entries = match self.value() {
            Some(Value::Table(entries)) => entries.as_slice(),
            Some(value) => return self.wrong(value, "a table"),
            None if self.reading.survey.is_some() => &[],
            None => return None,
        };
        let table = Table::new(self.reading, self.path.clone(), self.key_origin, entries);
        let read = read(&table);
        table.finish();
        Some(read)
    }

    /// `[[key]]`: a list of tables.
    pub(super) fn tables<T>(&self, read: impl Fn(&Table<'r>) -> T) -> Vec<T> {
        self.accepts(&["array"]);
        self.survey_item(&|item: &Field<'r>| item.table(&read));
        match self.value() {
            Some(Value::List(items)) => items.iter().filter_map(|node| self.item(Some(node)).table(&read)).collect(),
            Some(value) => self.wrong(value, &format!("`[[{}]]`, with two brackets", self.name())).unwrap_or_default(),
            None => Vec::new(),
        }
    }

    /// Complains about items of a list that have one name: nobody could tell their figures apart.
    pub(super) fn names_differ(&self) {
        let named = |item: &'r Node| item.get("name").and_then(|name| Some((name, name.value.scalar()?)));
        let names: Vec<_> = self.node.map_or(&[][..], Node::items).iter().filter_map(named).collect();
        for (index, (node, name)) in names.iter().enumerate() {
            if names[..index].iter().any(|(_, earlier)| earlier == name) {
                let field = Field { path: format!("{}.name", self.path), node: Some(node), ..*self };
                field.mistake(format!("another one is called `{name}` too"), "give each a name of its own");
            }
        }
    }

    /// A table, or text that says the same in short.
    pub(super) fn text_or_table<T>(
        &self,
        text: impl FnOnce(&Self) -> Option<T>,
        table: impl FnOnce(&Table<'r>) -> T,
    ) -> Option<T> {
        match self.value() {
            Some(Value::Table(_)) => self.table(table),
            Some(_) => text(self),
            None if self.reading.survey.is_some() => {
                text(self);
                self.table(table)
            }
            None => None,
        }
    }

    /// What was written; nothing where its value is missing and that was said already.
    pub(super) fn value(&self) -> Option<&'r Value> {
        let value = &self.node?.value;
        let missing = matches!(value, Value::Text(text) if text.is_secret() && text.reveal().contains(MISSING));
        (!missing).then_some(value)
    }

    /// Notes for the survey what the key may be.
    pub(super) fn accepts(&self, kinds: &[&'static str]) {
        if let Some(survey) = self.reading.survey {
            survey.borrow_mut().entry(self.path.clone()).or_default().extend(kinds);
        }
    }

    /// Complains about a value of another kind.
    pub(super) fn wrong<T>(&self, value: &Value, wanted: &str) -> Option<T> {
        self.mistake(format!("{wanted} is expected, and this is {}", value.kind()), "");
        None
    }

    fn item(&self, node: Option<&'r Node>) -> Field<'r> {
        let key_origin = node.map_or(self.key_origin, |node| node.origin);
        Field { reading: self.reading, path: format!("{}[]", self.path), key_origin, node }
    }

    fn survey_item<T>(&self, item: &impl Fn(&Field<'r>) -> Option<T>) {
        if self.reading.survey.is_some() {
            item(&self.item(None));
        }
    }

    fn refuse(&self, text: &Text, error: &ParseError) {
        // A shape's parser quotes the whole shape and an example; the line and the hint do that here.
        let (expected, example) = match error.expected.split_once(" (in the shape ") {
            Some((expected, rest)) => (expected, rest.rsplit_once("; an example is ").map_or("", |(_, rest)| rest)),
            None => error.expected.split_once(", such as ").unwrap_or((&error.expected, "")),
        };
        let expected = expected.split(", such as ").next().unwrap_or_default();
        // What is expected may quote the piece that is not.
        let unquoted = || expected.split(": `").next().unwrap_or_default();
        let (shown, expected) = if text.is_secret() { (REDACTED, unquoted()) } else { (error.text.as_str(), expected) };
        let hint = match example.trim_end_matches(')') {
            "" => String::new(),
            example => format!("write it like {example}"),
        };
        self.mistake(format!("`{shown}` is not {expected}"), hint);
    }
}
