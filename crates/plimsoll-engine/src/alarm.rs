//! One alarm clock for a thread, precise to microseconds.
//!
//! tokio's own timers tick once a millisecond, far coarser than the distance between two arrivals at a high
//! rate. On Linux a `timerfd` in the same epoll set wakes the thread within microseconds and costs one system
//! call to set; it is never read, because setting it again clears it. Elsewhere, and in tests that pause
//! time, tokio's timer stands in.

use std::cell::Cell;
use std::future::poll_fn;
use std::io;
use std::task::{Poll, Waker};

use crate::clock::{Clock, Moment, NEVER};

/// Wakes the one task that waits on it.
pub(crate) enum Alarm {
    #[cfg(target_os = "linux")]
    Descriptor(tokio::io::unix::AsyncFd<rustix::fd::OwnedFd>),
    Coarse(Coarse),
}

/// The stand-in: remembers the time, and the waiting task sleeps until then.
pub(crate) struct Coarse {
    at: Cell<Moment>,
    waiting: Cell<Option<Waker>>,
}

impl Alarm {
    /// The most precise alarm of this system. Must be made inside the thread's runtime.
    pub(crate) fn new() -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        {
            use rustix::time::{TimerfdClockId, TimerfdFlags, timerfd_create};
            let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
            let timer = timerfd_create(TimerfdClockId::Monotonic, flags)?;
            Ok(Self::Descriptor(asynchronous(timer)?))
        }
        #[cfg(not(target_os = "linux"))]
        Ok(Self::coarse())
    }

    /// The stand-in.
    #[cfg_attr(all(target_os = "linux", not(test)), expect(dead_code, reason = "Linux has the descriptor"))]
    pub(crate) fn coarse() -> Self {
        Self::Coarse(Coarse { at: Cell::new(NEVER), waiting: Cell::new(None) })
    }

    /// Sets the alarm, replacing what was set before.
    pub(crate) fn set(&self, clock: &Clock, at: Moment) {
        match self {
            #[cfg(target_os = "linux")]
            Self::Descriptor(timer) => set_descriptor(timer.get_ref(), clock, at),
            Self::Coarse(coarse) => {
                let _ = clock;
                coarse.at.set(at);
                if let Some(waker) = coarse.waiting.take() {
                    waker.wake();
                }
            }
        }
    }

    /// Waits until the alarm goes off.
    pub(crate) async fn rings(&self, clock: &Clock) {
        match self {
            #[cfg(target_os = "linux")]
            Self::Descriptor(timer) => {
                if let Ok(mut guard) = timer.readable().await {
                    guard.clear_ready();
                }
            }
            Self::Coarse(coarse) => coarse.rings(clock).await,
        }
    }
}

impl Coarse {
    async fn rings(&self, clock: &Clock) {
        loop {
            let at = self.at.get();
            let changed = poll_fn(|cx| {
                if self.at.get() != at {
                    return Poll::Ready(());
                }
                self.waiting.set(Some(cx.waker().clone()));
                Poll::Pending
            });
            if at == NEVER {
                changed.await;
                continue;
            }
            tokio::select! {
                () = tokio::time::sleep_until(clock.instant(at)) => return,
                () = changed => {}
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[expect(
    deprecated,
    reason = "its successor is unsafe for descriptors that may be closed elsewhere; this one is owned"
)]
fn asynchronous(timer: rustix::fd::OwnedFd) -> io::Result<tokio::io::unix::AsyncFd<rustix::fd::OwnedFd>> {
    tokio::io::unix::AsyncFd::with_interest(timer, tokio::io::Interest::READABLE)
}

#[cfg(target_os = "linux")]
fn set_descriptor(timer: &rustix::fd::OwnedFd, clock: &Clock, at: Moment) {
    use rustix::time::{Itimerspec, TimerfdTimerFlags, Timespec, timerfd_settime};
    // Zero would disarm it: something already due is set one nanosecond ahead.
    let ahead = if at == NEVER { 0 } else { at.saturating_sub(clock.now()).max(1) };
    let value = Timespec { tv_sec: (ahead / 1_000_000_000) as i64, tv_nsec: (ahead % 1_000_000_000) as i64 };
    let once = Itimerspec { it_interval: Timespec::default(), it_value: value };
    timerfd_settime(timer, TimerfdTimerFlags::empty(), &once).expect("a valid descriptor and a valid time");
}
