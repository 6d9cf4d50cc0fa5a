//! What ends the server: SIGTERM or SIGINT, the end of standard input, or a thread that cannot go on.

use anyhow::Context as _;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::{io, thread};

type Outcome = anyhow::Result<()>;

/// Waits for the end.
pub(super) struct Ending {
    sender: Sender<Outcome>,
    receiver: Receiver<Outcome>,
}

/// Reports the end of a thread, also where it panics.
pub(super) struct Watch {
    sender: Sender<Outcome>,
    reported: bool,
}

impl Ending {
    /// Begins to watch the signals, and standard input if asked to.
    pub(super) fn watch(stdin: bool) -> anyhow::Result<Self> {
        let (sender, receiver) = channel();
        let mut signals = Signals::new([SIGTERM, SIGINT]).context("could not watch for signals")?;
        let signalled = sender.clone();
        thread::spawn(move || {
            if signals.forever().next().is_some() {
                // Nobody listens any more when the server is ending already.
                let _ = signalled.send(Ok(()));
            }
        });
        if stdin {
            let closed = sender.clone();
            thread::spawn(move || {
                let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
                let _ = closed.send(Ok(()));
            });
        }
        Ok(Self { sender, receiver })
    }

    /// A watch over a thread that should never end.
    pub(super) fn watched(&self) -> Watch {
        Watch { sender: self.sender.clone(), reported: false }
    }

    /// Waits until something ends the server.
    pub(super) fn wait(self) -> Outcome {
        self.receiver.recv().context("nothing is left that could end the server")?
    }
}

impl Watch {
    /// The thread ended so.
    pub(super) fn report(mut self, outcome: io::Result<()>) {
        self.reported = true;
        let _ = self.sender.send(outcome.context("a serving thread could not go on"));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.reported {
            let _ = self.sender.send(Err(anyhow::anyhow!("a serving thread panicked")));
        }
    }
}
