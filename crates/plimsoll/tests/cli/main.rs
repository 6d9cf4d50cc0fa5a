//! The real binary, end to end: its command line against bad input, and its loads against the real
//! testkit, nginx and Go.

mod bad_input;
mod bad_servers;
mod calibrate;
mod endings;
mod files;
mod hostile_text;
mod http2;
mod imports;
mod journeys;
mod live;
mod memory;
mod once;
mod outages;
mod overload;
mod peers;
mod shapes;
mod support;
mod terminal;
mod tls;
mod truth;
mod wire;
