//! HTTP/2 as values (RFC 9113): requests, and the client's side of one connection.
//!
//! [`Client`] is fed whatever the server sent, puts into a buffer what is to be sent, and tells [`Events`] what
//! became of each stream. [`frame`] and [`hpack`] know no connection and serve both sides of one, so that a scripted
//! server can be made of them too. Nothing here knows a socket, a clock or a URL, as in the rest of the crate.
//!
//! Memory is bounded by construction: body bytes pass through in both directions, an unfinished frame or header
//! block is kept up to a fixed size, and a server that makes us answer without reading the answers is an error.

mod client;
mod error;
mod events;
pub mod frame;
pub mod hpack;
mod request;

pub use client::Client;
pub use error::H2Error;
pub use events::{Events, StreamFailure};
pub use frame::StreamId;
pub use request::Request;
