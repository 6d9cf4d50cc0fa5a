//! JSON documents: parsed once, queried often.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::compiled;
use crate::json_path::Found;
use crate::value::{Number, Value};
use crate::wrong::Wrong;

/// What stands before the digits of an integer that the parser could not hold; no text begins with it by chance.
const BIG: &str = "\u{f8ff}\u{10fffd}integer:";

/// A parsed document.
#[derive(Debug)]
pub(crate) struct Document {
    json: Json,
}

impl Document {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().map(|json| Self { json })
    }

    /// What a JSONPath finds in the document that was parsed from `text`.
    ///
    /// Hurl coerces: nothing is no value, one result is the value itself, several are a list. Where that is switched
    /// off (`plain`) the result is always a list.
    pub(crate) fn find(&self, text: &str, path: Cow<'_, str>, plain: bool) -> Result<Option<Value>, Wrong> {
        let path = compiled::json_path(path)?;
        let mut lossy = false;
        let value = from_found(&path.find(&self.json), plain, &mut lossy);
        if !lossy {
            return Ok(value);
        }
        // So rare that a second look at the text costs nothing worth mentioning.
        let marked = serde_json::from_str::<Json>(&mark_big(text)).unwrap_or_default();
        Ok(from_found(&path.find(&marked), plain, &mut lossy))
    }
}

fn from_found(found: &Found<'_>, plain: bool, lossy: &mut bool) -> Option<Value> {
    match found {
        Found::None if plain => Some(Value::List(Arc::from([]))),
        Found::None => None,
        Found::One(one) if plain => Some(Value::List(Arc::from([from_json(one, lossy)]))),
        Found::One(one) => Some(from_json(one, lossy)),
        Found::Several(all) => Some(Value::List(all.iter().map(|json| from_json(json, lossy)).collect())),
    }
}

/// `lossy` becomes true where a number may have had more digits than the parser keeps.
fn from_json(json: &Json, lossy: &mut bool) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => Value::Number(from_number(number, lossy)),
        Json::String(text) => match text.strip_prefix(BIG) {
            Some(digits) => Value::Number(Number::Big(digits.into())),
            None => Value::text(text),
        },
        Json::Array(items) => Value::List(items.iter().map(|item| from_json(item, lossy)).collect()),
        Json::Object(members) => {
            Value::Object(members.iter().map(|(name, json)| (name.clone(), from_json(json, lossy))).collect())
        }
    }
}

fn from_number(number: &serde_json::Number, lossy: &mut bool) -> Number {
    if let Some(integer) = number.as_i64() {
        return Number::Integer(integer);
    }
    if let Some(integer) = number.as_u64() {
        return Number::Big(integer.to_string().into());
    }
    let float = number.as_f64().unwrap_or(f64::NAN);
    *lossy |= float.abs() >= i64::MAX as f64;
    Number::Float(float)
}

/// The document with integers beyond 64 bits as marked strings.
fn mark_big(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let is_string = rest.starts_with('"');
        let token = &rest[..if is_string { string_end(rest) } else { number_end(rest) }];
        let is_big = !is_string && !token.contains(['.', 'e', 'E']) && token.parse::<i64>().is_err();
        out.push_str(&if is_big { format!("\"{BIG}{token}\"") } else { token.to_owned() });
        rest = &rest[token.len()..];
    }
    out + rest
}

/// Where a string ends that begins with the text.
fn string_end(text: &str) -> usize {
    let mut escaped = true;
    let end = text.bytes().position(|byte| {
        let is_end = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        is_end
    });
    end.map_or(text.len(), |end| end + 1)
}

fn number_end(text: &str) -> usize {
    let is_part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
    text.bytes().position(|byte| !is_part(byte)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(document: &str, path: &str, plain: bool, expected: &str) {
        let found = Document::parse(document).map(|parsed| parsed.find(document, path.into(), plain));
        let words = match found {
            None => "no JSON".to_owned(),
            Some(Err(wrong)) => wrong.to_string(),
            Some(Ok(None)) => "none".to_owned(),
            Some(Ok(Some(value))) => value.described(),
        };
        assert_eq!(words, expected, "{path} in {document}");
    }

    #[test]
    fn one_result_is_the_value_and_several_are_a_list() {
        check(r#"{"a":[1,"b",null,true,1.5]}"#, "$.a[*]", false, "list <[1,b,null,true,1.5]>");
        check(r#"{"a":[1]}"#, "$.a[*]", false, "integer <1>");
        check(r#"{"a":[1]}"#, "$.a", false, "list <[1]>");
        check(r#"{"a":[]}"#, "$.a", false, "list <[]>");
        check(r#"{"a":{}}"#, "$.a", false, "object <Object()>");
        check(r#"{"a":[1]}"#, "$.b", false, "none");
        check(r#"{"a":[1]}"#, "$.b[*]", false, "none");
        check(r#"{"a":[1]}"#, "$.b", true, "list <[]>");
        check(r#"{"a":[1]}"#, "$.a[0]", true, "list <[1]>");
        check(r#"{"a":[1]}"#, "$.a", true, "list <[[1]]>");
        check("{", "$", false, "no JSON");
        check("1 2", "$", false, "no JSON");
        check("\u{feff}1", "$", false, "no JSON");
        check("{}", "a", false, "expected a JSONPath (RFC 9535), actual a");
    }

    #[test]
    fn floats_are_read_to_the_last_bit() {
        check("8.542993070843912e-203", "$", false, &Value::Number(Number::Float(8.542993070843912e-203)).described());
    }

    #[test]
    fn integers_keep_all_their_digits() {
        check("18446744073709551615", "$", false, "integer <18446744073709551615>");
        let document = r#"["\"1\\", -123456789012345678901234567890, 1e30, "123456789012345678901234567890"]"#;
        check(document, "$[0]", false, "string <\"1\\>");
        check(document, "$[1]", false, "integer <-123456789012345678901234567890>");
        check(document, "$[2]", false, "float <1000000000000000000000000000000.0>");
        check(document, "$[3]", false, "string <123456789012345678901234567890>");
    }

    fn any_json() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            any::<i64>().prop_map(Json::from),
            any::<u64>().prop_map(Json::from),
            any::<f64>().prop_map(Json::from),
            r#"[-"\\0-9e.,:\[{ü]{0,12}"#.prop_map(Json::from),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            let name = r#"["\\0-9a]{0,3}"#;
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
                prop::collection::btree_map(name, inner, 0..4).prop_map(|map| map.into_iter().collect()),
            ]
        })
    }

    proptest! {
        /// Marking changes integers beyond 64 bits with sign, and nothing else.
        #[test]
        fn a_marked_document_is_the_document(json in any_json()) {
            let marked = mark_big(&json.to_string());
            let read = serde_json::from_str::<Json>(&marked).map(|marked| from_json(&marked, &mut false));
            prop_assert!(read.is_ok_and(|read| read == from_json(&json, &mut false)), "{}", marked);
        }
    }
}
