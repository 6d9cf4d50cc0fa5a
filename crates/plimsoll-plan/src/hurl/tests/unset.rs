//! Variables that nobody sets.

use std::collections::BTreeSet;

use plimsoll_journey::{Names, Slot};

use super::reading;

#[track_caller]
fn check(text: &str, given: &[&str], wanted: &[(&str, &str)]) {
    let mut names = Names::default();
    let given: BTreeSet<Slot> = given.iter().map(|name| names.slot(name)).collect();
    let reading = reading(text, &mut names).expect("the file can be read");
    let found = reading.variables.missing(&names, &given);
    let found: Vec<(String, &str)> = found
        .iter()
        .map(|one| (format!("{}:{} {}", one.place.line, one.place.column, one.message), one.hint.as_str()))
        .collect();
    let found: Vec<(&str, &str)> = found.iter().map(|(message, hint)| (message.as_str(), *hint)).collect();
    assert_eq!(found, wanted, "{text}");
}

const TWO: &str = "GET http://h/{{a}}\nHTTP 200\n[Captures]\nid: body\n\nGET http://h/{{id}}\n";

#[test]
fn from_outside_or_from_an_earlier_step() {
    check(TWO, &["a"], &[]);
    check(
        TWO,
        &[],
        &[(
            "1:16 nobody sets the variable `a`",
            "give it with `--variable a=…`, in `[variables]` of the plan, or as a column of its data",
        )],
    );
}

#[test]
fn the_order_counts() {
    check(
        "GET http://h/{{id}}\nHTTP 200\n[Captures]\nid: body\n",
        &[],
        &[(
            "1:16 the variable `id` is read before line 4 sets it",
            "give it a first value with `--variable id=…`, or move the step",
        )],
    );
    check("GET http://h/{{n}}\n[Options]\nvariable: n=1\n", &[], &[]);
    check(
        "GET http://h/\nHTTP 200\n[Captures]\na: body\nb: jsonpath \"$.{{a}}\"\n[Asserts]\nbody == {{b}}\n",
        &[],
        &[],
    );
}

#[test]
fn the_nearest_name_is_suggested_once() {
    check(
        "GET http://h/{{tokne}}/{{tokne}}\nHTTP 200\n",
        &["token", "other"],
        &[("1:16 nobody sets the variable `tokne`", "did you mean `token`?")],
    );
}

#[test]
fn to_ask_for_a_variable_is_not_to_need_it() {
    check("GET http://h/\nHTTP 200\n[Asserts]\nvariable \"a\" not exists\n", &[], &[]);
}
