//! What is said of a step that went wrong: where, what was wanted, what there was, what was sent and answered; and no
//! secrets anywhere.

use serde_json::Value;

use super::{Trial, parts};

#[track_caller]
fn check(hurl: &str, place: &str, expected: &str, actual: &str) -> Value {
    let failure = Trial::of(hurl).fails();
    let text = |key: &str| failure[key].as_str().unwrap_or_default().to_owned();
    let found = [text("place"), text("expected"), text("actual")];
    assert_eq!(found, [place, expected, actual], "{hurl} {failure:#}");
    failure
}

#[test]
fn an_assert_that_does_not_hold() {
    let failure = check(
        "# ask\nPOST {{host}}/api/echo\nX-A: 1\n{\"a\": 1}\nHTTP 200\n[Asserts]\njsonpath \"$.method\" == \"GET\"\n",
        "flow.hurl:7",
        "string <GET>",
        "string <POST>",
    );
    assert_eq!((failure["journey"].as_str(), failure["step"].as_str()), (Some("flow"), Some("ask")));
    assert_eq!(failure["source"], "jsonpath \"$.method\" == \"GET\"");
    let (request, answer) = (failure["request"].as_str().unwrap_or(""), failure["answer"].as_str().unwrap_or(""));
    assert!(request.starts_with("POST /api/echo HTTP/1.1\n") && request.ends_with("\n{\"a\": 1}"), "{request}");
    assert!(answer.starts_with("HTTP/1.1 200 OK\n") && answer.contains("\"x-a\":\"1\""), "{answer}");
}

#[test]
fn statuses_headers_and_captures_that_are_not_there() {
    check("GET {{host}}/x?status=503\nHTTP 200\n", "flow.hurl:2", "integer <200>", "integer <503>");
    check("GET {{host}}/x\nHTTP 200\nX-None: 1\n", "flow.hurl:3", "string <1>", "none");
    check(
        "GET {{host}}/api/echo\nHTTP 200\n[Captures]\ntoken: jsonpath \"$.token\"\n",
        "flow.hurl:4",
        "a value",
        "none: the query didn't return any result",
    );
}

#[test]
fn the_outcome_says_what_kind_of_failure_it_was() {
    for (path, asserts, outcome) in [
        ("/x", "header \"X-None\" exists", "assertion"),
        ("/x?status=503", "status == 200", "server_error"),
        ("/x?status=404", "status == 200", "client_error"),
        ("/x?status=429", "status == 200", "limited"),
    ] {
        let ran =
            Trial::of(&format!("GET {{{{host}}}}{path}\nHTTP *\n[Asserts]\n{asserts}\n")).ran("flow.hurl -c 1 -n 3");
        assert_eq!(ran.outcomes(), [(outcome, 3)], "{path}");
        assert_eq!(ran.count("/journeys/0/passed"), 0);
        assert_eq!(ran.count("/steps/0/requests"), 3);
    }
}

/// A password that looks otherwise in JSON, in URLs and in forms.
const PASSWORD: &str = "p\"ss wörd&1";
/// What of it stands in any of these.
const TELLTALES: [&str; 4] = ["p\"ss", "p\\\"ss", "p%22ss", "w%C3%B6rd"];

const SECRETIVE: &str = r#"
# log in
POST {{host}}/api/login?x={{password}}
{"name": "ada", "password": "{{password}}"}
HTTP 200
[Captures]
token: jsonpath "$.token" redact

# say it
POST {{host}}/api/echo
Authorization: Bearer {{token}}
X-Key: {{token}}
[Form]
password: {{password}}
HTTP 200
[Asserts]
body == "no {{password}}"
"#;

#[test]
fn secrets_are_in_nothing_that_is_written() {
    for arguments in
        ["flow.hurl", "flow.hurl --json", "flow.hurl -c 2 -n 4 --json", "flow.hurl --rate 20/s -n 4 --json"]
    {
        let trial = Trial::of(SECRETIVE);
        trial.write("secrets", &format!("password={PASSWORD}\n"));
        let (code, stdout, stderr) = secretive(&trial, arguments);
        // Once it is a test; under load nothing was asked of it. Either is void where the machine is too busy.
        let earned = if arguments.contains("-n") { 0 } else { 1 };
        assert!([earned, 4].contains(&code), "{code} {stdout}{stderr}");
        let heard = trial.seen();
        assert!(
            heard.iter().any(|one| one["body"].as_str().is_some_and(|body| body.contains("w%C3%B6rd"))),
            "it was sent: {heard:?}"
        );
        for (name, text) in
            [("stdout", stdout), ("stderr", stderr), ("log", trial.read("log")), ("ticks", trial.read("ticks"))]
        {
            for telltale in TELLTALES.into_iter().chain(["token-1"]) {
                assert!(!text.contains(telltale), "{arguments}: {telltale} is in {name}: {text}");
            }
        }
    }
}

/// The arguments cannot be split at blanks: the secret has some.
fn secretive(trial: &Trial, arguments: &str) -> (i32, String, String) {
    let (host, password) = (format!("host=http://{}", trial.server.address), format!("password={PASSWORD}"));
    let mut args: Vec<&str> = ["run"].into_iter().chain(arguments.split(' ')).collect();
    args.extend(["--variable", &host, "--secret", &password, "--log", "log", "--stream", "ticks"]);
    parts(&trial.finished(&args))
}

#[test]
fn a_bounded_number_of_samples_is_kept() {
    let trial = Trial::of("GET {{host}}/api/echo?{{newUuid}}\nHTTP 200\n[Asserts]\njsonpath \"$.target\" == \"/\"\n");
    let ran = trial.ran("flow.hurl -c 2 -n 200");
    let failures = ran.json["failures"].as_array().map_or(0, Vec::len);
    assert!((1..=3).contains(&failures), "{failures}");
    assert_eq!(ran.reasons().len(), 1, "{:?}", ran.reasons());
}
