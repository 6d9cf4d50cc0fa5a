//! An exact rate limit: a fixed window that opens with the first request after the last one closed.

use super::values::{self, Unreadable};
use std::str::FromStr;
use std::time::Duration;

/// `limit=120/60s`: at most 120 requests in a window of 60 s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    requests: u64,
    window: Duration,
}

/// Where a client stands after its request was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Within the limit.
    pub admitted: bool,
    /// Requests allowed in a window.
    pub limit: u64,
    /// Requests left in this window.
    pub remaining: u64,
    /// Until the window closes.
    pub reset: Duration,
}

impl Standing {
    /// Whole seconds until the window closes, rounded up: a client that waits so long is not refused again.
    pub fn reset_s(&self) -> u64 {
        self.reset.as_secs() + u64::from(self.reset.subsec_nanos() > 0)
    }
}

/// The window that is open, and what was used of it.
#[derive(Debug, Clone, Default)]
pub struct Window {
    opened: Option<Duration>,
    used: u64,
}

impl Window {
    /// Counts a request that arrives `now`.
    pub fn take(&mut self, quota: &Quota, now: Duration) -> Standing {
        let opened = match self.opened {
            Some(opened) if now < opened + quota.window => opened,
            _ => {
                self.used = 0;
                now
            }
        };
        self.opened = Some(opened);
        let admitted = self.used < quota.requests;
        self.used += u64::from(admitted);
        Standing {
            admitted,
            limit: quota.requests,
            remaining: quota.requests - self.used,
            reset: opened + quota.window - now,
        }
    }
}

impl FromStr for Quota {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let unreadable = || Unreadable::new("a limit such as `120/60s`", text);
        let (requests, window) = text.split_once('/').ok_or_else(unreadable)?;
        // `100/s` reads as `100/1s`.
        let window = if window == "s" { "1s" } else { window };
        Ok(Self { requests: requests.parse().map_err(|_| unreadable())?, window: values::positive_duration(window)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_so_many_pass_in_each_window() {
        let quota: Quota = "3/10s".parse().expect("readable");
        let mut window = Window::default();
        let admitted: Vec<u64> = (0..40)
            .map(|i| 500 + i * 1000)
            .filter(|&at| window.take(&quota, Duration::from_millis(at)).admitted)
            .collect();
        let want: Vec<u64> =
            [500, 10_500, 20_500, 30_500].iter().flat_map(|&opened| [opened, opened + 1000, opened + 2000]).collect();
        assert_eq!(admitted, want);
    }

    #[test]
    fn a_window_opens_with_a_request_not_with_the_clock() {
        let quota: Quota = "1/s".parse().expect("readable");
        let mut window = Window::default();
        let mut take = |ms| window.take(&quota, Duration::from_millis(ms));
        assert!(take(700).admitted);
        let refused = take(1_650);
        assert!(!refused.admitted);
        assert_eq!((refused.remaining, refused.reset_s()), (0, 1));
        assert!(take(1_700).admitted);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["120", "x/1s", "1/0", "-1/1s", "1/1"] {
            assert!(text.parse::<Quota>().is_err(), "{text}");
        }
    }
}
