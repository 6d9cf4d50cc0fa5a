//! At most N flows at once, a flow being a connection from its first request to its close.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the flows that are open; exact across threads.
#[derive(Debug)]
pub struct FlowGate {
    most: usize,
    open: AtomicUsize,
}

impl FlowGate {
    /// A gate that lets `most` in.
    pub fn new(most: usize) -> Self {
        Self { most, open: AtomicUsize::new(0) }
    }

    /// Lets a new flow in, unless there are too many; whoever got in calls [`leave`](Self::leave) once.
    pub fn enter(&self) -> bool {
        let admit = |open| (open < self.most).then_some(open + 1);
        self.open.fetch_update(Ordering::AcqRel, Ordering::Acquire, admit).is_ok()
    }

    /// A flow that was let in has ended.
    pub fn leave(&self) {
        self.open.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_and_no_more() {
        let gate = FlowGate::new(2);
        assert!(gate.enter() && gate.enter());
        assert!(!gate.enter());
        gate.leave();
        assert!(gate.enter());
    }
}
