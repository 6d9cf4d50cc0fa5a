//! Cookies: kept from step to step, by whom and how long, and what redirects set.

use super::Trial;

const COOKIES: &str = "
GET {{host}}/api/cookie?set=a=1&set=narrow=1;+Path=/api/deep
HTTP 200

GET {{host}}/api/echo
[Cookies]
own: 2
HTTP 200
";

/// What the `Cookie` headers said.
fn cookies(trial: &Trial) -> Vec<String> {
    trial.headers("cookie").into_iter().map(Option::unwrap_or_default).collect()
}

#[test]
fn a_user_keeps_them_across_iterations() {
    let trial = Trial::of(COOKIES);
    trial.ran("flow.hurl -c 1 -n 2").assert_exit(0);
    assert_eq!(cookies(&trial), ["", "a=1; own=2", "a=1", "a=1; own=2"]);
}

#[test]
fn every_arrival_begins_without() {
    let trial = Trial::of(COOKIES);
    trial.ran("flow.hurl --rate 20/s -n 2").assert_exit(0);
    let mut seen = cookies(&trial);
    seen.sort();
    assert_eq!(seen, ["", "", "a=1; own=2", "a=1; own=2"]);
}

#[test]
fn they_are_replaced_narrowed_and_deleted() {
    let trial = Trial::of(
        "GET {{host}}/api/cookie?set=a=1&set=b=1;+Path=/api/deep\n\
         GET {{host}}/api/cookie?set=a=2\n\
         GET {{host}}/api/deep/echo\nHTTP 404\n\
         GET {{host}}/api/cookie?set=a=;+Max-Age=0\n\
         GET {{host}}/api/echo\n",
    );
    trial.passes();
    assert_eq!(cookies(&trial), ["", "a=1", "b=1; a=2", "a=2", ""]);
}

#[test]
fn what_a_redirect_sets_goes_to_where_it_leads() {
    let trial = Trial::of(
        "GET {{host}}/api/redirect?to=/api/echo&set=r=1\n[Cookies]\nown: 2\n[Options]\nlocation: true\nHTTP 200\n\
         GET {{host}}/api/echo\nHTTP 200\n",
    );
    trial.passes();
    assert_eq!(cookies(&trial), ["own=2", "r=1; own=2", "r=1"]);
}

#[test]
fn a_redirect_that_deletes_one_is_obeyed_at_once() {
    let trial = Trial::of(
        "GET {{host}}/api/cookie?set=r=1\n\
         GET {{host}}/api/redirect?to=/api/echo&set=r=;+Max-Age=0\n[Options]\nlocation: true\nHTTP 200\n",
    );
    trial.passes();
    assert_eq!(cookies(&trial), ["", "r=1", ""]);
}
