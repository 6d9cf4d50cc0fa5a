//! A complete head, borrowed from the bytes it was read from.
//!
//! It hides which parser made it, and looks at nothing until asked.

use std::borrow::Cow;

/// The status line and header fields of an answer.
#[derive(Debug, Clone, Copy)]
pub struct Head<'a> {
    status: u16,
    minor_version: u8,
    raw: &'a [u8],
    fields: Fields<'a>,
}

/// Where the fields are: found by `httparse`, or spans of a head that was decompressed.
#[derive(Debug, Clone, Copy)]
enum Fields<'a> {
    Parsed(&'a [httparse::Header<'a>]),
    Spans(&'a [Span]),
}

/// A line `name: value` in a head that we wrote ourselves; the name is a lower-case token.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) at: u32,
    pub(crate) name: u32,
    pub(crate) value: u32,
}

impl<'a> Head<'a> {
    pub(crate) fn new(status: u16, minor_version: u8, raw: &'a [u8], fields: &'a [httparse::Header<'a>]) -> Self {
        Self { status, minor_version, raw, fields: Fields::Parsed(fields) }
    }

    /// A head of HTTP/2, written out in `raw` as HTTP/1.1 would be.
    pub(crate) fn from_spans(status: u16, raw: &'a [u8], spans: &'a [Span]) -> Self {
        Self { status, minor_version: 0, raw, fields: Fields::Spans(spans) }
    }

    /// The status code, in 100..=999.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The `x` of `HTTP/x`: 1 or 2.
    pub fn major_version(&self) -> u8 {
        match self.fields {
            Fields::Parsed(_) => 1,
            Fields::Spans(_) => 2,
        }
    }

    /// The `x` of `HTTP/1.x`: 0 or 1; 0 for HTTP/2, which has no such number.
    pub fn minor_version(&self) -> u8 {
        self.minor_version
    }

    /// The whole head as it came, the blank line included; for HTTP/2 as it would look in HTTP/1.1.
    pub fn raw(&self) -> &'a [u8] {
        self.raw
    }

    /// The reason phrase, often empty, and in any encoding.
    pub fn reason(&self) -> &'a [u8] {
        // `HTTP/1.1 200` is 12 bytes, then a space that some servers leave out.
        let line = self.raw.split(|b| matches!(b, b'\r' | b'\n')).next();
        line.and_then(|line| line.get(13..)).unwrap_or_default()
    }

    /// The header fields in the order they came, repeated ones repeated.
    pub fn headers(&self) -> impl ExactSizeIterator<Item = Header<'a>> + use<'a> {
        let (raw, fields) = (self.raw, self.fields);
        (0..fields.len()).map(move |nth| fields.get(nth, raw))
    }

    /// The first field of that name, in any case.
    pub fn get(&self, name: &str) -> Option<Header<'a>> {
        self.headers().find(|h| h.name.eq_ignore_ascii_case(name))
    }

    /// Every field of that name, in any case.
    pub fn get_all<'n>(&self, name: &'n str) -> impl Iterator<Item = Header<'a>> + use<'a, 'n> {
        self.headers().filter(move |h| h.name.eq_ignore_ascii_case(name))
    }
}

impl<'a> Fields<'a> {
    fn len(self) -> usize {
        match self {
            Self::Parsed(fields) => fields.len(),
            Self::Spans(spans) => spans.len(),
        }
    }

    fn get(self, nth: usize, raw: &'a [u8]) -> Header<'a> {
        match self {
            Self::Parsed(fields) => Header { name: fields[nth].name, value: fields[nth].value },
            Self::Spans(spans) => spans[nth].of(raw),
        }
    }
}

impl Span {
    pub(crate) fn of(self, raw: &[u8]) -> Header<'_> {
        let (name_end, at) = ((self.at + self.name) as usize, self.at as usize);
        // A token is ASCII.
        let name = str::from_utf8(&raw[at..name_end]).unwrap_or_default();
        let value = name_end + ": ".len();
        Header { name, value: &raw[value..value + self.value as usize] }
    }
}

/// One header field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header<'a> {
    /// The name, a token, in the case the server chose.
    pub name: &'a str,
    /// The value without the whitespace around it. A folded value keeps its line break: see [`Header::text`].
    pub value: &'a [u8],
}

impl<'a> Header<'a> {
    /// The value as text: unfolded (RFC 9112 section 5.2), invalid UTF-8 replaced. Not escaped for a terminal.
    pub fn text(&self) -> Cow<'a, str> {
        let text = String::from_utf8_lossy(self.value);
        if !text.contains(['\r', '\n']) {
            return text;
        }
        let lines = text.split(['\r', '\n']).map(str::trim);
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        Cow::Owned(lines.join(" "))
    }
}
