//! Parameters in the path, the query, headers and cookies.

use super::super::address::path_segment;
use super::super::draft::{Draft, Exchange};
use super::super::tree::Node;
use super::reference::Meeting;
use super::sample::{example, guarded, sample};

/// A parameter with its value.
pub(super) struct Parameter {
    name: String,
    place: String,
    value: Node,
    style: String,
    explode: bool,
}

/// The parameters that are sent: those that must be, and those that have an example.
pub(super) fn of<'n>(meeting: &Meeting<'n>, draft: &mut Draft) -> Vec<Parameter> {
    let mut all = Vec::new();
    let mut seen: Vec<(String, String)> = Vec::new();
    // The operation's own come first, so that they win over those of the path.
    for list in [meeting.operation.list("parameters"), meeting.item.list("parameters")] {
        for node in list {
            let node = meeting.document.resolve(node, &mut draft.notes);
            let (Some(name), Some(place)) = (node.text("name"), node.text("in")) else { continue };
            let key = (name.to_owned(), place.to_owned());
            if name.is_empty() || seen.contains(&key) {
                continue;
            }
            seen.push(key);
            all.extend(parameter(meeting, node, name, place, draft));
        }
    }
    all
}

fn parameter<'n>(
    meeting: &Meeting<'n>,
    node: &'n Node,
    name: &str,
    place: &str,
    draft: &mut Draft,
) -> Option<Parameter> {
    // The standard says that these are described elsewhere in the document.
    let elsewhere = ["accept", "content-type", "authorization"];
    if place == "header" && elsewhere.contains(&name.to_ascii_lowercase().as_str()) {
        return None;
    }
    let schema = node.get("schema").or_else(|| node.get("content")?.entries().first()?.1.get("schema"));
    let schema = meeting.document.resolve(schema.unwrap_or(&Node::Null), &mut draft.notes);
    let shown = match example(meeting.document, node, draft) {
        Some(shown) => Some(shown),
        None => example(meeting.document, schema, draft),
    };
    if place != "path" && !node.is_true("required") && shown.is_none() {
        draft.notes.count(
            "an optional parameter without an example was left out",
            "{} optional parameters without an example were left out",
        );
        return None;
    }
    let value = match shown {
        Some(shown) => guarded(meeting.document.copy(shown, &mut draft.notes)?, name, draft),
        None => sample(meeting.document, schema, name, draft),
    };
    let default_style = if matches!(place, "query" | "cookie") { "form" } else { "simple" };
    let style = node.text("style").unwrap_or(default_style).to_owned();
    let explode = node.get("explode").map_or(style == "form", |explode| *explode == Node::Bool(true));
    Some(Parameter { name: name.to_owned(), place: place.to_owned(), value, style, explode })
}

/// The path with its parameters in it.
pub(super) fn fill(path: &str, all: &[Parameter], draft: &mut Draft) -> String {
    let mut filled = String::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        filled.push_str(before);
        match all.iter().find(|parameter| parameter.place == "path" && parameter.name == name) {
            Some(parameter) => filled.push_str(&path_value(parameter)),
            None => {
                draft.notes.count(
                    "a parameter of a path is not described: it is sent as `1`",
                    "{} parameters of paths are not described: they are sent as `1`",
                );
                filled.push('1');
            }
        }
        rest = after;
    }
    filled + rest
}

fn path_value(parameter: &Parameter) -> String {
    let values: Vec<String> = singles(&parameter.value).iter().map(|value| path_segment(value)).collect();
    let text = values.join(",");
    match parameter.style.as_str() {
        "label" => format!(".{text}"),
        "matrix" => format!(";{}={text}", path_segment(&parameter.name)),
        // Nothing would make another path of it.
        _ if text.is_empty() => "1".to_owned(),
        _ => text,
    }
}

/// Puts what is not in the path into the exchange.
pub(super) fn put(exchange: &mut Exchange, all: &[Parameter]) {
    for parameter in all {
        let joined = || singles(&parameter.value).join(",");
        match parameter.place.as_str() {
            "query" => exchange.query.extend(pairs(parameter).into_iter().map(|(name, value)| (name, value.into()))),
            "header" => exchange.headers.push((parameter.name.clone(), joined().into())),
            "cookie" => exchange.cookies.push((parameter.name.clone(), joined().into())),
            _ => (),
        }
    }
}

/// A value in a query, by its style.
fn pairs(parameter: &Parameter) -> Vec<(String, String)> {
    let Parameter { name, value, style, explode, .. } = parameter;
    match value {
        Node::Object(entries) if style == "deepObject" => {
            let entry = |(key, value): &(String, Node)| value.single().map(|value| (format!("{name}[{key}]"), value));
            entries.iter().filter_map(entry).collect()
        }
        Node::Object(entries) if *explode => {
            entries.iter().filter_map(|(key, value)| value.single().map(|value| (key.clone(), value))).collect()
        }
        Node::List(items) if *explode => {
            items.iter().filter_map(Node::single).map(|value| (name.clone(), value)).collect()
        }
        _ => {
            let glue = match style.as_str() {
                "spaceDelimited" => " ",
                "pipeDelimited" => "|",
                _ => ",",
            };
            vec![(name.clone(), singles(value).join(glue))]
        }
    }
}

/// The single values of a value: an object's keys stand before theirs.
fn singles(value: &Node) -> Vec<String> {
    match value {
        Node::List(items) => items.iter().filter_map(Node::single).collect(),
        Node::Object(entries) => {
            entries.iter().filter_map(|(key, value)| Some([key.clone(), value.single()?])).flatten().collect()
        }
        other => vec![other.single().unwrap_or_default()],
    }
}
