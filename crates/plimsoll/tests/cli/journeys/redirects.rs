//! Redirects: followed as far as a step allows, with what hurl sends along.

use super::Trial;

#[test]
fn they_are_followed_and_told() {
    let trial = Trial::of(
        r#"GET {{host}}/api/redirect?to=/api/redirect%3fto%3d/api/echo
[Options]
location: true
max-redirs: 2
HTTP 200
[Asserts]
url == "{{host}}/api/echo"
redirects count == 2
redirects nth 0 location endsWith "to=/api/echo"
jsonpath "$.target" == "/api/echo"

GET {{host}}/api/redirect?to=/api/echo
HTTP 302
[Asserts]
header "Location" == "/api/echo"
"#,
    );
    let ran = trial.passes();
    assert_eq!(ran.count("/requests"), 2, "a redirect is part of its exchange");
    assert_eq!(trial.seen().len(), 4);
}

#[test]
fn methods_and_bodies_go_on_as_the_status_says() {
    let step = |status: u16| {
        format!(
            "POST {{{{host}}}}/api/redirect?status={status}&to=/api/echo\n[Options]\nlocation: true\n[Form]\na: b\nHTTP 200\n"
        )
    };
    let trial = Trial::of(&[301, 302, 303, 307, 308].map(step).concat());
    trial.passes();
    let landed: Vec<(String, String)> = trial
        .seen()
        .iter()
        .filter(|seen| seen["target"] == "/api/echo")
        .map(|seen| (seen["method"].as_str().unwrap_or("").to_owned(), seen["body"].as_str().unwrap_or("").to_owned()))
        .collect();
    let (get, post) = (("GET".to_owned(), String::new()), ("POST".to_owned(), "a=b".to_owned()));
    assert_eq!(landed, [get.clone(), get.clone(), get, post.clone(), post]);
}

#[test]
fn one_too_many_fails() {
    let trial = Trial::of(
        "GET {{host}}/api/redirect?to=/api/redirect%3fto%3d/api/echo\n[Options]\nlocation: true\nmax-redirs: 1\n",
    );
    let ran = trial.ran("flow.hurl");
    assert_eq!(super::passed(&ran), (0, 1));
    assert!(ran.reasons().contains(&"too many redirects: at most 1 are followed"), "{:?}", ran.reasons());
}

#[test]
fn credentials_stay_with_their_host() {
    let other = crate::support::Server::start();
    let step = |option: &str| {
        format!(
            "GET {{{{host}}}}/api/redirect?to=http://{}/api/echo\n[Options]\n{option}: true\n[BasicAuth]\nme: word\nHTTP 200\n",
            other.address
        )
    };
    let trial = Trial::of(&[step("location"), step("location-trusted")].concat());
    trial.passes();
    let landed: Vec<serde_json::Value> = serde_json::from_str(&other.get("/seen")).expect("it is JSON");
    let sent: Vec<bool> = landed.iter().map(|seen| seen["headers"]["authorization"].is_string()).collect();
    assert_eq!(sent, [false, true]);
}
