//! What was wanted and what there was instead, before anybody knows where it was asked for.

use std::fmt;

use crate::failure::{Failure, FailureKind};
use crate::program::Place;

/// Characters of `actual` that a failure keeps: an answer's body may be long.
const ACTUAL_CHARS_MAX: usize = 300;

/// What was wanted and what there was instead, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// What was wanted.
    pub expected: String,
    /// What there was instead; not safe to print, for a server may have written it.
    pub actual: String,
}

impl Wrong {
    /// Both in words.
    pub fn new(expected: impl Into<String>, actual: impl Into<String>) -> Self {
        Self { expected: expected.into(), actual: actual.into() }
    }

    /// A variable without a value.
    pub(crate) fn missing(name: &str) -> Self {
        Self::new(format!("a value for the variable `{name}`"), "none: the variable is not defined")
    }

    /// A filter that cannot do anything with what it got.
    pub(crate) fn input(reason: impl fmt::Display) -> Self {
        Self::new("valid filter input", reason.to_string())
    }

    /// The failure that this is at its place.
    pub fn at(self, kind: FailureKind, place: &Place, source: &str) -> Failure {
        let Self { expected, actual } = self;
        Failure { kind, place: place.clone(), source: source.to_owned(), expected, actual: cut(actual) }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, actual {}", self.expected, self.actual)
    }
}

impl std::error::Error for Wrong {}

fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(ACTUAL_CHARS_MAX) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_actual_is_cut_between_characters() {
        let failure =
            Wrong::new("short", "ü".repeat(1000)).at(FailureKind::Assert, &Place::default(), "body == \"short\"");
        assert_eq!(failure.actual, format!("{}…", "ü".repeat(ACTUAL_CHARS_MAX)));
    }
}
