use chrono::DateTime;

use super::*;
use crate::names::{Names, Slot};
use crate::request::BasicAuth;
use crate::template::{Escape, Expression, Part};
use crate::value::Value;

/// The only variable, `v`.
fn variable() -> (Scope, Slot) {
    let mut names = Names::default();
    let slot = names.slot("v");
    let mut scope = Scope::of(names.into());
    scope.set(slot, Value::text("a b&ü"));
    (scope, slot)
}

/// Text in which `{{v}}` is the variable.
fn template(text: &str) -> Template {
    let (_, slot) = variable();
    let gap = Part::Gap { expression: Expression::Variable(slot), escape: Escape::None };
    let mut parts = Vec::new();
    for (index, text) in text.split("{{v}}").enumerate() {
        if index > 0 {
            parts.push(gap.clone());
        }
        if !text.is_empty() {
            parts.push(Part::Text(text.as_bytes().into()));
        }
    }
    Template { parts }
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(Template, Template)> {
    pairs.iter().map(|(name, value)| (template(name), template(value))).collect()
}

fn request(url: &str) -> RequestTemplate {
    RequestTemplate { method: "GET".to_owned(), url: template(url), ..RequestTemplate::default() }
}

/// The URL, the headers and the body, a line each.
fn rendered(request: &RequestTemplate, options: &Options, jar: &Jar) -> String {
    let mut draw = Draw::for_arrival(1, 1, DateTime::UNIX_EPOCH);
    let mut out = Rendered {
        url: "left over".to_owned(),
        headers: vec![Default::default()],
        body: vec![1],
        own_cookies: b"left=over".to_vec(),
        unwanted: vec!["left over".to_owned()],
    };
    if let Err(wrong) = request.render(options, &variable().0, &mut draw, jar, &mut out) {
        return wrong.to_string();
    }
    let mut lines = vec![out.url];
    lines.extend(out.headers.iter().map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value))));
    lines.extend(out.unwanted.iter().map(|name| format!("no {name}")));
    if !out.body.is_empty() {
        lines.push(String::from_utf8_lossy(&out.body).into_owned());
    }
    lines.join("\n")
}

#[track_caller]
fn check(request: &RequestTemplate, expected: &str) {
    assert_eq!(rendered(request, &Options::default(), &Jar::default()), expected);
}

#[test]
fn queries() {
    let with = |url, query: &[(&str, &str)]| RequestTemplate { query: pairs(query), ..request(url) };
    check(&with("http://h/{{v}}", &[]), "http://h/a b&ü");
    check(&with("http://h/", &[("q", "{{v}}"), ("x[]", "1/2")]), "http://h/?q=a%20b%26%C3%BC&x[]=1%2F2");
    check(&with("http://h/?", &[("q", "")]), "http://h/?q=");
    check(&with("http://h/?a=1", &[("q", "2")]), "http://h/?a=1&q=2");
    check(&with("http://h/?a=1#f", &[("q", "2")]), "http://h/?a=1&q=2#f");
}

#[test]
fn headers() {
    let request = RequestTemplate {
        headers: pairs(&[("X-{{v}}", "{{v}}"), ("Accept", "")]),
        auth: Some(BasicAuth { user: template("{{v}}"), password: template("p") }),
        content_type: Some("application/json".to_owned()),
        body: Some(template("[{{v}}]")),
        ..request("http://h/")
    };
    check(
        &request,
        "http://h/\nX-a b&ü: a b&ü\nAccept: \nAuthorization: Basic YSBiJsO8OnA=\nContent-Type: application/json\n[a b&ü]",
    );
    assert!(!request.is_constant());
}

#[test]
fn options_add_and_what_is_written_wins() {
    let request = RequestTemplate {
        headers: pairs(&[("content-TYPE", "text/plain")]),
        content_type: Some("application/json".to_owned()),
        ..request("http://h/")
    };
    let options =
        Options { user: Some(template("u:p")), headers: vec![template("X-A : {{v}} ")], ..Options::default() };
    let expected = "http://h/\ncontent-TYPE: text/plain\nX-A: a b&ü\nAuthorization: Basic dTpw";
    assert_eq!(rendered(&request, &options, &Jar::default()), expected);
    assert!(request.is_constant() && !options.is_constant());
    let no_headers = vec![template("content-type"), template("User-Agent")];
    let options = Options { no_headers, ..Options::default() };
    assert_eq!(rendered(&request, &options, &Jar::default()), "http://h/\nno content-type\nno User-Agent");
    let options = Options { headers: vec![template("no colon")], ..Options::default() };
    assert_eq!(rendered(&request, &options, &Jar::default()), "expected a header `Name: value`, actual no colon");
}

#[test]
fn there_is_one_cookie_header() {
    let mut jar = Jar::default();
    let url = "http://h/";
    for header in ["a=1", "b=2"] {
        jar.set(Origin { host: "h", path: "/", secure: false }, header.as_bytes(), DateTime::UNIX_EPOCH);
    }
    let request =
        |headers, cookies| RequestTemplate { headers: pairs(headers), cookies: pairs(cookies), ..request(url) };
    let options = Options::default();
    assert_eq!(rendered(&request(&[], &[]), &options, &jar), "http://h/\nCookie: a=1; b=2");
    assert_eq!(rendered(&request(&[], &[("c", "{{v}}")]), &options, &jar), "http://h/\nCookie: a=1; b=2; c=a b&ü");
    assert_eq!(
        rendered(&request(&[("cookie", "x=y")], &[("c", "3")]), &options, &jar),
        "http://h/\nCookie: a=1; b=2; x=y; c=3"
    );
    check(&request(&[("cookie", "x=y")], &[]), "http://h/\ncookie: x=y");
}

#[test]
fn a_missing_variable_is_named() {
    let mut names = Names::default();
    names.slot("v");
    let scope = Scope::of(names.into());
    let step = request("http://h/{{v}}");
    let mut draw = Draw::for_arrival(1, 1, DateTime::UNIX_EPOCH);
    let wrong = step.render(&Options::default(), &scope, &mut draw, &Jar::default(), &mut Rendered::default());
    assert_eq!(wrong.map_err(|wrong| wrong.expected), Err("a value for the variable `v`".to_owned()));
}
