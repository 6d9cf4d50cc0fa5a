//! The part that sends: schedules, users, connections and recorders.
//!
//! One thread per core, each with a runtime, timers, connections and a recorder of its own, and nothing shared
//! between them while load is on. One loop serves every mode: something says when a request is due
//! (`arrivals`, `users`), a lane performs it (`lane`), the recorder counts it (`recorder`). The coordinator
//! (`run`) merges what the threads saw, second by second.
//!
//! The engine does not judge, keep or print; it knows neither a ledger nor a report.

mod alarm;
mod arrivals;
mod carrier;
mod clock;
mod compile;
mod dial;
mod doze;
mod fault;
mod giving_up;
mod hand;
mod journey;
mod lane;
mod line;
mod log;
mod look;
mod one;
mod prepare;
mod recorder;
mod redirect;
#[cfg(test)]
mod rehearsal;
mod run;
mod sample;
mod schedule;
mod sentry;
mod stamp;
mod stopper;
mod stream;
#[cfg(test)]
mod tests;
mod thread;
mod threads;
mod timers;
mod tls;
mod tunnel;
mod two;
mod usage;
mod users;
mod worker;

pub use prepare::{Prepared, StartError, prepare};
pub use run::Pulse;
pub use stopper::Stopper;
