//! What came back, as queries see it.

/// What came back.
#[derive(Debug, Clone, Default)]
pub struct Answer<'a> {
    /// `1.0`, `1.1` or `2`.
    pub version: &'static str,
    /// The status.
    pub status: u16,
    /// In the order they came.
    pub headers: &'a [(String, Vec<u8>)],
    /// Decoded.
    pub body: &'a [u8],
    /// As it came over the wire.
    pub raw_body: &'a [u8],
    /// Where the last request went.
    pub url: &'a str,
    /// How long the exchange took.
    pub duration_ms: u64,
    /// The server's address.
    pub ip: &'a str,
    /// The redirects that were followed.
    pub redirects: &'a [Hop],
    /// The server's, over TLS.
    pub certificate: Option<&'a Certificate>,
}

/// A redirect that was followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    /// Where it came from.
    pub url: String,
    /// Its status.
    pub status: u16,
    /// Where it pointed: the whole URL of the request that followed.
    pub location: String,
}

/// A server's certificate, in words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "they are the fields of RFC 5280")]
pub struct Certificate {
    pub subject: String,
    pub issuer: String,
    pub start_ms: i64,
    pub expire_ms: i64,
    pub serial_number: String,
    pub subject_alt_name: String,
    pub value_pem: String,
}
