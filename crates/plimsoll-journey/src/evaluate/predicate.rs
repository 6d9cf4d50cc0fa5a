//! Whether values are what they must be.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::net::{Ipv4Addr, Ipv6Addr};

use chrono::DateTime;

use super::{Env, words};
use crate::compiled;
use crate::predicate::{Comparison, Operand, Predicate, TypeTest};
use crate::value::{Number, Value};
use crate::wrong::Wrong;

/// What a comparison says; none if it cannot be asked of a value of this kind, which `not` does not change.
type Answered = Option<bool>;

impl Predicate {
    /// Whether a value, or its absence, is as wanted.
    pub(super) fn check(&self, actual: Option<&Value>, env: &mut Env<'_>) -> Result<(), Wrong> {
        let Some(value) = actual else {
            // What is not there meets nothing, and so meets the contrary of anything; `!=` is no contrary. An operand
            // without a value is wrong all the same, which the explanation finds out.
            let wrong = words::explain(self, actual, false, env)?;
            return if self.not { Ok(()) } else { Err(wrong) };
        };
        let answered = self.comparison.holds(value, env)?;
        if answered == Some(!self.not) {
            return Ok(());
        }
        Err(words::explain(self, actual, answered.is_none(), env)?)
    }
}

impl Comparison {
    fn holds(&self, actual: &Value, env: &mut Env<'_>) -> Result<Answered, Wrong> {
        Ok(match self {
            Self::Equals(operand) => Some(*actual == *operand.value(env)?),
            Self::Differs(operand) => Some(*actual != *operand.value(env)?),
            Self::AnyEquals(operand) => Some(any_equals(actual, &*operand.value(env)?)),
            Self::Above(operand) => compare(actual, &*operand.value(env)?).map(Ordering::is_gt),
            Self::AtLeast(operand) => compare(actual, &*operand.value(env)?).map(Ordering::is_ge),
            Self::Below(operand) => compare(actual, &*operand.value(env)?).map(Ordering::is_lt),
            Self::AtMost(operand) => compare(actual, &*operand.value(env)?).map(Ordering::is_le),
            Self::StartsWith(operand) => {
                on_both(actual, &*operand.value(env)?, |a, b| a.starts_with(b), |a, b| a.starts_with(b))
            }
            Self::EndsWith(operand) => {
                on_both(actual, &*operand.value(env)?, |a, b| a.ends_with(b), |a, b| a.ends_with(b))
            }
            Self::Contains(operand) => contains(actual, &*operand.value(env)?),
            Self::Includes(operand) => includes(actual, &*operand.value(env)?),
            Self::Matches(pattern) => {
                let regex = compiled::regex(env.string(pattern)?)?;
                if let Value::Text(text) = actual { Some(regex.is_match(text)) } else { None }
            }
            Self::Is(test) => test.holds(actual),
        })
    }
}

impl Operand {
    pub(super) fn value<'v, 'a: 'v>(&'v self, env: &mut Env<'a>) -> Result<Cow<'v, Value>, Wrong> {
        match self {
            Self::Fixed(value) => Ok(Cow::Borrowed(value)),
            Self::Text(template) => env.string(template).map(|text| Cow::Owned(Value::text(&text))),
            Self::Variable(slot) => {
                env.scope.get(*slot).map(Cow::Borrowed).ok_or_else(|| Wrong::missing(env.scope.name(*slot)))
            }
        }
    }
}

impl TypeTest {
    fn holds(self, actual: &Value) -> Answered {
        match self {
            Self::Integer => Some(matches!(actual, Value::Number(Number::Integer(_) | Number::Big(_)))),
            Self::Float => Some(matches!(actual, Value::Number(Number::Float(_)))),
            Self::Number => Some(matches!(actual, Value::Number(_))),
            Self::Boolean => Some(matches!(actual, Value::Bool(_))),
            Self::Text => Some(matches!(actual, Value::Text(_))),
            Self::Date => Some(matches!(actual, Value::Date(_))),
            Self::List => Some(matches!(actual, Value::Bytes(_) | Value::List(_))),
            Self::Object => Some(matches!(actual, Value::Nodes(_) | Value::Object(_))),
            Self::Collection => {
                Some(matches!(actual, Value::Bytes(_) | Value::List(_) | Value::Nodes(_) | Value::Object(_)))
            }
            Self::Exists => Some(*actual != Value::Nodes(0)),
            Self::Empty => count(actual).map(|count| count == 0),
            Self::IsoDate => on_text(actual, |text| DateTime::parse_from_rfc3339(text).is_ok()),
            Self::Ipv4 => on_text(actual, |text| text.parse::<Ipv4Addr>().is_ok()),
            Self::Ipv6 => on_text(actual, |text| text.parse::<Ipv6Addr>().is_ok()),
            Self::Uuid => on_text(actual, is_uuid),
        }
    }
}

fn compare(actual: &Value, expected: &Value) -> Option<Ordering> {
    match (actual, expected) {
        (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
        (Value::Number(a), Value::Number(b)) => Some(a.compare(b)),
        (Value::Date(a), Value::Date(b)) => Some(a.cmp(b)),
        _ => None,
    }
}

fn on_both(
    actual: &Value,
    expected: &Value,
    text: impl Fn(&str, &str) -> bool,
    bytes: impl Fn(&[u8], &[u8]) -> bool,
) -> Answered {
    match (actual, expected) {
        (Value::Text(a), Value::Text(b)) => Some(text(a, b)),
        (Value::Bytes(a), Value::Bytes(b)) => Some(bytes(a, b)),
        _ => None,
    }
}

fn contains(actual: &Value, expected: &Value) -> Answered {
    let has_bytes = |a: &[u8], b: &[u8]| b.is_empty() || a.windows(b.len()).any(|window| window == b);
    let has_text = |a: &str, b: &str| a.contains(b);
    includes(actual, expected).or_else(|| on_both(actual, expected, has_text, has_bytes))
}

fn includes(actual: &Value, expected: &Value) -> Answered {
    if let Value::List(list) = actual { Some(list.contains(expected)) } else { None }
}

fn any_equals(actual: &Value, expected: &Value) -> bool {
    includes(actual, expected).unwrap_or(false) || actual == expected
}

fn on_text(actual: &Value, holds: impl Fn(&str) -> bool) -> Answered {
    if let Value::Text(text) = actual { Some(holds(text)) } else { None }
}

/// How much there is; none where that cannot be said.
pub(super) fn count(value: &Value) -> Option<usize> {
    match value {
        Value::List(list) => Some(list.len()),
        Value::Text(text) => Some(text.len()),
        Value::Nodes(count) => Some(*count),
        Value::Object(members) => Some(members.len()),
        Value::Bytes(bytes) => Some(bytes.len()),
        _ => None,
    }
}

/// With hyphens or without, in braces, or as a URN.
fn is_uuid(text: &str) -> bool {
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let text = match text.strip_prefix("urn:uuid:") {
        Some(rest) => return is_hyphenated(rest),
        None => text,
    };
    match text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(inner) => is_hyphenated(inner),
        None => is_hyphenated(text) || (text.len() == 32 && is_hex(text)),
    }
}

fn is_hyphenated(text: &str) -> bool {
    let is_hyphen = |at| matches!(at, 8 | 13 | 18 | 23);
    text.len() == 36
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if is_hyphen(at) { byte == b'-' } else { byte.is_ascii_hexdigit() })
}
