//! Authentication, which a request inherits from its folder, and that from the collection.

use super::super::credentials::{put_basic, put_header};
use super::super::draft::{Draft, Exchange};
use super::super::source::harmless;
use super::super::tree::Node;
use super::super::words::Words;
use super::scope::Scope;

/// What holds for an item; none where nobody says anything.
#[derive(Clone, Copy, Default)]
pub(super) struct Auth<'n>(Option<&'n Node>);

/// What an item says, or else what holds above it.
pub(super) fn of<'n>(item: &'n Node, above: Auth<'n>) -> Auth<'n> {
    match item.get("auth") {
        Some(auth) if auth.is_object() => Auth(Some(auth)),
        _ => above,
    }
}

/// Puts it into an exchange. A header that was written by hand wins.
pub(super) fn put(exchange: &mut Exchange, auth: Auth<'_>, scope: &mut Scope, draft: &mut Draft) {
    let Some(node) = auth.0 else { return };
    let kind = node.text("type").unwrap_or_default();
    let mut attribute = |name: &str, draft: &mut Draft| {
        let value = attribute(node.get(kind).unwrap_or(&Node::Null), name);
        value.map(|value| scope.resolve(&value, draft)).filter(|value| !value.is_empty())
    };
    let by_hand = exchange.has_header("authorization") || exchange.basic.is_some();
    match kind {
        "" | "noauth" => (),
        "apikey" => {
            let name = attribute("key", draft).unwrap_or_else(|| "X-Api-Key".to_owned());
            let Some(value) = attribute("value", draft) else { return };
            let words = Words::variable(draft.variables.secret(&name, &value));
            match attribute("in", draft).as_deref() {
                Some("query") => put_query(exchange, &name, words),
                _ => exchange.headers.push((name, words)),
            }
        }
        _ if by_hand => (),
        "basic" => {
            let user = attribute("username", draft).unwrap_or_default();
            let password = attribute("password", draft).unwrap_or_default();
            put_basic(exchange, &user, &password, &mut draft.variables);
        }
        "bearer" | "oauth2" => {
            let Some(token) = attribute(if kind == "bearer" { "token" } else { "accessToken" }, draft) else {
                draft.notes.count(
                    "a request whose token Postman fetches itself has none now",
                    "{} requests whose token Postman fetches itself have none now",
                );
                return;
            };
            if kind == "oauth2" && attribute("addTokenTo", draft).as_deref() == Some("queryParams") {
                let words = Words::variable(draft.variables.secret("access_token", &token));
                return put_query(exchange, "access_token", words);
            }
            let value = format!("Bearer {token}");
            put_header(exchange, "Authorization", &value, &mut draft.variables, &mut draft.notes);
        }
        other => {
            let other = harmless(other);
            draft.notes.count(
                format!("authentication of a request by `{other}` was not carried over"),
                format!("authentication of {{}} requests by `{other}` was not carried over"),
            );
        }
    }
}

/// Behind the query that stands in the URL, or among its pairs.
fn put_query(exchange: &mut Exchange, name: &str, words: Words) {
    exchange.query.push((name.to_owned(), words));
}

/// A list of keys and values since version 2.1, an object before.
fn attribute(node: &Node, name: &str) -> Option<String> {
    match node {
        Node::List(items) => items.iter().find(|item| item.text("key") == Some(name))?.get("value")?.single(),
        _ => node.get(name)?.single(),
    }
}
