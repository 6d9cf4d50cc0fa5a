//! A journey and its steps.

use crate::filter::Filter;
use crate::names::Slot;
use crate::options::Options;
use crate::predicate::Predicate;
use crate::query::Query;
use crate::request::RequestTemplate;

/// What a user does, from the first step to the last.
#[derive(Debug, Clone)]
pub struct Journey {
    /// What people call it.
    pub name: String,
    /// In the order of the file.
    pub steps: Vec<Step>,
}

/// One request, and what its answer must be.
#[derive(Debug, Clone)]
pub struct Step {
    /// The comment above the request, or `METHOD /path/{{variable}}`.
    pub label: String,
    /// Where the request stands.
    pub place: Place,
    /// What is sent.
    pub request: RequestTemplate,
    /// How, and how often.
    pub options: Options,
    /// What must come back, and what is kept of it.
    pub expected: Expected,
    /// What of an answer somebody looks at: the rest need not be kept.
    pub needs: Needs,
}

/// Where something was written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The file, as it was named.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

/// What an answer must be. Asserts see what captures of the same answer set.
#[derive(Debug, Clone, Default)]
pub struct Expected {
    /// `HTTP 200` and `HTTP/1.1 …`, headers and body below it are asserts too, in this order before the section's.
    pub asserts: Vec<Assert>,
    /// In the order of the file; all of them before the asserts.
    pub captures: Vec<Capture>,
}

/// A value taken out of an answer, under a name.
#[derive(Debug, Clone)]
pub struct Capture {
    /// Where it goes.
    pub slot: Slot,
    /// From where it is taken.
    pub query: Query,
    /// What is done to it on the way.
    pub filters: Vec<Filter>,
    /// Never shown.
    pub secret: bool,
    /// Where it is written.
    pub place: Place,
    /// Its line in the file, for people.
    pub source: String,
}

/// What must hold of an answer.
#[derive(Debug, Clone)]
pub struct Assert {
    /// What is looked at.
    pub query: Query,
    /// What is done to it on the way.
    pub filters: Vec<Filter>,
    /// What it must be.
    pub predicate: Predicate,
    /// Where it is written.
    pub place: Place,
    /// Its line in the file, for people.
    pub source: String,
}

/// What of an answer somebody looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needs {
    /// Any header other than for cookies and redirects.
    pub headers: bool,
    /// The body, decoded.
    pub body: bool,
    /// The body as it came over the wire.
    pub raw_body: bool,
    /// The server's certificate.
    pub certificate: bool,
    /// The server's address.
    pub ip: bool,
}
