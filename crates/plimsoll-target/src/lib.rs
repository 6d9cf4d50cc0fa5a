//! What is started around a run: the processes of the target, and the commands before and after.
//!
//! Whatever is started here is ended here, with all that it started itself, however the run ends. That is why every
//! process has a *minder* between itself and us ([`mind`]): a small process that adopts its orphans, hears at once when
//! we are gone, even by SIGKILL, and does not leave before the last of its wards has. This crate does not know what a
//! run, a plan file or a report is; it prints nothing, and hears of Ctrl-C from whoever calls it.

mod begun;
mod cpus;
mod error;
mod hooks;
mod minder;
mod output;
mod probe;
mod program;
mod spec;
mod start;
mod tree;
mod ward;

pub use begun::{Begun, Facts, Variable};
pub use cpus::Cpus;
pub use error::{Ending, Failed, TargetError};
pub use minder::mind;
pub use program::Program;
pub use spec::{Hook, Process, Ready, StopSignal, Surroundings, Variabled, When};
pub use start::{Stage, start};
pub use tree::Use;
