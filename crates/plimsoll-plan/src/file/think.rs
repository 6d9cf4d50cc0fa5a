//! Think time: how long somebody pauses between an answer and the next request.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use plimsoll_model::ParseError;
use plimsoll_model::units::{duration_text, parse_duration};

/// How long somebody pauses between an answer and the next request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Think {
    /// Always so long.
    Constant(Duration),
    /// Anything between the two, each as likely.
    Uniform {
        /// At least.
        from: Duration,
        /// At most; not below `from`.
        to: Duration,
    },
    /// Exponential: mostly short, at times long.
    Exponential {
        /// On average.
        mean: Duration,
    },
    /// Log-normal: around the median, at times far longer.
    LogNormal {
        /// Half of the pauses are shorter.
        median: Duration,
        /// The standard deviation of the logarithm; not below zero.
        sigma: f64,
    },
}

impl FromStr for Think {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::new(text, EXPECTED);
        let text = text.trim();
        let Some((name, rest)) = text.split_once('(') else {
            return parse_duration(text).map(Self::Constant).map_err(|_| error());
        };
        let inside = rest.strip_suffix(')').ok_or_else(error)?;
        let values: Vec<&str> = inside.split(',').map(str::trim).collect();
        let duration = |text: &str| parse_duration(text).map_err(|_| error());
        match (name.trim(), values.as_slice()) {
            ("uniform", [from, to]) => {
                let (from, to) = (duration(from)?, duration(to)?);
                if from <= to { Ok(Self::Uniform { from, to }) } else { Err(error()) }
            }
            ("exp", [mean]) => Ok(Self::Exponential { mean: duration(mean)? }),
            ("lognormal", [median, sigma]) => {
                let sigma = sigma.parse().ok().filter(|sigma: &f64| (0.0..=10.0).contains(sigma)).ok_or_else(error)?;
                Ok(Self::LogNormal { median: duration(median)?, sigma })
            }
            _ => Err(error()),
        }
    }
}

const EXPECTED: &str = "a think time, such as `2s`, `uniform(1s, 3s)`, `exp(2s)` or `lognormal(2s, 0.5)`";

impl fmt::Display for Think {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(pause) => f.write_str(&duration_text(*pause)),
            Self::Uniform { from, to } => write!(f, "uniform({}, {})", duration_text(*from), duration_text(*to)),
            Self::Exponential { mean } => write!(f, "exp({})", duration_text(*mean)),
            Self::LogNormal { median, sigma } => write!(f, "lognormal({}, {sigma})", duration_text(*median)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn think_times_are_read_and_written() {
        for text in ["2s", "0s", "uniform(1s, 3s)", "exp(2s)", "lognormal(2s, 0.5)"] {
            assert_eq!(text.parse::<Think>().expect(text).to_string(), text);
        }
        for text in [
            "",
            "2",
            "exp",
            "exp(",
            "exp(2)",
            "exp(2s",
            "exp(1s,2s)",
            "uniform(3s,1s)",
            "lognormal(1s,-1)",
            "gauss(1s,1s)",
        ] {
            assert!(text.parse::<Think>().is_err(), "{text}");
        }
    }
}
