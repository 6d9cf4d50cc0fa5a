//! `[factors]`: what an experiment varies, and `{name}`, which stands for it.
//!
//! `{name}` is replaced in the tree, before anything is read, so that it may stand where a rate or a number is wanted.
//! `{{name}}` is left alone: that is a variable of a journey.

use std::collections::BTreeMap;

use schemars::JsonSchema;

use super::environment::MISSING;
use super::field::Field;
use super::found::{Found, Mistakes};
use super::nearest;
use super::node::{Node, Value};
use super::table::Table;
use super::text::Text;

/// Something that an experiment varies.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
pub struct Factor {
    /// What stands in braces where its value goes.
    pub name: String,
    /// Its values; the first is that of a single run.
    pub values: Vec<Text>,
}

pub(super) fn read(table: &Table<'_>) -> Vec<Factor> {
    let factor = |(name, field): (&str, Field<'_>)| {
        let values = field.list(Field::factor_value);
        if values.is_empty() && field.is_given() {
            field.mistake("a factor needs values", "write it like `workers = [1, 2]`");
            return None;
        }
        Some(Factor { name: name.to_owned(), values })
    };
    table.rest("*").into_iter().filter_map(factor).collect()
}

impl Field<'_> {
    fn factor_value(&self) -> Option<Text> {
        self.accepts(&["string", "integer", "number", "boolean"]);
        let value = self.value()?;
        value.scalar().or_else(|| self.wrong(value, "text or a number"))
    }
}

/// The values that `{name}` stands for: those of factors, and behind them those of variables.
#[derive(Debug, Clone, Default)]
pub(super) struct Names(BTreeMap<String, Text>);

impl Names {
    /// Of a tree: each factor's first value unless another is chosen.
    pub(super) fn of(tree: &Node, chosen: &BTreeMap<String, String>) -> Self {
        let mut names = BTreeMap::new();
        let secrets = tree.names("secrets");
        for entry in tree.get("variables").map_or(&[][..], Node::entries) {
            let secret = secrets.contains(&entry.key);
            let value = entry.node.value.scalar();
            names.extend(value.map(|text| (entry.key.clone(), if secret { text.into_secret() } else { text })));
        }
        for entry in tree.get("factors").map_or(&[][..], Node::entries) {
            let first = entry.node.items().first().and_then(|item| item.value.scalar());
            names.extend(first.map(|text| (entry.key.clone(), text)));
        }
        names.extend(chosen.iter().map(|(name, value)| (name.clone(), Text::plain(value))));
        Self(names)
    }

    /// Puts the values in, wherever `{name}` may stand: in the load, and in what starts a process.
    pub(super) fn put_into(&self, tree: &mut Node, found: &Mistakes) {
        self.put_into_keys(tree, &[("load", true)], found);
        for scenario in tree.get_mut("scenario").map_or(&mut [][..], Node::items_mut) {
            self.put_into_keys(scenario, &[("load", true)], found);
        }
        let processes = tree.get_mut("target").and_then(|target| target.get_mut("process"));
        for process in processes.map_or(&mut [][..], Node::items_mut) {
            self.put_into_keys(process, &[("start", false), ("env", false), ("cpus", true)], found);
        }
    }

    fn put_into_keys(&self, table: &mut Node, keys: &[(&str, bool)], found: &Mistakes) {
        for (key, strict) in keys {
            if let Some(node) = table.get_mut(key) {
                node.for_each_scalar(&mut |node| self.replace(node, *strict, found));
            }
        }
    }

    /// In one text. Where braces have no other use (`strict`), an unknown name is a mistake; elsewhere only one that
    /// is nearly known, for an argument may be JSON or a program.
    fn replace(&self, node: &mut Node, strict: bool, found: &Mistakes) {
        let Value::Text(text) = &node.value else { return };
        if text.is_secret() || !text.reveal().contains('{') {
            return;
        }
        let (mut whole, mut secret) = (String::new(), false);
        for piece in pieces(text.reveal()) {
            let Piece::Name(name) = piece else {
                whole.push_str(piece.text());
                continue;
            };
            if let Some(value) = self.0.get(name) {
                whole.push_str(value.reveal());
                secret |= value.is_secret();
                continue;
            }
            whole.push_str(&format!("{{{name}}}"));
            if strict || self.nearest(name).is_some() {
                let message = format!("there is no factor and no variable `{name}`");
                found.add(Found::new(node.origin, message, self.hint(name)));
                // What it means instead is not worth another complaint.
                (whole, secret) = (MISSING.to_owned(), true);
                break;
            }
        }
        node.value = Value::Text(if secret { Text::secret(whole) } else { Text::plain(whole) });
    }

    fn nearest(&self, name: &str) -> Option<&str> {
        nearest::nearest(name, self.0.keys().map(String::as_str))
    }

    fn hint(&self, name: &str) -> String {
        match self.nearest(name) {
            Some(known) => format!("did you mean `{{{known}}}`?"),
            None => format!("give it values: `[factors]` with `{name} = [1, 2]`"),
        }
    }
}

enum Piece<'t> {
    Text(&'t str),
    Name(&'t str),
}

impl<'t> Piece<'t> {
    fn text(&self) -> &'t str {
        match self {
            Self::Text(text) | Self::Name(text) => text,
        }
    }
}

/// Text and the names in its braces; what is in double braces is text.
fn pieces(mut text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    while let Some(open) = text.find('{') {
        let after = &text[open + 1..];
        if after.starts_with('{') {
            let end = after.find("}}").map_or(text.len(), |close| open + 1 + close + 2);
            pieces.push(Piece::Text(&text[..end]));
            text = &text[end..];
            continue;
        }
        let name = after.split_once('}').map(|(name, _)| name).filter(|name| is_name(name));
        let end = open + 1;
        match name {
            Some(name) => {
                pieces.extend([Piece::Text(&text[..open]), Piece::Name(name)]);
                text = &text[end + name.len() + 1..];
            }
            None => {
                pieces.push(Piece::Text(&text[..end]));
                text = &text[end..];
            }
        }
    }
    pieces.push(Piece::Text(text));
    pieces
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::node::Origin;

    #[track_caller]
    fn check(text: &str, strict: bool, expected: &str, mistakes: usize) {
        let names = Names(BTreeMap::from([("workers".to_owned(), Text::plain("2"))]));
        let mut node = Node { value: Value::Text(Text::plain(text)), origin: Origin::Whole };
        let found = Mistakes::default();
        names.replace(&mut node, strict, &found);
        let expected = if mistakes > 0 { Text::secret(MISSING) } else { Text::plain(expected) };
        assert_eq!(node.value, Value::Text(expected));
        assert_eq!(found.len(), mistakes, "{text}");
    }

    #[test]
    fn names_in_single_braces_are_replaced() {
        check("--workers={workers}", false, "--workers=2", 0);
        check("{workers}{workers}", true, "22", 0);
        check("{{workers}}/{workers}", true, "{{workers}}/2", 0);
        check("{\"a\": {}}", true, "{\"a\": {}}", 0);
        check("{ {workers", true, "{ {workers", 0);
        check("{{open", true, "{{open", 0);
        check("{print}", false, "{print}", 0);
        check("{print}", true, "", 1);
        check("{worker}", false, "", 1);
    }
}
