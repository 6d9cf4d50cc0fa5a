//! A server that stops for a while in every period: what is due while it is frozen is released at the thaw.

use super::values::{self, Unreadable};
use std::str::FromStr;
use std::time::Duration;

/// `freeze=1s/5s`: frozen during the **last** second of every period of five: [4 s, 5 s), [9 s, 10 s), …
/// counted from the behaviour's first request, or with `@start` from the server's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freeze {
    // Shorter than `period`.
    frozen: Duration,
    period: Duration,
    from_start: bool,
}

impl Freeze {
    /// When an answer that is ready at `ready` leaves; `first` is when the behaviour got its first request.
    pub fn release(&self, ready: Duration, first: Duration) -> Duration {
        let origin = if self.from_start { Duration::ZERO } else { first };
        let elapsed = ready.saturating_sub(origin).as_nanos();
        let period = self.period.as_nanos();
        let into = (elapsed % period) as u64;
        let left = self.period - Duration::from_nanos(into);
        if left <= self.frozen { ready + left } else { ready }
    }
}

impl FromStr for Freeze {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let unreadable = || Unreadable::new("a freeze such as `1s/5s` or `1s/5s@start`", text);
        let (cycle, from_start) = match text.split_once('@') {
            None | Some((_, "first")) => (text.trim_end_matches("@first"), false),
            Some((cycle, "start")) => (cycle, true),
            Some(_) => return Err(unreadable()),
        };
        let (frozen, period) = cycle.split_once('/').ok_or_else(unreadable)?;
        let frozen = values::positive_duration(frozen)?;
        let period = values::positive_duration(period)?;
        if frozen >= period {
            return Err(Unreadable::new("a freeze shorter than its period", text));
        }
        Ok(Self { frozen, period, from_start })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[track_caller]
    fn check(text: &str, ready: u64, first: u64, released: u64) {
        let freeze: Freeze = text.parse().expect("readable");
        assert_eq!(freeze.release(ms(ready), ms(first)), ms(released));
    }

    #[test]
    fn the_last_second_of_each_period_is_frozen() {
        check("1s/5s", 0, 0, 0);
        check("1s/5s", 3999, 0, 3999);
        check("1s/5s", 4000, 0, 5000);
        check("1s/5s", 4999, 0, 5000);
        check("1s/5s", 5000, 0, 5000);
        check("1s/5s", 9500, 0, 10_000);
        check("1s/5s", 12_500, 10_000, 12_500);
        check("1s/5s@first", 14_500, 10_000, 15_000);
        check("1s/5s@start", 14_500, 13_000, 15_000);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["1s", "5s/5s", "0/5s", "1s/0", "1s/5s@last", "/"] {
            assert!(text.parse::<Freeze>().is_err(), "{text}");
        }
    }

    /// Even arrivals over whole periods: a fifth of them meets the freeze, and waits half of it in the mean.
    #[test]
    fn the_mean_wait_is_the_one_on_paper() {
        let freeze: Freeze = "1s/5s".parse().expect("readable");
        let waits = (0..30_000).map(|i| freeze.release(ms(i), ms(0)) - ms(i));
        let mean = waits.sum::<Duration>() / 30_000;
        // 0.2 × (1 s + 1 ms) ÷ 2: arrivals stand at the left edge of their millisecond.
        assert_eq!(mean, Duration::from_micros(100_100));
    }
}
