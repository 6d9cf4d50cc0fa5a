//! Bodies of requests.

use super::super::credentials::put_text;
use super::super::draft::{Body, Content, Draft, Exchange, Part};
use super::super::sensitive::is_secret;
use super::super::source::harmless;
use super::super::tree::{Node, is_json, quoted};
use super::super::words::Words;
use super::request::{enabled, form_pair};
use super::scope::Scope;

/// Puts a body into an exchange.
pub(super) fn put(exchange: &mut Exchange, body: &Node, scope: &mut Scope, draft: &mut Draft) {
    if body.is_true("disabled") {
        return;
    }
    match body.text("mode") {
        Some("raw") => raw(exchange, body, scope, draft),
        Some("urlencoded") => urlencoded(exchange, body, scope, draft),
        Some("formdata") => formdata(exchange, body, scope, draft),
        Some("file") => file(exchange, body, draft),
        Some("graphql") => graphql(exchange, body, scope, draft),
        Some(other) => draft.notes.say(format!("a body of the kind `{}` was left out", harmless(other))),
        None => (),
    }
}

fn content_type(exchange: &mut Exchange, kind: &str) {
    if !exchange.has_header("content-type") {
        exchange.headers.push(("Content-Type".to_owned(), kind.into()));
    }
}

fn raw(exchange: &mut Exchange, body: &Node, scope: &mut Scope, draft: &mut Draft) {
    let text = body.text("raw").unwrap_or_default();
    if text.is_empty() {
        return;
    }
    let language = body.get("options").and_then(|options| options.get("raw")).and_then(|raw| raw.text("language"));
    content_type(
        exchange,
        match language {
            Some("json") => "application/json",
            Some("xml") => "application/xml",
            Some("html") => "text/html",
            Some("javascript") => "application/javascript",
            _ => "text/plain",
        },
    );
    put_resolved(exchange, text, scope, draft);
}

/// Postman puts values into a body as they are, quotes or not; only text does the same in a Hurl file.
fn put_resolved(exchange: &mut Exchange, text: &str, scope: &mut Scope, draft: &mut Draft) {
    let resolved = scope.resolve(text, draft);
    put_text(exchange, &resolved, &mut draft.variables);
    if resolved != text
        && let Body::Json(words) = &mut exchange.body
    {
        exchange.body = Body::Text(std::mem::take(words));
    }
}

fn urlencoded(exchange: &mut Exchange, body: &Node, scope: &mut Scope, draft: &mut Draft) {
    let text = match body.text("urlencoded") {
        Some(text) => scope.resolve(text, draft),
        None => {
            let fields = enabled(body.list("urlencoded"), draft);
            let mut pair = |field: &Node| {
                let value = field.get("value").and_then(Node::single).unwrap_or_default();
                form_pair(&scope.resolve(field.text("key").unwrap_or_default(), draft), &scope.resolve(&value, draft))
            };
            fields.into_iter().map(&mut pair).collect::<Vec<_>>().join("&")
        }
    };
    content_type(exchange, "application/x-www-form-urlencoded");
    put_text(exchange, &text, &mut draft.variables);
}

fn formdata(exchange: &mut Exchange, body: &Node, scope: &mut Scope, draft: &mut Draft) {
    let mut parts = Vec::new();
    for field in enabled(body.list("formdata"), draft) {
        let name = scope.resolve(field.text("key").unwrap_or_default(), draft);
        if name.is_empty() {
            continue;
        }
        if field.text("type") == Some("file") {
            let content_type = field.text("contentType").map(str::to_owned);
            for path in sources(field.get("src").unwrap_or(&Node::Null), draft) {
                parts.push(Part {
                    name: name.clone(),
                    content: Content::File { path, content_type: content_type.clone() },
                });
            }
            continue;
        }
        let value = scope.resolve(&field.get("value").and_then(Node::single).unwrap_or_default(), draft);
        let secret = is_secret(&name) && !value.is_empty();
        let words = if secret { Words::variable(draft.variables.secret(&name, &value)) } else { Words::from(value) };
        parts.push(Part { name, content: Content::Text(words) });
    }
    exchange.remove_header("content-type");
    exchange.body = if parts.is_empty() { Body::None } else { Body::Multipart(parts) };
}

fn file(exchange: &mut Exchange, body: &Node, draft: &mut Draft) {
    let file = body.get("file").unwrap_or(&Node::Null);
    let source = file.get("src").unwrap_or(file);
    match sources(source, draft).into_iter().next() {
        Some(path) => {
            content_type(exchange, "application/octet-stream");
            exchange.body = Body::File(path);
        }
        None => draft
            .notes
            .count("a body was left out whose file is not named", "{} bodies were left out whose files are not named"),
    }
}

/// Names of files without the folders of whoever made the collection.
fn sources(source: &Node, draft: &mut Draft) -> Vec<String> {
    let all = match source {
        Node::Text(one) => vec![one.as_str()],
        other => other.items().iter().filter_map(Node::as_text).collect(),
    };
    let name = |path: &&str| harmless(path.rsplit(['/', '\\']).next().unwrap_or_default());
    let names: Vec<String> = all.iter().map(name).filter(|name| !name.is_empty()).collect();
    if names.is_empty() {
        draft.notes.count("a file was left out that is not named", "{} files were left out that are not named");
    }
    names
}

/// As Postman sends it: JSON with the query, and the variables as the JSON that they are.
fn graphql(exchange: &mut Exchange, body: &Node, scope: &mut Scope, draft: &mut Draft) {
    let graphql = body.get("graphql").unwrap_or(&Node::Null);
    let mut fields = vec![format!("\"query\": {}", quoted(graphql.text("query").unwrap_or_default()))];
    if let Some(name) = graphql.text("operationName").filter(|name| !name.is_empty()) {
        fields.push(format!("\"operationName\": {}", quoted(name)));
    }
    let variables = match graphql.get("variables") {
        Some(Node::Text(text)) => text.trim().to_owned(),
        Some(node) => node.to_json(),
        None => String::new(),
    };
    if is_json(&scope.resolve(&variables, draft)) {
        fields.push(format!("\"variables\": {variables}"));
    } else if !variables.is_empty() {
        draft.notes.say("variables of a GraphQL query were left out: they are not JSON");
    }
    content_type(exchange, "application/json");
    put_resolved(exchange, &format!("{{{}}}", fields.join(", ")), scope, draft);
}
