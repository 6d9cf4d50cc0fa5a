//! JSON that is written into a Hurl file, in a body or as the variables of a GraphQL query.

use hurl_core::ast::{JsonListElement, JsonObjectElement, JsonValue, TemplateElement};
use plimsoll_journey::Escape;

use super::reader::Reader;
use super::template::{Manner, Writer};

/// Whether the space between the tokens is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    Kept,
    Dropped,
}

impl Space {
    fn of(self, space: &str) -> &str {
        match self {
            Self::Kept => space,
            Self::Dropped => "",
        }
    }
}

impl Reader<'_> {
    pub(super) fn json(&mut self, out: &mut Writer, value: &JsonValue, space: Space) {
        match value {
            JsonValue::Null => out.text("null"),
            JsonValue::Boolean(value) => out.text(value.to_string()),
            JsonValue::Number(digits) => out.text(digits),
            JsonValue::String(template) => {
                out.text("\"");
                self.write(out, template, Manner::JsonSource);
                out.text("\"");
            }
            JsonValue::Placeholder(placeholder) => out.gap(self.expression(placeholder), Escape::JsonValue),
            JsonValue::List { space0, elements } => {
                out.text("[");
                out.text(space.of(space0));
                self.separated(out, elements, |reader, out, element| reader.list_element(out, element, space));
                out.text("]");
            }
            JsonValue::Object { space0, elements } => {
                out.text("{");
                out.text(space.of(space0));
                self.separated(out, elements, |reader, out, element| reader.member(out, element, space));
                out.text("}");
            }
        }
    }

    fn separated<T>(&mut self, out: &mut Writer, all: &[T], mut one: impl FnMut(&mut Self, &mut Writer, &T)) {
        for (index, element) in all.iter().enumerate() {
            if index > 0 {
                out.text(",");
            }
            one(self, out, element);
        }
    }

    fn list_element(&mut self, out: &mut Writer, element: &JsonListElement, space: Space) {
        out.text(space.of(&element.space0));
        self.json(out, &element.value, space);
        out.text(space.of(&element.space1));
    }

    /// Hurl writes a name as it reads, without the escapes that its source has.
    fn member(&mut self, out: &mut Writer, member: &JsonObjectElement, space: Space) {
        let gaps = member.name.elements.iter().any(|element| matches!(element, TemplateElement::Placeholder(_)));
        if gaps && space == Space::Dropped {
            let message = "a variable in a name of GraphQL variables, which hurl would send as the text `{{…}}`";
            self.mistake(member.name.source_info.start, message, "write the name out");
        }
        out.text(space.of(&member.space0));
        out.text("\"");
        self.write(out, &member.name, Manner::Plain);
        out.text("\"");
        out.text(space.of(&member.space1));
        out.text(":");
        out.text(space.of(&member.space2));
        self.json(out, &member.value, space);
        out.text(space.of(&member.space3));
    }
}
