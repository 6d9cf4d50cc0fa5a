//! Where a value is taken from.

use std::fmt;
use std::sync::Arc;

use crate::template::Template;
use crate::value::Value;

/// Where a value is taken from.
#[derive(Debug, Clone)]
pub enum Query {
    /// The status, a number.
    Status,
    /// The protocol: `1.0`, `1.1`, `2`.
    Version,
    /// Where the last redirect led.
    Url,
    /// A header; a list if it came more than once.
    Header(Template),
    /// A cookie that the answer sets, or a field of it.
    Cookie {
        /// Its name.
        name: Template,
        /// What of it is wanted.
        field: CookieField,
    },
    /// The body as text, in the charset that the answer names.
    Body,
    /// The body's bytes, decoded.
    Bytes,
    /// The body's bytes as they came.
    RawBytes,
    /// What an XPath finds in the body.
    XPath {
        /// The expression.
        expression: Template,
        /// Who evaluates it.
        engine: Arc<dyn XPath>,
    },
    /// What a JSONPath (RFC 9535) finds in the body.
    JsonPath(Template),
    /// The first group of a regular expression in the body.
    Regex(Template),
    /// A variable.
    Variable(Template),
    /// How long the exchange took, in milliseconds.
    Duration,
    /// The SHA-256 of the body's bytes.
    Sha256,
    /// The MD5 of the body's bytes.
    Md5,
    /// A field of the server's certificate.
    Certificate(CertificateField),
    /// The server's address.
    Ip,
    /// The redirects that were followed.
    Redirects,
}

/// What of a cookie is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are the attributes of RFC 6265")]
pub enum CookieField {
    Value,
    Expires,
    MaxAge,
    Domain,
    Path,
    Secure,
    HttpOnly,
    SameSite,
}

/// What of a certificate is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are the fields of RFC 5280")]
pub enum CertificateField {
    Subject,
    Issuer,
    StartDate,
    ExpireDate,
    SerialNumber,
    SubjectAltName,
    Value,
}

/// Evaluates XPaths: handed in, so that whoever runs journeys needs no library for XML.
pub trait XPath: fmt::Debug + Send + Sync {
    /// What `expression` finds in a document; none if it finds nothing.
    ///
    /// # Errors
    /// In words, where the document or the expression is at fault.
    fn evaluate(&self, document: &str, html: bool, expression: &str) -> Result<Option<Value>, String>;
}
