//! What a step sends.

use crate::template::Template;

/// A request with gaps.
#[derive(Debug, Clone, Default)]
pub struct RequestTemplate {
    /// The method.
    pub method: String,
    /// The whole URL, without what `query` adds.
    pub url: Template,
    /// Added to the URL, names and values escaped when they are rendered.
    pub query: Vec<(Template, Template)>,
    /// In the order given.
    pub headers: Vec<(Template, Template)>,
    /// Sent beside those of the user's jar.
    pub cookies: Vec<(Template, Template)>,
    /// Basic authentication.
    pub auth: Option<BasicAuth>,
    /// The body, whatever it was written as: gaps say how they are escaped.
    pub body: Option<Template>,
    /// The body's own type, sent unless a header says another.
    pub content_type: Option<String>,
}

/// Basic authentication.
#[derive(Debug, Clone)]
pub struct BasicAuth {
    /// Who.
    pub user: Template,
    /// Never shown.
    pub password: Template,
}

/// A request without gaps; reused from step to step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rendered {
    /// The whole URL.
    pub url: String,
    /// `Cookie`, `Authorization` and `Content-Type` included.
    pub headers: Vec<(String, Vec<u8>)>,
    /// Empty for none.
    pub body: Vec<u8>,
}
