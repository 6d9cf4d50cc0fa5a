//! The run's own clock: nanoseconds since the run began.

use std::time::Duration;

use tokio::time::Instant;

/// A moment of the run, in nanoseconds since it began.
pub(crate) type Moment = u64;

/// A moment that never comes.
pub(crate) const NEVER: Moment = Moment::MAX;

/// Reads the monotonic clock. `tokio`'s instant is the system's own, except in tests that pause it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    start: Instant,
}

impl Clock {
    /// A clock that reads zero at `start`.
    pub(crate) fn starting_at(start: Instant) -> Self {
        Self { start }
    }

    #[inline]
    pub(crate) fn now(&self) -> Moment {
        nanos(Instant::now().saturating_duration_since(self.start))
    }

    /// The instant of a moment.
    pub(crate) fn instant(&self, moment: Moment) -> Instant {
        self.start + Duration::from_nanos(moment)
    }
}

/// A duration as nanoseconds; five centuries fit.
pub(crate) fn nanos(duration: Duration) -> Moment {
    Moment::try_from(duration.as_nanos()).unwrap_or(NEVER)
}

/// A moment from seconds since the run began.
pub(crate) fn moment_at(seconds: f64) -> Moment {
    // The cast saturates, which is what a moment beyond the range should do.
    (seconds * 1e9) as Moment
}
