//! A scripted server of HTTP/1.1 and HTTP/2 whose truth is known, and which is fast enough not to be the limit of a load generator.
//!
//! [`behaviour`] decides what an answer is and when it leaves, `script` is the plan of its bytes, `session` (and
//! `http2`) plays it on one connection; all of these are pure. `edge` is the thin rest: sockets, timers, threads. The crate knows nothing
//! of load generation, and always runs in a process of its own.

mod answer;
mod api;
mod args;
mod bad;
pub mod behaviour;
mod edge;
mod http2;
mod intake;
mod request;
mod routes;
mod script;
mod session;
mod tally;
mod target;
mod tls;
mod visit;

pub use args::{Args, OnAccept};
pub use edge::serve;
pub use tls::{Certificate, TlsArgs, Version};
