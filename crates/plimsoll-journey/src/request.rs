//! What a step sends.
//!
//! A request that needs nothing from outside is rendered once; any other is rendered into buffers that are used again.

mod render;

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
    /// Cookies that the request brings along itself, beside those of the user's jar: `a=1; b=2`.
    pub own_cookies: Vec<u8>,
    /// Names of headers that whoever sends the request must not add by itself.
    pub unwanted: Vec<String>,
}

impl RequestTemplate {
    /// Whether every exchange sends the same bytes, but for the cookies of the user's jar.
    pub fn is_constant(&self) -> bool {
        self.templates().all(|template| template.constant().is_some())
    }

    /// All templates of the request.
    pub fn templates(&self) -> impl Iterator<Item = &Template> {
        let pairs = self.query.iter().chain(&self.headers).chain(&self.cookies);
        let auth = self.auth.iter().flat_map(|auth| [&auth.user, &auth.password]);
        std::iter::once(&self.url).chain(pairs.flat_map(|(name, value)| [name, value])).chain(auth).chain(&self.body)
    }
}
