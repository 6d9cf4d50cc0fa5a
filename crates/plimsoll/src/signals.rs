//! Ctrl-C: once stops cleanly, twice at once, a third time ends the process as if nobody listened.
//!
//! SIGTERM counts as a Ctrl-C, so that a supervisor gets the partial result too.

use std::thread;

use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::drive::Stopper;
use crate::output;

/// Stops `stopper` when asked to; the thread ends with the process.
pub(crate) fn obey(stopper: Stopper) -> anyhow::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM]).context("cannot listen for Ctrl-C")?;
    let listen = move || {
        for (earlier, signal) in signals.forever().enumerate() {
            match earlier {
                0 => {
                    output::note("stopping: nothing new is sent (Ctrl-C again: stop at once)");
                    stopper.stop();
                }
                1 => {
                    output::note("stopping at once");
                    stopper.abandon();
                }
                _ => {
                    // It only fails for signals that do not exist.
                    let _ = emulate_default_handler(signal);
                }
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(listen).context("cannot start a thread")?;
    Ok(())
}
