//! Text of a plan that may be a secret.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::lines::public;

/// What takes a secret's place.
pub(super) const REDACTED: &str = "[redacted]";

/// Text of a plan. A secret one is sent, and neither printed nor kept.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Text {
    value: String,
    secret: bool,
}

impl Text {
    /// Text that anybody may see.
    pub fn plain(value: impl Into<String>) -> Self {
        Self { value: value.into(), secret: false }
    }

    /// Text that nobody should see.
    pub fn secret(value: impl Into<String>) -> Self {
        Self { value: value.into(), secret: true }
    }

    /// The text itself, to be sent and not to be shown.
    pub fn reveal(&self) -> &str {
        &self.value
    }

    /// Whether nobody should see it.
    pub fn is_secret(&self) -> bool {
        self.secret
    }

    /// The text as it may be shown: a secret is not, and neither are credentials in a URL.
    pub fn shown(&self) -> String {
        if self.secret { REDACTED.to_owned() } else { public(&self.value) }
    }

    /// The same text as a secret.
    pub(super) fn into_secret(self) -> Self {
        Self { secret: true, ..self }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.secret { f.write_str(REDACTED) } else { self.shown().fmt(f) }
    }
}

impl JsonSchema for Text {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_never_printed() {
        let secret = Text::secret("swordfish");
        assert_eq!(format!("{secret} {secret:?}"), "[redacted] [redacted]");
        assert_eq!(secret.reveal(), "swordfish");
        assert_eq!(format!("{0} {0:?}", Text::plain("open")), "open \"open\"");
        assert_eq!(Text::plain("http://me:tuna@h/a").to_string(), "http://h/a");
    }
}
