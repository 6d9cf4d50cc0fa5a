//! Recordings in the shape in which browsers save them.

use super::super::{Format, Imported, Options, import_with};

fn entry(at: &str, method: &str, url: &str, more_request: &str, response: &str) -> String {
    format!(
        r#"{{"startedDateTime":"2026-01-02T03:04:{at}Z","time":100.5,"cache":{{}},"timings":{{}},
        "request":{{"method":"{method}","url":"{url}","httpVersion":"http/2.0","cookies":[],"queryString":[],"headersSize":-1,"bodySize":0{more_request}}},
        "response":{response}}}"#
    )
}

fn answer(status: u16, kind: &str, headers: &str) -> String {
    format!(
        r#"{{"status":{status},"statusText":"","headers":[{headers}],"content":{{"size":2,"mimeType":"{kind}","text":"hi"}},"redirectURL":""}}"#
    )
}

fn har(entries: &[String]) -> String {
    format!(
        "{{\"log\":{{\"version\":\"1.2\",\"creator\":{{\"name\":\"x\"}},\"pages\":[],\"entries\":[{}]}}}}",
        entries.join(",\n")
    )
}

#[track_caller]
fn imported(entries: &[String], options: Options<'_>) -> Imported {
    match import_with(Format::Har, "shop.har", har(entries).as_bytes(), options) {
        Ok(imported) => imported,
        Err(mistake) => panic!("{mistake}"),
    }
}

fn shop() -> Vec<String> {
    let headers = r#","headers":[{"name":":authority","value":"shop.example"},{"name":"Sec-Fetch-Mode","value":"cors"},
        {"name":"accept","value":"*/*"},{"name":"cookie","value":"sid=one; pref=dark"},{"name":"content-type","value":"application/json"},
        {"name":"authorization","value":"Bearer abcdef123"}],"postData":{"mimeType":"application/json","text":"{\"user\":\"ann\",\"password\":\"hunter22\"}"}"#;
    vec![
        entry("10.000", "POST", "https://shop.example/login", headers, &answer(201, "application/json", "")),
        entry(
            "05.000",
            "GET",
            "https://shop.example/",
            r#","headers":[]"#,
            &answer(200, "text/html; charset=utf-8", r#"{"name":"set-cookie","value":"sid=one; Path=/\nx=2"}"#),
        ),
        entry("05.100", "GET", "https://shop.example/app.js", "", &answer(200, "application/javascript", "")),
        entry("05.200", "GET", "https://tracker.example/t?x=1", "", &answer(204, "", "")),
        entry("11.000", "GET", "https://shop.example/me", "", &answer(304, "application/json", "")),
        entry("12.000", "GET", "data:text/plain,hi", "", &answer(200, "text/plain", "")),
    ]
}

#[test]
fn a_recording_becomes_a_journey() {
    let imported = imported(&shop(), Options::default());
    let expected = "\
# GET /
GET {{base_url}}/
HTTP 200

# POST /login
POST {{base_url}}/login
accept: */*
content-type: application/json
Authorization: Bearer {{bearer_token}}
[Cookies]
pref: {{cookie_pref}}
{\"user\":\"ann\",\"password\":\"{{password}}\"}
HTTP 201

# GET /me
GET {{base_url}}/me
HTTP 200
";
    let (path, text) = &imported.files[0];
    assert_eq!(
        (path.as_str(), text.replace("authorization", "Authorization").as_str()),
        ("journeys/shop.hurl", expected)
    );
    assert_eq!(imported.environment, ["BEARER_TOKEN", "COOKIE_PREF", "PASSWORD"]);
    let expected = [
        "an entry that is not HTTP was left out (`data:`, `blob:`, `wss:`, …)",
        "1 request for images, fonts, style sheets and scripts was left out: `--assets` keeps it",
        "1 request to other hosts was left out, so that nobody else receives load: tracker.example (1); `--other-hosts` keeps them",
        "a cookie was left out that an earlier answer sets",
        "2 pauses of the user took together 5.8 s: `--delays` keeps them, or set `think` in the plan",
        "secrets were left out: set these environment variables before a run: BEARER_TOKEN, COOKIE_PREF, PASSWORD",
    ];
    assert_eq!(imported.notes, expected);
    let whole = format!("{imported:?}");
    for secret in ["hunter22", "abcdef123", "dark"] {
        assert!(!whole.contains(secret), "{secret} in {whole}");
    }
}

#[test]
fn what_was_left_out_can_be_kept() {
    let imported = imported(&shop(), Options { name: None, assets: true, delays: true, other_hosts: true });
    let text = &imported.files[0].1;
    for wanted in ["GET {{base_url}}/app.js", "GET {{url_tracker_example}}/t?x=1", "delay: 4700ms", "delay: 900ms"] {
        assert!(text.contains(wanted), "{wanted} in {text}");
    }
    assert!(imported.plan.contains("url_tracker_example = \"https://tracker.example\""));
}

#[test]
fn bodies_that_are_no_text() {
    let post = |data: &str| {
        entry("10", "POST", "http://h/up", &format!(r#","headers":[],"postData":{data}"#), &answer(200, "", ""))
    };
    let text = |data: &str| imported(&[post(data)], Options::default()).files[0].1.clone();
    let binary = text(r#"{"mimeType":"application/octet-stream","text":"AP8Q","encoding":"base64"}"#);
    assert!(binary.contains("\nbase64,AP8Q;\n"), "{binary}");
    let form = text(
        r#"{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"a","value":"b c"},{"name":"token","value":"t0ken1"}]}"#,
    );
    assert!(form.contains("[Form]\na: b c\ntoken: {{token}}\n"), "{form}");
    let parts = text(
        r#"{"mimeType":"multipart/form-data; boundary=x","params":[{"name":"a","value":"1"},{"name":"f","fileName":"C:\\x\\pic.png","contentType":"image/png"}]}"#,
    );
    assert!(parts.contains("[Multipart]\na: 1\nf: file,pic.png; image/png\n"), "{parts}");
}

#[track_caller]
fn check_mistake(text: &str, line: usize, message: &str) {
    let mistake = import_with(Format::Har, "x.har", text.as_bytes(), Options::default()).expect_err("refused");
    assert_eq!((mistake.place.line, mistake.message.as_str()), (line, message));
}

#[test]
fn what_is_wrong_is_placed() {
    check_mistake("", 1, "EOF while parsing a value");
    check_mistake("{\"log\":\n{\"entries\": 5}}", 2, "invalid type: integer `5`, expected a sequence");
    check_mistake("{\"log\":{}}", 1, "missing field `entries`");
    check_mistake("{\"log\":{\"entries\":[]}}", 1, "there is no request in it that could be sent");
}
