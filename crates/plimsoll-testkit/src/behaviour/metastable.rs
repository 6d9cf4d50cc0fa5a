//! A server that stays slow after an overload has ended: once its queue passes a threshold, service becomes several
//! times slower, until the server is idle or, in the variant that recovers, until some time after the overload.

use super::values::{self, Unreadable};
use std::str::FromStr;
use std::time::Duration;

/// `metastable=100,3` or `metastable=100,3,10s`: more than 100 requests in the system make service three times
/// slower until the system is empty; with a recovery time, until so long after arrivals last exceeded the capacity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Metastable {
    threshold: usize,
    // At least 1.
    slower: f64,
    recovery: Option<Duration>,
}

/// Whether the server is in its slow state.
#[derive(Debug, Clone, Default)]
pub struct Mood {
    slow: bool,
    overloaded_last: Duration,
}

impl Mood {
    /// How many times slower a request is served that arrives `now`, meets `present` others, and comes while
    /// arrivals exceed the normal capacity or not.
    pub fn factor(&mut self, rule: &Metastable, now: Duration, present: usize, overloaded: bool) -> f64 {
        if overloaded {
            self.overloaded_last = now;
        }
        let crowded = present > rule.threshold;
        self.slow = match rule.recovery {
            None => crowded || (self.slow && present > 0),
            // A backlog left over from the overload must not start it anew.
            Some(_) if !self.slow => crowded && overloaded,
            Some(recovery) => now.saturating_sub(self.overloaded_last) < recovery,
        };
        if self.slow { rule.slower } else { 1.0 }
    }
}

impl FromStr for Metastable {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let unreadable =
            || Unreadable::new("a threshold, a factor of 1 to 1000 and perhaps a recovery such as `100,3,10s`", text);
        let mut parts = text.split(',');
        let mut next = || parts.next();
        let (Some(threshold), Some(slower), recovery, None) = (next(), next(), next(), next()) else {
            return Err(unreadable());
        };
        let slower: f64 = slower.parse().map_err(|_| unreadable())?;
        if !(1.0..=1000.0).contains(&slower) {
            return Err(unreadable());
        }
        Ok(Self {
            threshold: threshold.parse().map_err(|_| unreadable())?,
            slower,
            recovery: recovery.map(values::duration).transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn stays_slow_until_idle() {
        let rule: Metastable = "10,3".parse().expect("readable");
        let mut mood = Mood::default();
        let mut factor = |present| mood.factor(&rule, s(0), present, false);
        assert_eq!(factor(10), 1.0);
        assert_eq!(factor(11), 3.0);
        assert_eq!(factor(1), 3.0);
        assert_eq!(factor(0), 1.0);
        assert_eq!(factor(5), 1.0);
    }

    #[test]
    fn recovers_a_given_time_after_the_overload() {
        let rule: Metastable = "10,3,5s".parse().expect("readable");
        let mut mood = Mood::default();
        assert_eq!(mood.factor(&rule, s(1), 50, false), 1.0);
        assert_eq!(mood.factor(&rule, s(2), 50, true), 3.0);
        assert_eq!(mood.factor(&rule, s(6), 50, false), 3.0);
        assert_eq!(mood.factor(&rule, s(7), 50, false), 1.0);
        assert_eq!(mood.factor(&rule, s(8), 50, false), 1.0);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "10", "10,0.5", "10,3,x", "10,3,5s,1", "x,3", "10,NaN"] {
            assert!(text.parse::<Metastable>().is_err(), "{text}");
        }
    }
}
