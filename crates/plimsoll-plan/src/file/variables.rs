//! `[variables]`: values that journeys use.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::field::Field;
use super::node::Value;
use super::table::Table;
use super::text::{REDACTED, Text};

/// A value that journeys use; a secret one is sent, and neither printed nor kept.
#[derive(Clone, PartialEq)]
pub struct Variable {
    scalar: Scalar,
    secret: bool,
}

/// What a variable holds: a number stays a number, so that it can stand in JSON.
#[derive(Clone, PartialEq)]
pub enum Scalar {
    /// Text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number.
    Float(f64),
    /// True or false.
    Bool(bool),
}

impl Variable {
    /// What it holds, to be sent and not to be shown.
    pub fn reveal(&self) -> &Scalar {
        &self.scalar
    }

    /// Whether nobody should see it.
    pub fn is_secret(&self) -> bool {
        self.secret
    }

    /// As text.
    pub fn text(&self) -> Text {
        let text = match &self.scalar {
            Scalar::Text(text) => text.clone(),
            Scalar::Integer(number) => number.to_string(),
            Scalar::Float(number) => number.to_string(),
            Scalar::Bool(yes) => yes.to_string(),
        };
        if self.secret { Text::secret(text) } else { Text::plain(text) }
    }
}

impl fmt::Debug for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.scalar {
            Scalar::Text(_) => self.text().fmt(f),
            _ => f.write_str(&self.text().shown()),
        }
    }
}

/// Whether it is a secret is not its own to know.
impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

impl JsonSchema for Variable {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Variable".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "integer", "number", "boolean"] })
    }
}

/// Reads `[variables]`; those that `secrets` names are secret.
pub(super) fn read(table: &Table<'_>, secrets: &[String]) -> BTreeMap<String, Variable> {
    let variable = |(name, field): (&str, Field<'_>)| {
        let mut variable = field.variable(name)?;
        variable.secret |= secrets.iter().any(|secret| secret == name);
        Some((name.to_owned(), variable))
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
        let secret = matches!(value, Value::Text(text) if text.is_secret());
        let scalar = match value {
            Value::Text(text) => Scalar::Text(text.reveal().to_owned()),
            Value::Integer(number) => Scalar::Integer(*number),
            Value::Float(number) => Scalar::Float(*number),
            Value::Bool(yes) => Scalar::Bool(*yes),
            Value::Date(date) => Scalar::Text(date.clone()),
            other => return self.wrong(other, "text, a number, `true` or `false`"),
        };
        Some(Variable { scalar, secret })
    }
}
