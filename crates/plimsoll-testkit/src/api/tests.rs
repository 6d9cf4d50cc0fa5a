use super::*;
use crate::answer::{Frame, Persistence};
use crate::script::Player;
use std::rc::Rc;
use std::time::Duration;

/// Asks, and tells the first line and the body of the reply.
fn ask(api: &mut Api, request: &str) -> (String, String) {
    let frame = Frame { persistence: Persistence::Keep, head_only: false };
    let script = api.reply(request.replace('\n', "\r\n").as_bytes()).script(frame);
    let mut out = Vec::new();
    Player::new(Rc::new(script), Duration::ZERO).play(Duration::ZERO, &mut out);
    let text = String::from_utf8(out).expect("JSON is text");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    (format!("{head}\r\n"), body.to_owned())
}

#[track_caller]
fn check(api: &mut Api, request: &str, status: u16, body: &str) {
    let (head, said) = ask(api, request);
    assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {head}");
    assert!(said.contains(body), "{request}: {said}");
}

#[test]
fn orders_are_for_those_with_a_token() {
    let mut api = Api::default();
    check(&mut api, "GET /api/orders/1 HTTP/1.1\nAuthorization: Bearer token-1\n\n", 401, "error");
    check(&mut api, "POST /api/login HTTP/1.1\n\n{\"name\":\"ada\"}", 200, "token-1");
    check(&mut api, "POST /api/orders HTTP/1.1\nauthorization: Bearer token-1\n\nsku=a+b", 201, "\"sku\":\"a b\"");
    check(&mut api, "GET /api/orders/1 HTTP/1.1\nAuthorization: Bearer token-1\n\n", 200, "\"state\":\"new\"");
    check(&mut api, "GET /api/orders/1 HTTP/1.1\nAuthorization: Bearer token-2\n\n", 401, "error");
    check(&mut api, "DELETE /api/orders/1 HTTP/1.1\nAuthorization: Bearer token-1\n\n", 204, "");
    check(&mut api, "GET /api/orders/1 HTTP/1.1\nAuthorization: Bearer token-1\n\n", 404, "no such order");
}

#[test]
fn a_poll_is_ready_when_it_was_asked_so_often() {
    let mut api = Api::default();
    for (status, key) in [(202, "a"), (202, "a"), (202, "b"), (200, "a")] {
        check(&mut api, &format!("GET /api/poll?key={key}&ready_after=3 HTTP/1.1\n\n"), status, "ready");
    }
}

#[test]
fn cookies_and_redirects_are_as_asked() {
    let mut api = Api::default();
    let (head, _) = ask(&mut api, "GET /api/redirect?status=307&to=/x&set=a=b;+Path=/&set=c=d HTTP/1.1\n\n");
    assert!(head.starts_with("HTTP/1.1 307 ") && head.contains("\r\nLocation: /x"), "{head}");
    assert!(head.contains("\r\nSet-Cookie: a=b; Path=/\r\nSet-Cookie: c=d\r\n"), "{head}");
    let (head, _) = ask(&mut api, "GET /api/redirect?to=/x%0d%0aBad:1 HTTP/1.1\n\n");
    assert!(!head.contains("\nBad"), "{head}");
}

#[test]
fn what_was_received_is_told() {
    let mut api = Api::default();
    check(&mut api, "PUT /api/echo?x=1 HTTP/1.1\nA: b\na: c\n\nhi", 200, "\"a\":\"b, c\"");
    check(&mut api, "GET /api/nothing HTTP/1.1\n\n", 404, "");
    let seen: Vec<&str> = api.seen.iter().filter_map(|seen| seen["target"].as_str()).collect();
    assert_eq!(seen, ["/api/echo?x=1", "/api/nothing"]);
}
