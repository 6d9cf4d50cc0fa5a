//! `$ref` within a document.

use std::cell::Cell;

use super::super::address::decoded;
use super::super::notes::Notes;
use super::super::source::harmless;
use super::super::tree::Node;

/// A document, whose parts name each other.
pub(super) struct Document<'n> {
    root: &'n Node,
    /// What copies of examples have cost so far.
    spent: Cell<usize>,
}

/// An operation and where it stands.
pub(super) struct Meeting<'n> {
    pub(super) document: &'n Document<'n>,
    /// What all operations of the path share.
    pub(super) item: &'n Node,
    pub(super) operation: &'n Node,
    pub(super) path: &'n str,
    pub(super) method: &'static str,
}

/// Bytes of examples, roughly, in all journeys together.
const COPIES_MAX: usize = 64 << 20;
/// References that lead to references.
const HOPS_MAX: usize = 32;

impl<'n> Document<'n> {
    pub(super) fn new(root: &'n Node) -> Self {
        Self { root, spent: Cell::new(0) }
    }

    /// The value itself, or what it refers to; null, with a note, if that is not there.
    pub(super) fn resolve(&self, node: &'n Node, notes: &mut Notes) -> &'n Node {
        let mut node = node;
        for _ in 0..HOPS_MAX {
            let Some(reference) = node.text("$ref") else { return node };
            match self.find(reference) {
                Some(found) => node = found,
                None => {
                    let why = if reference.starts_with('#') { "nothing is there" } else { "other files are not read" };
                    notes.say(format!("`$ref: {}` was left out: {why}", harmless(reference)));
                    return &Node::Null;
                }
            }
        }
        notes.say("a `$ref` that leads back to itself was left out");
        &Node::Null
    }

    /// A copy of an example, guarded against documents that refer to a large one a thousand times.
    pub(super) fn copy(&self, node: &Node, notes: &mut Notes) -> Option<Node> {
        let spent = self.spent.get().saturating_add(cost(node));
        if spent > COPIES_MAX {
            notes.say("examples were left out: together they are too large");
            return None;
        }
        self.spent.set(spent);
        Some(node.clone())
    }

    /// A part of the document by its name: `components`, `securitySchemes`, `key`.
    pub(super) fn component(&self, kind: &str, name: &str) -> Option<&'n Node> {
        self.root.get("components")?.get(kind)?.get(name)
    }

    /// What holds for every operation that does not say otherwise.
    pub(super) fn top(&self, key: &str) -> Option<&'n Node> {
        self.root.get(key)
    }

    /// By a JSON pointer behind `#`.
    fn find(&self, reference: &str) -> Option<&'n Node> {
        let pointer = reference.strip_prefix('#')?;
        let mut node = self.root;
        for token in pointer.split('/').skip(1) {
            let token = decoded(token).replace("~1", "/").replace("~0", "~");
            node = match node {
                Node::List(items) => items.get(token.parse::<usize>().ok()?)?,
                _ => node.get(&token)?,
            };
        }
        Some(node)
    }
}

/// What a value takes, roughly.
fn cost(node: &Node) -> usize {
    let single = size_of::<Node>();
    single
        + match node {
            Node::Null | Node::Bool(_) => 0,
            Node::Number(text) | Node::Text(text) => text.len(),
            Node::List(items) => items.iter().map(cost).sum(),
            Node::Object(entries) => entries.iter().map(|(key, value)| single + key.len() + cost(value)).sum(),
        }
}
