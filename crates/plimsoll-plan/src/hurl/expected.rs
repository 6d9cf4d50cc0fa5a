//! What an answer must be, and what is kept of it.

use hurl_core::ast::{
    Assert as AstAssert, Body, Bytes, Capture as AstCapture, KeyValue, Response, Status, StatusValue, Version,
    VersionValue,
};
use hurl_core::reader::Pos;
use plimsoll_journey::{
    Assert, Capture, Comparison, Expected, Number, Operand, Part, Predicate, Query, Template, Value,
};

use super::predicate::{bytes, text_operand};
use super::reader::Reader;
use super::variables::Use;

impl Reader<'_> {
    /// In the order in which hurl goes: version and status, captures, then headers, body and `[Asserts]`.
    pub(super) fn expected(&mut self, response: &Response) -> Expected {
        let mut asserts = Vec::new();
        asserts.extend(self.version_line(&response.version));
        asserts.extend(self.status_line(&response.status));
        let captures = response.captures().iter().filter_map(|capture| self.capture(capture)).collect();
        for header in &response.headers {
            asserts.push(self.header_line(header));
        }
        asserts.extend(response.body.as_ref().and_then(|body| self.expected_body(body)));
        for assert in response.asserts() {
            asserts.push(self.assert(assert));
        }
        Expected { asserts, captures }
    }

    fn version_line(&mut self, version: &Version) -> Option<Assert> {
        let at = version.source_info.start;
        let wanted = match version.value {
            VersionValue::VersionAny => return None,
            VersionValue::Version1 => "1.0",
            VersionValue::Version11 => "1.1",
            VersionValue::Version2 => "2",
            VersionValue::Version3 => {
                self.mistake(
                    at,
                    "HTTP/3 is not spoken, so no answer can have that version",
                    "expected `HTTP`, `HTTP/1.1` or `HTTP/2`",
                );
                return None;
            }
        };
        Some(self.implicit(Query::Version, Comparison::Equals(Operand::Fixed(Value::Text(wanted.into()))), at))
    }

    fn status_line(&mut self, status: &Status) -> Option<Assert> {
        let StatusValue::Specific(wanted) = status.value else { return None };
        let wanted = Value::Number(Number::Integer(i64::try_from(wanted).unwrap_or(i64::MAX)));
        Some(self.implicit(Query::Status, Comparison::Equals(Operand::Fixed(wanted)), status.source_info.start))
    }

    /// Of several headers with that name, one must have the value.
    fn header_line(&mut self, header: &KeyValue) -> Assert {
        let name = self.template(&header.key);
        let wanted = text_operand(self.template(&header.value));
        self.implicit(Query::Header(name), Comparison::AnyEquals(wanted), header.key.source_info.start)
    }

    /// Text is compared with the decoded text, bytes with the bytes; JSON too is compared as text.
    fn expected_body(&mut self, body: &Body) -> Option<Assert> {
        let wanted = self.bytes(&body.value)?;
        let (query, operand) = match &body.value {
            Bytes::Base64(_) | Bytes::Hex(_) | Bytes::File(_) => (Query::Bytes, bytes(&plain(&wanted))),
            Bytes::Json(_) | Bytes::Xml(_) | Bytes::MultilineString(_) | Bytes::OnelineString(_) => {
                (Query::Body, text_operand(wanted))
            }
        };
        Some(self.implicit(query, Comparison::Equals(operand), body.space0.source_info.end))
    }

    fn implicit(&self, query: Query, comparison: Comparison, at: Pos) -> Assert {
        let predicate = Predicate { not: false, comparison };
        Assert { query, filters: Vec::new(), predicate, place: self.place(at), source: self.source(at) }
    }

    fn capture(&mut self, capture: &AstCapture) -> Option<Capture> {
        let at = capture.name.source_info.start;
        let name = self.known(&capture.name, "a capture's name")?;
        let query = self.query(&capture.query);
        let filters = self.filters(&capture.filters);
        // After its query, which may read the value that is replaced.
        let slot = self.mention(&name, at, Use::Set);
        Some(Capture { slot, query, filters, secret: capture.redacted, place: self.place(at), source: self.source(at) })
    }

    fn assert(&mut self, assert: &AstAssert) -> Assert {
        let at = assert.query.source_info.start;
        let query = self.query(&assert.query);
        let filters = self.filters(&assert.filters);
        let predicate = self.predicate(&assert.predicate);
        Assert { query, filters, predicate, place: self.place(at), source: self.source(at) }
    }

    fn source(&self, at: Pos) -> String {
        self.line(at).trim().to_owned()
    }
}

/// The bytes of a template without gaps, as base64, hex and files are.
fn plain(template: &Template) -> Vec<u8> {
    let texts = template.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_ref()),
        Part::Gap { .. } => None,
    });
    texts.collect::<Vec<&[u8]>>().concat()
}
