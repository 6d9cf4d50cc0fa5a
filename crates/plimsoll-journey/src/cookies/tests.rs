use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;

use super::*;

const PAGE: &str = "https://shop.example.com/cart/items?x=1";

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap_or_default()
}

fn origin(url: &str) -> Origin<'_> {
    Origin::of(url).unwrap_or(Origin { host: "", path: "/", secure: false })
}

fn jar(url: &str, headers: &[&str]) -> Jar {
    let mut jar = Jar::default();
    headers.iter().for_each(|header| jar.set(origin(url), header.as_bytes(), at(1000)));
    jar
}

fn sent(jar: &Jar, url: &str, now: i64) -> String {
    let mut out = Vec::new();
    let says = jar.write_header(origin(url), at(now), &mut out);
    assert_eq!(says, !out.is_empty());
    String::from_utf8_lossy(&out).into_owned()
}

/// What is sent to `url` at second 1010 after `PAGE` set something at second 1000.
#[track_caller]
fn check(headers: &[&str], url: &str, expected: &str) {
    assert_eq!(sent(&jar(PAGE, headers), url, 1010), expected, "{headers:?} to {url}");
}

#[test]
fn hosts_and_domains() {
    check(&["a=1"], "https://shop.example.com/cart/pay", "a=1");
    check(&["a=1"], "https://www.shop.example.com/cart/pay", "");
    check(&["a=1; Domain=example.com; Path=/"], "https://api.example.com/", "a=1");
    check(&["a=1; Domain=.EXAMPLE.com; Path=/"], "https://example.com/", "a=1");
    check(&["a=1; Domain=example.com; Path=/"], "https://badexample.com/", "");
    check(&["a=1; Path=/"], "https://SHOP.example.COM/", "a=1");
    for foreign in ["other.com", "com", "sub.shop.example.com", "ample.com"] {
        check(&[&format!("a=1; Domain={foreign}; Path=/")], PAGE, "");
    }
    let own = jar("http://127.0.0.1:8080/", &["a=1; Domain=127.0.0.1", "b=2; Domain=0.0.1"]);
    assert_eq!(sent(&own, "http://127.0.0.1:9090/", 1000), "a=1");
    assert_eq!(sent(&jar("http://localhost/", &["a=1; Domain=localhost"]), "http://localhost/", 1000), "a=1");
}

#[test]
fn paths() {
    check(&["a=1"], "https://shop.example.com/", "");
    check(&["a=1"], "https://shop.example.com/cart", "a=1");
    check(&["a=1"], "https://shop.example.com/cartoon", "");
    check(&["a=1; Path=/"], "https://shop.example.com?x", "a=1");
    check(&["a=1; Path=relative"], "https://shop.example.com/cart/x", "a=1");
    check(&["a=1; Path=/", "b=2; Path=/cart", "c=3; Path=/"], "https://shop.example.com/cart", "b=2; a=1; c=3");
}

#[test]
fn ages() {
    check(&["a=1; Max-Age=11; Path=/"], PAGE, "a=1");
    check(&["a=1; Max-Age=10; Path=/"], PAGE, "");
    check(&["a=1; Max-Age=0"], PAGE, "");
    check(&["a=1; Expires=Thu, 01 Jan 1970 00:16:51 GMT"], PAGE, "a=1");
    check(&["a=1; Expires=Thu, 01 Jan 1970 00:16:50 GMT"], PAGE, "");
    check(&["a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60"], PAGE, "a=1");
    check(&["a=1; Expires=nonsense; Max-Age=nonsense"], PAGE, "a=1");
}

#[test]
fn replaced_and_deleted() {
    check(&["a=1", "b=2", "a=3"], PAGE, "a=3; b=2");
    check(&["a=1", "a=; Max-Age=-1"], PAGE, "");
    check(&["a=1", "a=; Path=/; Max-Age=-1"], PAGE, "a=1");
    check(&["a=1", "a=2; Domain=shop.example.com"], PAGE, "a=1; a=2");
}

#[test]
fn secure_ones() {
    check(&["a=1; Secure; Path=/"], PAGE, "a=1");
    check(&["a=1; Secure; Path=/"], "http://shop.example.com/", "");
    assert!(jar("http://shop.example.com/", &["a=1; Secure"]).is_empty());
    assert_eq!(sent(&jar("http://127.0.0.1:8080/", &["a=1; Secure"]), "http://127.0.0.1:8080/", 1000), "a=1");
    check(&["__Secure-a=1", "__Host-b=1; Secure", "__Host-c=1; Secure; Path=/"], PAGE, "__Host-c=1");
}

#[test]
fn what_is_no_cookie() {
    for header in ["", "a", "=1", ";a=1", "a=1\r\nX: y", "a=\u{0}"] {
        check(&[header], PAGE, "");
    }
    check(&["a=", " b = c=d ; Path=/"], PAGE, "a=; b=c=d");
    check(&[&format!("a={}", "x".repeat(COOKIE_BYTES_MAX))], PAGE, "");
}

#[test]
fn a_domain_has_no_more_than_its_share() {
    let mut jar = Jar::default();
    for number in 0..=COOKIES_PER_DOMAIN_MAX {
        jar.set(origin(PAGE), format!("n{number}=").as_bytes(), at(1000));
    }
    jar.set(origin("https://other.org/"), b"x=1", at(1000));
    let all = sent(&jar, PAGE, 1000);
    assert_eq!(all.split("; ").count(), COOKIES_PER_DOMAIN_MAX);
    assert!(!all.contains("n0=") && all.contains("n1=") && all.contains("n50="), "{all}");
    assert_eq!(sent(&jar, "https://other.org/", 1000), "x=1");
}

#[test]
fn an_empty_jar_is_a_vector() {
    assert_eq!(size_of::<Jar>(), size_of::<Vec<u8>>());
    assert!(size_of::<Cookie>() <= 40);
}

#[test]
fn origins() {
    let parts = |url| Origin::of(url).map(|origin| (origin.host, origin.path, origin.secure));
    assert_eq!(parts("http://u:p@h:80/a?b"), Some(("h", "/a", false)));
    assert_eq!(parts("HTTPS://[::1]:8"), Some(("::1", "/", true)));
    assert_eq!(parts("http://"), None);
    assert_eq!(parts("/a"), None);
}

proptest! {
    #[test]
    fn any_header_is_taken(headers in prop::collection::vec("[a-z=; ,.:/-9A-Z\\x00-\\x7fü]{0,60}", 0..20), seconds in 0_i64..2000) {
        let mut jar = Jar::default();
        for header in &headers {
            jar.set(origin(PAGE), header.as_bytes(), at(seconds));
        }
        let later = at(seconds) + TimeDelta::seconds(1);
        let mut out = Vec::new();
        jar.write_header(origin(PAGE), later, &mut out);
        prop_assert!(out.iter().all(|byte| *byte >= b' ' || *byte == b'\t'));
    }
}
