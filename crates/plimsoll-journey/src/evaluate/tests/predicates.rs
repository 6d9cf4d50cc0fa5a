use super::*;
use crate::predicate::{Comparison, Operand, Predicate, TypeTest};

/// `expected` is empty if the predicate holds.
#[track_caller]
fn check_as(not: bool, actual: Option<Value>, comparison: Comparison, expected: &str) {
    let (scope, mut draw) = (scope().0, draw());
    let predicate = Predicate { not, comparison };
    let checked = predicate.check(actual.as_ref(), &mut Env { scope: &scope, draw: &mut draw, plain: false });
    let words = checked.err().map(|wrong| format!("{} | {}", wrong.expected, wrong.actual)).unwrap_or_default();
    assert_eq!(words, expected, "{actual:?} {predicate:?}");
}

#[track_caller]
fn check(actual: Value, comparison: Comparison, expected: &str) {
    check_as(false, Some(actual), comparison, expected);
}

#[track_caller]
fn check_not(actual: Value, comparison: Comparison, expected: &str) {
    check_as(true, Some(actual), comparison, expected);
}

fn fixed(value: Value) -> Operand {
    Operand::Fixed(value)
}

fn int(integer: i64) -> Value {
    Value::integer(integer)
}

fn text(text: &str) -> Value {
    Value::text(text)
}

const MISMATCH: &str = " (types between actual and expected are not consistent)";

#[test]
fn equality() {
    let equals = |value| Comparison::Equals(fixed(value));
    check(int(1), equals(int(1)), "");
    check(int(1), equals(float(1.0)), "");
    check(int(1), equals(int(2)), "integer <2> | integer <1>");
    check(int(1), equals(text("1")), "string <1> | integer <1>");
    check(Value::Null, equals(Value::Null), "");
    check(list(&[int(1)]), equals(list(&[int(1)])), "");
    check(bytes(b"a"), equals(bytes(b"b")), "bytes <62> | bytes <61>");
    check_not(int(1), equals(int(1)), "not integer <1> | integer <1>");
    check(int(1), Comparison::Differs(fixed(int(1))), "not integer <1> | integer <1>");
    check(int(1), Comparison::Differs(fixed(int(2))), "");
    check_not(int(1), Comparison::Differs(fixed(int(2))), "integer <2> | integer <1>");
}

#[test]
fn operands() {
    let slots = scope().1;
    check(int(3), Comparison::Equals(Operand::Variable(slots[0])), "");
    check(text("3"), Comparison::Equals(Operand::Text(gap(slots[0]))), "");
    check(text("3"), Comparison::Equals(Operand::Variable(slots[0])), "integer <3> | string <3>");
    let missing = "a value for the variable `nothing` | none: the variable is not defined";
    check(int(3), Comparison::Equals(Operand::Variable(slots[2])), missing);
    check_as(true, None, Comparison::Equals(Operand::Variable(slots[2])), missing);
    check_as(true, None, Comparison::Equals(Operand::Variable(slots[0])), "");
}

#[test]
fn header_values() {
    let any = |value: &str| Comparison::AnyEquals(fixed(text(value)));
    check(text("a"), any("a"), "");
    check(text("ab"), any("a"), "string <a> | string <ab>");
    check(list(&[text("a"), text("b")]), any("b"), "");
    check(list(&[text("a"), text("b")]), any("c"), "string <c> | list <[a,b]>");
}

#[test]
fn order() {
    check(int(2), Comparison::Above(fixed(int(1))), "");
    check(int(1), Comparison::Above(fixed(int(1))), "greater than integer <1> | integer <1>");
    check(int(1), Comparison::AtLeast(fixed(float(1.0))), "");
    check(int(0), Comparison::AtLeast(fixed(int(1))), "greater or equal than integer <1> | integer <0>");
    check(text("a"), Comparison::Below(fixed(text("b"))), "");
    check(int(1), Comparison::Below(fixed(int(1))), "less than integer <1> | integer <1>");
    check(int(1), Comparison::AtMost(fixed(int(1))), "");
    check(int(2), Comparison::AtMost(fixed(int(1))), "less or equal than integer <1> | integer <2>");
    check(Value::Date(moment()), Comparison::AtMost(fixed(Value::Date(moment()))), "");
    let mismatch = format!("greater than string <1>{MISMATCH} | integer <2>");
    check(int(2), Comparison::Above(fixed(text("1"))), &mismatch);
    // `not` does not turn a question that makes no sense into a success.
    check_not(int(2), Comparison::Above(fixed(text("1"))), &format!("not {mismatch}"));
}

#[test]
fn parts() {
    check(text("abc"), Comparison::StartsWith(fixed(text("ab"))), "");
    check(text("abc"), Comparison::StartsWith(fixed(text("b"))), "starts with string <b> | string <abc>");
    check(bytes(b"abc"), Comparison::EndsWith(fixed(bytes(b"bc"))), "");
    check(int(1), Comparison::EndsWith(fixed(text("1"))), &format!("ends with string <1>{MISMATCH} | integer <1>"));
    check(text("abc"), Comparison::Contains(fixed(text("b"))), "");
    check(bytes(b"abc"), Comparison::Contains(fixed(bytes(b""))), "");
    check(bytes(b"abc"), Comparison::Contains(fixed(bytes(b"d"))), "contains bytes <64> | bytes <616263>");
    check(list(&[int(1)]), Comparison::Contains(fixed(int(1))), "");
    check(list(&[int(1)]), Comparison::Includes(fixed(int(2))), "includes integer <2> | list <[1]>");
    check(text("a"), Comparison::Includes(fixed(text("a"))), &format!("includes string <a>{MISMATCH} | string <a>"));
    check(text("a1"), Comparison::Matches(t("^[a-z]\\d$")), "");
    check(text("a"), Comparison::Matches(t("\\d")), "matches regex <\\d> | string <a>");
    check(int(1), Comparison::Matches(t("1")), &format!("matches regex <1>{MISMATCH} | integer <1>"));
    check(text("a"), Comparison::Matches(t("(")), "a regular expression | (");
}

#[test]
fn what_is_not_there() {
    check_as(false, None, Comparison::Is(TypeTest::Exists), "something | none");
    check_as(true, None, Comparison::Is(TypeTest::Exists), "");
    check_as(false, None, Comparison::Equals(fixed(text("a"))), "string <a> | none");
    check_as(false, None, Comparison::Equals(fixed(list(&[]))), "list of size 0 | none");
    check_as(false, None, Comparison::Contains(fixed(bytes(b"ab"))), "contains 2 bytes | none");
    check_as(true, None, Comparison::Equals(fixed(text("a"))), "");
    check_as(false, None, Comparison::Differs(fixed(text("a"))), "not string <a> | none");
}

#[test]
fn kinds() {
    use TypeTest as Is;
    let object = || Value::Object([("a".to_owned(), Value::Null)].into());
    let big = || Value::Number(Number::Big("9".into()));
    for (test, good, bad) in [
        (Is::Integer, vec![int(1), big()], vec![float(1.0), text("1")]),
        (Is::Float, vec![float(1.0)], vec![int(1)]),
        (Is::Number, vec![float(1.0), int(1), big()], vec![text("1")]),
        (Is::Boolean, vec![Value::Bool(false)], vec![Value::Null]),
        (Is::Text, vec![text("")], vec![bytes(b""), Value::Null]),
        (Is::List, vec![list(&[]), bytes(b"")], vec![object(), text("")]),
        (Is::Object, vec![object(), Value::Nodes(1)], vec![list(&[])]),
        (Is::Collection, vec![object(), list(&[]), bytes(b""), Value::Nodes(0)], vec![text("")]),
        (Is::Date, vec![Value::Date(moment())], vec![text("2024-02-29T12:00:00Z")]),
        (Is::IsoDate, vec![text("2024-02-29T12:00:00Z")], vec![text("2024-02-29"), int(1)]),
        (Is::Exists, vec![Value::Null, Value::Unit], vec![Value::Nodes(0)]),
        (Is::Empty, vec![text(""), list(&[]), Value::Nodes(0)], vec![text("a"), object(), int(0)]),
        (Is::Ipv4, vec![text("127.0.0.1")], vec![text("::1"), text("1.2.3"), int(1)]),
        (Is::Ipv6, vec![text("::1")], vec![text("127.0.0.1")]),
        (
            Is::Uuid,
            vec![
                text("936DA01f-9abd-4d9d-80c7-02af85c822a8"),
                text("936DA01f9abd4d9d80c702af85c822a8"),
                text("{936DA01f-9abd-4d9d-80c7-02af85c822a8}"),
                text("urn:uuid:936DA01f-9abd-4d9d-80c7-02af85c822a8"),
            ],
            vec![text("936DA01f-9abd-4d9d-80c7"), text("936DA01f-9abd-4d9d-80c7x02af85c822a8"), text("")],
        ),
    ] {
        for value in good {
            check(value, Comparison::Is(test), "");
        }
        for value in bad {
            let (scope, mut draw) = (scope().0, draw());
            let predicate = Predicate { not: false, comparison: Comparison::Is(test) };
            let checked = predicate.check(Some(&value), &mut Env { scope: &scope, draw: &mut draw, plain: false });
            assert!(checked.is_err(), "{value:?} {test:?}");
        }
    }
}

#[test]
fn what_is_said_of_kinds() {
    let is = Comparison::Is;
    check(text("a"), is(TypeTest::Integer), "integer | string <a>");
    check_not(int(1), is(TypeTest::Integer), "not integer | integer <1>");
    check(list(&[int(1)]), is(TypeTest::Empty), "count equals to 0 | count equals to 1");
    check(int(1), is(TypeTest::Empty), &format!("count equals to 0{MISMATCH} | integer <1>"));
    check(text("a"), is(TypeTest::Ipv4), "string in IPv4 format | string <a>");
    check(int(1), is(TypeTest::Uuid), &format!("string{MISMATCH} | integer <1>"));
    check_not(int(1), is(TypeTest::Uuid), &format!("not string{MISMATCH} | integer <1>"));
}
