//! Sleeping through to the next arrival, deaf to everything else.
//!
//! A thread that waits in `epoll` wakes for every answer. Where answers carry the kernel's time of arrival
//! (`stamp`), nothing is lost by reading them a little later: so when the next arrival is near, and nothing
//! in flight needs a hand before its answer is there, the thread sleeps until then with one system call.

use std::cell::Cell;
use std::time::Duration;

use crate::clock::{Clock, Moment};

/// The longest doze: what a time-out or a first byte may be noticed late.
const DOZE_MAX: Moment = 1_000_000;
/// An answer larger than this may fill the receive window while nobody reads, and so slow the server down.
const ANSWER_BYTES_MAX: u64 = 16 * 1024;

/// Whether a thread may doze.
pub(crate) struct Doze {
    possible: Cell<bool>,
    /// Lanes that do something other than waiting for a stamped answer.
    busy: Cell<u64>,
}

impl Doze {
    /// `possible`: nothing in the plan makes a lane act between request and answer.
    pub(crate) fn new(possible: bool) -> Self {
        let possible = possible && cfg!(target_os = "linux");
        if possible {
            wake_on_the_dot();
        }
        Self { possible: Cell::new(possible), busy: Cell::new(0) }
    }

    /// Whether answers are to be stamped.
    pub(crate) fn is_possible(&self) -> bool {
        self.possible.get()
    }

    /// A lane begins to act.
    #[inline]
    pub(crate) fn begin(&self) {
        self.busy.set(self.busy.get() + 1);
    }

    /// A lane only waits from now on, or is through.
    #[inline]
    pub(crate) fn end(&self) {
        self.busy.set(self.busy.get() - 1);
    }

    /// Notes the size of an answer: large ones want to be read as they come.
    #[inline]
    pub(crate) fn answered(&self, body_bytes: u64) {
        if body_bytes > ANSWER_BYTES_MAX {
            self.possible.set(false);
        }
    }

    /// Whether to doze until `due` rather than to wait for whatever comes first.
    #[inline]
    pub(crate) fn is_wise(&self, now: Moment, due: Moment) -> bool {
        self.possible.get() && self.busy.get() == 0 && due > now && due - now <= DOZE_MAX
    }

    /// Sleeps until a moment, the whole thread.
    pub(crate) fn until(&self, clock: &Clock, due: Moment) {
        let left = due.saturating_sub(clock.now());
        std::thread::sleep(Duration::from_nanos(left));
    }
}

/// Sleeps may otherwise last 50 µs longer than asked, so that the kernel can gather wake-ups.
fn wake_on_the_dot() {
    #[cfg(target_os = "linux")]
    {
        // Without it arrivals are a little late, which the lag shows.
        let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
    }
}
