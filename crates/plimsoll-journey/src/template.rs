//! Text with gaps: rendered into a buffer that the caller reuses.

use crate::names::Slot;

/// Text with gaps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Template {
    /// In their order; neighbouring texts are one.
    pub parts: Vec<Part>,
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// As it is.
    Text(Box<[u8]>),
    /// What is known only when it is rendered.
    Gap {
        /// What stands there.
        expression: Expression,
        /// How it is written there.
        escape: Escape,
    },
}

/// What stands in a gap.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A variable's value.
    Variable(Slot),
    /// A value made anew each time.
    Function(Function),
}

/// Values made anew each time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// `newUuid`: version 4, from the random stream of the exchange, so that a seed repeats it.
    NewUuid,
    /// `newDate`: the moment of rendering, RFC 3339 in UTC.
    NewDate,
}

/// How a value is written into its surroundings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    /// As it is.
    None,
    /// Inside the quotes of a JSON string.
    JsonText,
    /// As a JSON value of its own: a number, a truth value or null, or text that reads as one. Other text is refused.
    JsonValue,
    /// As a value in a query or a form; a space becomes `%20`.
    Form,
}
