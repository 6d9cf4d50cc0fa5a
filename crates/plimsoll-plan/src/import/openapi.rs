//! OpenAPI 3.0 and 3.1 documents: a starter journey for each operation, from its examples, defaults and types.
//!
//! A document says what may be sent, not what people send. The journeys run at once, and are meant to be put together
//! and filled with data by somebody who knows the service.

mod body;
mod parameters;
mod reference;
mod sample;
mod security;
mod server;

use self::reference::{Document, Meeting};
use super::address::Address;
use super::credentials::put_address;
use super::draft::{Draft, Exchange, Route, Status};
use super::source::{Source, harmless};
use super::tree::Node;
use super::variables::BASE_URL;
use super::yaml;
use crate::Mistake;

/// The methods of a path, in the order of a life.
const METHODS: [&str; 8] = ["post", "get", "head", "options", "trace", "put", "patch", "delete"];
/// Operations that become journeys.
const OPERATIONS_MAX: usize = 2_000;

/// A plan with a journey for each operation.
pub(super) fn read(source: Source<'_>) -> Result<Draft, Mistake> {
    let root = parse(source)?;
    let paths = checked(&source, &root)?;
    let document = Document::new(&root);
    let mut draft = Draft { name: title(&root).unwrap_or_default(), ..Draft::default() };
    let server = server::of(&root, &mut draft);
    draft.target = server.origin.clone();
    for (path, item) in paths.entries() {
        let item = document.resolve(item, &mut draft.notes);
        for method in METHODS {
            if let Some(operation) = item.get(method).filter(|operation| operation.is_object()) {
                let meeting = Meeting { document: &document, item, operation, path, method };
                add(&meeting, &server, &mut draft);
            }
        }
    }
    if draft.routes.is_empty() {
        return Err(source.whole("there are no operations in it", "an operation is a method below a path"));
    }
    say_what_is_left(&root, &mut draft);
    Ok(draft)
}

fn parse(source: Source<'_>) -> Result<Node, Mistake> {
    if source.text.trim_start().starts_with('{') {
        return serde_json::from_str(source.text).map_err(|error| source.json(&error, "this is not JSON"));
    }
    yaml::parse(source)
}

/// The paths of a document of the right kind.
fn checked<'n>(source: &Source<'_>, root: &'n Node) -> Result<&'n Node, Mistake> {
    let at = |key: &str| source.text.find(key).unwrap_or(0);
    if root.get("swagger").is_some() {
        let hint = "convert it to OpenAPI 3 first; converters are part of most OpenAPI tools";
        return Err(source.at(at("swagger"), "this is Swagger 2, which is not read", hint));
    }
    let version = root.get("openapi").and_then(Node::single);
    match version.as_deref() {
        Some(version) if version.starts_with("3.") || version == "3" => (),
        Some(version) => {
            let message = format!("OpenAPI 3 is expected, not `{}`", harmless(version));
            return Err(source.at(at("openapi"), message, ""));
        }
        None => return Err(source.whole("not an OpenAPI document: the key `openapi` is missing", "")),
    }
    match root.get("paths") {
        Some(paths) if paths.is_object() => Ok(paths),
        Some(_) => Err(source.at(at("paths"), "`paths` is not a mapping", "")),
        None => Err(source.whole("there are no `paths` in it", "")),
    }
}

fn title(root: &Node) -> Option<String> {
    root.get("info").and_then(|info| info.text("title")).map(harmless)
}

fn add(meeting: &Meeting<'_>, server: &server::Server, draft: &mut Draft) {
    if draft.routes.len() == OPERATIONS_MAX {
        draft.notes.count(
            format!("an operation after the first {OPERATIONS_MAX} was left out"),
            format!("{{}} operations after the first {OPERATIONS_MAX} were left out"),
        );
        return;
    }
    let Some(exchange) = exchange(meeting, server, draft) else {
        let path = harmless(meeting.path);
        draft.notes.say(format!("`{path}` was left out: it does not make a URL"));
        return;
    };
    let name = meeting.operation.text("operationId").map_or_else(|| exchange.label.clone(), harmless);
    draft.routes.push(Route { name, weight: 1, exchanges: vec![exchange] });
}

fn exchange(meeting: &Meeting<'_>, server: &server::Server, draft: &mut Draft) -> Option<Exchange> {
    let mut exchange = Exchange {
        label: format!("{} {}", meeting.method.to_ascii_uppercase(), harmless(meeting.path)),
        method: meeting.method.to_ascii_uppercase(),
        status: status(meeting.operation),
        ..Exchange::default()
    };
    let parameters = parameters::of(meeting, draft);
    let path = parameters::fill(meeting.path, &parameters, draft);
    let origin = server.origin.as_deref().unwrap_or("http://nowhere.invalid");
    let address = Address::parse(&format!("{origin}{}{path}", server.prefix)).ok()?;
    put_address(&mut exchange, BASE_URL, &address, &mut draft.variables);
    parameters::put(&mut exchange, &parameters);
    body::put(&mut exchange, meeting, draft);
    security::put(&mut exchange, meeting, draft);
    Some(exchange)
}

/// The first success that is documented.
fn status(operation: &Node) -> Status {
    let codes = operation.get("responses").map(Node::entries).unwrap_or_default();
    let codes = codes.iter().filter_map(|(code, _)| code.parse::<u16>().ok());
    codes.filter(|code| (200..400).contains(code)).min().map_or(Status::Success, Status::Exactly)
}

fn say_what_is_left(root: &Node, draft: &mut Draft) {
    let changing = draft.routes.iter().flat_map(|route| &route.exchanges);
    let changing =
        changing.filter(|exchange| !matches!(exchange.method.as_str(), "GET" | "HEAD" | "OPTIONS" | "TRACE"));
    match changing.count() {
        0 => (),
        1 => draft.notes.say("one operation changes data: look at it before a run"),
        many => draft
            .notes
            .say(format!("{many} operations change data (POST, PUT, PATCH, DELETE): look at them before a run")),
    }
    if let hooks @ 1.. = root.get("webhooks").map_or(0, |hooks| hooks.entries().len()) {
        draft.notes.say(format!("webhooks were left out ({hooks}): the service makes those requests itself"));
    }
    draft
        .notes
        .say("each operation is a journey of its own: put together those that belong together, and give them data");
}

#[cfg(test)]
mod tests;
