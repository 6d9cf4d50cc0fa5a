//! Both formats, as vegeta reads them.

use super::*;

fn source(text: &str) -> Source<'_> {
    Source::new("targets.txt", text.as_bytes(), false).expect("text")
}

/// Method, URL, headers, and how often.
type Shown<'t> = (&'t str, &'t str, &'t [(&'t str, &'t str)], u64);

#[track_caller]
fn check(text: &str, expected: &[Shown<'_>]) {
    let found = targets(source(text)).expect("targets");
    let shown: Vec<_> = found
        .iter()
        .map(|one| (one.target.method.clone(), one.target.url.clone(), one.target.headers.clone(), one.times))
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|(method, url, headers, times)| {
            let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            ((*method).to_owned(), (*url).to_owned(), headers, *times)
        })
        .collect();
    assert_eq!(shown, expected);
}

#[test]
fn the_http_format() {
    check(
        "# a comment\nGET http://h/a\nGET http://h/b\nX-Y:  1\nx-y: 2\n\n\nGET http://h/a\r\n",
        &[("GET", "http://h/a", &[], 2), ("GET", "http://h/b", &[("X-Y", "1"), ("x-y", "2")], 1)],
    );
}

#[test]
fn the_json_format() {
    check(
        "{\"method\":\"GET\",\"url\":\"http://h/a\"}\n\n{\"method\":\"POST\",\"url\":\"http://h/a\",\"body\":\"eA==\",\"header\":{\"A\":[\"1\",\"2\"]}}",
        &[("GET", "http://h/a", &[], 1), ("POST", "http://h/a", &[("A", "1"), ("A", "2")], 1)],
    );
}

#[track_caller]
fn check_mistake(text: &str, line: usize, message: &str) {
    let Err(mistake) = targets(source(text)) else { panic!("accepted") };
    assert_eq!((mistake.place.line, mistake.message.as_str()), (line, message));
}

#[test]
fn what_is_wrong_is_placed() {
    check_mistake("\n\n", 1, "there are no targets in it");
    check_mistake("GET http://h/\nX-A", 2, "a header (`Name: value`), a body (`@file`) or a blank line is expected");
    check_mistake("GET http://h/\n\nFETCH http://h/", 3, "no method that can be sent");
    check_mistake("GET /path", 1, "not a URL: relative URL without a base");
    check_mistake("{\"method\":\"GET\",\"url\":\"http://h/\"}\n{\"method\":\"GET\"}", 2, "missing field `url`");
    check_mistake(
        "{\"method\":\"GET\",\"url\":\"http://h/\",\"body\":\"!\"}",
        1,
        "the `body` is not base64: Invalid symbol 33, offset 0.",
    );
}

#[test]
fn targets_are_told_from_other_texts() {
    for text in ["GET http://h/", "# x\n\nPOST https://h/x\n@b", "{\"method\":\"GET\",\"url\":\"http://h\"}\n"] {
        assert!(looks_like_targets(text), "{text}");
    }
    for text in [
        "",
        "GET {{base_url}}/\nHTTP 200",
        "GET http://h/\nHTTP 200",
        "GET http://h/\n[Query]\na: b",
        "name = \"x\"",
        "{\"log\": {}}",
        "http://h/",
        "GET /x",
    ] {
        assert!(!looks_like_targets(text), "{text}");
    }
}

#[test]
fn targets_run_as_they_are() {
    let text = "POST http://ann:pw@h:81/a?x=1\nA: b\n@body.bin\n\nGET http://h/\nGET http://h/\n";
    let all = journeys("t", text.as_bytes(), |path| Ok(path.as_bytes().to_vec())).expect("journeys");
    let step = &all[0].journey.steps[0];
    assert_eq!((step.label.as_str(), all[0].weight, all[1].weight), ("POST /a", 1, 2));
    assert_eq!(step.request.url, run_text("http://h:81/a?x=1"));
    assert_eq!(step.request.body, Some(run_text("body.bin")));
    assert!(step.request.auth.is_some());
    let missing = |_: &str| Err(std::io::Error::from(std::io::ErrorKind::NotFound));
    let mistake = journeys("t", text.as_bytes(), missing).expect_err("no file");
    assert_eq!(mistake.message, "the body `body.bin` cannot be read: entity not found");
}

fn run_text(text: &str) -> plimsoll_journey::Template {
    plimsoll_journey::Template { parts: vec![plimsoll_journey::Part::Text(text.as_bytes().into())] }
}
