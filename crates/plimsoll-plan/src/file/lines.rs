//! A plan as lines without secrets: what a plan's hash covers, and what is kept of it.
//!
//! The lines are made of the tree, so that a key can never be forgotten. Comments, order of keys and the way of
//! writing tables make no difference; whatever changes what a run does, does.

use plimsoll_model::redact;

use super::node::{Node, Value};
use super::plan::PlanFile;
use super::text::{REDACTED, Text};

/// A key that contains one of these holds a credential.
const SECRET_NAMES: [&str; 6] = ["password", "passwd", "secret", "token", "api_key", "apikey"];

impl PlanFile {
    /// All keys with their values, `journey.0.weight` and `3`, in the order of the keys; secrets are redacted.
    pub fn lines(&self) -> Vec<(String, String)> {
        let mut lines = Vec::new();
        walk(&self.origins.resolved, String::new(), &mut |path, text| {
            let hidden = self.secrets.iter().any(|secret| path == format!("variables.{secret}"));
            let text = if is_shown(path) { &Text::plain(text.reveal()) } else { text };
            let shown = if hidden { REDACTED.to_owned() } else { shown(path, text) };
            lines.push((path.to_owned(), shown));
        });
        lines.sort();
        lines
    }
}

fn walk(node: &Node, path: String, line: &mut dyn FnMut(&str, &Text)) {
    let join = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match &node.value {
        Value::Table(entries) => entries.iter().for_each(|entry| walk(&entry.node, join(&entry.key), line)),
        Value::List(items) => {
            items.iter().enumerate().for_each(|(index, item)| walk(item, join(&index.to_string()), line));
        }
        value => value.scalar().iter().for_each(|text| line(&path, text)),
    }
}

/// Whether a value is no credential by the nature of its key, even where it comes from the environment. Without it two
/// plans with different loads would look the same.
fn is_shown(path: &str) -> bool {
    let section = ["load.", "slo.", "transport."].iter().any(|section| path.starts_with(section));
    (section || path == "name" || path == "target.url") && path != "transport.proxy"
}

/// A value as it may be shown, by its key.
fn shown(path: &str, text: &Text) -> String {
    let key = path.rsplit('.').find(|step| step.parse::<usize>().is_err()).unwrap_or(path);
    // These hold names, not what is called so.
    let is_name = path.starts_with("secrets.") || path.starts_with("factors.") || key == "into";
    if key == "user"
        || key == "body" && is_secretive(text.reveal())
        || !is_name && named(path).is_some_and(is_secretive)
    {
        return REDACTED.to_owned();
    }
    if path.contains(".headers.") {
        return redact(key, &text.shown()).to_owned();
    }
    text.shown()
}

/// The name that a person gave to a value: of a variable, a header, or of something in an environment.
fn named(path: &str) -> Option<&str> {
    let kinds = ["variables.", ".headers.", ".env."];
    kinds.iter().find_map(|kind| path.split_once(kind)).map(|(_, name)| name)
}

/// Whether something of this name is a credential, as far as a name can tell.
pub(super) fn is_secretive(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_NAMES.iter().any(|secret| name.contains(secret))
}

/// A text without the credentials that are known by their place: `user:password@` in a URL, and the values of fields
/// that are named like secrets, `--token=…` or `?token=…`.
pub(super) fn public(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return fields(text) };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    format!("{}://{host}{}", fields(scheme), fields(path))
}

fn fields(text: &str) -> String {
    let field = |field: &str| match field.split_once('=') {
        Some((name, value)) if is_secretive(name) => {
            // A command line goes on behind its value.
            let rest = value.split_once(' ').map_or(String::new(), |(_, rest)| format!(" {}", fields(rest)));
            format!("{name}={REDACTED}{rest}")
        }
        _ => field.to_owned(),
    };
    text.split('&').map(field).collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, text: &str, expected: &str) {
        assert_eq!(shown(path, &Text::plain(text)), expected, "{path} = {text}");
    }

    #[test]
    fn credentials_are_not_shown() {
        check("journey.0.user", "me:pw", REDACTED);
        check("journey.0.headers.Authorization", "Bearer x", REDACTED);
        check("journey.0.headers.Accept.1", "text/html", "text/html");
        check("variables.api_token", "x", REDACTED);
        check("target.process.0.env.DB_PASSWORD", "x", REDACTED);
        check("target.url", "https://me:p@ss@host/a?b=1&token=x", "https://host/a?b=1&token=[redacted]");
        check("target.url", "http://h/?token=x&a=1&password=y", "http://h/?token=[redacted]&a=1&password=[redacted]");
        check("target.before.0", "add --token=x --user=y", "add --token=[redacted] --user=y");
        check("target.before.0", "add token=x password=y", "add token=[redacted] password=[redacted]");
        check("journey.0.body", "{\"password\": 1}", REDACTED);
        check("secrets.0", "token", "token");
        check("load.rate", "50/s", "50/s");
    }

    #[test]
    fn what_is_no_credential_is_kept_wherever_it_comes_from() {
        for path in ["name", "target.url", "load.shape.0", "transport.timeout", "slo.p99"] {
            assert!(is_shown(path), "{path}");
        }
        for path in ["transport.proxy", "variables.name", "target.watch.postgres", "journey.0.name"] {
            assert!(!is_shown(path), "{path}");
        }
    }
}
