//! Request bodies.

use super::super::address::form_value;
use super::super::credentials::put_text;
use super::super::draft::{Body, Content, Draft, Exchange, Part};
use super::super::source::harmless;
use super::super::tree::Node;
use super::reference::Meeting;
use super::sample::{example, guarded, sample};

/// The types that we can make up bodies of, the best first.
fn rank(media_type: &str) -> usize {
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match essence.as_str() {
        "application/json" => 0,
        json if json.ends_with("+json") => 1,
        "application/x-www-form-urlencoded" => 2,
        "multipart/form-data" => 3,
        text if text.starts_with("text/") => 4,
        "*/*" | "application/*" => 5,
        _ => 6,
    }
}

/// Puts the body of an operation into its exchange.
pub(super) fn put<'n>(exchange: &mut Exchange, meeting: &Meeting<'n>, draft: &mut Draft) {
    let Some(body) = meeting.operation.get("requestBody") else { return };
    let body = meeting.document.resolve(body, &mut draft.notes);
    let contents = body.get("content").map(Node::entries).unwrap_or_default();
    let Some((media_type, media)) = contents.iter().min_by_key(|(kind, _)| rank(kind)) else { return };
    let kind = rank(media_type);
    let sent_as = if kind == 5 { "application/json" } else { media_type.as_str() };
    let value = value(meeting, media, draft);
    if kind != 3 {
        exchange.headers.push(("Content-Type".to_owned(), sent_as.into()));
    }
    match kind {
        0 | 1 | 5 => put_text(exchange, &value.to_json(), &mut draft.variables),
        2 => put_text(exchange, &form(&value), &mut draft.variables),
        3 => exchange.body = Body::Multipart(parts(meeting, media, &value, draft)),
        _ => match value {
            Node::Text(text) => put_text(exchange, &text, &mut draft.variables),
            _ => {
                draft.notes.say(format!("a body of `{}` was left out: it has no example in text", harmless(media_type)))
            }
        },
    }
}

fn value<'n>(meeting: &Meeting<'n>, media: &'n Node, draft: &mut Draft) -> Node {
    if let Some(shown) = example(meeting.document, media, draft) {
        let copy = meeting.document.copy(shown, &mut draft.notes).unwrap_or_default();
        return guarded(copy, "", draft);
    }
    media.get("schema").map(|schema| sample(meeting.document, schema, "", draft)).unwrap_or_default()
}

/// Fields of a form; what is not a single value is JSON.
fn fields(value: &Node) -> Vec<(&str, String)> {
    let text = |value: &Node| value.single().unwrap_or_else(|| value.to_json());
    value
        .entries()
        .iter()
        .filter(|(name, _)| !name.is_empty())
        .map(|(name, value)| (name.as_str(), text(value)))
        .collect()
}

fn form(value: &Node) -> String {
    let pair = |(name, value): &(&str, String)| format!("{}={}", form_value(name), form_value(value));
    fields(value).iter().map(pair).collect::<Vec<_>>().join("&")
}

/// Binary fields become files that somebody has to put there.
fn parts<'n>(meeting: &Meeting<'n>, media: &'n Node, value: &Node, draft: &mut Draft) -> Vec<Part> {
    let schema = meeting.document.resolve(media.get("schema").unwrap_or(&Node::Null), &mut draft.notes);
    let mut all = Vec::new();
    for (name, text) in fields(value) {
        let property = schema.get("properties").and_then(|properties| properties.get(name)).unwrap_or(&Node::Null);
        let property = meeting.document.resolve(property, &mut draft.notes);
        let binary = property.text("format") == Some("binary") || property.get("contentMediaType").is_some();
        let content = if binary {
            Content::File { path: format!("{}.bin", file_stem(name)), content_type: None }
        } else {
            Content::Text(text.into())
        };
        all.push(Part { name: name.to_owned(), content });
    }
    all
}

fn file_stem(name: &str) -> String {
    name.chars().take(40).map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}
