//! YAML as a tree, with the scalars of YAML 1.2's core schema.
//!
//! Built from the parser's events, because aliases must be copied with a limit: nine lines of YAML can stand for
//! gigabytes.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput, Tag};

use super::source::{Source, harmless};
use super::tree::{Node, number};
use crate::Mistake;

/// Values of one document, copies by alias included.
const NODES_MAX: usize = 2_000_000;
/// Levels of lists and mappings.
const DEPTH_MAX: usize = 100;

/// The first document of a text.
pub(super) fn parse(source: Source<'_>) -> Result<Node, Mistake> {
    let mut builder = Builder {
        source,
        parser: Parser::new_from_str(source.text),
        anchors: BTreeMap::new(),
        nodes: 0,
        place: (1, 1),
    };
    loop {
        match builder.event()? {
            Event::StreamEnd => return Ok(Node::Null),
            Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing => (),
            event => return builder.node(event, 0),
        }
    }
}

struct Builder<'t> {
    source: Source<'t>,
    parser: Parser<'t, StrInput<'t>>,
    /// Anchored values with the number of values in each.
    anchors: BTreeMap<usize, (Node, usize)>,
    nodes: usize,
    /// Line and column of the last event.
    place: (usize, usize),
}

impl<'t> Builder<'t> {
    fn event(&mut self) -> Result<Event<'t>, Mistake> {
        match self.parser.next_event() {
            None => Ok(Event::StreamEnd),
            Some(Ok((event, Span { start, .. }))) => {
                self.place = (start.line(), start.col() + 1);
                Ok(event)
            }
            Some(Err(error)) => {
                let (line, column) = (error.marker().line(), error.marker().col() + 1);
                Err(self.source.mistake(line, column, harmless(error.info()), "this is not YAML"))
            }
        }
    }

    fn node(&mut self, event: Event<'t>, depth: usize) -> Result<Node, Mistake> {
        self.charge(1)?;
        if depth > DEPTH_MAX {
            return Err(self.here(format!("nested more than {DEPTH_MAX} levels deep")));
        }
        let before = self.nodes;
        let (node, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => (scalar(&text, style, tag.as_ref()), anchor),
            Event::SequenceStart(anchor, _) => (self.list(depth)?, anchor),
            Event::MappingStart(anchor, _) => (self.object(depth)?, anchor),
            Event::Alias(anchor) => return self.alias(anchor),
            _ => return Err(self.here("the document ends in the middle of a value")),
        };
        if anchor != 0 {
            self.anchors.insert(anchor, (node.clone(), self.nodes - before + 1));
        }
        Ok(node)
    }

    fn list(&mut self, depth: usize) -> Result<Node, Mistake> {
        let mut items = Vec::new();
        loop {
            match self.event()? {
                Event::SequenceEnd => return Ok(Node::List(items)),
                event => items.push(self.node(event, depth + 1)?),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Node, Mistake> {
        let mut entries: Vec<(String, Node)> = Vec::new();
        let mut merged: Vec<(String, Node)> = Vec::new();
        let mut seen = HashSet::new();
        loop {
            let event = self.event()?;
            if event == Event::MappingEnd {
                break;
            }
            let place = self.place;
            let key = self.key(event, depth)?;
            let event = self.event()?;
            let value = self.node(event, depth + 1)?;
            match key {
                // What is merged gives way to what is written out.
                key if key == "<<" => merged.extend(merge(value)),
                key if !seen.insert(key.clone()) => {
                    let message = format!("the key `{}` is there twice", harmless(&key));
                    return Err(self.source.mistake(place.0, place.1, message, ""));
                }
                key => entries.push((key, value)),
            }
        }
        entries.extend(merged.into_iter().filter(|(key, _)| seen.insert(key.clone())));
        Ok(Node::Object(entries))
    }

    fn key(&mut self, event: Event<'t>, depth: usize) -> Result<String, Mistake> {
        // `200:` is a key of text wherever keys are text.
        if let Event::Scalar(text, _, 0, _) = &event {
            self.charge(1)?;
            return Ok(text.clone().into_owned());
        }
        match self.node(event, depth + 1)? {
            Node::Null => Ok("null".to_owned()),
            node => node.single().ok_or_else(|| self.here("a list or a mapping cannot be a key")),
        }
    }

    fn alias(&mut self, anchor: usize) -> Result<Node, Mistake> {
        let Some((node, size)) = self.anchors.get(&anchor) else {
            return Err(self.here("an alias inside of what it stands for"));
        };
        let (node, size) = (node, *size);
        // Before it is copied, not after.
        if self.nodes.saturating_add(size) > NODES_MAX {
            return Err(self.here(too_many()));
        }
        self.nodes += size;
        Ok(node.clone())
    }

    fn charge(&mut self, nodes: usize) -> Result<(), Mistake> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > NODES_MAX { Err(self.here(too_many())) } else { Ok(()) }
    }

    fn here(&self, message: impl Into<String>) -> Mistake {
        self.source.mistake(self.place.0, self.place.1, message, "")
    }
}

fn too_many() -> String {
    format!("more than {NODES_MAX} values, aliases counted each time")
}

/// `<<: *base` and `<<: [*one, *two]`.
fn merge(value: Node) -> Vec<(String, Node)> {
    match value {
        Node::Object(entries) => entries,
        Node::List(items) => items.into_iter().flat_map(merge).collect(),
        _ => Vec::new(),
    }
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Cow<'_, Tag>>) -> Node {
    let core = tag.filter(|tag| tag.is_yaml_core_schema()).map(|tag| tag.suffix.as_str());
    match (core, style) {
        (Some("str"), _) => Node::Text(text.to_owned()),
        (None, ScalarStyle::Plain) if tag.is_none() => plain(text),
        (Some(_), _) => plain(text),
        _ => Node::Text(text.to_owned()),
    }
}

/// What a word without quotes means.
fn plain(text: &str) -> Node {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Node::Null,
        "true" | "True" | "TRUE" => Node::Bool(true),
        "false" | "False" | "FALSE" => Node::Bool(false),
        _ => numeral(text).unwrap_or_else(|| Node::Text(text.to_owned())),
    }
}

fn numeral(text: &str) -> Option<Node> {
    let radix = |prefix, radix| {
        let digits = text.strip_prefix(prefix)?;
        u64::from_str_radix(digits, radix).ok().map(|value| Node::Number(value.to_string()))
    };
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    if let Some(node) = radix("0x", 16).or_else(|| radix("0o", 8)) {
        return Some(node);
    }
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let integer = text.strip_prefix('+').unwrap_or(text).parse::<i128>().ok()?;
        return Some(Node::Number(integer.to_string()));
    }
    let float = digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    text.parse::<f64>().ok().filter(|value| float && value.is_finite()).map(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Node, Mistake> {
        parse(Source::new("api.yaml", text.as_bytes(), true).expect("text"))
    }

    #[track_caller]
    fn check(yaml: &str, json: &str) {
        let expected: Node = serde_json::from_str(json).expect("JSON");
        assert_eq!(read(yaml).expect("YAML"), expected);
    }

    #[test]
    fn scalars_are_those_of_the_core_schema() {
        check(
            "[1, -2, 0x1f, 0o17, 1.50, 1e3, ~, null, true, no, 1.2.3]",
            r#"[1,-2,31,15,1.5,1000.0,null,null,true,"no","1.2.3"]"#,
        );
        check("['1', \"true\", !!str 5, 2020-01-01, 007]", r#"["1","true","5","2020-01-01",7]"#);
        check("a: |\n  x\n  y\nb: >\n  x\n  y\n", r#"{"a":"x\ny\n","b":"x y\n"}"#);
        check("", "null");
    }

    #[test]
    fn keys_are_text() {
        check("200: ok\ntrue: x\n", r#"{"200":"ok","true":"x"}"#);
    }

    #[test]
    fn aliases_and_merges() {
        check(
            "a: &a {x: 1, y: 2}\nb: *a\nc: {<<: *a, y: 3}\n",
            r#"{"a":{"x":1,"y":2},"b":{"x":1,"y":2},"c":{"y":3,"x":1}}"#,
        );
    }

    #[track_caller]
    fn check_mistake(yaml: &str, line: usize, message: &str) {
        let mistake = read(yaml).expect_err("refused");
        assert_eq!((mistake.place.line, mistake.message.contains(message)), (line, true), "{mistake}");
    }

    #[test]
    fn what_is_wrong_is_placed() {
        check_mistake("a: 1\nb: [1, 2\n", 3, "");
        check_mistake("a: 1\na: 2\n", 2, "`a` is there twice");
        check_mistake("a: 1\n? [x]\n: 2\n", 2, "cannot be a key");
        check_mistake("a: &a [*a]\n", 1, "alias");
        check_mistake(&"[".repeat(200_000), 1, "");
        check_mistake(&"- ".repeat(200_000), 1, "");
    }

    #[test]
    fn a_small_text_cannot_become_a_large_tree() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let before = level - 1;
            text += &format!("a{level}: &a{level} [{}]\n", vec![format!("*a{before}"); 10].join(", "));
        }
        let mistake = read(&text).expect_err("refused");
        assert!(mistake.message.contains("more than"), "{mistake}");
    }
}
