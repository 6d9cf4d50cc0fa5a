//! HTTP/1.1 and HTTP/2 as values, for a client that measures.
//!
//! [`Request`] is compiled once to the bytes on the wire; [`ResponseParser`] is fed whatever the peer sent and
//! says when an answer has ended, and what was wrong with it when something was. [`ChunkDecoder`] and
//! [`Inflate`] work alone too. [`h2`] has the same for HTTP/2: [`h2::Request`], [`h2::Client`], and the frames and
//! header compression that a server can be made of as well. Nothing here knows a socket, a clock, a URL or a
//! connection pool: bytes come in, values go out, so every hostile server is a table row in a test.
//!
//! Memory is bounded by construction: body bytes pass through and are never kept, a head that is not complete
//! is kept up to [`HEAD_BYTES_MAX`].

mod auth;
mod chunk;
mod error;
mod escape;
mod field;
mod framing;
mod gzip;
pub mod h2;
mod head;
mod inflate;
mod parser;
mod request;
mod scan;
mod sink;

pub use auth::basic_auth;
pub use chunk::{ChunkDecoder, ChunkError, end_chunks, put_chunk};
pub use error::{Part, ProtocolError};
pub use escape::printable;
pub use head::{Head, Header};
pub use inflate::{Coding, Inflate, InflateError};
pub use parser::{Closed, ResponseParser};
pub use request::{Request, RequestBuilder, RequestError};
pub use sink::{Fed, Sink};

/// The longest head (status line, header fields, blank line), and the longest trailer section, that is read.
pub const HEAD_BYTES_MAX: usize = 64 * 1024;
/// The most header fields, and the most trailer fields, an answer may have.
pub const HEADERS_MAX: usize = 128;
/// The most interim (1xx) answers before the one that counts.
pub const INTERIM_MAX: u8 = 16;
/// The longest chunk-size line, extensions included.
pub const CHUNK_LINE_MAX: u32 = 4096;
