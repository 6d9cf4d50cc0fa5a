//! TLS: what a client trusts and shows, the stream that carries it, and what went wrong in words.
//!
//! The protocol is rustls's; sockets and buffers are ours. Its unbuffered connections keep no buffers between
//! calls, so that a connection that is idle costs little more than one without TLS.

mod certificate;
mod config;
mod reason;
mod stream;
mod verifier;

pub(crate) use config::{Setup, TlsError, setup};
pub(crate) use reason::{NO_PROTOCOL, of_error, of_io};
pub(crate) use stream::TlsStream;
