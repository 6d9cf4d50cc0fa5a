//! From TOML to the tree.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::found::{Found, Mistakes};
use super::node::{Entry, Node, Origin, Value};
use super::text::Text;

/// Reads a whole file. What is wrong with its TOML is found, all of it at once; the tree is then of no use.
pub(super) fn document(text: &str, found: &mut Mistakes) -> Node {
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let origin = Origin::At(error.span().map_or(text.len(), |span| span.start));
        found.add(Found::new(origin, format!("this is not TOML: {}", sentence(error.message())), SYNTAX));
    }
    let origin = Origin::At(0);
    Node { value: entries(table.into_inner(), &mut |span| Origin::At(span), found), origin }
}

/// Reads a single value as TOML writes it; none if it is not one. Its parts have the origin given.
pub(super) fn value(text: &str, origin: Origin, found: &mut Mistakes) -> Option<Node> {
    let value = DeValue::parse(text).ok()?;
    Some(node(value, &mut |_| origin, found))
}

const SYNTAX: &str = "text is written in quotes, `key = \"value\"`; a section begins with `[name]`";

/// The parser's words on one line and without a full stop.
fn sentence(message: &str) -> String {
    message.trim().trim_end_matches('.').replace('\n', ", ")
}

type Placing<'p> = dyn FnMut(usize) -> Origin + 'p;

fn node(value: Spanned<DeValue<'_>>, place: &mut Placing<'_>, found: &mut Mistakes) -> Node {
    let origin = place(value.span().start);
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(Text::plain(text)),
        DeValue::Integer(number) => integer(number.as_str(), number.radix(), origin, found),
        DeValue::Float(number) => Value::Float(number.as_str().replace('_', "").parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(yes) => Value::Bool(yes),
        DeValue::Datetime(date) => Value::Date(date.to_string()),
        DeValue::Array(items) => Value::List(items.into_iter().map(|item| node(item, place, found)).collect()),
        DeValue::Table(table) => entries(table, place, found),
    };
    Node { value, origin }
}

/// A table's entries in the order in which they were written.
fn entries(table: DeTable<'_>, place: &mut Placing<'_>, found: &mut Mistakes) -> Value {
    let mut written: Vec<_> = table.into_iter().collect();
    written.sort_by_key(|(key, _)| key.span().start);
    let entry = |(key, value): (Spanned<_>, _)| {
        let origin = place(key.span().start);
        Entry { key: String::from(key.into_inner()), origin, node: node(value, place, found) }
    };
    Value::Table(written.into_iter().map(entry).collect())
}

fn integer(digits: &str, radix: u32, origin: Origin, found: &mut Mistakes) -> Value {
    let number = i64::from_str_radix(&digits.replace('_', ""), radix);
    Value::Integer(number.unwrap_or_else(|_| {
        let message = format!("`{digits}` is more than this tool can count");
        found.add(Found::new(origin, message, "use a smaller number"));
        0
    }))
}
