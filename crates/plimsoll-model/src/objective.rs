//! What a run is held to: `p99<200ms`, `errors<0.1%`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use plimsoll_stats::Quantile;

use crate::units::{ParseError, duration_text, parse_duration, split_number};

/// A figure that an objective can bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// A quantile of response time, with failures slower than any bound.
    Quantile(Quantile),
    /// The mean response time of requests that were answered well.
    Mean,
    /// The longest response time.
    Max,
    /// The share of requests that failed; expected refusals are not failures.
    Errors,
}

/// One bound that must hold: the measure is below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Objective {
    /// What is bounded.
    pub measure: Measure,
    /// The bound: seconds for times, a share in [0, 1] for errors.
    pub bound: f64,
}

/// All that must hold together, in the order given.
pub type Objectives = Vec<Objective>;

impl Objective {
    /// Reads a list such as `p99<200ms, errors<0.1%`.
    pub fn parse_list(text: &str) -> Result<Objectives, ParseError> {
        text.split(',').filter(|part| !part.trim().is_empty()).map(str::parse).collect()
    }

    /// The bound in the unit in which the measure is reported: milliseconds or a share.
    pub fn bound_reported(&self) -> f64 {
        match self.measure {
            Measure::Errors => self.bound,
            _ => self.bound * 1e3,
        }
    }
}

impl FromStr for Objective {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let expected = "an objective, such as `p99<200ms`, `mean<50ms`, `max<2s` or `errors<0.1%`";
        let error = || ParseError::new(text, expected);
        let (name, bound) = text.split_once('<').ok_or_else(error)?;
        let bound = bound.trim();
        let measure = match name.trim() {
            "errors" => {
                return Ok(Self { measure: Measure::Errors, bound: parse_share(bound).ok_or_else(error)? });
            }
            "mean" | "avg" => Measure::Mean,
            "max" => Measure::Max,
            quantile => Measure::Quantile(quantile.parse().map_err(|_| error())?),
        };
        let bound = parse_duration(bound)?;
        if bound.is_zero() { Err(error()) } else { Ok(Self { measure, bound: bound.as_secs_f64() }) }
    }
}

/// `0.1%` as a share.
fn parse_share(text: &str) -> Option<f64> {
    let (number, unit) = split_number(text)?;
    (unit == "%" && (0.0..=100.0).contains(&number)).then_some(number / 100.0)
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Quantile(quantile) => quantile.fmt(f),
            Self::Mean => f.write_str("mean"),
            Self::Max => f.write_str("max"),
            Self::Errors => f.write_str("errors"),
        }
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.measure {
            Measure::Errors => write!(f, "errors < {}%", (self.bound * 1e8).round() / 1e6),
            measure => write!(f, "{measure} < {}", duration_text(Duration::from_secs_f64(self.bound))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objectives_are_read_and_written() {
        let list = Objective::parse_list("p99<200ms, errors < 0.1%, max<2s").expect("valid");
        let text: Vec<String> = list.iter().map(ToString::to_string).collect();
        assert_eq!(text, ["p99 < 200ms", "errors < 0.1%", "max < 2s"]);
        assert_eq!(list[0].bound_reported(), 200.0);
    }

    #[test]
    fn an_objective_needs_a_bound_with_its_unit() {
        for text in ["p99", "p99<=1s", "p99<200", "p99>1s", "errors<1", "p100<1s", "speed<1s", "p99<0s", "errors<101%"]
        {
            assert!(text.parse::<Objective>().is_err(), "{text}");
        }
    }
}
