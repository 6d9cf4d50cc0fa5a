//! Whole imports: whatever comes in, nothing panics, and what comes out can be read by those it is for.

use hurl_core::parser::parse_hurl_file;
use proptest::prelude::*;

use super::{Format, Imported, Options, import_with, journeys, looks_like_targets};

const CURL: &str = "curl 'https://h.example/a?b=c&token=t0ken-1' -X PUT -H $'A: \\u00e9\\n' -u ann:pw-of-ann \\\n --data-raw '{\"a\":\"{{b}}\"}' --compressed ; curl -F 'a=@b;type=c/d' \"http://h.example/$X\"";
const TARGETS: &str = "GET http://h.example/a\nX-Api-Key: k-123456\n\nPOST http://h.example/b?c=d\n@body.json\n";
const LINES: &str =
    "{\"method\":\"POST\",\"url\":\"http://h.example/\",\"body\":\"/wA=\",\"header\":{\"A\":[\"b\"]}}\n";
const HAR: &str = r#"{"log":{"entries":[{"startedDateTime":"2026-01-02T03:04:05Z","time":1,"request":{"method":"POST","url":"https://h.example/x?a=b",
  "headers":[{"name":"Cookie","value":"a=b; c=d-secret"},{"name":"Authorization","value":"Basic YW5uOnB3LW9mLWFubg=="}],
  "postData":{"mimeType":"multipart/form-data; boundary=xx","text":"--xx\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\npw-of-ann\r\n--xx--\r\n"}},
  "response":{"status":302,"headers":[{"name":"Set-Cookie","value":"a=b"}],"content":{"mimeType":"text/html"}}}]}}"#;
const OPENAPI: &str = "openapi: 3.1.0\ninfo: {title: T}\nservers: [{url: 'https://h.example/v1'}]\npaths:\n  /a/{b}:\n    post:\n      parameters: [{name: b, in: path, required: true, schema: {type: string, examples: ['x y']}}]\n      requestBody:\n        content:\n          application/json: {schema: &s {type: object, properties: {password: {type: string}, l: {type: array, items: {type: integer}}}}}\n      security: [{k: []}]\n      responses: {'204': {}}\ncomponents: {schemas: {S: *s}, securitySchemes: {k: {type: apiKey, in: header, name: X-Key}}}\n";
const POSTMAN: &str = r#"{"info":{"name":"C","schema":"v2.1.0"},"variable":[{"key":"u","value":"https://h.example/{{v}}"},{"key":"v","value":"1"}],
  "auth":{"type":"basic","basic":{"username":"ann","password":"pw-of-ann"}},"item":[{"name":"F","item":[{"name":"R","event":[{"listen":"test","script":{"exec":["x"]}}],
  "request":{"method":"POST","url":{"raw":"{{u}}/:id?a={{$guid}}","variable":[{"key":"id","value":"7"}]},"header":[{"key":"A","value":"{{b}}"}],
  "body":{"mode":"raw","raw":"{\"x\":{{v}}}"}}}]}]}"#;

const ALL: [(Format, &str); 6] = [
    (Format::Curl, CURL),
    (Format::Vegeta, TARGETS),
    (Format::Vegeta, LINES),
    (Format::Har, HAR),
    (Format::OpenApi, OPENAPI),
    (Format::Postman, POSTMAN),
];

const EVERYTHING: Options<'_> = Options { name: None, assets: true, delays: true, other_hosts: true };

/// What must hold of every import.
#[track_caller]
fn check(imported: &Imported) {
    assert!(!imported.files.is_empty(), "a plan without journeys");
    for (path, text) in &imported.files {
        assert!(path.starts_with("journeys/") && !path.contains(".."), "{path}");
        assert!(imported.plan.contains(&format!("file = \"{path}\"")), "{path} in {}", imported.plan);
        match parse_hurl_file(text) {
            Ok(file) => assert!(!file.entries.is_empty(), "{text}"),
            Err(error) => panic!("{:?} at {}:{} in\n{text}", error.kind, error.pos.line, error.pos.column),
        }
    }
    for name in &imported.environment {
        assert!(imported.plan.contains(&format!("\"env:{name}\"")), "{name} in {}", imported.plan);
    }
    for word in ["plimsollshell", "plimsollsecret", "739184620551"] {
        assert!(!format!("{imported:?}").contains(word), "a stand-in is left: {imported:?}");
    }
}

#[test]
fn every_format_gives_what_can_be_read() {
    for (format, text) in ALL {
        let imported = import_with(format, "x", text.as_bytes(), EVERYTHING);
        let imported = imported.unwrap_or_else(|mistake| panic!("{format:?}: {mistake}"));
        check(&imported);
        let whole = format!("{imported:?}");
        for secret in ["t0ken-1", "pw-of-ann", "YW5uOnB3", "k-123456", "d-secret"] {
            assert!(!whole.contains(secret), "{secret} in {whole}");
        }
    }
}

/// One change of a text: a piece of it taken out, doubled, or replaced by something else.
fn mutated(text: &str, (at, length, kind, piece): &(usize, usize, u8, String)) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = at % (chars.len() + 1);
    let end = (at + length).min(chars.len());
    let (before, middle, after) = (&chars[..at], &chars[at..end], &chars[end..]);
    let middle: String = match kind % 3 {
        0 => String::new(),
        1 => middle.iter().chain(middle).collect(),
        _ => piece.clone(),
    };
    before.iter().collect::<String>() + &middle + &after.iter().collect::<String>()
}

fn any_change() -> impl Strategy<Value = (usize, usize, u8, String)> {
    let piece = prop_oneof![any::<String>(), "[{}\\[\\]\"'`:,#$\\\\& \n]{0,4}", "(\\{\\{|\\}\\}|null|-1|1e9|@|&|\\*)"];
    (any::<usize>(), 0usize..12, any::<u8>(), piece)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn damaged_sources_are_read_or_refused(which in 0..ALL.len(), changes in prop::collection::vec(any_change(), 1..4)) {
        let (format, text) = ALL[which];
        let text = changes.iter().fold(text.to_owned(), |text, change| mutated(&text, change));
        match import_with(format, "x", text.as_bytes(), EVERYTHING) {
            Ok(imported) => check(&imported),
            Err(mistake) => prop_assert!(!mistake.to_string().is_empty()),
        }
        let _ = (looks_like_targets(&text), journeys("x", text.as_bytes(), |_| Ok(Vec::new())));
    }

    #[test]
    fn anything_is_read_or_refused(bytes in any::<Vec<u8>>(), text in any::<String>()) {
        for (format, _) in ALL {
            for bytes in [bytes.as_slice(), text.as_bytes(), format!("curl {text}").as_bytes()] {
                if let Ok(imported) = import_with(format, "x", bytes, EVERYTHING) {
                    check(&imported);
                }
            }
        }
    }
}
