//! One request of a collection.

use super::super::address::{Address, decoded, form_value, path_segment};
use super::super::credentials::{put_address, put_header};
use super::super::draft::{Draft, Exchange};
use super::super::source::harmless;
use super::super::tree::Node;
use super::super::variables::BASE_URL;
use super::auth::{self, Auth};
use super::body;
use super::scope::Scope;

/// What an item sends; none, with a note, if that cannot be said.
pub(super) fn exchange(item: &Node, above: Auth<'_>, scope: &mut Scope, draft: &mut Draft) -> Option<Exchange> {
    let request = item.get("request")?;
    let name = harmless(item.text("name").unwrap_or_default());
    let method = request.text("method").unwrap_or("GET").to_ascii_uppercase();
    if method.is_empty() || !method.chars().all(|c| c.is_ascii_uppercase()) {
        draft.notes.say(format!("`{name}` was left out: its method is not made of letters"));
        return None;
    }
    // A request may be its URL and nothing else.
    let url = if request.as_text().is_some() { request } else { request.get("url").unwrap_or(&Node::Null) };
    let Some((base, address)) = address(url, scope, draft) else {
        draft.notes.say(format!("`{name}` was left out: it has no URL that can be read"));
        return None;
    };
    let mut exchange = Exchange { label: name, method, ..Exchange::default() };
    if exchange.label.is_empty() {
        exchange.label = format!("{} {}", exchange.method, address.path);
    }
    headers(&mut exchange, request.get("header").unwrap_or(&Node::Null), scope, draft);
    put_address(&mut exchange, &base, &address, &mut draft.variables);
    auth::put(&mut exchange, auth::of(request, above), scope, draft);
    if let Some(content) = request.get("body") {
        body::put(&mut exchange, content, scope, draft);
    }
    Some(exchange)
}

fn headers(exchange: &mut Exchange, headers: &Node, scope: &mut Scope, draft: &mut Draft) {
    let mut put = |name: &str, value: &str, draft: &mut Draft| {
        let (name, value) = (scope.resolve(name, draft), scope.resolve(value, draft));
        put_header(exchange, &name, &value, &mut draft.variables, &mut draft.notes);
    };
    if let Some(text) = headers.as_text() {
        text.lines().filter_map(|line| line.split_once(':')).for_each(|(name, value)| put(name, value.trim(), draft));
    }
    for header in enabled(headers.items(), draft) {
        let value = header.get("value").and_then(Node::single).unwrap_or_default();
        put(header.text("key").unwrap_or_default(), &value, draft);
    }
}

/// Those of a list that are not switched off.
pub(super) fn enabled<'n>(items: &'n [Node], draft: &mut Draft) -> Vec<&'n Node> {
    let (off, on): (Vec<&Node>, Vec<&Node>) = items.iter().partition(|item| item.is_true("disabled"));
    for _ in off {
        draft.notes.count(
            "a header, parameter or field that is switched off was left out",
            "{} headers, parameters or fields that are switched off were left out",
        );
    }
    on
}

/// The variable of the origin, and the URL.
fn address(url: &Node, scope: &mut Scope, draft: &mut Draft) -> Option<(String, Address)> {
    let (place, mut query) = split(&text(url)?);
    if url.get("query").is_some() {
        query = pairs(url, draft);
    }
    let (origin, path) = origin(&place, scope);
    let path = with_path_variables(&path, url, scope, draft);
    let rest = match &query {
        Some(query) => format!("{path}?{}", scope.resolve(query, draft)),
        None => path,
    };
    let base = base(origin.as_deref(), &place, scope, draft);
    let origin = origin.unwrap_or_else(|| "http://nowhere.invalid".to_owned());
    Some((base, Address::parse(&format!("{origin}{rest}")).ok()?))
}

/// The URL as text, whichever way it is given.
fn text(url: &Node) -> Option<String> {
    if let Some(text) = url.as_text().or_else(|| url.text("raw")) {
        return Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    }
    let joined = |key: &str, glue: &str| match url.get(key) {
        Some(Node::List(items)) => {
            // A piece of a path may be an object.
            let piece = |item: &Node| item.single().or_else(|| item.text("value").map(str::to_owned));
            items.iter().filter_map(piece).collect::<Vec<_>>().join(glue)
        }
        Some(one) => one.single().unwrap_or_default(),
        None => String::new(),
    };
    let host = joined("host", ".");
    let protocol = url.text("protocol").map(|protocol| format!("{protocol}://")).unwrap_or_default();
    let port = url.get("port").and_then(Node::single).map(|port| format!(":{port}")).unwrap_or_default();
    (!host.is_empty()).then(|| format!("{protocol}{host}{port}/{}", joined("path", "/").trim_start_matches('/')))
}

/// What stands before the `?`, and behind it; without a fragment.
fn split(text: &str) -> (String, Option<String>) {
    let text = text.split('#').next().unwrap_or_default();
    match text.split_once('?') {
        Some((place, query)) => (place.to_owned(), Some(query.to_owned())),
        None => (text.to_owned(), None),
    }
}

/// The query from its pairs. They are sent as they are typed, so what is escaped already stays so.
fn pairs(url: &Node, draft: &mut Draft) -> Option<String> {
    let pair = |item: &Node| {
        let name = item.text("key").unwrap_or_default();
        item.get("value").and_then(Node::single).map_or_else(|| name.to_owned(), |value| format!("{name}={value}"))
    };
    let pairs: Vec<String> = enabled(url.list("query"), draft).into_iter().map(pair).collect();
    (!pairs.is_empty()).then(|| pairs.join("&"))
}

/// The origin, if it is known, and the path with its variables.
fn origin(place: &str, scope: &Scope) -> (Option<String>, String) {
    let (head, tail) = match place.strip_prefix("{{").and_then(|rest| rest.split_once("}}")) {
        // A variable in front may hold a scheme, a host and a part of the path.
        Some((name, tail)) => (scope.expand(&format!("{{{{{name}}}}}")), tail.to_owned()),
        None => (String::new(), place.to_owned()),
    };
    if head.starts_with("{{") {
        let path = tail.find('/').map_or("", |at| &tail[at..]);
        return (None, path.to_owned());
    }
    let whole = format!("{head}{tail}");
    let (scheme, rest) = whole.split_once("://").unwrap_or(("http", &whole));
    let at = rest.find('/').unwrap_or(rest.len());
    let authority = scope.expand(&rest[..at]);
    let path = rest[at..].to_owned();
    if authority.contains("{{") || authority.is_empty() || scheme.contains("{{") {
        return (None, path);
    }
    (Some(format!("{scheme}://{authority}")), path)
}

/// The variable that holds the origin of a request.
fn base(origin: Option<&str>, place: &str, scope: &mut Scope, draft: &mut Draft) -> String {
    let address = origin.and_then(|origin| Address::parse(origin).ok());
    let Some(Address { origin, .. }) = address else {
        let front = harmless(place.split("}}").next().unwrap_or_default());
        if !front.is_empty() {
            draft.notes.say(format!("`{front}}}}}` in front of URLs became `base_url`"));
        }
        return BASE_URL.to_owned();
    };
    match &draft.target {
        None => {
            draft.target = Some(origin);
            BASE_URL.to_owned()
        }
        Some(target) if *target == origin => BASE_URL.to_owned(),
        Some(_) => {
            draft.notes.say(format!("requests go to `{origin}` too: that origin has a variable of its own"));
            let name = scope.expand(&origin);
            draft.variables.written(&format!("url_{}", name.split("://").nth(1).unwrap_or_default()), &origin)
        }
    }
}

/// `/users/:id` with what the request says of `id`.
fn with_path_variables(path: &str, url: &Node, scope: &mut Scope, draft: &mut Draft) -> String {
    let given = url.list("variable");
    let segment = |segment: &str| {
        let named = segment.strip_prefix(':').filter(|name| !name.is_empty());
        let variable = named.and_then(|name| given.iter().find(|variable| variable.text("key") == Some(name)));
        match variable.and_then(|variable| variable.get("value")).and_then(Node::single) {
            Some(value) => path_segment(&decoded(&scope.resolve(&value, draft))),
            None => scope.resolve(segment, draft),
        }
    };
    path.split('/').map(segment).collect::<Vec<_>>().join("/")
}

/// A pair of a form.
pub(super) fn form_pair(name: &str, value: &str) -> String {
    format!("{}={}", form_value(name), form_value(value))
}
