use super::*;
use crate::query::{CertificateField, CookieField};

#[derive(Debug)]
struct Engine;

impl crate::query::XPath for Engine {
    fn evaluate(&self, document: &str, html: bool, expression: &str) -> Result<Option<Value>, String> {
        match expression {
            "bad" => Err("no such axis".to_owned()),
            "none" => Ok(None),
            _ => Ok(Some(Value::text(&format!("{expression} in {document}, {html}")))),
        }
    }
}

#[track_caller]
fn check(query: Query, expected: &str) {
    let header = |name: &str, value: &str| (name.to_owned(), value.as_bytes().to_vec());
    let headers = [
        header("Content-Type", "text/html; charset=utf-8"),
        header("Via", "a"),
        header("via", "b"),
        header("Set-Cookie", "id=first; Max-Age=3; Secure"),
        header("set-cookie", "id=second"),
    ];
    let hop = Hop { url: "http://h/1".to_owned(), status: 302, location: "http://h/2".to_owned() };
    let certificate = Certificate { subject: "CN=h".to_owned(), expire_ms: 1000, ..Certificate::default() };
    let answer = Answer {
        version: "1.1",
        status: 200,
        headers: &headers,
        body: br#"{"a": [1, 2], "b": "x1y"}"#,
        raw_body: b"raw",
        url: "http://h/2",
        duration_ms: 12,
        ip: "127.0.0.1",
        redirects: &[hop],
        certificate: Some(&certificate),
    };
    assert_eq!(yielded(&query, &[], &answer, false), expected, "{query:?}");
}

fn cookie(name: &str, field: CookieField) -> Query {
    Query::Cookie { name: t(name), field }
}

fn xpath(expression: &str) -> Query {
    Query::XPath { expression: t(expression), engine: Arc::new(Engine) }
}

#[test]
fn the_head() {
    check(Query::Status, "integer <200>");
    check(Query::Version, "string <1.1>");
    check(Query::Url, "string <http://h/2>");
    check(Query::Ip, "string <127.0.0.1>");
    check(Query::Duration, "integer <12>");
    check(Query::Header(t("content-type")), "string <text/html; charset=utf-8>");
    check(Query::Header(t("VIA")), "list <[a,b]>");
    check(Query::Header(t("none")), "none");
    check(cookie("id", CookieField::Value), "string <first>");
    check(cookie("id", CookieField::MaxAge), "integer <3>");
    check(cookie("id", CookieField::Secure), "unit");
    check(cookie("ID", CookieField::Value), "none");
    check(Query::Redirects, "list <[Response(location=http://h/2, status=302)]>");
    check(Query::Certificate(CertificateField::Subject), "string <CN=h>");
    check(Query::Certificate(CertificateField::ExpireDate), "date <1970-01-01 00:00:01 UTC>");
    check(Query::Certificate(CertificateField::Issuer), "none");
}

#[test]
fn the_body() {
    check(Query::Body, r#"string <{"a": [1, 2], "b": "x1y"}>"#);
    check(Query::RawBytes, "bytes <726177>");
    check(Query::JsonPath(t("$.a")), "list <[1,2]>");
    check(Query::JsonPath(t("$.a[*]")), "list <[1,2]>");
    check(Query::JsonPath(t("$.c")), "none");
    check(Query::JsonPath(t("c")), "WRONG expected a JSONPath (RFC 9535), actual c");
    check(Query::Regex(t("x(\\d)y")), "string <1>");
    check(Query::Regex(t("x\\dy")), "none");
    check(Query::Regex(t("(nothing)")), "none");
    check(Query::Regex(t("(")), "WRONG expected a regular expression, actual (");
    check(xpath("//a"), r#"string <//a in {"a": [1, 2], "b": "x1y"}, true>"#);
    check(xpath("none"), "none");
    check(xpath("bad"), "WRONG expected a document that the XPath can be evaluated on, actual no such axis");
}

#[test]
fn sums_and_variables() {
    // RFC 1321 and FIPS 180-4 for the empty text.
    let empty = Answer::default();
    assert_eq!(yielded(&Query::Md5, &[], &empty, false), "bytes <d41d8cd98f00b204e9800998ecf8427e>");
    assert_eq!(
        yielded(&Query::Sha256, &[], &empty, false),
        "bytes <e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855>"
    );
    check(Query::Variable(t("three")), "integer <3>");
    check(Query::Variable(t("nothing")), "none");
    check(Query::Variable(t("unknown")), "none");
    check(
        Query::Header(gap(scope().1[2])),
        "WRONG expected a value for the variable `nothing`, actual none: the variable is not defined",
    );
}

#[test]
fn a_url_is_written_as_the_standard_has_it() {
    let answer = Answer { url: "HTTP://h:80?a=b c", ..Answer::default() };
    assert_eq!(yielded(&Query::Url, &[], &answer, false), "string <http://h/?a=b%20c>");
    assert_eq!(yielded(&Query::Url, &[], &Answer::default(), false), "string <>");
}

#[test]
fn what_is_asked_of_no_json() {
    let answer = Answer { body: b"<html>", ..Answer::default() };
    let path = Query::JsonPath(t("$.a"));
    assert_eq!(yielded(&path, &[], &answer, false), "WRONG expected a body in JSON, actual <html>");
    let answer = Answer { body: b"{}", ..Answer::default() };
    assert_eq!(yielded(&path, &[], &answer, true), "list <[]>");
}
