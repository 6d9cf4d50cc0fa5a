//! What this machine can do as a load generator, and which results taken on it can be believed.
//!
//! [`calibrate`] measures with the real engine against the testkit, which is started as a process of its own; it never
//! drives a target that is not ours. [`here`] reads what the system tells. What the figures mean is a pure function
//! from figures to sentences (`verdict`). Nothing here keeps or prints.

mod calibrate;
mod error;
mod machine;
mod pace;
mod pin;
mod trials;
mod verdict;
mod watch;

pub use calibrate::{Measured, Naming, Setting, Stage, calibrate};
pub use error::CalibrateError;
pub use machine::here;
pub use trials::Program;
