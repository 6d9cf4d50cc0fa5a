//! Filters from text or bytes to text or bytes.

use std::borrow::Cow;
use std::sync::Arc;

use base64::engine::general_purpose::{GeneralPurpose, STANDARD, URL_SAFE_NO_PAD};
use base64::{DecodeError, Engine as _};
use encoding_rs::Encoding;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use regex::Regex;

use crate::value::Value;
use crate::wrong::Wrong;

/// What `urlEncode` leaves: unreserved characters, and the slash.
const URL_ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// The first group of the first match.
pub(super) fn first_group(text: &str, regex: &Regex) -> Option<Value> {
    regex.captures(text)?.get(1).map(|group| Value::text(group.as_str()))
}

pub(super) fn base64_decode(text: &str) -> Result<Value, Wrong> {
    from_base64(&STANDARD, text).map_err(|_| Wrong::input("string is not base64"))
}

pub(super) fn base64_url_decode(text: &str) -> Result<Value, Wrong> {
    from_base64(&URL_SAFE_NO_PAD, text).map_err(|error| match error {
        DecodeError::InvalidPadding => Wrong::input("base64 string contains padding"),
        _ => Wrong::input("string is not base64"),
    })
}

fn from_base64(engine: &GeneralPurpose, text: &str) -> Result<Value, DecodeError> {
    engine.decode(text).map(|bytes| Value::Bytes(bytes.into()))
}

pub(super) fn base64_encode(bytes: &[u8]) -> Value {
    Value::Text(STANDARD.encode(bytes).into())
}

pub(super) fn base64_url_encode(bytes: &[u8]) -> Value {
    Value::Text(URL_SAFE_NO_PAD.encode(bytes).into())
}

pub(super) fn charset_decode(bytes: &[u8], label: &str) -> Result<Value, Wrong> {
    let encoding = Encoding::for_label(label.as_bytes());
    let encoding = encoding.ok_or_else(|| Wrong::new("an encoding that is supported", label))?;
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    text.map(|text| Value::text(&text)).ok_or_else(|| Wrong::new(format!("bytes in {label}"), "other bytes"))
}

pub(super) fn to_hex(bytes: &[u8]) -> Value {
    Value::Text(Value::Bytes(bytes.into()).to_string().into())
}

pub(super) fn utf8_decode(bytes: &[u8]) -> Value {
    Value::text(&String::from_utf8_lossy(bytes))
}

pub(super) fn utf8_encode(text: &str) -> Value {
    Value::Bytes(text.as_bytes().into())
}

pub(super) fn url_decode(text: &str) -> Value {
    Value::text(&percent_decode_str(text).decode_utf8_lossy())
}

pub(super) fn url_encode(text: &str) -> Value {
    Value::text(&Cow::from(utf8_percent_encode(text, URL_ENCODED)))
}

/// None if the URL has no such parameter.
pub(super) fn url_query_param(text: &str, name: &str) -> Result<Option<Value>, Wrong> {
    let wrong = |reason: String| Wrong::new("a URL", format!("{text} ({reason})"));
    if !text.starts_with("http://") && !text.starts_with("https://") {
        return Err(wrong("it begins neither with http:// nor with https://".to_owned()));
    }
    let url = url::Url::parse(text).map_err(|error| wrong(error.to_string()))?;
    let found = url.query_pairs().find(|(found, _)| found == name).map(|(_, value)| Value::text(&value));
    Ok(found)
}

pub(super) fn split(text: &str, separator: &str) -> Value {
    Value::List(text.split(separator).map(Value::text).collect::<Arc<[_]>>())
}
