//! Where the service is.

use super::super::address::Address;
use super::super::draft::Draft;
use super::super::tree::Node;

/// The first server of a document.
pub(super) struct Server {
    /// None if the document only says a path, or nothing.
    pub(super) origin: Option<String>,
    /// In front of every path, without a slash at its end.
    pub(super) prefix: String,
}

/// The first server, with the defaults of its variables.
pub(super) fn of(root: &Node, draft: &mut Draft) -> Server {
    let servers = root.list("servers");
    if servers.len() > 1 {
        draft
            .notes
            .say(format!("of {} servers the first was taken: change `target.url` and `base_url`", servers.len()));
    }
    say_servers_below(root, draft);
    let Some(server) = servers.first() else { return Server { origin: None, prefix: String::new() } };
    let mut url = server.text("url").unwrap_or_default().to_owned();
    for (name, variable) in server.get("variables").map(Node::entries).unwrap_or_default() {
        let value = variable.get("default").and_then(Node::single).unwrap_or_default();
        url = url.replace(&format!("{{{name}}}"), &value);
    }
    match Address::parse(&url) {
        Ok(address) => Server { prefix: without_slash(&address.path), origin: Some(address.origin) },
        Err(_) => {
            let path = if url.starts_with('/') && !url.starts_with("//") { url.as_str() } else { "" };
            Server { origin: None, prefix: without_slash(path) }
        }
    }
}

fn without_slash(path: &str) -> String {
    path.trim_end_matches('/').to_owned()
}

fn say_servers_below(root: &Node, draft: &mut Draft) {
    let items = root.get("paths").map(Node::entries).unwrap_or_default().iter().map(|(_, item)| item);
    let has = |node: &Node| !node.list("servers").is_empty();
    let own = items.filter(|item| has(item) || item.entries().iter().any(|(_, operation)| has(operation))).count();
    if own > 0 {
        draft
            .notes
            .say(format!("servers of single paths or operations were left out ({own}): all go to the first server"));
    }
}
