//! A rate of arrivals.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::units::{ParseError, split_number};

/// Arrivals per second; finite and not negative.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rate(f64);

impl Rate {
    /// No arrivals at all.
    pub const ZERO: Self = Self(0.0);

    /// A rate of so many arrivals per second; `None` if that is negative, infinite or not a number.
    pub fn per_second(value: f64) -> Option<Self> {
        (value.is_finite() && value >= 0.0).then_some(Self(value))
    }

    /// Arrivals per second.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl FromStr for Rate {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::new(text, "a rate with a unit, such as `200/s`, `60/m` or `1000/h`");
        let (number, unit) = split_number(text.trim()).ok_or_else(error)?;
        let seconds = match unit {
            "/s" | "/sec" => 1.0,
            "/m" | "/min" => 60.0,
            "/h" | "/hour" => 3600.0,
            _ => return Err(error()),
        };
        Self::per_second(number / seconds).ok_or_else(error)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_second = self.0;
        if per_second >= 1.0 || per_second == 0.0 {
            write!(f, "{}/s", round3(per_second))
        } else if per_second * 60.0 >= 1.0 {
            write!(f, "{}/m", round3(per_second * 60.0))
        } else {
            write!(f, "{}/h", round3(per_second * 3600.0))
        }
    }
}

fn round3(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_needs_its_unit() {
        assert_eq!("200/s".parse(), Ok(Rate(200.0)));
        assert_eq!("60/m".parse(), Ok(Rate(1.0)));
        assert_eq!("2.5 /s".parse(), Ok(Rate(2.5)));
        for text in ["200", "/s", "-1/s", "200/day", "inf/s", "nan/s"] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_rate_is_written_as_it_is_typed() {
        for text in ["200/s", "30/m", "5/h", "2.5/s"] {
            assert_eq!(text.parse::<Rate>().expect("valid").to_string(), text);
        }
    }
}
