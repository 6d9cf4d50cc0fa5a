//! Everyday mistakes: said with their place before anything is sent, with exit code 2.

use insta::assert_snapshot;

use super::{Trial, parts};

/// What is said; nothing was sent, and nothing stands on stdout.
#[track_caller]
fn said(hurl: &str, args: &str) -> String {
    let trial = Trial::of(hurl);
    trial.write("empty/readme.md", "no journey");
    let (code, stdout, stderr) = parts(&trial.output(args));
    assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
    assert_eq!((trial.seen().len(), trial.server.stat("/requests")), (0, 0), "nothing was sent");
    stderr
}

#[test]
fn a_variable_that_nobody_sets() {
    assert_snapshot!(said("GET {{host}}/{{nmae}}\n", "flow.hurl --variable name=1"), @r"
    error: flow.hurl:1:16: nobody sets the variable `nmae`
     1 | GET {{host}}/{{nmae}}
       |                ^
    hint: did you mean `name`?
    ");
}

#[test]
fn two_variables_that_nobody_sets() {
    assert_snapshot!(said("GET {{host}}/{{a}}\nGET {{host}}/{{b}}\n", "flow.hurl"), @r"
    error: flow.hurl:1:16: nobody sets the variable `a`
     1 | GET {{host}}/{{a}}
       |                ^
    flow.hurl:2:16: nobody sets the variable `b`
     2 | GET {{host}}/{{b}}
       |                ^
       give it with `--variable b=…`, in `[variables]` of the plan, or as a column of its data
    hint: give it with `--variable a=…`, in `[variables]` of the plan, or as a column of its data
    ");
}

#[test]
fn a_journey_that_is_not_there() {
    assert_snapshot!(said("GET {{host}}/\n", "flwo.hurl"), @r"
    error: `flwo.hurl`: there is no such file
    hint: did you mean `./flow.hurl`?
    ");
    assert_snapshot!(said("GET {{host}}/\n", "flow.hurl nothing-like-it.hurl"), @r"
    error: `nothing-like-it.hurl`: there is no such file
    hint: check the path: it is read from the directory the command runs in
    ");
    assert_snapshot!(said("GET {{host}}/\n", "empty"), @r"
    error: `empty`: there is no Hurl file in it
    hint: their names end with `.hurl`
    ");
}

#[test]
fn a_body_that_is_not_there() {
    let text = said("POST {{host}}/\nfile,nothing.txt;\n", "flow.hurl");
    assert!(text.starts_with("error: flow.hurl:2:6: cannot read `nothing.txt`: "), "{text}");
    assert!(text.contains("\nhint: files are looked for in the Hurl file's folder"), "{text}");
}

#[test]
fn what_is_no_hurl() {
    let asserts = "GET {{host}}/\nHTTP 200\n[Asserts]\n";
    assert_snapshot!(said(&format!("{asserts}jsonpath \"$.a\" === 1\n"), "flow.hurl"), @r#"
    error: flow.hurl:4:18: not a value to compare with here
     4 | jsonpath "$.a" === 1
       |                  ^
    hint: expected a text in quotes, a number, `true`, `null` or `{{variable}}`
    "#);
    assert_snapshot!(said(&format!("{asserts}regex \"(\" exists\n"), "flow.hurl"), @r#"
    error: flow.hurl:4:7: not a regular expression: unclosed group
     4 | regex "(" exists
       |       ^
    hint: in quotes, `\` is written twice: `"\\d+"`
    "#);
    assert_snapshot!(said("# nothing\n", "flow.hurl"), @r"
    error: flow.hurl:1:1: no request in this file
     1 | # nothing
       | ^
    hint: a step begins with a method and a URL: `GET http://…`
    ");
}

#[test]
fn what_cannot_be_honoured_under_load() {
    assert_snapshot!(said("GET {{host}}/\n[Options]\ndigest: true\n", "flow.hurl"), @r"
    error: flow.hurl:3:1: `digest` cannot be honoured: digest authentication needs an exchange of its own before each request
     3 | digest: true
       | ^
    hint: `[BasicAuth]` or a token
    ");
}

#[test]
fn flags_that_mean_nothing_to_journeys() {
    assert_snapshot!(said("GET {{host}}/\n", "flow.hurl -X POST"), @r"
    error: `-X` is about one request, and journeys say themselves what they send
    hint: write it into the Hurl file
    ");
    assert_snapshot!(said("GET {{host}}/\n", "flow.hurl --variable name"), @r"
    error: `--variable`: expected a name and a value
    hint: write it like `--variable host=http://127.0.0.1:8080`
    ");
    assert_snapshot!(said("GET {{host}}/\n", "flow.hurl http://127.0.0.1/"), @r"
    error: `http://127.0.0.1/` cannot stand beside other words: several can only be Hurl files or folders of them
    hint: give one URL, one plan, or Hurl files; put a URL with blanks into quotes
    ");
}
