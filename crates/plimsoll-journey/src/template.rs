//! Text with gaps: rendered into a buffer that the caller reuses.

use std::borrow::Cow;
use std::sync::Arc;

use crate::draw::Draw;
use crate::escape;
use crate::names::Slot;
use crate::scope::Scope;
use crate::value::Value;
use crate::wrong::Wrong;

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
#[derive(Debug, Clone, Copy, PartialEq)]
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

impl Template {
    /// A template without gaps.
    pub fn text(text: &str) -> Self {
        let parts = if text.is_empty() { Vec::new() } else { vec![Part::Text(text.as_bytes().into())] };
        Self { parts }
    }

    /// All of it, if it has no gaps.
    pub fn constant(&self) -> Option<&[u8]> {
        match self.parts.as_slice() {
            [] => Some(b""),
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The variables it reads, each as often as it reads it.
    pub fn slots(&self) -> impl Iterator<Item = Slot> {
        self.parts.iter().filter_map(|part| match part {
            Part::Gap { expression: Expression::Variable(slot), .. } => Some(*slot),
            _ => None,
        })
    }

    /// Appends the text to `out`, gaps filled.
    ///
    /// # Errors
    /// If a variable has no value, or one that cannot stand there. What was written before stays in `out`.
    pub fn render(&self, scope: &Scope, draw: &mut Draw, out: &mut Vec<u8>) -> Result<(), Wrong> {
        for part in &self.parts {
            match part {
                Part::Text(text) => out.extend_from_slice(text),
                Part::Gap { expression, escape } => render_gap(*expression, *escape, scope, draw, out)?,
            }
        }
        Ok(())
    }

    /// The text with its gaps filled, borrowed where it has none.
    ///
    /// # Errors
    /// As [`Self::render`], and if the text is not UTF-8.
    pub(crate) fn string<'a>(&'a self, scope: &Scope, draw: &mut Draw) -> Result<Cow<'a, str>, Wrong> {
        if let Some(text) = self.constant() {
            return std::str::from_utf8(text).map(Cow::Borrowed).map_err(|_| not_text());
        }
        let mut out = Vec::new();
        self.render(scope, draw, &mut out)?;
        String::from_utf8(out).map(Cow::Owned).map_err(|_| not_text())
    }

    /// The variable that is the whole template.
    pub(crate) fn sole_variable(&self) -> Option<Slot> {
        match self.parts.as_slice() {
            [Part::Gap { expression: Expression::Variable(slot), .. }] => Some(*slot),
            _ => None,
        }
    }
}

impl Expression {
    /// The value, with its type.
    fn value<'a>(self, scope: &'a Scope, draw: &mut Draw) -> Result<Cow<'a, Value>, Wrong> {
        match self {
            Self::Variable(slot) => scope.get(slot).map(Cow::Borrowed).ok_or_else(|| Wrong::missing(scope.name(slot))),
            Self::Function(Function::NewUuid) => Ok(Cow::Owned(Value::Text(Arc::from(draw.uuid())))),
            Self::Function(Function::NewDate) => Ok(Cow::Owned(Value::Date(draw.now()))),
        }
    }
}

fn render_gap(
    expression: Expression,
    escape: Escape,
    scope: &Scope,
    draw: &mut Draw,
    out: &mut Vec<u8>,
) -> Result<(), Wrong> {
    let value = expression.value(scope, draw)?;
    let text = value.rendered().ok_or_else(|| unrenderable(&value))?;
    match escape {
        Escape::None => out.extend_from_slice(text.as_bytes()),
        Escape::JsonText => escape::json_text(&text, out),
        Escape::JsonValue => escape::json_value(&text, out)?,
        Escape::Form => escape::form(text.as_bytes(), out),
    }
    Ok(())
}

fn unrenderable(value: &Value) -> Wrong {
    Wrong::new("a value that can be written as text", value.described())
}

fn not_text() -> Wrong {
    Wrong::new("text in UTF-8", "other bytes")
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use proptest::prelude::*;

    use super::*;
    use crate::names::Names;

    fn gap(slot: Slot, escape: Escape) -> Part {
        Part::Gap { expression: Expression::Variable(slot), escape }
    }

    /// What `<{{x}}>` becomes.
    fn rendered(value: Option<Value>, escape: Escape) -> Result<String, String> {
        let mut names = Names::default();
        let slot = names.slot("x");
        let mut scope = Scope::of(Arc::new(names));
        if let Some(value) = value {
            scope.set(slot, value);
        }
        let template =
            Template { parts: vec![Part::Text((*b"<").into()), gap(slot, escape), Part::Text((*b">").into())] };
        let mut draw = Draw::for_arrival(1, 2, DateTime::UNIX_EPOCH);
        template.string(&scope, &mut draw).map(Cow::into_owned).map_err(|wrong| wrong.to_string())
    }

    #[track_caller]
    fn check(value: Value, escape: Escape, expected: &str) {
        assert_eq!(rendered(Some(value), escape).as_deref(), Ok(expected));
    }

    #[test]
    fn values_in_their_surroundings() {
        check(Value::text("a\"b c"), Escape::None, "<a\"b c>");
        check(Value::text("a\"b c"), Escape::JsonText, "<a\\\"b c>");
        check(Value::text("a\"b c"), Escape::Form, "<a%22b%20c>");
        check(Value::text("12"), Escape::JsonValue, "<12>");
        check(Value::integer(12), Escape::JsonText, "<12>");
        check(Value::Bool(true), Escape::JsonValue, "<true>");
        check(Value::Null, Escape::None, "<null>");
        check(Value::Date(DateTime::UNIX_EPOCH), Escape::None, "<1970-01-01T00:00:00.000000Z>");
    }

    #[test]
    fn what_cannot_be_rendered_says_why() {
        let wrong = |value, escape| rendered(value, escape).err().unwrap_or_default();
        assert_eq!(
            wrong(None, Escape::None),
            "expected a value for the variable `x`, actual none: the variable is not defined"
        );
        assert_eq!(
            wrong(Some(Value::List(Arc::from([Value::integer(1)]))), Escape::None),
            "expected a value that can be written as text, actual list <[1]>"
        );
        assert_eq!(
            wrong(Some(Value::text("abc")), Escape::JsonValue),
            "expected a number, a boolean or null: JSON without quotes, actual `abc`"
        );
    }

    #[test]
    fn functions_draw_from_the_stream_and_the_moment() {
        let function = |function| Part::Gap { expression: Expression::Function(function), escape: Escape::None };
        let template = Template { parts: vec![function(Function::NewUuid), function(Function::NewDate)] };
        let text = |arrival| {
            let mut draw = Draw::for_arrival(1, arrival, DateTime::UNIX_EPOCH);
            template.string(&Scope::default(), &mut draw).map(Cow::into_owned)
        };
        assert_eq!(text(7), text(7));
        assert_ne!(text(7), text(8));
        assert!(text(7).is_ok_and(|text| text.ends_with("1970-01-01T00:00:00.000000Z")));
    }

    proptest! {
        #[test]
        fn text_that_is_not_escaped_stays_itself(text: String) {
            prop_assert_eq!(rendered(Some(Value::text(&text)), Escape::None), Ok(format!("<{text}>")));
        }
    }
}
