//! Secrets inside a JSON text, replaced without touching another byte of it.

use super::sensitive::is_secret;
use super::tree::is_json;
use super::variables::Variables;
use super::words::Words;

/// The text with variables for secret strings; none if it is not JSON.
pub(super) fn without_secrets(text: &str, variables: &mut Variables) -> Option<Words> {
    if !is_json(text) {
        return None;
    }
    let mut words = Words::default();
    let mut copied = 0;
    for Found { key, start, end } in secrets(text) {
        let value = value_of(&text[start..end]);
        let Some(value) = value.filter(|value| !value.is_empty()) else { continue };
        words.push_str(&text[copied..start]);
        words.push_str("\"");
        words.push_variable(&variables.secret(&key, &value));
        words.push_str("\"");
        copied = end;
    }
    words.push_str(&text[copied..]);
    Some(words)
}

/// A secret value, quotes included.
struct Found {
    key: String,
    start: usize,
    end: usize,
}

/// Scalars under keys that are secret. The text is known to be valid, so this need not be a parser.
fn secrets(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut key: Option<String> = None;
    // For each open bracket, the key under which it stands: a list of passwords is as secret as one.
    let mut open: Vec<Option<String>> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at = match byte {
            b'"' => end_of_string(bytes, at),
            b'-' | b'0'..=b'9' => end_of_number(bytes, at),
            _ => at + 1,
        };
        match byte {
            b'"' if next_is_colon(bytes, at) => key = value_of(&text[start..at]),
            b'"' | b'-' | b'0'..=b'9' => {
                let key = key.take().or_else(|| open.last().cloned().flatten());
                found.extend(key.filter(|key| is_secret(key)).map(|key| Found { key, start, end: at }));
            }
            b'[' => open.push(key.take()),
            b'{' => {
                key = None;
                open.push(None);
            }
            b']' | b'}' => {
                open.pop();
            }
            b',' => key = None,
            _ => (),
        }
    }
    found
}

fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn end_of_number(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    let digits = rest.iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    start + digits.count().max(1)
}

fn next_is_colon(bytes: &[u8], at: usize) -> bool {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

fn value_of(json: &str) -> Option<String> {
    if json.starts_with('"') { serde_json::from_str(json).ok() } else { Some(json.to_owned()) }
}

/// A literal piece inside a JSON text, so that no template begins in it. `{{` can only stand inside a string there.
pub(super) fn without_templates(literal: &str) -> String {
    literal.replace("{{", "\\u007b\\u007b")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, expected: &str) {
        let mut variables = Variables::default();
        let words = without_secrets(json, &mut variables).expect("JSON");
        assert_eq!(words.with(|name| format!("<{name}>")), expected);
    }

    #[test]
    fn only_secret_values_are_replaced() {
        check(r#"{ "user" : "ann", "password":"p\"w" }"#, r#"{ "user" : "ann", "password":"<password>" }"#);
        check(r#"{"auth":{"token":"t1","n":1},"x":["token"]}"#, r#"{"auth":{"token":"<token>","n":1},"x":["token"]}"#);
        check(
            r#"{"pin": 1234, "password": "", "secret": null}"#,
            r#"{"pin": "<pin>", "password": "", "secret": null}"#,
        );
        check(r#"{"tokens":["a","b"],"z":"b"}"#, r#"{"tokens":["<tokens>","<tokens_2>"],"z":"b"}"#);
        check(r#"["password", "x"]"#, r#"["password", "x"]"#);
    }

    #[test]
    fn what_is_not_json_is_left_to_others() {
        assert_eq!(without_secrets("password=x", &mut Variables::default()), None);
    }
}
