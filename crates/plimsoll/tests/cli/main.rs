//! The real binary, end to end: its command line against bad input, and its loads against the real testkit.

mod bad_input;
mod bad_servers;
mod endings;
mod files;
mod hostile_text;
mod live;
mod memory;
mod outages;
mod overload;
mod shapes;
mod support;
mod terminal;
mod truth;
mod wire;
