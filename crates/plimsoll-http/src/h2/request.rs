//! Requests for HTTP/2, checked as those for HTTP/1.1 are and built by the same builder.

use super::hpack::{Field, Indexing};
use crate::error::seen;
use crate::request::is_idempotent;
use crate::{RequestBuilder, RequestError};

/// What is about one connection in HTTP/1.1 and may not be said in HTTP/2 (RFC 9113 section 8.2.2).
pub(super) const CONNECTION_FIELDS: [&str; 5] =
    ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"];

/// Secrets shorter than this could be guessed by watching how they compress (RFC 7541 section 7.1.3).
const SECRET_BYTES_MIN: usize = 20;

/// A request as header fields and a body; immutable, so that many streams can send the same one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    method: Box<str>,
    /// Pseudo-fields first; names in lower case.
    fields: Box<[OwnField]>,
    body: Box<[u8]>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct OwnField {
    name: Box<str>,
    value: Box<str>,
    indexing: Indexing,
}

impl Request {
    /// The fields in the order they are sent.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = Field<'_>> {
        self.fields.iter().map(|field| Field {
            name: field.name.as_bytes(),
            value: field.value.as_bytes(),
            indexing: field.indexing,
        })
    }

    /// The body, often empty.
    pub fn body(&self) -> &[u8] {
        &self.body
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
}

impl RequestBuilder<'_> {
    /// Compiles the request for HTTP/2; `scheme` is `http` or `https`. What is about one connection in HTTP/1.1 is
    /// left out: `Connection` and its like, and `TE` unless it says `trailers`.
    ///
    /// # Errors
    /// When the parts do not make exactly one request.
    pub fn build_h2(self, scheme: &str) -> Result<Request, RequestError> {
        self.check()?;
        let target = self.target();
        if !target.starts_with('/') && target != "*" {
            return Err(RequestError::Path { seen: seen(target.as_bytes()) });
        }
        let mut fields = vec![
            OwnField::new(":method", self.method()),
            OwnField::new(":scheme", scheme),
            OwnField::new(":authority", ""),
            OwnField::new(":path", target),
        ];
        self.each_field(|name, value| match &*name.to_ascii_lowercase() {
            "host" => fields[2].value = value.into(),
            "te" if !value.eq_ignore_ascii_case("trailers") => {}
            name if CONNECTION_FIELDS.contains(&name) => {}
            name => fields.push(OwnField::new(name, value)),
        })?;
        let (method, body) = self.into_method_and_body();
        Ok(Request { method, fields: fields.into_boxed_slice(), body })
    }
}

impl OwnField {
    fn new(name: &str, value: &str) -> Self {
        let is_secret = matches!(name, "authorization" | "proxy-authorization" | "cookie");
        let is_guessable = is_secret && value.len() < SECRET_BYTES_MIN;
        let indexing = if is_guessable { Indexing::Never } else { Indexing::Added };
        Self { name: name.into(), value: value.into(), indexing }
    }
}
