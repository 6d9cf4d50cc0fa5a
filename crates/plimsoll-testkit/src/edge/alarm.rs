//! Waking up in time. On Linux a timerfd in the poll set is precise to microseconds, where a poll's time-out would be
//! rounded up to a whole millisecond; elsewhere the time-out has to do.

pub(super) use system::Alarm;

#[cfg(target_os = "linux")]
mod system {
    use mio::unix::SourceFd;
    use mio::{Interest, Registry, Token};
    use rustix::time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
    };
    use std::io;
    use std::os::fd::{AsRawFd as _, OwnedFd};
    use std::time::Duration;

    /// A timer that makes the poll return.
    #[derive(Debug)]
    pub(crate) struct Alarm {
        timer: OwnedFd,
        armed: Option<Duration>,
    }

    impl Alarm {
        pub(crate) fn new(registry: &Registry, token: Token) -> io::Result<Self> {
            let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
            let timer = timerfd_create(TimerfdClockId::Monotonic, flags)?;
            registry.register(&mut SourceFd(&timer.as_raw_fd()), token, Interest::READABLE)?;
            Ok(Self { timer, armed: None })
        }

        /// Makes sure that the poll returns at `due`, and says how long it may wait at most.
        pub(crate) fn arm(
            &mut self,
            due: Option<Duration>,
            now: impl Fn() -> Duration,
        ) -> io::Result<Option<Duration>> {
            let Some(due) = due else {
                return Ok(None);
            };
            if self.armed == Some(due) {
                return Ok(None);
            }
            let left = due.saturating_sub(now());
            if left.is_zero() {
                return Ok(Some(Duration::ZERO));
            }
            let once = Itimerspec { it_interval: timespec(Duration::ZERO), it_value: timespec(left) };
            // It is never read: setting it clears its expirations, and the next one is a new edge.
            timerfd_settime(&self.timer, TimerfdTimerFlags::empty(), &once)?;
            self.armed = Some(due);
            Ok(None)
        }

        /// The alarm went off.
        pub(crate) fn rang(&mut self) {
            self.armed = None;
        }
    }

    fn timespec(time: Duration) -> Timespec {
        Timespec {
            // Times are at most a year (see `behaviour::values`), queues of them less than ages.
            tv_sec: time.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: time.subsec_nanos().into(),
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use mio::{Registry, Token};
    use std::io;
    use std::time::Duration;

    /// The time-out of the poll.
    #[derive(Debug)]
    pub(crate) struct Alarm;

    impl Alarm {
        pub(crate) fn new(_: &Registry, _: Token) -> io::Result<Self> {
            Ok(Self)
        }

        /// How long the poll may wait at most.
        pub(crate) fn arm(
            &mut self,
            due: Option<Duration>,
            now: impl Fn() -> Duration,
        ) -> io::Result<Option<Duration>> {
            Ok(due.map(|due| due.saturating_sub(now())))
        }

        pub(crate) fn rang(&mut self) {}
    }
}
