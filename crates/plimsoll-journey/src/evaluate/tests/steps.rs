use super::*;
use crate::failure::FailureKind;
use crate::options::{Options, Setting};
use crate::predicate::{Comparison, Operand, Predicate, TypeTest};
use crate::program::{Assert, Capture, Expected, Needs, Place, Step};
use crate::request::RequestTemplate;

fn place(line: usize) -> Place {
    Place { file: "a.hurl".to_owned(), line, column: 1 }
}

fn assert(line: usize, query: Query, comparison: Comparison) -> Assert {
    let predicate = Predicate { not: false, comparison };
    Assert { query, filters: Vec::new(), predicate, place: place(line), source: format!("line {line}") }
}

fn equals(value: Value) -> Comparison {
    Comparison::Equals(Operand::Fixed(value))
}

fn capture(line: usize, slot: Slot, path: &str) -> Capture {
    let query = Query::JsonPath(t(path));
    Capture { slot, query, filters: Vec::new(), secret: false, place: place(line), source: format!("line {line}") }
}

fn step(captures: Vec<Capture>, asserts: Vec<Assert>) -> Step {
    let expected = Expected { asserts, captures };
    Step {
        label: "GET /".to_owned(),
        place: place(1),
        request: RequestTemplate::default(),
        needs: Needs::of(&expected, &Options::default()),
        options: Options::default(),
        expected,
    }
}

/// Empty if all is as wanted.
fn checked(step: &Step, status: u16, body: &str, scope: &mut Scope) -> String {
    let answer = Answer { status, body: body.as_bytes(), ..Answer::default() };
    match step.check(&answer, scope, &mut draw()) {
        Ok(()) => String::new(),
        Err(failure) => {
            format!("{:?} at {}: {} | {}", failure.kind, failure.place.line, failure.expected, failure.actual)
        }
    }
}

#[test]
fn captures_come_before_asserts_and_after_the_status() {
    let (mut scope, slots) = scope();
    let captured = Operand::Variable(slots[2]);
    let step = step(
        vec![capture(3, slots[2], "$.id")],
        vec![
            assert(2, Query::Status, equals(Value::integer(200))),
            assert(4, Query::JsonPath(t("$.same")), Comparison::Equals(captured)),
            assert(5, Query::JsonPath(t("$.never")), Comparison::Is(TypeTest::Exists)),
        ],
    );
    assert_eq!(checked(&step, 500, "oops", &mut scope), "Assert at 2: integer <200> | integer <500>");
    assert_eq!(scope.get(slots[2]), None);
    assert_eq!(checked(&step, 200, "oops", &mut scope), "Capture at 3: a body in JSON | oops");
    assert_eq!(
        checked(&step, 200, "{}", &mut scope),
        "Capture at 3: a value | none: the query didn't return any result"
    );
    let body = r#"{"id": 7, "same": 8}"#;
    assert_eq!(checked(&step, 200, body, &mut scope), "Assert at 4: integer <7> | integer <8>");
    assert_eq!(scope.get(slots[2]), Some(&Value::integer(7)));
    assert_eq!(checked(&step, 200, r#"{"id": 7, "same": 7, "never": 1}"#, &mut scope), "");
}

#[test]
fn only_strings_can_be_secret() {
    let (mut scope, slots) = scope();
    let mut secret = capture(2, slots[2], "$.token");
    secret.secret = true;
    let step = step(vec![secret], vec![]);
    assert_eq!(
        checked(&step, 200, r#"{"token": 1}"#, &mut scope),
        "Capture at 2: a string, for only strings can be secret | integer"
    );
    assert_eq!(checked(&step, 200, r#"{"token": "t"}"#, &mut scope), "");
}

#[test]
fn options_set_variables_and_switch_coercion_off() {
    let (mut scope, slots) = scope();
    let path = Query::JsonPath(t("$.a"));
    let mut step = step(vec![], vec![assert(2, path, equals(list(&[Value::integer(3)])))]);
    step.options.plain_jsonpath = Some(Setting::Variable(slots[2]));
    step.options.variables = vec![(slots[2], Operand::Fixed(Value::Bool(true)))];
    let missing = "Request at 1: a value for the variable `nothing` | none: the variable is not defined";
    assert_eq!(checked(&step, 200, r#"{"a": 3}"#, &mut scope), missing);
    assert_eq!(step.set_variables(&mut scope, &mut draw()), Ok(()));
    assert_eq!(checked(&step, 200, r#"{"a": 3}"#, &mut scope), "");
}

#[test]
fn only_what_is_looked_at_is_needed() {
    let needs = |query| {
        let asserts = vec![assert(1, query, Comparison::Is(TypeTest::Exists))];
        Needs::of(&Expected { asserts, captures: vec![] }, &Options::default())
    };
    let none = Needs::default();
    assert_eq!(needs(Query::Status), none);
    assert_eq!(needs(Query::Header(t("a"))), Needs { headers: true, ..none });
    assert_eq!(needs(Query::JsonPath(t("$"))), Needs { headers: true, body: true, ..none });
    assert_eq!(needs(Query::Sha256), Needs { body: true, ..none });
    assert_eq!(needs(Query::RawBytes), Needs { raw_body: true, ..none });
}

#[test]
fn a_failure_knows_its_kind() {
    let failure = step(vec![], vec![]).wrong(Wrong::new("a", "b"));
    assert_eq!((failure.kind, failure.source.as_str()), (FailureKind::Request, "GET /"));
}

#[test]
fn what_threads_share_can_be_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<Step>();
    shared::<Scope>();
    shared::<crate::cookies::Jar>();
    shared::<Draw>();
}
