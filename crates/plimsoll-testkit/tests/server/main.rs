//! The built server over real sockets: order, bytes and counts, never timings.

mod answers;
mod bad;
mod connections;
mod framed;
mod http2;
mod lifecycle;
mod refusals;
mod support;
mod tls;
