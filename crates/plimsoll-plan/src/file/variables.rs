//! `[variables]` and `secrets`: values that journeys use.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;

use super::field::Field;
use super::node::Value;
use super::table::Table;
use super::text::{REDACTED, Text};

/// What a variable holds.
#[derive(Clone, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum Variable {
    /// Text.
    Text(Text),
    /// A whole number.
    Integer(i64),
    /// A number.
    Float(f64),
    /// True or false.
    Bool(bool),
}

impl Variable {
    /// Whether nobody should see it.
    pub fn is_secret(&self) -> bool {
        matches!(self, Self::Text(text) if text.is_secret())
    }

    /// As text.
    pub fn text(&self) -> Text {
        match self {
            Self::Text(text) => text.clone(),
            Self::Integer(number) => Text::plain(number.to_string()),
            Self::Float(number) => Text::plain(number.to_string()),
            Self::Bool(yes) => Text::plain(yes.to_string()),
        }
    }
}

impl fmt::Debug for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) if text.is_secret() => f.write_str(REDACTED),
            Self::Text(text) => text.fmt(f),
            other => f.write_str(&other.text().shown()),
        }
    }
}

/// Reads `[variables]`; those that `secrets` names are secret, and text, whatever they look like.
pub(super) fn read(table: &Table<'_>, secrets: &[String]) -> BTreeMap<String, Variable> {
    let variable = |(name, field): (&str, Field<'_>)| {
        let value = field.variable(name)?;
        let secret = secrets.iter().any(|secret| secret == name);
        let value = if secret { Variable::Text(value.text().into_secret()) } else { value };
        Some((name.to_owned(), value))
    };
    table.rest("*").into_iter().filter_map(variable).collect()
}

impl Field<'_> {
    fn variable(&self, name: &str) -> Option<Variable> {
        self.accepts(&["string", "integer", "number", "boolean"]);
        let value = self.value()?;
        if !name.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-') {
            self.mistake("a name has letters, digits, `_` and `-` only", "journeys write it as `{{name}}`");
        }
        match value {
            Value::Text(text) => Some(Variable::Text(text.clone())),
            Value::Integer(number) => Some(Variable::Integer(*number)),
            Value::Float(number) => Some(Variable::Float(*number)),
            Value::Bool(yes) => Some(Variable::Bool(*yes)),
            Value::Date(date) => Some(Variable::Text(Text::plain(date.clone()))),
            other => self.wrong(other, "text, a number, `true` or `false`"),
        }
    }
}
