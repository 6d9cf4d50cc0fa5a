//! JSONPaths (RFC 9535), and what they find.
//!
//! Most paths in journeys name one place (`$.items[0].id`). Those are walked here, without an allocation; the rest is left
//! to `serde_json_path`.

use serde_json::Value as Json;

/// A compiled JSONPath.
#[derive(Debug)]
pub(crate) enum JsonPath {
    /// Names at most one place.
    Singular(Vec<Segment>),
    /// Anything else.
    Full(serde_json_path::JsonPath),
}

/// A step from a value to one that it holds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    Name(Box<str>),
    /// From the end if below zero.
    Index(i64),
}

impl JsonPath {
    /// None for what is no JSONPath.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match singular(text) {
            Some(segments) => Some(Self::Singular(segments)),
            None => serde_json_path::JsonPath::parse(text).ok().map(Self::Full),
        }
    }

    /// What it finds, in order.
    pub(crate) fn find<'a>(&self, json: &'a Json) -> Found<'a> {
        match self {
            Self::Singular(segments) => match segments.iter().try_fold(json, |json, segment| segment.of(json)) {
                Some(found) => Found::One(found),
                None => Found::None,
            },
            Self::Full(path) => match path.query(json).all().as_slice() {
                [] => Found::None,
                [found] => Found::One(found),
                several => Found::Several(several.to_vec()),
            },
        }
    }
}

/// What a path finds.
#[derive(Debug, PartialEq)]
pub(crate) enum Found<'a> {
    None,
    One(&'a Json),
    Several(Vec<&'a Json>),
}

impl Segment {
    fn of<'a>(&self, json: &'a Json) -> Option<&'a Json> {
        match (self, json) {
            (Self::Name(name), Json::Object(members)) => members.get(&**name),
            (Self::Index(index), Json::Array(items)) => {
                let from_end = || items.len().checked_sub(usize::try_from(index.unsigned_abs()).ok()?);
                items.get(if *index < 0 { from_end()? } else { usize::try_from(*index).ok()? })
            }
            _ => None,
        }
    }
}

/// Reads `$`, `.name`, `['name']` without escapes, and `[1]`; none for all else, right or wrong.
fn singular(text: &str) -> Option<Vec<Segment>> {
    let mut rest = text.strip_prefix('$')?;
    let mut segments = Vec::new();
    while !rest.is_empty() {
        let segment;
        (segment, rest) = if let Some(rest) = rest.strip_prefix('.') { shorthand(rest)? } else { bracket(rest)? };
        segments.push(segment);
    }
    Some(segments)
}

fn shorthand(rest: &str) -> Option<(Segment, &str)> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii();
    let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    let is_fine = name.starts_with(|c: char| !c.is_ascii_digit());
    is_fine.then(|| (Segment::Name(name.into()), rest))
}

fn bracket(rest: &str) -> Option<(Segment, &str)> {
    let rest = rest.strip_prefix('[')?;
    if let Some(quote @ ('\'' | '"')) = rest.chars().next() {
        let (name, rest) = rest[1..].split_once(quote)?;
        let is_plain = !name.contains(|c: char| c == '\\' || c < ' ');
        return is_plain.then_some((Segment::Name(name.into()), rest.strip_prefix(']')?));
    }
    let (digits, rest) = rest.split_once(']')?;
    let index: i64 = digits.parse().ok()?;
    // `-0`, `01` and `+1` are numbers to us and no indices to the standard.
    (index.to_string() == digits && index.unsigned_abs() < 1 << 53).then_some((Segment::Index(index), rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DOCUMENT: &str = r#"{"a": {"b": [1, 2, {"c": null}]}, "ü_1": true, "x y": "z", "a.b": 3}"#;

    fn document() -> Json {
        serde_json::from_str(DOCUMENT).unwrap_or_default()
    }

    /// What a path finds, one line a value; none for what is no path.
    fn found(path: &str) -> Option<String> {
        let json = document();
        Some(match JsonPath::parse(path)?.find(&json) {
            Found::None => String::new(),
            Found::One(one) => one.to_string(),
            Found::Several(all) => all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        })
    }

    #[track_caller]
    fn check(path: &str, expected: Option<&str>) {
        assert_eq!(found(path).as_deref(), expected, "{path}");
    }

    #[test]
    fn paths() {
        check("$.a.b[0]", Some("1"));
        check("$.a.b[-1].c", Some("null"));
        check("$.a.b[3]", Some(""));
        check("$.a.b[-4]", Some(""));
        check("$['x y']", Some("\"z\""));
        check("$[\"a.b\"]", Some("3"));
        check("$.ü_1", Some("true"));
        check("$.a.b.c", Some(""));
        check("$.a.b[*]", Some("1 2 {\"c\":null}"));
        check("$.a.b[?@ > 1]", Some("2"));
        check("$.a.b.length()", None);
        check("$..c", Some("null"));
        check("$['a', 'x y'].b[0]", Some("1"));
        for no_path in ["", "a", "$a", "$.", "$.1", "$[01]", "$[-0]", "$[a]", "$.a ", " $", "$['a]", "$.a-b"] {
            check(no_path, None);
        }
    }

    proptest! {
        /// What is walked here finds what the full implementation finds.
        #[test]
        fn singular_paths_agree_with_the_full_implementation(
            path in "\\$(\\.a|\\.b|\\.c|\\['a\\.b'\\]|\\[\"x y\"\\]|\\.ü_1|\\[-?[0-3]\\]|\\[ 1\\]| \\.a){0,4}"
        ) {
            let json = document();
            let full = serde_json_path::JsonPath::parse(&path).ok().map(JsonPath::Full);
            let ours = JsonPath::parse(&path);
            prop_assert_eq!(ours.as_ref().map(|path| path.find(&json)), full.as_ref().map(|path| path.find(&json)));
        }
    }
}
