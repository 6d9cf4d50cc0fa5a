//! A value that a schema would accept: its example, its default, one of its choices, else one of its type.

use super::super::draft::Draft;
use super::super::sensitive::is_secret;
use super::super::tree::Node;
use super::reference::Document;

/// Levels of one sample: what refers to itself has no end.
const DEPTH_MAX: usize = 8;
/// Values of one sample.
const VALUES_MAX: usize = 2_000;

/// Makes one sample.
pub(super) struct Sampler<'d, 'n> {
    document: &'d Document<'n>,
    values: usize,
}

/// A value for a schema under a name; credentials among it are stand-ins for variables.
pub(super) fn sample<'n>(document: &Document<'n>, schema: &'n Node, name: &str, draft: &mut Draft) -> Node {
    let mut sampler = Sampler { document, values: 0 };
    let node = sampler.value(schema, 0, draft).unwrap_or_default();
    guarded(node, name, draft)
}

/// The first of `example` and `examples`, if there is one.
pub(super) fn example<'n>(document: &Document<'n>, node: &'n Node, draft: &mut Draft) -> Option<&'n Node> {
    if let Some(example) = node.get("example") {
        return Some(example);
    }
    let first = match node.get("examples")? {
        Node::Object(entries) => document.resolve(&entries.first()?.1, &mut draft.notes),
        // In a schema of 3.1 they are the values themselves.
        Node::List(items) => return items.first(),
        _ => return None,
    };
    first.get("value")
}

/// A value whose credentials are stand-ins for variables: examples of them are never right, and sometimes real.
pub(super) fn guarded(node: Node, name: &str, draft: &mut Draft) -> Node {
    match node {
        Node::List(items) => Node::List(items.into_iter().map(|item| guarded(item, name, draft)).collect()),
        Node::Object(entries) => {
            let entry = |(key, value): (String, Node)| {
                let value = guarded(value, &key, draft);
                (key, value)
            };
            Node::Object(entries.into_iter().map(entry).collect())
        }
        Node::Text(_) | Node::Number(_) if is_secret(name) => Node::Text(stand_in(name, draft)),
        other => other,
    }
}

/// What becomes the variable named after `name`: letters that no escaping changes.
pub(super) fn stand_in(name: &str, draft: &mut Draft) -> String {
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).take(60).collect();
    let stand_in = format!("plimsollsecret{}x", letters.to_ascii_lowercase());
    if !draft.variables.stands(&stand_in) {
        let variable = draft.variables.unset(name);
        draft.variables.stand_for(&variable, &stand_in);
    }
    stand_in
}

impl<'n> Sampler<'_, 'n> {
    /// None where the sample would have no end.
    fn value(&mut self, schema: &'n Node, depth: usize, draft: &mut Draft) -> Option<Node> {
        self.values += 1;
        if depth > DEPTH_MAX || self.values > VALUES_MAX {
            return None;
        }
        let schema = self.document.resolve(schema, &mut draft.notes);
        if let Some(example) = example(self.document, schema, draft) {
            return self.document.copy(example, &mut draft.notes);
        }
        let fixed = ["default", "const"].iter().find_map(|key| schema.get(key)).or_else(|| schema.list("enum").first());
        if let Some(fixed) = fixed {
            return self.document.copy(fixed, &mut draft.notes);
        }
        if !schema.list("allOf").is_empty() {
            return self.all_of(schema, depth, draft);
        }
        let choice = ["oneOf", "anyOf"].iter().find_map(|key| schema.list(key).iter().find(|choice| !is_null(choice)));
        if let Some(choice) = choice {
            return self.value(choice, depth + 1, draft);
        }
        match kind(schema) {
            "object" => Some(self.object(schema, depth, draft)),
            "array" => Some(self.list(schema, depth, draft)),
            "integer" | "number" => Some(number(schema)),
            "boolean" => Some(Node::Bool(true)),
            "string" => Some(Node::Text(text(schema))),
            _ => Some(Node::Null),
        }
    }

    fn object(&mut self, schema: &'n Node, depth: usize, draft: &mut Draft) -> Node {
        let mut entries = Vec::new();
        for (name, property) in schema.get("properties").map(Node::entries).unwrap_or_default() {
            let resolved = self.document.resolve(property, &mut draft.notes);
            if resolved.is_true("readOnly") {
                continue;
            }
            entries.extend(self.value(property, depth + 1, draft).map(|value| (name.clone(), value)));
        }
        Node::Object(entries)
    }

    fn list(&mut self, schema: &'n Node, depth: usize, draft: &mut Draft) -> Node {
        let Some(item) = schema.get("items") else { return Node::List(Vec::new()) };
        let wanted = schema.get("minItems").and_then(Node::single).and_then(|text| text.parse().ok()).unwrap_or(1);
        let wanted: usize = std::cmp::Ord::clamp(wanted, 1, 10);
        Node::List((0..wanted).filter_map(|_| self.value(item, depth + 1, draft)).collect())
    }

    /// Objects are merged; of anything else the last part counts.
    fn all_of(&mut self, schema: &'n Node, depth: usize, draft: &mut Draft) -> Option<Node> {
        let mut merged: Option<Node> = None;
        let own = schema.get("properties").map(|_| self.object(schema, depth, draft));
        let parts: Vec<Node> =
            schema.list("allOf").iter().filter_map(|part| self.value(part, depth + 1, draft)).collect();
        for part in parts.into_iter().chain(own) {
            merged = Some(match (merged, part) {
                (Some(Node::Object(mut entries)), Node::Object(more)) => {
                    entries.retain(|(name, _)| !more.iter().any(|(new, _)| new == name));
                    entries.extend(more);
                    Node::Object(entries)
                }
                // A part that only forbids or requires says nothing about the value.
                (Some(before), Node::Null) => before,
                (_, part) => part,
            });
        }
        merged
    }
}

fn is_null(schema: &Node) -> bool {
    schema.text("type") == Some("null")
}

/// The type; in 3.1 it may be a list. Where it is not said, what else is there tells.
fn kind(schema: &Node) -> &str {
    match schema.get("type") {
        Some(Node::Text(kind)) => kind,
        Some(Node::List(kinds)) => {
            kinds.iter().filter_map(Node::as_text).find(|kind| *kind != "null").unwrap_or("null")
        }
        _ if schema.get("properties").is_some() => "object",
        _ if schema.get("items").is_some() => "array",
        _ if schema.get("format").is_some() || schema.get("pattern").is_some() => "string",
        _ => "",
    }
}

fn text(schema: &Node) -> String {
    let known = match schema.text("format").unwrap_or_default() {
        "date" => "2026-01-31",
        "date-time" => "2026-01-31T12:00:00Z",
        "time" => "12:00:00Z",
        "duration" => "P1D",
        "uuid" => "3fa85f64-5717-4562-b3fc-2c963f66afa6",
        "email" | "idn-email" => "user@example.com",
        "uri" | "url" | "iri" | "uri-reference" => "https://example.com/",
        "hostname" | "idn-hostname" => "example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "byte" => "dGV4dA==",
        _ => "",
    };
    if !known.is_empty() {
        return known.to_owned();
    }
    let length = |key| schema.get(key).and_then(Node::single).and_then(|text| text.parse::<usize>().ok());
    let least = length("minLength").unwrap_or(0).min(1_000);
    let most = length("maxLength").unwrap_or(usize::MAX);
    "text".chars().cycle().take(least.max(4).min(most)).collect()
}

fn number(schema: &Node) -> Node {
    let bound = |key| schema.get(key).and_then(Node::single).and_then(|text| text.parse::<f64>().ok());
    let step = bound("multipleOf").filter(|step| *step > 0.0);
    let integer = kind(schema) == "integer";
    let above = bound("exclusiveMinimum").or_else(|| {
        // In 3.0 it is a word about `minimum`.
        schema.is_true("exclusiveMinimum").then(|| bound("minimum")).flatten()
    });
    let least = above.map(|above| above + step.unwrap_or(1.0)).or_else(|| bound("minimum"));
    let most = bound("maximum").or_else(|| bound("exclusiveMaximum").map(|below| below - step.unwrap_or(1.0)));
    let mut value = step.unwrap_or(1.0);
    if let Some(least) = least.filter(|least| value < *least) {
        value = step.map_or(least, |step| (least / step).ceil() * step);
    }
    if let Some(most) = most.filter(|most| value > *most) {
        value = step.map_or(most, |step| (most / step).floor() * step);
    }
    if (integer || value.fract() == 0.0) && value.abs() < 9e15 {
        return Node::Number((value.round() as i64).to_string());
    }
    super::super::tree::number(value)
}
