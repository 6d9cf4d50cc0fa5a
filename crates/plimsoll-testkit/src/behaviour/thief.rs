//! A thief of capacity: in bursts, all servers stand still, as on a machine whose hypervisor gives the core away.

use super::random::Random;
use super::values::{self, Unreadable};
use std::collections::VecDeque;
use std::str::FromStr;
use std::time::Duration;

/// `thief=0.2/100ms`: a fifth of the time is stolen, in bursts of exponential length with a mean of 100 ms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thief {
    // In [0, 0.95]: with more, queues are longer than any test.
    share: f64,
    burst: Duration,
}

// Work so long, or a queue so long, has left every test behind: what is further ahead is not stolen from.
const BURSTS_MAX: usize = 100_000;

/// The bursts drawn so far that may still matter.
#[derive(Debug, Clone)]
pub struct Thefts {
    rule: Thief,
    random: Random,
    // (from, to), in order, apart from each other.
    bursts: VecDeque<(Duration, Duration)>,
    drawn_until: Duration,
}

impl Thefts {
    /// Bursts that begin to be drawn at `origin`.
    pub fn new(rule: Thief, random: Random, origin: Duration) -> Self {
        Self { rule, random, bursts: VecDeque::new(), drawn_until: origin }
    }

    /// When work of length `work` that starts at `start` ends; it makes no progress while capacity is stolen.
    /// No later call asks about a time before `now`.
    pub fn finish(&mut self, now: Duration, start: Duration, work: Duration) -> Duration {
        while self.bursts.front().is_some_and(|&(_, to)| to <= now) {
            self.bursts.pop_front();
        }
        let mut end = start + work;
        let mut index = 0;
        loop {
            let beyond = index == self.bursts.len() && self.drawn_until <= end;
            if beyond && self.rule.share > 0.0 && self.bursts.len() < BURSTS_MAX {
                self.draw();
            }
            match self.bursts.get(index) {
                Some(&(from, to)) if from <= end => {
                    // What is stolen after the start, shifts the end.
                    end += to.saturating_sub(from.max(start));
                    index += 1;
                }
                _ => return end,
            }
        }
    }

    fn draw(&mut self) {
        let gap_mean = self.rule.burst.mul_f64((1.0 - self.rule.share) / self.rule.share);
        let from = self.drawn_until + self.random.exponential(gap_mean);
        let to = from + self.random.exponential(self.rule.burst);
        self.bursts.push_back((from, to));
        self.drawn_until = to;
    }
}

impl FromStr for Thief {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let unreadable = || Unreadable::new("a share up to 0.95 and a mean burst such as `0.2/100ms`", text);
        let (share, burst) = text.split_once('/').ok_or_else(unreadable)?;
        let share = values::share(share)?;
        if share > 0.95 {
            return Err(unreadable());
        }
        let burst = values::positive_duration(burst)?;
        if burst < Duration::from_millis(1) {
            return Err(Unreadable::new("bursts of 1ms or more", text));
        }
        Ok(Self { share, burst })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behaviour::random::Stream;

    fn thefts(text: &str) -> Thefts {
        let rule = text.parse().expect("readable");
        Thefts::new(rule, Random::new(1, Stream::Thief), Duration::ZERO)
    }

    #[test]
    fn long_work_is_stretched_by_the_share() {
        let work = Duration::from_secs(4000);
        let end = thefts("0.2/100ms").finish(Duration::ZERO, Duration::ZERO, work);
        let ratio = end.as_secs_f64() / 4000.0;
        assert!((ratio - 1.25).abs() < 0.02, "{ratio}");
    }

    #[test]
    fn without_a_share_nothing_is_stolen() {
        let second = Duration::from_secs(1);
        assert_eq!(thefts("0/100ms").finish(second, second, second), second * 2);
    }

    #[test]
    fn work_in_parts_ends_where_work_at_once_does() {
        let step = Duration::from_millis(7);
        let mut parts = thefts("0.3/50ms");
        let mut end = Duration::ZERO;
        for _ in 0..1000 {
            end = parts.finish(end, end, step);
        }
        let whole = thefts("0.3/50ms").finish(Duration::ZERO, Duration::ZERO, step * 1000);
        assert_eq!(end, whole);
    }

    #[test]
    fn work_without_end_takes_bounded_memory() {
        let year = Duration::from_secs(31_536_000);
        let mut thefts = thefts("0.5/1ms");
        assert!(thefts.finish(Duration::ZERO, Duration::ZERO, year) > year);
        assert_eq!(thefts.bursts.len(), BURSTS_MAX);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["0.2", "1.0/1ms", "0.96/100ms", "0.2/0", "x/1ms", "0.2/10us"] {
            assert!(text.parse::<Thief>().is_err(), "{text}");
        }
    }
}
