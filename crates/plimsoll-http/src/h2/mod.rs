//! HTTP/2 as values (RFC 9113): frames, header compression, and the client's side of one connection.
//!
//! [`frame`] and [`hpack`] know no connection and serve both sides of one, so that a scripted server can be made
//! of them too. Nothing here knows a socket, a clock or a URL, as in the rest of the crate.

pub mod frame;
pub mod hpack;
