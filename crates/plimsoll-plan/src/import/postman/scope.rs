//! Variables of Postman, and what becomes of them.

use std::collections::{BTreeMap, BTreeSet};

use super::super::draft::Draft;
use super::super::notes::Notes;
use super::super::sensitive::is_secret;
use super::super::source::harmless;
use super::super::tree::Node;

/// What a collection says of its variables.
pub(super) struct Scope {
    /// By name; none for those that are secret.
    known: BTreeMap<String, Option<String>>,
    /// Values that must not be written down, by name.
    secrets: BTreeMap<String, String>,
    /// Names that occurred, with the numbers that stand for them.
    used: BTreeMap<String, String>,
    /// Names that nobody defines.
    unknown: BTreeSet<String>,
}

/// Variables within variables.
const EXPANSIONS_MAX: usize = 8;
/// What is expanded becomes no longer than this.
const TEXT_MAX: usize = 16 << 10;

impl Scope {
    pub(super) fn of(root: &Node) -> Self {
        let mut scope =
            Self { known: BTreeMap::new(), secrets: BTreeMap::new(), used: BTreeMap::new(), unknown: BTreeSet::new() };
        let in_auth = names_in_auth(root);
        for variable in root.list("variable").iter().filter(|variable| !variable.is_true("disabled")) {
            let key = variable.text("key").or_else(|| variable.text("id"));
            let Some(name) = key.filter(|name| !name.is_empty()) else { continue };
            let value = variable.get("value").and_then(Node::single).unwrap_or_default();
            // What refers to others is not a secret, what it refers to may be one.
            let plain = !value.contains("{{");
            let secret =
                plain && (variable.text("type") == Some("secret") || is_secret(name) || in_auth.contains(name));
            if secret && !value.is_empty() {
                scope.secrets.insert(name.to_owned(), value.clone());
            }
            scope.known.insert(name.to_owned(), (!secret && !value.is_empty()).then_some(value));
        }
        scope
    }

    /// A text with numbers where variables stood.
    pub(super) fn resolve(&mut self, text: &str, draft: &mut Draft) -> String {
        let mut resolved = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let Some((name, after)) = after.split_once("}}").filter(|(name, _)| is_name(name)) else {
                resolved.push_str(before);
                resolved.push_str("{{");
                rest = after;
                continue;
            };
            resolved.push_str(before);
            resolved.push_str(&self.stand_in(name.trim(), draft));
            rest = after;
        }
        resolved + rest
    }

    /// A text with the values of variables that are known; for hosts, which must be known before a run.
    pub(super) fn expand(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for _ in 0..EXPANSIONS_MAX {
            let before = text.clone();
            for (name, value) in &self.known {
                let Some(value) = value else { continue };
                let pattern = format!("{{{{{name}}}}}");
                let grown = text.matches(&pattern).count().saturating_mul(value.len());
                if grown > 0 && text.len().saturating_add(grown) <= TEXT_MAX {
                    text = text.replace(&pattern, value);
                }
            }
            if text == before {
                break;
            }
        }
        text
    }

    fn stand_in(&mut self, name: &str, draft: &mut Draft) -> String {
        if let Some(known) = self.used.get(name) {
            return known.clone();
        }
        // Digits pass every escaping unchanged, and may stand in JSON with and without quotes.
        let stand_in = format!("739184620551{:05}", self.used.len());
        if self.used.len() < 99_999 {
            self.used.insert(name.to_owned(), stand_in.clone());
        }
        let variable = self.variable(name, draft);
        draft.variables.stand_for(&variable, &stand_in);
        stand_in
    }

    fn variable(&mut self, name: &str, draft: &mut Draft) -> String {
        match name {
            "$guid" | "$randomUUID" => return "newUuid".to_owned(),
            "$isoTimestamp" => return "newDate".to_owned(),
            _ => (),
        }
        if let Some(dynamic) = name.strip_prefix('$') {
            draft.notes.count(
                "a value that Postman makes up anew each time is always the same now: see its variable in the plan",
                "{} values that Postman makes up anew each time are always the same now: see their variables in the plan",
            );
            return draft.variables.written(dynamic, made_up(dynamic));
        }
        if let Some(value) = self.secrets.get(name) {
            return draft.variables.secret(name, value);
        }
        match self.known.get(name) {
            Some(Some(value)) if !value.contains("{{") => draft.variables.written(name, value),
            Some(Some(_)) => {
                let value = self.expand(&format!("{{{{{name}}}}}"));
                draft.variables.written(name, &value)
            }
            Some(None) => draft.variables.unset(name),
            None => {
                self.unknown.insert(harmless(name));
                draft.variables.unset(name)
            }
        }
    }

    /// Says which names only an environment of Postman knows.
    pub(super) fn say(&self, notes: &mut Notes) {
        if !self.unknown.is_empty() {
            let names: Vec<&str> = self.unknown.iter().take(30).map(String::as_str).collect();
            notes.say(format!(
                "the collection does not define these variables, which an environment or a script may: {}; \
                 they are read from the environment variables below",
                names.join(", ")
            ));
        }
    }
}

/// What Postman takes for a name.
fn is_name(name: &str) -> bool {
    !name.trim().is_empty() && name.len() <= 200 && !name.contains(['{', '}', '\n', '"'])
}

fn made_up(dynamic: &str) -> &'static str {
    let lower = dynamic.to_ascii_lowercase();
    match lower.as_str() {
        "timestamp" => "1767225600",
        _ if lower.contains("email") => "user@example.com",
        _ if lower.contains("url") => "https://example.com/",
        _ if lower.contains("boolean") => "true",
        _ if lower.contains("int") || lower.contains("price") || lower.contains("number") => "42",
        _ if lower.contains("date") => "2026-01-31",
        _ => "text",
    }
}

/// Names of the variables that stand in any `auth` of a document.
fn names_in_auth(root: &Node) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut open = vec![(root, false)];
    while let Some((node, inside)) = open.pop() {
        match node {
            Node::Text(text) if inside => names.extend(names_in(text)),
            Node::List(items) => open.extend(items.iter().map(|item| (item, inside))),
            Node::Object(entries) => {
                open.extend(entries.iter().map(|(key, value)| (value, inside || key == "auth")));
            }
            _ => (),
        }
    }
    names
}

fn names_in(text: &str) -> impl Iterator<Item = String> {
    text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}")).map(|(name, _)| name.trim().to_owned())
}
