//! How long one request takes to serve when nothing stands in its way.

use super::random::Random;
use super::values::{self, Unreadable};
use std::str::FromStr;
use std::time::Duration;

/// A distribution of service times: `2ms`, `exp:2ms`, or `bimodal:1ms,20ms,0.05`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Service {
    /// Always the same.
    Fixed(Duration),
    /// Exponential, with this mean.
    Exponential(Duration),
    /// Usually the one, with probability `share` the other.
    Bimodal {
        /// The usual time.
        usual: Duration,
        /// The rare time.
        rare: Duration,
        /// How often it is the rare one, in [0, 1].
        share: f64,
    },
}

impl Service {
    /// One service time.
    pub fn draw(&self, random: &mut Random) -> Duration {
        match *self {
            Self::Fixed(time) => time,
            Self::Exponential(mean) => random.exponential(mean),
            Self::Bimodal { usual, rare, share } => {
                if random.chance(share) {
                    rare
                } else {
                    usual
                }
            }
        }
    }

    /// The mean service time.
    pub fn mean(&self) -> Duration {
        match *self {
            Self::Fixed(time) | Self::Exponential(time) => time,
            Self::Bimodal { usual, rare, share } => usual.mul_f64(1.0 - share) + rare.mul_f64(share),
        }
    }
}

impl FromStr for Service {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        match text.split_once(':') {
            None => values::duration(text).map(Self::Fixed),
            Some(("exp", mean)) => values::duration(mean).map(Self::Exponential),
            Some(("bimodal", rest)) => bimodal(rest),
            Some(_) => Err(Unreadable::new("`2ms`, `exp:2ms` or `bimodal:1ms,20ms,0.05`", text)),
        }
    }
}

fn bimodal(text: &str) -> Result<Service, Unreadable> {
    let parts: Vec<&str> = text.split(',').collect();
    let [usual, rare, share] = parts[..] else {
        return Err(Unreadable::new("two durations and a share such as `1ms,20ms,0.05`", text));
    };
    Ok(Service::Bimodal {
        usual: values::duration(usual)?,
        rare: values::duration(rare)?,
        share: values::share(share)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behaviour::random::Stream;

    #[test]
    fn reads_each_form() {
        assert_eq!("2ms".parse(), Ok(Service::Fixed(Duration::from_millis(2))));
        assert_eq!("exp:2ms".parse(), Ok(Service::Exponential(Duration::from_millis(2))));
        let bimodal: Service = "bimodal:1ms,20ms,0.05".parse().expect("readable");
        assert_eq!(bimodal.mean(), Duration::from_micros(1950));
        for text in ["", "2", "exp:", "erlang:2ms", "bimodal:1ms,2ms", "bimodal:1ms,2ms,2"] {
            assert!(text.parse::<Service>().is_err(), "{text}");
        }
    }

    #[test]
    fn bimodal_draws_its_share() {
        let service: Service = "bimodal:1ms,20ms,0.05".parse().expect("readable");
        let mut random = Random::new(3, Stream::Service);
        let rare = (0..100_000).filter(|_| service.draw(&mut random) == Duration::from_millis(20)).count();
        assert!((4_700..5_300).contains(&rare), "{rare}");
    }
}
