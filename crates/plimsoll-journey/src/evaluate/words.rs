//! What is said of a predicate that does not hold: the words of the `hurl` command line tool.

use super::{Env, predicate};
use crate::predicate::{Comparison, Operand, Predicate, TypeTest};
use crate::value::{Number, Value};
use crate::wrong::Wrong;

/// Said where a comparison cannot be asked of such a value at all.
const MISMATCH: &str = " (types between actual and expected are not consistent)";

/// Why a predicate does not hold.
pub(super) fn explain(
    predicate: &Predicate,
    actual: Option<&Value>,
    is_mismatch: bool,
    env: &mut Env<'_>,
) -> Result<Wrong, Wrong> {
    let comparison = &predicate.comparison;
    let not = if predicate.not ^ matches!(comparison, Comparison::Differs(_)) { "not " } else { "" };
    let suffix = if is_mismatch { MISMATCH } else { "" };
    let expected = match actual {
        Some(_) => wanted(comparison, is_mismatch, Value::described, env)?,
        None => wanted(comparison, false, noun, env)?,
    };
    let actual = match (comparison, actual) {
        (_, None) => "none".to_owned(),
        (Comparison::Is(TypeTest::Empty), Some(value)) => match predicate::count(value) {
            Some(count) => format!("count equals to {count}"),
            None => value.described(),
        },
        (_, Some(value)) => value.described(),
    };
    Ok(Wrong::new(format!("{not}{expected}{suffix}"), actual))
}

fn wanted(
    comparison: &Comparison,
    is_mismatch: bool,
    describe: fn(&Value) -> String,
    env: &mut Env<'_>,
) -> Result<String, Wrong> {
    let mut with = |relation: &str, operand: &Operand| match operand_text(operand, describe, env) {
        Ok(text) => Ok(format!("{relation}{text}")),
        Err(wrong) => Err(wrong),
    };
    match comparison {
        Comparison::Equals(operand) | Comparison::Differs(operand) | Comparison::AnyEquals(operand) => {
            with("", operand)
        }
        Comparison::Above(operand) => with("greater than ", operand),
        Comparison::AtLeast(operand) => with("greater or equal than ", operand),
        Comparison::Below(operand) => with("less than ", operand),
        Comparison::AtMost(operand) => with("less or equal than ", operand),
        Comparison::StartsWith(operand) => with("starts with ", operand),
        Comparison::EndsWith(operand) => with("ends with ", operand),
        Comparison::Contains(operand) => with("contains ", operand),
        Comparison::Includes(operand) => with("includes ", operand),
        Comparison::Matches(pattern) => Ok(format!("matches regex <{}>", env.string(pattern)?)),
        Comparison::Is(test) => Ok(test_words(*test, is_mismatch).to_owned()),
    }
}

fn operand_text(operand: &Operand, describe: fn(&Value) -> String, env: &mut Env<'_>) -> Result<String, Wrong> {
    match operand {
        Operand::Fixed(value) => Ok(describe(value)),
        Operand::Text(template) => Ok(describe(&Value::text(&env.string(template)?))),
        Operand::Variable(slot) => match env.scope.get(*slot) {
            Some(value) => Ok(describe(value)),
            None => Err(Wrong::missing(env.scope.name(*slot))),
        },
    }
}

/// A wanted value where there is none at all.
fn noun(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bytes(bytes) => format!("{} byte{}", bytes.len(), if bytes.len() > 1 { "s" } else { "" }),
        Value::List(list) => format!("list of size {}", list.len()),
        Value::Object(members) => format!("list of size {}", members.len()),
        Value::Nodes(count) => format!("list of size {count}"),
        Value::Number(Number::Big(digits)) => format!("number <{digits}>"),
        Value::Unit => "something".to_owned(),
        other => other.described(),
    }
}

fn test_words(test: TypeTest, is_mismatch: bool) -> &'static str {
    match test {
        TypeTest::Integer => "integer",
        TypeTest::Float => "float",
        TypeTest::Number => "number",
        TypeTest::Boolean => "boolean",
        TypeTest::Text => "string",
        TypeTest::Collection => "collection",
        TypeTest::List => "list",
        TypeTest::Object => "object",
        TypeTest::Date => "date",
        TypeTest::Exists => "something",
        TypeTest::Empty => "count equals to 0",
        TypeTest::IsoDate | TypeTest::Ipv4 | TypeTest::Ipv6 | TypeTest::Uuid if is_mismatch => "string",
        TypeTest::IsoDate => "string with format YYYY-MM-DDTHH:mm:ss.sssZ",
        TypeTest::Ipv4 => "string in IPv4 format",
        TypeTest::Ipv6 => "string in IPv6 format",
        TypeTest::Uuid => "string in UUID format",
    }
}
