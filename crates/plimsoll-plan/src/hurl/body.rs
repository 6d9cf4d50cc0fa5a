//! Bodies: what is sent, and what is expected, are written the same way.

use hurl_core::ast::{Bytes, GraphQl, MultilineString, MultilineStringKind, Template as AstTemplate, TemplateElement};
use hurl_core::types::ToSource;
use plimsoll_journey::Template;

use super::json::Space;
use super::reader::Reader;
use super::template::{Manner, Writer, text};

const JSON: &str = "application/json";
const XML: &str = "application/xml";

impl Reader<'_> {
    /// A body as bytes with gaps; none if a file could not be read, which has been said then.
    pub(super) fn bytes(&mut self, bytes: &Bytes) -> Option<Template> {
        match bytes {
            Bytes::Json(value) => {
                let mut out = Writer::default();
                self.json(&mut out, value, Space::Kept);
                Some(out.finish())
            }
            Bytes::Xml(document) => Some(text(document)),
            Bytes::MultilineString(value) => Some(self.multiline(value)),
            Bytes::OnelineString(value) => Some(self.template(value)),
            Bytes::Base64(value) => Some(text(&value.value)),
            Bytes::Hex(value) => Some(text(&value.value)),
            Bytes::File(file) => self.file(&file.filename).map(|file| text(file.content)),
        }
    }

    /// Text between three backticks.
    pub(super) fn multiline(&mut self, value: &MultilineString) -> Template {
        match &value.kind {
            MultilineStringKind::Text(value) | MultilineStringKind::Json(value) | MultilineStringKind::Xml(value) => {
                self.template(value)
            }
            MultilineStringKind::Raw(value) => text(value.to_source().as_str()),
            MultilineStringKind::GraphQl(query) => self.graphql(query),
        }
    }

    fn graphql(&mut self, graphql: &GraphQl) -> Template {
        let mut out = Writer::default();
        out.text(r#"{"query":""#);
        self.write(&mut out, &trimmed(&graphql.value), Manner::JsonText);
        out.text("\"");
        if let Some(variables) = &graphql.variables {
            out.text(r#","variables":"#);
            self.json(&mut out, &variables.value, Space::Dropped);
        }
        out.text("}");
        out.finish()
    }
}

/// The type that a body has by the way it is written.
pub(super) fn content_type(bytes: &Bytes) -> Option<&'static str> {
    match bytes {
        Bytes::Json(_) => Some(JSON),
        Bytes::Xml(_) => Some(XML),
        Bytes::MultilineString(multiline) => match multiline.kind {
            MultilineStringKind::Json(_) | MultilineStringKind::GraphQl(_) => Some(JSON),
            MultilineStringKind::Xml(_) => Some(XML),
            MultilineStringKind::Text(_) | MultilineStringKind::Raw(_) => None,
        },
        Bytes::OnelineString(_) | Bytes::Base64(_) | Bytes::File(_) | Bytes::Hex(_) => None,
    }
}

/// Without space at either end. Space in a variable at the end stays, which no GraphQL server minds.
fn trimmed(template: &AstTemplate) -> AstTemplate {
    let mut template = template.clone();
    if let Some(TemplateElement::String { value, .. }) = template.elements.first_mut() {
        *value = value.trim_start().to_owned();
    }
    if let Some(TemplateElement::String { value, .. }) = template.elements.last_mut() {
        *value = value.trim_end().to_owned();
    }
    template
}
