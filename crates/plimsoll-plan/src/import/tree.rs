//! A document of JSON or YAML as a tree that keeps the order of its keys.
//!
//! `serde_json::Value` sorts keys, or makes everybody else's keep their order; examples should be sent in the order in
//! which somebody wrote them.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// A document, or a piece of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) enum Node {
    #[default]
    Null,
    Bool(bool),
    /// As JSON writes it.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
    /// The value under a key; of a key that is there twice the last, as everywhere.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().rev().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    /// Text under a key.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Node::as_text)
    }

    /// A list under a key; empty if there is none.
    pub(super) fn list(&self, key: &str) -> &[Node] {
        self.get(key).map(Node::items).unwrap_or_default()
    }

    pub(super) fn is_true(&self, key: &str) -> bool {
        self.get(key) == Some(&Node::Bool(true))
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn items(&self) -> &[Node] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    pub(super) fn entries(&self) -> &[(String, Node)] {
        match self {
            Self::Object(entries) => entries,
            _ => &[],
        }
    }

    pub(super) fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// A single value as it would stand in a form; none for lists, objects and null.
    pub(super) fn single(&self) -> Option<String> {
        match self {
            Self::Bool(value) => Some(value.to_string()),
            Self::Number(text) | Self::Text(text) => Some(text.clone()),
            Self::Null | Self::List(_) | Self::Object(_) => None,
        }
    }

    /// As JSON, two spaces a level.
    pub(super) fn to_json(&self) -> String {
        let mut json = String::new();
        self.write(&mut json, 0);
        json
    }

    fn write(&self, json: &mut String, level: usize) {
        match self {
            Self::Null => json.push_str("null"),
            Self::Bool(value) => json.push_str(if *value { "true" } else { "false" }),
            Self::Number(text) => json.push_str(text),
            Self::Text(text) => json.push_str(&quoted(text)),
            Self::List(items) => block(json, level, ['[', ']'], items, |json, item| item.write(json, level + 1)),
            Self::Object(entries) => block(json, level, ['{', '}'], entries, |json, (key, value)| {
                json.push_str(&quoted(key));
                json.push_str(": ");
                value.write(json, level + 1);
            }),
        }
    }
}

fn block<T>(json: &mut String, level: usize, [open, close]: [char; 2], all: &[T], one: impl Fn(&mut String, &T)) {
    json.push(open);
    for (index, item) in all.iter().enumerate() {
        json.push_str(if index == 0 { "\n" } else { ",\n" });
        json.push_str(&"  ".repeat(level + 1));
        one(json, item);
    }
    if !all.is_empty() {
        json.push('\n');
        json.push_str(&"  ".repeat(level));
    }
    json.push(close);
}

/// A JSON string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Whether a text is JSON, to the last character.
pub(super) fn is_json(text: &str) -> bool {
    serde_json::from_str::<Node>(text).is_ok()
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Builder)
    }
}

struct Builder;

impl<'de> Visitor<'de> for Builder {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Node, E> {
        Ok(number(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Node, E> {
        Ok(Node::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Node::Object(entries))
    }
}

/// A number as JSON writes it; JSON has no word for those that are not finite.
pub(super) fn number(value: f64) -> Node {
    serde_json::Number::from_f64(value).map_or(Node::Null, |number| Node::Number(number.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order() {
        let text = r#"{"b": [1, -2.5, null], "a": {"é\"": true}, "c": []}"#;
        let node: Node = serde_json::from_str(text).expect("JSON");
        let again = node.to_json();
        assert_eq!(again.replace(['\n'], "").replace("  ", ""), r#"{"b": [1,-2.5,null],"a": {"é\"": true},"c": []}"#);
        assert_eq!(serde_json::from_str::<Node>(&again).expect("JSON"), node);
    }

    #[test]
    fn the_last_of_equal_keys_counts() {
        let node: Node = serde_json::from_str(r#"{"a": 1, "a": 2}"#).expect("JSON");
        assert_eq!(node.get("a").and_then(Node::single).as_deref(), Some("2"));
    }
}
