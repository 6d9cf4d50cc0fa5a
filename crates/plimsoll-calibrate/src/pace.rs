//! How long each trial takes. All of them together have to end within a minute, starting and ending processes included.

use std::time::Duration;

/// How long everything takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pace {
    /// Left out at the start of every trial of a rate: threads start and connections are made in it, which is late.
    pub(crate) warmup: Duration,
    /// Looking at the cores before one is chosen.
    pub(crate) look: Duration,
    /// Sleeping, and then spinning.
    pub(crate) jitter: Duration,
    /// One user.
    pub(crate) floor: Duration,
    /// Users who pause, and how many.
    pub(crate) users: Duration,
    pub(crate) users_max: u64,
    /// Each round of the closed model, and how many.
    pub(crate) closed: Duration,
    pub(crate) closed_rounds: usize,
    /// Each trial of a rate, and how long the search may take.
    pub(crate) open: Duration,
    pub(crate) open_budget: Duration,
    /// Each round of new connections, and how many.
    pub(crate) fresh: Duration,
    pub(crate) fresh_rounds: usize,
}

impl Pace {
    /// About 45 seconds, 55 at most. Trials of a rate last long enough for a p99 to be more than its few worst moments.
    pub(crate) const FULL: Self = Self {
        warmup: Duration::from_millis(200),
        look: Duration::from_millis(500),
        jitter: Duration::from_millis(2_000),
        floor: Duration::from_millis(3_000),
        users: Duration::from_millis(3_000),
        users_max: 10_000,
        closed: Duration::from_millis(1_000),
        closed_rounds: 5,
        open: Duration::from_millis(1_500),
        open_budget: Duration::from_millis(22_000),
        fresh: Duration::from_millis(1_000),
        fresh_rounds: 3,
    };

    /// A few seconds, for whoever wants to see that it works.
    pub(crate) const QUICK: Self = Self {
        warmup: Duration::from_millis(100),
        look: Duration::from_millis(200),
        jitter: Duration::from_millis(500),
        floor: Duration::from_millis(300),
        users: Duration::from_millis(1_500),
        users_max: 500,
        closed: Duration::from_millis(300),
        closed_rounds: 3,
        open: Duration::from_millis(300),
        open_budget: Duration::from_millis(2_500),
        fresh: Duration::from_millis(300),
        fresh_rounds: 1,
    };
}
