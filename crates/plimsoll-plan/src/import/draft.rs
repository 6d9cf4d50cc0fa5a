//! What every format becomes first: journeys of exchanges, before anything is written as text.

use std::time::Duration;

use super::notes::Notes;
use super::variables::Variables;
use super::words::Words;

/// All that an import knows.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// What the plan is called.
    pub(super) name: String,
    /// `http://host:port`; none if the source does not say where it goes.
    pub(super) target: Option<String>,
    pub(super) variables: Variables,
    pub(super) routes: Vec<Route>,
    pub(super) notes: Notes,
}

/// A journey to be.
#[derive(Debug, Default)]
pub(super) struct Route {
    /// Becomes the file's name, made harmless and unique.
    pub(super) name: String,
    /// At least 1.
    pub(super) weight: u64,
    pub(super) exchanges: Vec<Exchange>,
}

/// A request, and what its answer must be.
#[derive(Debug, Clone, Default)]
pub(super) struct Exchange {
    /// The comment above it.
    pub(super) label: String,
    /// Capital letters only.
    pub(super) method: String,
    pub(super) url: Words,
    /// Decoded; empty where the query stands in the URL.
    pub(super) query: Vec<(String, Words)>,
    pub(super) headers: Vec<(String, Words)>,
    pub(super) cookies: Vec<(String, Words)>,
    /// User (never empty) and password.
    pub(super) basic: Option<(Words, Words)>,
    pub(super) body: Body,
    /// Lines of `[Options]`.
    pub(super) options: Vec<(&'static str, String)>,
    /// The pause before it.
    pub(super) delay: Option<Duration>,
    pub(super) status: Status,
}

/// What a request carries.
#[derive(Debug, Clone, Default)]
pub(super) enum Body {
    #[default]
    None,
    /// Valid JSON; variables stand inside its strings only.
    Json(Words),
    Text(Words),
    Bytes(Vec<u8>),
    /// A file beside the Hurl file.
    File(String),
    /// Decoded.
    Form(Vec<(String, Words)>),
    Multipart(Vec<Part>),
}

/// A part of a multipart body.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// Never empty.
    pub(super) name: String,
    pub(super) content: Content,
}

/// What a part holds.
#[derive(Debug, Clone)]
pub(super) enum Content {
    Text(Words),
    File { path: String, content_type: Option<String> },
}

/// What an answer's status must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Status {
    /// Anything below 400.
    #[default]
    Success,
    Exactly(u16),
}

impl Exchange {
    /// Whether a header is there, whatever the case of its name.
    pub(super) fn has_header(&self, name: &str) -> bool {
        self.headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// A header without variables in it.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).and_then(|(_, value)| value.plain())
    }

    pub(super) fn remove_header(&mut self, name: &str) {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    }

    /// All text in which a secret could stand.
    pub(super) fn words_mut(&mut self) -> Vec<&mut Words> {
        let mut all = vec![&mut self.url];
        let lists = [&mut self.query, &mut self.headers, &mut self.cookies];
        all.extend(lists.into_iter().flatten().map(|(_, value)| value));
        all.extend(self.basic.iter_mut().flat_map(|(user, password)| [user, password]));
        match &mut self.body {
            Body::Json(words) | Body::Text(words) => all.push(words),
            Body::Form(pairs) => all.extend(pairs.iter_mut().map(|(_, value)| value)),
            Body::Multipart(parts) => all.extend(parts.iter_mut().filter_map(|part| match &mut part.content {
                Content::Text(words) => Some(words),
                Content::File { .. } => None,
            })),
            Body::None | Body::Bytes(_) | Body::File(_) => (),
        }
        all
    }

    /// Paths and types of the files that are sent.
    pub(super) fn files_mut(&mut self) -> Vec<(&mut String, Option<&mut String>)> {
        match &mut self.body {
            Body::File(path) => vec![(path, None)],
            Body::Multipart(parts) => parts
                .iter_mut()
                .filter_map(|part| match &mut part.content {
                    Content::File { path, content_type } => Some((path, content_type.as_mut())),
                    Content::Text(_) => None,
                })
                .collect(),
            _ => Vec::new(),
        }
    }
}
