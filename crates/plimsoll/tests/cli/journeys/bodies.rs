//! What is sent: bodies of every kind, queries, basic authentication; and bodies that come back compressed, in
//! an unknown coding, or too large.

use super::Trial;

/// Goes through it; what the server received: content type and body.
#[track_caller]
fn sent(trial: &Trial) -> Vec<(String, String)> {
    trial.passes();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    trial.seen().iter().map(|seen| (text(&seen["headers"]["content-type"]), text(&seen["body"]))).collect()
}

#[track_caller]
fn check(request: &str, content_type: &str, body: &str) {
    let trial =
        Trial::of(&format!("POST {{{{host}}}}/api/echo\n[Options]\nvariable: who=a \"b\" &c\n{request}\nHTTP 200\n"));
    trial.write("hello.txt", "hello from a file\n");
    assert_eq!(sent(&trial), [(content_type.to_owned(), body.to_owned())], "{request}");
}

#[test]
fn forms_and_texts() {
    check("[Form]\nname: {{who}}\nn: 1", "application/x-www-form-urlencoded", "name=a%20%22b%22%20%26c&n=1");
    check("{\"who\": \"{{who}}\"}", "application/json", r#"{"who": "a \"b\" &c"}"#);
    check("`who is {{who}}`", "", r#"who is a "b" &c"#);
    check("<a>1</a>", "application/xml", "<a>1</a>");
    check("base64,aGVsbG8=;", "", "hello");
    check("hex,68656c6c6f;", "", "hello");
    check("file,hello.txt;", "", "hello from a file\n");
    check("```graphql\n{ a }\n```", "application/json", r#"{"query":"{ a }"}"#);
}

#[test]
fn several_parts() {
    let trial = Trial::of("POST {{host}}/api/echo\n[Multipart]\nname: ada\nnote: file,hello.txt;\nHTTP 200\n");
    trial.write("hello.txt", "hello from a file\n");
    let (content_type, body) = sent(&trial).remove(0);
    let boundary = content_type.strip_prefix("multipart/form-data; boundary=").expect("a boundary").to_owned();
    let expected = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nada\r\n--{boundary}\r\n\
         Content-Disposition: form-data; name=\"note\"; filename=\"hello.txt\"\r\nContent-Type: text/plain\r\n\r\n\
         hello from a file\n\r\n--{boundary}--\r\n"
    );
    assert_eq!(body, expected);
}

#[test]
fn queries_headers_and_basic_authentication() {
    let trial = Trial::of(
        "GET {{host}}/api/echo?a=1\nX-Twice: 1\nX-Twice: 2\n[Query]\nb: x y&z\n[BasicAuth]\nme: pass word\n\
         [Options]\nheader: X-Option: yes\nHTTP 200\n",
    );
    trial.passes();
    let seen = trial.seen().remove(0);
    assert_eq!(seen["target"], "/api/echo?a=1&b=x%20y%26z");
    let headers = &seen["headers"];
    assert_eq!((&headers["x-twice"], &headers["x-option"]), (&"1, 2".into(), &"yes".into()));
    assert_eq!(headers["authorization"], "Basic bWU6cGFzcyB3b3Jk");
}

#[test]
fn compressed_bodies_are_decoded() {
    let trial = Trial::of(
        "GET {{host}}/x?encoding=gzip&type=application/json&body={\"a\":[1,2]}\n[Options]\ncompressed: true\nHTTP 200\n\
         [Asserts]\njsonpath \"$.a\" count == 2\nheader \"Content-Encoding\" == \"gzip\"\n\
         GET {{host}}/api/echo\n[Options]\ncompressed: true\nHTTP 200\n",
    );
    trial.passes();
    assert_eq!(trial.headers("accept-encoding"), [Some("gzip, deflate".to_owned())]);
}

#[test]
fn an_unknown_coding_cannot_be_looked_at() {
    let url = "GET {{host}}/x?header=Content-Encoding:br&body=abc\nHTTP 200\n";
    Trial::of(url).passes();
    let failure = Trial::of(&format!("{url}[Asserts]\nbody contains \"a\"\n")).fails();
    assert_eq!(failure["expected"], "a body in gzip, deflate or no coding");
    assert_eq!(failure["actual"], "200 with one in `br`");
}

#[test]
fn a_body_beyond_memory_cannot_be_looked_at() {
    let url = "GET {{host}}/x?size=70MB\nHTTP 200\n";
    Trial::of(url).passes();
    let failure = Trial::of(&format!("{url}[Asserts]\nbytes count > 0\n")).fails();
    assert_eq!(failure["expected"], "a body that fits into the memory kept for it");
}
