//! Requests, compiled once to the bytes on the wire.
//!
//! A request that could not be read as exactly one request cannot be built: a load tester that smuggles by
//! accident measures something else than it says. Sending it a million times costs nothing here; for those who send another
//! one each time, the parts are borrowed until they are bytes.

use std::borrow::Cow;

use crate::chunk::{end_chunks, put_chunk};
use crate::error::seen;
use crate::field;

/// Room for a head of the usual size.
const HEAD_BYTES: usize = 256;

/// A request, ready to be sent; immutable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    method: Box<str>,
    bytes: Vec<u8>,
    closes: bool,
}

impl Request {
    /// Starts a request: a method, and a target such as `/path?query`, the absolute form for a proxy, or `*`.
    pub fn builder<'a>(method: impl Into<Cow<'a, str>>, target: impl Into<Cow<'a, str>>) -> RequestBuilder<'a> {
        RequestBuilder {
            method: method.into(),
            target: target.into(),
            host: None,
            headers: Vec::new(),
            omitted: Vec::new(),
            body: Cow::Borrowed(&[]),
            fresh: false,
        }
    }

    /// Head and body, as sent.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The method, in the case it was given.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Whether the answer has no body whatever it announces.
    pub fn is_head(&self) -> bool {
        &*self.method == "HEAD"
    }

    /// Whether sending it twice means what sending it once means (RFC 9110 section 9.2.2).
    pub fn is_idempotent(&self) -> bool {
        is_idempotent(&self.method)
    }

    /// Whether it asks the server to close the connection after the answer.
    pub fn closes(&self) -> bool {
        self.closes
    }
}

/// Collects what a [`Request`] is made of; see [`Request::builder`].
#[derive(Debug, Clone)]
#[must_use]
pub struct RequestBuilder<'a> {
    method: Cow<'a, str>,
    target: Cow<'a, str>,
    host: Option<Cow<'a, str>>,
    headers: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    omitted: Vec<Cow<'a, str>>,
    body: Cow<'a, [u8]>,
    fresh: bool,
}

/// Why a request cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The method is no token.
    #[error("expected a method like `GET`, saw `{seen}`")]
    Method {
        /// The method, escaped.
        seen: Box<str>,
    },
    /// The target is empty or holds blanks or control characters.
    #[error("expected a target like `/path?query` without blanks or control characters, saw `{seen}`")]
    Target {
        /// The target, escaped.
        seen: Box<str>,
    },
    /// Neither [`RequestBuilder::host`] nor a `Host` header.
    #[error("expected a host, saw none")]
    NoHost,
    /// A field that may come once came twice.
    #[error("expected one `{name}` header, saw several")]
    Repeated {
        /// The field.
        name: &'static str,
    },
    /// A header name that is no token.
    #[error("expected a header name without blanks or separators, saw `{seen}`")]
    HeaderName {
        /// The name, escaped.
        seen: Box<str>,
    },
    /// A header value with control characters.
    #[error("expected the value of `{name}` without control characters, saw `{seen}`")]
    HeaderValue {
        /// The field.
        name: String,
        /// The value, escaped.
        seen: Box<str>,
    },
    /// A `Content-Length` of something else than the body.
    #[error("expected `content-length` to be {body_bytes}, the size of the body, saw `{seen}`")]
    ContentLength {
        /// The size of the body.
        body_bytes: usize,
        /// The value, escaped.
        seen: Box<str>,
    },
    /// A target that HTTP/2 has no way to say: the absolute form for a proxy, or that of `CONNECT`.
    #[error("expected a target that starts with `/`, or `*`, for HTTP/2, saw `{seen}`")]
    Path {
        /// The target, escaped.
        seen: Box<str>,
    },
    /// A transfer coding other than `chunked`, or one beside a `Content-Length`.
    #[error("expected `transfer-encoding` to be `chunked`, without a `content-length`, saw `{seen}`")]
    TransferEncoding {
        /// The value, escaped.
        seen: Box<str>,
    },
}

impl<'a> RequestBuilder<'a> {
    /// The value of the `Host` field: `name`, `name:port`, `[::1]:port`. A `Host` header overrides it.
    pub fn host(mut self, host: impl Into<Cow<'a, str>>) -> Self {
        self.host = Some(host.into());
        self
    }

    /// Adds a header field. One named like a field that would be there anyway (`Host`, `User-Agent`, `Accept`,
    /// `Connection`, `Content-Length`) takes its place. `Transfer-Encoding: chunked` sends the body as one chunk.
    pub fn header(mut self, name: impl Into<Cow<'a, str>>, value: impl Into<Cow<'a, str>>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Leaves out a field that would be there by itself: `User-Agent`, `Accept` or `Connection`.
    pub fn omit(mut self, name: impl Into<Cow<'a, str>>) -> Self {
        self.omitted.push(name.into());
        self
    }

    /// The body; a `Content-Length` is added.
    pub fn body(mut self, body: impl Into<Cow<'a, [u8]>>) -> Self {
        self.body = body.into();
        self
    }

    /// Whether the connection is used for this request only: adds `Connection: close`.
    pub fn fresh(mut self, fresh: bool) -> Self {
        self.fresh = fresh;
        self
    }

    /// Compiles the request for HTTP/1.1; see [`build_h2`](Self::build_h2) for the other.
    ///
    /// # Errors
    /// When the parts do not make exactly one request.
    pub fn build(self) -> Result<Request, RequestError> {
        self.check()?;
        Ok(Request { bytes: self.encode()?, closes: self.closes(), method: self.method.into() })
    }

    pub(crate) fn check(&self) -> Result<(), RequestError> {
        self.check_line()?;
        self.check_fields()?;
        self.check_framing()
    }

    /// Passes every header field to `put` in the order they are sent, `Host` first.
    pub(crate) fn each_field(&self, mut put: impl FnMut(&str, &str)) -> Result<(), RequestError> {
        let host = self.given("Host").next().or(self.host.as_deref());
        put("Host", host.ok_or(RequestError::NoHost)?.trim());
        for (name, value) in [("User-Agent", concat!("plimsoll/", env!("CARGO_PKG_VERSION"))), ("Accept", "*/*")] {
            if self.takes_default(name) {
                put(name, value);
            }
        }
        for (name, value) in self.headers.iter().filter(|(name, _)| !name.eq_ignore_ascii_case("Host")) {
            put(name, value.trim());
        }
        if self.announces_length() && self.takes_default("Content-Length") {
            put("Content-Length", &self.body.len().to_string());
        }
        if self.fresh && self.takes_default("Connection") {
            put("Connection", "close");
        }
        Ok(())
    }

    /// Parts that the header fields do not tell.
    pub(crate) fn into_method_and_body(self) -> (Box<str>, Box<[u8]>) {
        (self.method.into(), self.body.into())
    }

    pub(crate) fn target(&self) -> &str {
        &self.target
    }

    pub(crate) fn method(&self) -> &str {
        &self.method
    }

    fn check_line(&self) -> Result<(), RequestError> {
        if !field::is_token(self.method.as_bytes()) {
            let seen = seen(self.method.as_bytes());
            return Err(RequestError::Method { seen });
        }
        let is_bad = |c: char| c.is_whitespace() || c.is_control();
        if self.target.is_empty() || self.target.contains(is_bad) {
            let seen = seen(self.target.as_bytes());
            return Err(RequestError::Target { seen });
        }
        Ok(())
    }

    fn check_fields(&self) -> Result<(), RequestError> {
        let host = self.host.as_deref().map(|host| ("Host", host));
        let given = self.headers.iter().map(|(n, v)| (&**n, &**v));
        for (name, value) in host.into_iter().chain(given) {
            if !field::is_token(name.as_bytes()) {
                let seen = seen(name.as_bytes());
                return Err(RequestError::HeaderName { seen });
            }
            if !field::is_value(value.as_bytes()) {
                let (name, seen) = (name.to_owned(), seen(value.as_bytes()));
                return Err(RequestError::HeaderValue { name, seen });
            }
        }
        for name in ["Host", "Content-Length", "Transfer-Encoding"] {
            if self.given(name).count() > 1 {
                return Err(RequestError::Repeated { name });
            }
        }
        Ok(())
    }

    fn check_framing(&self) -> Result<(), RequestError> {
        let body_bytes = self.body.len();
        let length = self.given("Content-Length").next();
        if let Some(given) = length.filter(|given| given.trim() != body_bytes.to_string()) {
            let seen = seen(given.as_bytes());
            return Err(RequestError::ContentLength { body_bytes, seen });
        }
        let coding = self.given("Transfer-Encoding").next();
        let is_bad = |coding: &&str| length.is_some() || !coding.trim().eq_ignore_ascii_case("chunked");
        if let Some(given) = coding.filter(is_bad) {
            let seen = seen(given.as_bytes());
            return Err(RequestError::TransferEncoding { seen });
        }
        Ok(())
    }

    fn encode(&self) -> Result<Vec<u8>, RequestError> {
        let mut out = Vec::with_capacity(HEAD_BYTES + self.target.len() + self.body.len());
        put(&mut out, &[&self.method, " ", &self.target, " HTTP/1.1\r\n"]);
        self.each_field(|name, value| put(&mut out, &[name, ": ", value, "\r\n"]))?;
        put(&mut out, &["\r\n"]);
        self.put_body(&mut out);
        Ok(out)
    }

    /// RFC 9110 section 8.6: methods that usually enclose a body announce an empty one too.
    fn announces_length(&self) -> bool {
        let encloses = matches!(&*self.method, "POST" | "PUT" | "PATCH");
        !self.is_chunked() && (encloses || !self.body.is_empty())
    }

    fn takes_default(&self, name: &str) -> bool {
        // The length is framing: leaving it out would turn the body into the next request.
        let omitted = name != "Content-Length" && self.is_omitted(name);
        !omitted && self.given(name).next().is_none()
    }

    fn is_omitted(&self, name: &str) -> bool {
        self.omitted.iter().any(|omitted| omitted.eq_ignore_ascii_case(name))
    }

    fn put_body(&self, out: &mut Vec<u8>) {
        if self.is_chunked() {
            put_chunk(out, &self.body);
            end_chunks(out);
        } else {
            out.extend_from_slice(&self.body);
        }
    }

    fn is_chunked(&self) -> bool {
        self.given("Transfer-Encoding").next().is_some()
    }

    fn closes(&self) -> bool {
        let given: Vec<&str> = self.given("Connection").collect();
        let is_close = |value: &&str| field::elements(value.as_bytes()).any(|o| o.eq_ignore_ascii_case(b"close"));
        given.iter().any(is_close) || (self.fresh && given.is_empty() && !self.is_omitted("Connection"))
    }

    fn given<'s>(&'s self, name: &str) -> impl Iterator<Item = &'s str> {
        let fields = self.headers.iter();
        fields.filter(move |(given, _)| given.eq_ignore_ascii_case(name)).map(|(_, value)| &**value)
    }
}

fn put(out: &mut Vec<u8>, parts: &[&str]) {
    for part in parts {
        out.extend_from_slice(part.as_bytes());
    }
}

pub(crate) fn is_idempotent(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "PUT" | "DELETE" | "OPTIONS" | "TRACE")
}
