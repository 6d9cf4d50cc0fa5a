//! An answer while it is looked at: decoded and parsed at most once, and only if somebody asks.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};

use crate::answer::Answer;
use crate::json::Document;
use crate::value::Value;
use crate::wrong::Wrong;

/// An answer while it is looked at.
pub(super) struct Reading<'a> {
    pub(super) answer: &'a Answer<'a>,
    text: OnceCell<Result<Cow<'a, str>, Wrong>>,
    value: OnceCell<Value>,
    document: OnceCell<Option<Document>>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(answer: &'a Answer<'a>) -> Self {
        Self { answer, text: OnceCell::new(), value: OnceCell::new(), document: OnceCell::new() }
    }

    /// The body in the charset that its type names, UTF-8 if it names none.
    pub(super) fn text(&self) -> Result<&str, Wrong> {
        let text = self.text.get_or_init(|| decode(self.answer));
        text.as_deref().map_err(Clone::clone)
    }

    /// The body's text as a value.
    pub(super) fn body(&self) -> Result<Value, Wrong> {
        let text = self.text()?;
        Ok(self.value.get_or_init(|| Value::Text(Arc::from(text))).clone())
    }

    /// What a JSONPath finds in the body.
    pub(super) fn json(&self, path: Cow<'_, str>, plain: bool) -> Result<Option<Value>, Wrong> {
        let text = self.text()?;
        let document = self.document.get_or_init(|| Document::parse(text));
        let document = document.as_ref().ok_or_else(|| Wrong::new("a body in JSON", text))?;
        document.find(text, path, plain)
    }

    /// Whether the body is said to be HTML.
    pub(super) fn is_html(&self) -> bool {
        content_type(self.answer).is_some_and(|value| value.trim().to_ascii_lowercase().starts_with("text/html"))
    }
}

/// The values of a header, in the order they came.
pub(super) fn headers<'a>(answer: &'a Answer<'a>, name: &str) -> impl Iterator<Item = Cow<'a, str>> {
    let is_it = move |header: &&(String, Vec<u8>)| header.0.eq_ignore_ascii_case(name);
    answer.headers.iter().filter(is_it).map(|(_, value)| header_text(value))
}

/// Header values are UTF-8, or else ISO-8859-1.
fn header_text(value: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(value) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(value.iter().copied().map(char::from).collect()),
    }
}

fn content_type<'a>(answer: &'a Answer<'a>) -> Option<Cow<'a, str>> {
    headers(answer, "content-type").next()
}

fn decode<'a>(answer: &'a Answer<'a>) -> Result<Cow<'a, str>, Wrong> {
    let encoding = charset(answer)?;
    let text = encoding.decode_without_bom_handling_and_without_replacement(answer.body);
    text.ok_or_else(|| Wrong::new(format!("a body in {}", encoding.name()), "other bytes"))
}

fn charset(answer: &Answer<'_>) -> Result<&'static Encoding, Wrong> {
    let Some(content_type) = content_type(answer) else { return Ok(UTF_8) };
    let parameters = content_type.split(';').filter_map(|part| part.split_once('='));
    let mut charsets = parameters.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    let Some((_, label)) = charsets.next() else { return Ok(UTF_8) };
    Encoding::for_label(label.trim().as_bytes()).ok_or_else(|| Wrong::new("a known charset", label.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(content_type: &str, body: &[u8], expected: Result<&str, &str>) {
        let headers = [("Content-Type".to_owned(), content_type.as_bytes().to_vec())];
        let answer = Answer { headers: &headers, body, ..Answer::default() };
        let text = Reading::new(&answer).text().map(str::to_owned).map_err(|wrong| wrong.to_string());
        assert_eq!(text, expected.map(str::to_owned).map_err(str::to_owned), "{content_type}");
    }

    #[test]
    fn bodies_are_text_in_their_charset() {
        check("text/plain", "grün".as_bytes(), Ok("grün"));
        check("text/plain; charset=iso-8859-1", b"gr\xfcn", Ok("grün"));
        check("text/plain;Charset = latin1 ; x=y", b"gr\xfcn", Ok("grün"));
        check("text/plain", b"gr\xfcn", Err("expected a body in UTF-8, actual other bytes"));
        check("text/plain; charset=klingon", b"", Err("expected a known charset, actual klingon"));
    }

    #[test]
    fn headers_are_found_whatever_their_case() {
        let all = [("X-A".to_owned(), b"1".to_vec()), ("b".to_owned(), vec![]), ("x-a".to_owned(), b"\xfc".to_vec())];
        let answer = Answer { headers: &all, ..Answer::default() };
        assert_eq!(headers(&answer, "x-A").collect::<Vec<_>>(), ["1", "ü"]);
    }
}
