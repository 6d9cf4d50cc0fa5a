//! What filters make of values.

use super::{Env, dates, encode, html};
use crate::compiled;
use crate::filter::Filter;
use crate::json::Document;
use crate::template::Template;
use crate::value::{Number, Value};
use crate::wrong::Wrong;

impl Filter {
    /// None where a filter finds nothing, which is wrong only if another filter follows.
    pub(super) fn apply(&self, input: Value, env: &mut Env<'_>) -> Result<Option<Value>, Wrong> {
        match self {
            Self::Regex(pattern) => {
                let regex = compiled::regex(env.string(pattern)?)?;
                Ok(encode::first_group(text(&input)?, &regex))
            }
            Self::JsonPath(path) => json_path(text(&input)?, path, env),
            Self::XPath { expression, engine } => {
                let wrong = |reason| Wrong::new("a document that the XPath can be evaluated on", reason);
                engine.evaluate(text(&input)?, true, &env.string(expression)?).map_err(wrong)
            }
            Self::UrlQueryParam(name) => encode::url_query_param(text(&input)?, &env.string(name)?),
            Self::Location => match input {
                Value::Hop(hop) => Ok(Some(Value::text(&hop.location))),
                other => Err(kind("http response", &other)),
            },
            _ => self.always(input, env).map(Some),
        }
    }

    /// The filters that always yield something.
    fn always(&self, input: Value, env: &mut Env<'_>) -> Result<Value, Wrong> {
        Ok(match self {
            Self::Count => count(&input)?,
            Self::First => list(&input)?.first().cloned().ok_or_else(|| Wrong::input("list is empty"))?,
            Self::Last => list(&input)?.last().cloned().ok_or_else(|| Wrong::input("list is empty"))?,
            Self::Nth(index) => nth(&input, env.integer(index)?)?,
            Self::ToInt => to_int(input)?,
            Self::ToFloat => to_float(input)?,
            Self::ToText => to_text(input)?,
            Self::ToDate(format) => dates::to_date(text(&input)?, &env.string(format)?)?,
            Self::DateFormat(format) => dates::date_format(date(&input)?, &env.string(format)?)?,
            Self::DaysAfterNow => dates::days(env.draw.now(), date(&input)?),
            Self::DaysBeforeNow => dates::days(date(&input)?, env.draw.now()),
            Self::CharsetDecode(label) => encode::charset_decode(bytes(&input)?, &env.string(label)?)?,
            Self::Replace { old, new } => {
                Value::Text(text(&input)?.replace(&*env.string(old)?, &env.string(new)?).into())
            }
            Self::ReplaceRegex { pattern, new } => {
                let regex = compiled::regex(env.string(pattern)?)?;
                Value::text(&regex.replace_all(text(&input)?, &*env.string(new)?))
            }
            Self::Split(separator) => encode::split(text(&input)?, &env.string(separator)?),
            _ => self.plain(&input)?,
        })
    }

    /// The filters that look at nothing but their input.
    fn plain(&self, input: &Value) -> Result<Value, Wrong> {
        Ok(match self {
            Self::Base64Decode => encode::base64_decode(text(input)?)?,
            Self::Base64Encode => encode::base64_encode(bytes(input)?),
            Self::Base64UrlSafeDecode => encode::base64_url_decode(text(input)?)?,
            Self::Base64UrlSafeEncode => encode::base64_url_encode(bytes(input)?),
            Self::HtmlEscape => Value::Text(html::escape(text(input)?).into()),
            Self::HtmlUnescape => Value::Text(html::unescape(text(input)?).into()),
            Self::ToHex => encode::to_hex(bytes(input)?),
            Self::UrlDecode => encode::url_decode(text(input)?),
            Self::UrlEncode => encode::url_encode(text(input)?),
            Self::Utf8Decode => encode::utf8_decode(bytes(input)?),
            Self::Utf8Encode => encode::utf8_encode(text(input)?),
            // All others are evaluated by the callers.
            _ => input.clone(),
        })
    }
}

impl Env<'_> {
    /// Written down, or an integer that a variable holds; text that reads as one is not enough.
    fn integer(&mut self, template: &Template) -> Result<i64, Wrong> {
        if let Some(slot) = template.sole_variable() {
            return match self.scope.get(slot) {
                Some(Value::Number(Number::Integer(integer))) => Ok(*integer),
                Some(other) => Err(Wrong::new("an integer", other.described())),
                None => Err(Wrong::missing(self.scope.name(slot))),
            };
        }
        let text = self.string(template)?;
        text.trim().parse().map_err(|_| Wrong::new("an integer", &*text))
    }
}

fn kind(expected: &str, actual: &Value) -> Wrong {
    Wrong::new(format!("filter input of the kind {expected}"), actual.kind())
}

fn text(value: &Value) -> Result<&str, Wrong> {
    if let Value::Text(text) = value { Ok(text) } else { Err(kind("string", value)) }
}

fn bytes(value: &Value) -> Result<&[u8], Wrong> {
    if let Value::Bytes(bytes) = value { Ok(bytes) } else { Err(kind("bytes", value)) }
}

fn list(value: &Value) -> Result<&[Value], Wrong> {
    if let Value::List(list) = value { Ok(list) } else { Err(kind("list", value)) }
}

fn date(value: &Value) -> Result<chrono::DateTime<chrono::Utc>, Wrong> {
    if let Value::Date(date) = value { Ok(*date) } else { Err(kind("date", value)) }
}

fn json_path(text: &str, path: &Template, env: &mut Env<'_>) -> Result<Option<Value>, Wrong> {
    let document = Document::parse(text).ok_or_else(|| Wrong::input("value is not a valid JSON"))?;
    let plain = env.plain;
    document.find(text, env.string(path)?, plain)
}

fn count(input: &Value) -> Result<Value, Wrong> {
    let count = match input {
        Value::List(list) => list.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::Nodes(count) => *count,
        other => return Err(kind("list, bytes or nodeset", other)),
    };
    Ok(Value::integer(count as i64))
}

fn nth(input: &Value, index: i64) -> Result<Value, Wrong> {
    let list = list(input)?;
    let from_start = if index < 0 { index.checked_add(list.len() as i64) } else { Some(index) };
    let found = from_start.and_then(|at| usize::try_from(at).ok()).and_then(|at| list.get(at));
    found.cloned().ok_or_else(|| Wrong::input(format!("out of bound - size is {}", list.len())))
}

fn to_int(input: Value) -> Result<Value, Wrong> {
    match &input {
        Value::Number(Number::Integer(_)) => Ok(input),
        Value::Number(Number::Float(float)) => Ok(Value::integer(*float as i64)),
        Value::Text(text) => text.parse().map(Value::integer).map_err(|_| Wrong::input(input.described())),
        other => Err(kind("float, integer or string", other)),
    }
}

fn to_float(input: Value) -> Result<Value, Wrong> {
    let float = |float| Value::Number(Number::Float(float));
    match &input {
        Value::Number(Number::Float(_)) => Ok(input),
        Value::Number(Number::Integer(integer)) => Ok(float(*integer as f64)),
        Value::Number(Number::Big(_)) => {
            Err(Wrong::input(format!("{} is too big to be cast as a float", input.described())))
        }
        Value::Text(text) => text.parse().map(float).map_err(|_| Wrong::input(input.described())),
        other => Err(kind("float, integer or string", other)),
    }
}

fn to_text(input: Value) -> Result<Value, Wrong> {
    match input.rendered() {
        Some(text) => Ok(Value::text(&text)),
        None => Err(Wrong::input(format!("{} can not be converted to a string", input.described()))),
    }
}
