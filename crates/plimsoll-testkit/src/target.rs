//! Taking a request's target apart: its path, and the keys of its query in a canonical text.

use std::borrow::Cow;

/// The path and the query of a target; of the absolute form (RFC 9112, 3.2.2) too.
pub(crate) fn split(target: &str) -> (&str, &str) {
    let local = match target.split_once("://") {
        Some((scheme, rest)) if scheme.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
            rest.find(['/', '?']).map_or("/", |start| &rest[start..])
        }
        _ => target,
    };
    local.split_once('?').unwrap_or((local, ""))
}

/// The decoded pairs of a query, in the order of their keys (repeated keys stay in theirs); a key without `=` has an
/// empty value and no `=` in the canonical text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pairs(Vec<(String, Option<String>)>);

impl Pairs {
    /// Reads a query; `None` where its escapes are broken.
    pub(crate) fn read(query: &str) -> Option<Self> {
        let mut pairs = query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (key, value) = match pair.split_once('=') {
                    Some((key, value)) => (key, Some(decode(value)?.into_owned())),
                    None => (pair, None),
                };
                Some((decode(key)?.into_owned(), value))
            })
            .collect::<Option<Vec<_>>>()?;
        pairs.sort_by(|a, b| a.0.cmp(&b.0));
        Some(Self(pairs))
    }

    /// Keeps the pairs whose key passes.
    pub(crate) fn retain(&mut self, passes: impl Fn(&str) -> bool) {
        self.0.retain(|(key, _)| passes(key));
    }

    /// Sets a key, whatever it was.
    pub(crate) fn set(&mut self, key: &str, value: &str) {
        self.0.retain(|(name, _)| name != key);
        self.0.push((key.to_owned(), Some(value.to_owned())));
        self.0.sort_by(|a, b| a.0.cmp(&b.0));
    }

    /// As options of a command line: `--key=value`.
    pub(crate) fn options(&self) -> Vec<String> {
        self.0
            .iter()
            .map(|(key, value)| match value {
                Some(value) => format!("--{}={value}", option_name(key)),
                None => format!("--{}", option_name(key)),
            })
            .collect()
    }
}

/// The command line writes `at-most` what a query may also write `at_most`.
pub(crate) fn option_name(key: &str) -> String {
    key.replace('_', "-")
}

/// A value without its escapes; none where they are broken.
pub(crate) fn decoded(text: &str) -> Option<String> {
    decode(text).map(Cow::into_owned)
}

fn decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains(['%', '+']) {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                (digit(rest.next())? * 16 + digit(rest.next())?) as u8
            }
            b'+' => b' ',
            other => other,
        });
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_split() {
        for (target, path, query) in [
            ("/", "/", ""),
            ("/a?b=c?d", "/a", "b=c?d"),
            ("http://h:1/a?b", "/a", "b"),
            ("http://h", "/", ""),
            ("http://h?x=y", "", "x=y"),
            ("/a?next=http://h/b", "/a", "next=http://h/b"),
            ("*", "*", ""),
        ] {
            assert_eq!(split(target), (path, query), "{target}");
        }
    }

    #[test]
    fn the_order_of_keys_does_not_matter() {
        let options = |query| Pairs::read(query).map(|pairs| pairs.options());
        assert_eq!(options("servers=4&echo&service=exp:2ms"), options("service=exp%3A2ms&&echo&servers=4"));
        assert_eq!(
            options("header=X:b&at_most=3&header=A:c+d"),
            Some(vec!["--at-most=3".into(), "--header=X:b".into(), "--header=A:c d".into()])
        );
        for query in ["a=%", "a=%4", "a=%zz", "%ff=1"] {
            assert_eq!(options(query), None, "{query}");
        }
    }
}
