//! Ending a run from outside.

use std::sync::Arc;

use tokio::sync::watch;

/// How urgently a run is to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Urgency {
    /// Go on.
    None,
    /// Send nothing new; what is in flight has a moment left.
    Stop,
    /// At once.
    Abandon,
}

/// Ends a run from outside; clones end the same run.
#[derive(Debug, Clone)]
pub struct Stopper {
    urgency: Arc<watch::Sender<Urgency>>,
}

impl Default for Stopper {
    fn default() -> Self {
        Self::new()
    }
}

impl Stopper {
    /// One that has not been used.
    pub fn new() -> Self {
        Self { urgency: Arc::new(watch::Sender::new(Urgency::None)) }
    }

    /// Nothing new is sent; what is in flight has a second left, then counts as unfinished.
    pub fn stop(&self) {
        self.raise(Urgency::Stop);
    }

    /// Nothing is awaited any more.
    pub fn abandon(&self) {
        self.raise(Urgency::Abandon);
    }

    /// Whether anybody has asked for the end.
    pub fn is_stopped(&self) -> bool {
        *self.urgency.borrow() > Urgency::None
    }

    pub(crate) fn listen(&self) -> watch::Receiver<Urgency> {
        self.urgency.subscribe()
    }

    fn raise(&self, urgency: Urgency) {
        self.urgency.send_if_modified(|now| {
            let raised = urgency > *now;
            *now = urgency.max(*now);
            raised
        });
    }
}
