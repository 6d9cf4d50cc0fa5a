//! Security schemes: credentials that the environment holds.

use super::super::draft::{Draft, Exchange};
use super::super::source::harmless;
use super::super::tree::Node;
use super::super::words::Words;
use super::reference::Meeting;
use super::sample::stand_in;

/// Puts the credentials of an operation into its exchange: of several ways the first.
pub(super) fn put(exchange: &mut Exchange, meeting: &Meeting<'_>, draft: &mut Draft) {
    let own = meeting.operation.get("security").or_else(|| meeting.document.top("security"));
    let ways = own.map(Node::items).unwrap_or_default();
    // An empty way means that nobody need say who he is.
    if ways.iter().any(|way| way.entries().is_empty()) {
        return;
    }
    for (name, _) in ways.first().map(Node::entries).unwrap_or_default() {
        match meeting.document.component("securitySchemes", name) {
            Some(scheme) => {
                let scheme = meeting.document.resolve(scheme, &mut draft.notes);
                put_scheme(exchange, name, scheme, draft);
            }
            None => {
                draft.notes.say(format!("the security scheme `{}` is not described: it was left out", harmless(name)))
            }
        }
    }
}

fn put_scheme(exchange: &mut Exchange, name: &str, scheme: &Node, draft: &mut Draft) {
    let kind = scheme.text("type").unwrap_or_default();
    let way = scheme.text("scheme").unwrap_or_default().to_ascii_lowercase();
    match (kind, way.as_str()) {
        ("apiKey", _) => put_key(exchange, scheme, draft),
        ("http", "basic") if exchange.basic.is_none() => {
            let (user, password) =
                (stand_in(&format!("{name}_user"), draft), stand_in(&format!("{name}_password"), draft));
            exchange.basic = Some((Words::from(user), Words::from(password)));
        }
        ("http", "bearer") | ("oauth2" | "openIdConnect", _) => put_authorization(exchange, "Bearer", name, draft),
        ("http", way) if !way.is_empty() && way.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            put_authorization(exchange, way, name, draft);
        }
        _ => draft
            .notes
            .say(format!("the security scheme `{}` was left out: its kind is not carried over", harmless(name))),
    }
}

fn put_authorization(exchange: &mut Exchange, way: &str, name: &str, draft: &mut Draft) {
    let token = stand_in(&format!("{name}_token"), draft);
    exchange.headers.push(("Authorization".to_owned(), Words::from(format!("{way} {token}"))));
}

fn put_key(exchange: &mut Exchange, scheme: &Node, draft: &mut Draft) {
    let Some(name) = scheme.text("name").filter(|name| !name.is_empty()) else { return };
    let pair = (name.to_owned(), Words::from(stand_in(name, draft)));
    match scheme.text("in") {
        Some("query") => exchange.query.push(pair),
        Some("cookie") => exchange.cookies.push(pair),
        _ => exchange.headers.push(pair),
    }
}
