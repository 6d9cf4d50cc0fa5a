//! How much load, when, and until when.

use std::time::Duration;

use crate::rate::Rate;
use crate::shape::Shape;
use crate::units::{ParseError, duration_text, parse_duration, split_number};

/// The two models of load.
#[derive(Debug, Clone, PartialEq)]
pub enum Load {
    /// Arrivals a second, whatever the server does.
    Open(OpenLoad),
    /// Users who wait for their answer before they ask again.
    Closed(ClosedLoad),
}

/// Requests become due by a schedule that no answer can slow down.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenLoad {
    /// Arrivals per second over time.
    pub shape: Shape,
    /// How they are spaced.
    pub arrivals: Arrivals,
    /// An arrival that finds this many requests in flight is dropped; at least 1.
    pub in_flight_max: u32,
}

/// So many users, each with at most one request in flight.
#[derive(Debug, Clone, PartialEq)]
pub struct ClosedLoad {
    /// Users over time.
    pub shape: Shape,
    /// Each user's pause between an answer and the next request.
    pub think: Duration,
}

/// How the arrivals of the open model are spaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrivals {
    /// At equal distances.
    Even,
    /// As a Poisson process: independent of one another, as many separate users would be.
    Poisson,
    /// At equal distances, then moved back to the last multiple of this: several at once, as a queue that is
    /// emptied by a timer sends them. Costs the generator far less; is harder on the target.
    Bursts(Duration),
}

/// What ends a run, whichever comes first. At least one of the two is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stop {
    /// After this long, warm-up included.
    pub after: Option<Duration>,
    /// After this many requests, warm-up included.
    pub requests: Option<u64>,
}

/// `errors > 50% for 10s`: give up when it has been that bad for that long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Abort {
    /// The share of errors, in (0, 1), that is too many.
    pub error_share: f64,
    /// How long it must last; whole seconds, at least one.
    pub lasting: Duration,
}

impl Load {
    /// `"open"` or `"closed"`.
    pub fn model(&self) -> &'static str {
        match self {
            Self::Open(_) => "open",
            Self::Closed(_) => "closed",
        }
    }

    /// The level over time.
    pub fn shape(&self) -> &Shape {
        match self {
            Self::Open(open) => &open.shape,
            Self::Closed(closed) => &closed.shape,
        }
    }

    /// The most requests that can be in flight at once: how many connections this load may need.
    pub fn in_flight_max(&self) -> u64 {
        match self {
            Self::Open(open) => u64::from(open.in_flight_max),
            Self::Closed(closed) => closed.shape.peak().ceil() as u64,
        }
    }
}

impl std::str::FromStr for Abort {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::new(text, "an abort rule, such as `errors > 50% for 10s`");
        let rest = text.trim().strip_prefix("errors").ok_or_else(error)?.trim_start();
        let rest = rest.strip_prefix('>').ok_or_else(error)?;
        let (share, lasting) = rest.split_once(" for ").ok_or_else(error)?;
        let (number, unit) = split_number(share.trim()).ok_or_else(error)?;
        let lasting = parse_duration(lasting)?;
        let error_share = number / 100.0;
        let valid = unit == "%" && (0.0..100.0).contains(&number) && lasting >= Duration::from_secs(1);
        valid.then_some(Self { error_share, lasting }).ok_or_else(error)
    }
}

impl std::str::FromStr for Arrivals {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::new(text, "a spacing of arrivals: `even`, `poisson` or `bursts:10ms`");
        match text.trim() {
            "even" => Ok(Self::Even),
            "poisson" => Ok(Self::Poisson),
            other => {
                let every = parse_duration(other.strip_prefix("bursts:").ok_or_else(error)?)?;
                if every.is_zero() { Err(error()) } else { Ok(Self::Bursts(every)) }
            }
        }
    }
}

impl std::fmt::Display for Arrivals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Even => f.write_str("even"),
            Self::Poisson => f.write_str("poisson"),
            Self::Bursts(every) => write!(f, "bursts:{}", duration_text(*every)),
        }
    }
}

/// A constant rate, as `--rate 200/s` asks.
impl From<(Rate, Option<Duration>)> for Shape {
    fn from((rate, length): (Rate, Option<Duration>)) -> Self {
        Self::constant(rate.get(), length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spacing_is_read_and_written() {
        for text in ["even", "poisson", "bursts:10ms"] {
            assert_eq!(text.parse::<Arrivals>().expect("valid").to_string(), text);
        }
        for text in ["", "uniform", "bursts", "bursts:", "bursts:0s", "bursts:10"] {
            assert!(text.parse::<Arrivals>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_abort_rule_is_read_from_words() {
        let abort: Abort = "errors > 50% for 10s".parse().expect("valid");
        assert_eq!(abort, Abort { error_share: 0.5, lasting: Duration::from_secs(10) });
        for text in [
            "",
            "errors > 50%",
            "errors > 50 for 10s",
            "latency > 5% for 1s",
            "errors > 100% for 1s",
            "errors > 5% for 10ms",
        ] {
            assert!(text.parse::<Abort>().is_err(), "{text}");
        }
    }
}
