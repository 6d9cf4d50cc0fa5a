//! Postman collections, version 2: a journey for each folder of the first level, its requests in their order.
//!
//! Variables of Postman stand in texts of every kind. They are replaced by numbers that occur nowhere else, so that
//! URLs, forms and JSON can be read as such, and become Hurl's variables in the end.

mod auth;
mod body;
mod request;
mod scope;

use self::auth::Auth;
use self::scope::Scope;
use super::draft::{Draft, Route};
use super::source::{Source, harmless};
use super::tree::Node;
use crate::Mistake;

/// Folders in folders.
const DEPTH_MAX: usize = 50;

/// A plan with a journey for each folder.
pub(super) fn read(source: Source<'_>) -> Result<Draft, Mistake> {
    let hint = "export it from Postman as `Collection v2.1`";
    let root: Node = serde_json::from_str(source.text).map_err(|error| source.json(&error, hint))?;
    // The API of Postman wraps it.
    let root = root.get("collection").filter(|inner| inner.is_object()).unwrap_or(&root);
    check_version(&source, root, hint)?;
    let name = root.get("info").and_then(|info| info.text("name")).map(harmless).unwrap_or_default();
    let mut draft = Draft { name: name.clone(), ..Draft::default() };
    let mut scope = Scope::of(root);
    let auth = auth::of(root, Auth::default());
    count_scripts(root, &mut draft);
    let mut loose = Route { name, weight: 1, exchanges: Vec::new() };
    for item in root.list("item") {
        if is_folder(item) {
            let name = item.text("name").map(harmless).unwrap_or_default();
            let mut route = Route { name, weight: 1, exchanges: Vec::new() };
            walk(item, auth, &mut scope, &mut route, &mut draft, 0);
            draft.routes.push(route);
        } else {
            walk(item, auth, &mut scope, &mut loose, &mut draft, 0);
        }
    }
    draft.routes.insert(0, loose);
    draft.routes.retain(|route| !route.exchanges.is_empty());
    if draft.routes.is_empty() {
        return Err(source.whole("there are no requests in it", hint));
    }
    scope.say(&mut draft.notes);
    draft.notes.say(
        "Postman follows redirects and the journeys do not: add `location: true` under `[Options]` where it matters",
    );
    Ok(draft)
}

fn check_version(source: &Source<'_>, root: &Node, hint: &str) -> Result<(), Mistake> {
    let schema = root.get("info").and_then(|info| info.text("schema")).unwrap_or_default();
    let at = |key: &str| source.text.find(key).unwrap_or(0);
    if root.get("requests").is_some() || schema.contains("/v1") {
        return Err(source.at(at("\"requests\""), "this is a collection of version 1, which is not read", hint));
    }
    if root.get("values").is_some() && root.get("item").is_none() {
        let message = "this is an environment of Postman, not a collection";
        return Err(source.at(at("\"values\""), message, "export the collection; set its variables in the plan"));
    }
    match root.get("item") {
        Some(Node::List(_)) => Ok(()),
        _ => Err(source.whole("not a Postman collection: the list `item` is missing", hint)),
    }
}

fn is_folder(item: &Node) -> bool {
    item.get("item").is_some()
}

fn walk<'n>(item: &'n Node, above: Auth<'n>, scope: &mut Scope, route: &mut Route, draft: &mut Draft, depth: usize) {
    count_scripts(item, draft);
    if is_folder(item) && depth < DEPTH_MAX {
        let auth = auth::of(item, above);
        item.list("item").iter().for_each(|inner| walk(inner, auth, scope, route, draft, depth + 1));
    } else if let Some(exchange) = request::exchange(item, above, scope, draft) {
        route.exchanges.push(exchange);
    }
}

fn count_scripts(item: &Node, draft: &mut Draft) {
    for event in item.list("event") {
        let Some(script) = event.get("script") else { continue };
        let lines = match script.get("exec") {
            Some(Node::Text(text)) => usize::from(!text.trim().is_empty()),
            Some(lines) => {
                lines.items().iter().filter(|line| line.as_text().is_some_and(|line| !line.trim().is_empty())).count()
            }
            None => 0,
        };
        if lines == 0 {
            continue;
        }
        match event.text("listen") {
            Some("prerequest") => draft.notes.count(
                "a script that runs before a request was not carried over",
                "{} scripts that run before a request were not carried over",
            ),
            _ => draft.notes.count(
                "a script that tests an answer was not carried over: write asserts and captures instead",
                "{} scripts that test an answer were not carried over: write asserts and captures instead",
            ),
        }
    }
}

#[cfg(test)]
mod tests;
