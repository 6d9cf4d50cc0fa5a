//! What becomes of a run when one of its tasks panics.
//!
//! The runtime catches a panic and forgets the task. Whatever was in flight there would stay so, and the run would
//! wait for it for ever. So each task of a generator thread has a sentry, and the thread ends when one raises the
//! alarm: a mistake of ours must not look like a slow server, nor hide in figures that seem whole.

use std::rc::Rc;

use crate::worker::Worker;

/// Held by a task for as long as it lives.
pub(crate) struct Sentry {
    worker: Rc<Worker>,
}

impl Sentry {
    pub(crate) fn over(worker: &Rc<Worker>) -> Self {
        Self { worker: Rc::clone(worker) }
    }
}

impl Drop for Sentry {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.worker.breaks();
        }
    }
}
