//! Text with placeholders becomes a byte template.

use std::borrow::Cow;

use hurl_core::ast::{ExprKind, Function as AstFunction, Placeholder, Template as AstTemplate, TemplateElement};
use plimsoll_journey::{Escape, Expression, Function, Part, Template};

use super::reader::Reader;
use super::variables::Use;

/// How text and gaps are written where they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// As they are.
    Plain,
    /// Inside the quotes of a JSON document in the file: its escapes are in the source already.
    JsonSource,
    /// Text that becomes a JSON string.
    JsonText,
    /// A value of a form.
    Form,
    /// Inside the quotes of a `Content-Disposition`.
    Disposition,
}

impl Manner {
    fn escape(self) -> Escape {
        match self {
            Self::Plain | Self::Disposition => Escape::None,
            Self::JsonSource | Self::JsonText => Escape::JsonText,
            Self::Form => Escape::Form,
        }
    }

    fn text<'t>(self, value: &'t str, source: &'t str) -> Cow<'t, str> {
        match self {
            Self::Plain => value.into(),
            Self::JsonSource => source.into(),
            Self::JsonText => json_text(value).into(),
            Self::Form => percent(value).into(),
            Self::Disposition => value.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A").into(),
        }
    }
}

/// Puts a template together; neighbouring texts become one.
#[derive(Default)]
pub(super) struct Writer {
    parts: Vec<Part>,
    text: Vec<u8>,
}

impl Writer {
    pub(super) fn text(&mut self, text: impl AsRef<[u8]>) {
        self.text.extend_from_slice(text.as_ref());
    }

    pub(super) fn gap(&mut self, expression: Expression, escape: Escape) {
        self.end_text();
        self.parts.push(Part::Gap { expression, escape });
    }

    pub(super) fn append(&mut self, template: Template) {
        for part in template.parts {
            match part {
                Part::Text(text) => self.text(text),
                Part::Gap { expression, escape } => self.gap(expression, escape),
            }
        }
    }

    pub(super) fn finish(mut self) -> Template {
        self.end_text();
        Template { parts: self.parts }
    }

    fn end_text(&mut self) {
        if !self.text.is_empty() {
            self.parts.push(Part::Text(std::mem::take(&mut self.text).into()));
        }
    }
}

impl Reader<'_> {
    /// As it is.
    pub(super) fn template(&mut self, template: &AstTemplate) -> Template {
        let mut out = Writer::default();
        self.write(&mut out, template, Manner::Plain);
        out.finish()
    }

    pub(super) fn write(&mut self, out: &mut Writer, template: &AstTemplate, manner: Manner) {
        for element in &template.elements {
            match element {
                TemplateElement::String { value, source } => out.text(manner.text(value, source.as_str()).as_bytes()),
                TemplateElement::Placeholder(placeholder) => out.gap(self.expression(placeholder), manner.escape()),
            }
        }
    }

    pub(super) fn expression(&mut self, placeholder: &Placeholder) -> Expression {
        match &placeholder.expr.kind {
            ExprKind::Variable(variable) => {
                Expression::Variable(self.mention(&variable.name, variable.source_info.start, Use::Read))
            }
            ExprKind::Function(AstFunction::NewUuid) => Expression::Function(Function::NewUuid),
            ExprKind::Function(AstFunction::NewDate) => Expression::Function(Function::NewDate),
        }
    }

    /// Text that must be known now; what has a placeholder is refused, with `what` saying what it is.
    pub(super) fn known(&mut self, template: &AstTemplate, what: &str) -> Option<String> {
        if template.elements.iter().all(|element| matches!(element, TemplateElement::String { .. })) {
            return Some(template.to_string());
        }
        let message = format!("{what} must be known before the run, so no variable can stand in it");
        self.mistake(template.source_info.start, message, "write it out");
        None
    }
}

/// A template of one text.
pub(super) fn text(text: impl AsRef<[u8]>) -> Template {
    let mut out = Writer::default();
    out.text(text);
    out.finish()
}

/// The text of a template without gaps.
pub(super) fn constant(template: &Template) -> Option<&str> {
    match template.parts.as_slice() {
        [] => Some(""),
        [Part::Text(text)] => std::str::from_utf8(text).ok(),
        _ => None,
    }
}

/// As JSON writes it between quotes.
fn json_text(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out
}

/// All but the unreserved characters of RFC 3986 as `%XX`; a space too, as curl does it.
fn percent(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(byte as char),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
