//! What is wrong with what was typed, or with the plan: one line, and one line on what to try.
//!
//! These are the only errors that end a command before a request was attempted, so they all end in exit code 2
//! and, with `--json`, in one `plimsoll.error/1` object.

use serde::Serialize;

/// A mistake that the person at the keyboard can mend.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Usage {
    message: String,
    hint: Option<String>,
}

/// `plimsoll.error/1`.
#[derive(Serialize)]
struct Document<'u> {
    schema: &'static str,
    message: &'u str,
    hint: Option<&'u str>,
}

impl Usage {
    /// What is wrong, and what to try.
    pub(crate) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: Some(hint.into()) }
    }

    /// What is wrong, where nothing sensible can be suggested unless `hint` is there.
    pub(crate) fn maybe(message: impl Into<String>, hint: Option<String>) -> Self {
        Self { message: message.into(), hint }
    }

    /// What to try.
    pub(crate) fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// As one JSON object.
    pub(crate) fn json(&self) -> serde_json::Result<String> {
        let document = Document { schema: "plimsoll.error/1", message: &self.message, hint: self.hint() };
        serde_json::to_string_pretty(&document)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_as_json() {
        let json = Usage::new("`-c 0`: nobody would ask", "try `-c 1`").json().expect("serialises");
        insta::assert_snapshot!(json, @r#"
        {
          "schema": "plimsoll.error/1",
          "message": "`-c 0`: nobody would ask",
          "hint": "try `-c 1`"
        }
        "#);
    }
}
