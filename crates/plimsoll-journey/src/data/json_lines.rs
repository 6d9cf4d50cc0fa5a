//! An object a line. All have the keys of the first one, in any order, so that no variable lacks a value now and then.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::misread::Fault;
use super::{Table, without_mark};
use crate::value::{Number, Value};

/// Reads the whole file once.
pub(super) fn read(text: &str) -> Result<Table, Fault> {
    let mut table = Table::for_lines_of(text);
    let mut at = without_mark(text);
    for line in text[at..].split_inclusive('\n') {
        if !line.trim().is_empty() {
            check_row(&mut table, line.trim_end(), at)?;
            table.row(at);
        }
        at += line.len();
    }
    if table.rows.is_empty() {
        return Err(Fault::new(0, "nothing in the file", "every line is an object, such as `{\"user\": \"ada\"}`"));
    }
    Ok(table)
}

/// The values of the row with which a text begins.
pub(super) fn values(text: &str, columns: &[String]) -> impl Iterator<Item = (usize, Value)> {
    let line = text.lines().next().unwrap_or_default();
    // Every row was read before, so there is no fault any more.
    let Fields(fields) = serde_json::from_str(line).unwrap_or_default();
    let column = |name: &str| columns.iter().position(|column| column == name);
    fields.into_iter().filter_map(move |(name, value)| Some((column(&name)?, value)))
}

fn check_row(table: &mut Table, line: &str, at: usize) -> Result<(), Fault> {
    let indent = line.len() - line.trim_start().len();
    if !line.trim_start().starts_with('{') {
        return Err(Fault::new(
            at + indent,
            "a line that is no object",
            "every line is an object of its own, unlike an array",
        ));
    }
    let Fields(fields) = serde_json::from_str(line).map_err(|error| fault(&error, at))?;
    if table.rows.is_empty() {
        return fields.iter().try_for_each(|(name, _)| table.name(name, at + indent)).and_then(|()| named(table, at));
    }
    for (number, (name, _)) in fields.iter().enumerate() {
        if fields[..number].iter().any(|(earlier, _)| earlier == name) {
            return Err(Fault::new(at + indent, format!("key `{name}` a second time"), ""));
        }
        if !table.columns.contains(name) {
            return Err(Fault::new(at + indent, format!("key `{name}`, which the first row does not have"), SAME_KEYS));
        }
    }
    let missing = table.columns.iter().find(|column| !fields.iter().any(|(name, _)| name == *column));
    missing.map_or(Ok(()), |name| {
        Err(Fault::new(at + indent, format!("no key `{name}`, which the first row has"), SAME_KEYS))
    })
}

const SAME_KEYS: &str = "all rows have the same keys; `null` is a value too";

fn named(table: &Table, at: usize) -> Result<(), Fault> {
    match table.columns.is_empty() {
        true => Err(Fault::new(at, "an object without keys", "every key names the variable that it becomes")),
        false => Ok(()),
    }
}

fn fault(error: &serde_json::Error, at: usize) -> Fault {
    let message = error.to_string();
    // The line that it names is always the first, because it sees but one.
    let message = message.split(" at line ").next().unwrap_or(&message);
    Fault::new(at + error.column().saturating_sub(1), format!("no JSON: {message}"), "")
}

/// An object as it was written: in its order, with keys that came twice.
#[derive(Default)]
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.deserialize_map(AnyValue)? {
            Value::Object(fields) => Ok(Self(fields.to_vec())),
            _ => Ok(Self::default()),
        }
    }
}

/// Reads any JSON into a value.
#[derive(Clone, Copy)]
struct AnyValue;

struct Read(Value);

impl<'de> Deserialize<'de> for Read {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue).map(Self)
    }
}

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(Number::Integer(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        let big = || Number::Big(value.to_string().into());
        Ok(Value::Number(i64::try_from(value).map_or_else(|_| big(), Number::Integer)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(Number::Float(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Read(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Vec::new();
        while let Some((name, Read(value))) = entries.next_entry()? {
            object.push((name, value));
        }
        Ok(Value::Object(object.into()))
    }
}
