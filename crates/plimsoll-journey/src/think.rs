//! How long a user thinks between two requests.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use plimsoll_model::ParseError;
use plimsoll_model::units::{duration_text, parse_duration};

use crate::chance::Stream;

/// How long a user thinks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Think {
    /// Always as long.
    Constant(Duration),
    /// Anything between two bounds, as likely as anything else there.
    Uniform {
        /// The shortest.
        from: Duration,
        /// The longest; not below `from`.
        to: Duration,
    },
    /// Exponential: mostly short, now and then long, as of people who know nothing of each other.
    Exponential {
        /// The mean.
        mean: Duration,
    },
    /// Log-normal: what measured think times mostly look like.
    LogNormal {
        /// Half of the pauses are longer.
        median: Duration,
        /// The standard deviation of the logarithm; in [0, 5].
        sigma: f64,
    },
}

/// No pause is longer: a chance in a million must not take a user out of the run for good.
const LONGEST: Duration = Duration::from_secs(30 * 86_400);
const SIGMA_MAX: f64 = 5.0;
const EXPECTED: &str = "a think time, such as `2s`, `uniform(1s, 3s)`, `exp(2s)` or `lognormal(2s, 0.5)`";

impl Think {
    /// The next pause.
    pub fn sample(&self, stream: &mut Stream) -> Duration {
        let seconds = match self {
            Self::Constant(pause) => return *pause,
            Self::Uniform { from, to } => {
                let span = to.saturating_sub(*from).as_secs_f64();
                from.as_secs_f64() + span * stream.uniform()
            }
            Self::Exponential { mean } => -mean.as_secs_f64() * stream.uniform().ln(),
            Self::LogNormal { median, sigma } => median.as_secs_f64() * (sigma * stream.normal()).exp(),
        };
        bounded(seconds)
    }

    /// The mean of all pauses.
    pub fn mean(&self) -> Duration {
        match self {
            Self::Constant(pause) => *pause,
            Self::Uniform { from, to } => bounded((from.as_secs_f64() + to.as_secs_f64()) / 2.0),
            Self::Exponential { mean } => *mean,
            Self::LogNormal { median, sigma } => bounded(median.as_secs_f64() * (sigma * sigma / 2.0).exp()),
        }
    }
}

fn bounded(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST).min(LONGEST)
}

impl FromStr for Think {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let text = text.trim();
        let Some((name, rest)) = text.split_once('(') else {
            return Ok(Self::Constant(pause(text, text)?));
        };
        let inside =
            rest.strip_suffix(')').ok_or_else(|| wrong(text, "a closing bracket at the end, as in `exp(2s)`"))?;
        let words: Vec<&str> = inside.split(',').map(str::trim).collect();
        match (name.trim(), &words[..]) {
            ("uniform", [from, to]) => uniform(text, pause(text, from)?, pause(text, to)?),
            ("uniform", _) => Err(wrong(text, "two bounds, as in `uniform(1s, 3s)`")),
            ("exp", [mean]) => Ok(Self::Exponential { mean: pause(text, mean)? }),
            ("exp", _) => Err(wrong(text, "one mean, as in `exp(2s)`")),
            ("lognormal", [median, sigma]) => {
                Ok(Self::LogNormal { median: pause(text, median)?, sigma: deviation(text, sigma)? })
            }
            ("lognormal", _) => Err(wrong(text, "a median and a sigma, as in `lognormal(2s, 0.5)`")),
            _ => Err(wrong(text, EXPECTED)),
        }
    }
}

fn uniform(text: &str, from: Duration, to: Duration) -> Result<Think, ParseError> {
    if from > to {
        return Err(wrong(text, "two bounds, the shorter first, as in `uniform(1s, 3s)`"));
    }
    Ok(Think::Uniform { from, to })
}

fn pause(text: &str, word: &str) -> Result<Duration, ParseError> {
    let pause = parse_duration(word).map_err(|error| match word == text {
        true => wrong(text, EXPECTED),
        false => wrong(text, format!("right: `{word}` is not {}", error.expected)),
    })?;
    if pause > LONGEST {
        return Err(wrong(text, format!("a think time of at most {} days", LONGEST.as_secs() / 86_400)));
    }
    Ok(pause)
}

fn deviation(text: &str, word: &str) -> Result<f64, ParseError> {
    let sigma: Option<f64> = word.parse().ok();
    sigma
        .filter(|sigma| (0.0..=SIGMA_MAX).contains(sigma))
        .ok_or_else(|| wrong(text, format!("right: `{word}` is not a sigma from 0 to {SIGMA_MAX}, such as `0.5`")))
}

fn wrong(text: &str, expected: impl Into<String>) -> ParseError {
    ParseError::new(text, expected)
}

impl fmt::Display for Think {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |duration: &Duration| duration_text(*duration);
        match self {
            Self::Constant(pause) => f.write_str(&text(pause)),
            Self::Uniform { from, to } => write!(f, "uniform({}, {})", text(from), text(to)),
            Self::Exponential { mean } => write!(f, "exp({})", text(mean)),
            Self::LogNormal { median, sigma } => write!(f, "lognormal({}, {sigma})", text(median)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Purpose;

    fn think(text: &str) -> Think {
        text.parse().expect("it is a think time")
    }

    #[test]
    fn think_times_are_read_and_written_as_they_are_typed() {
        for text in ["2s", "0s", "uniform(1s, 3s)", "uniform(2s, 2s)", "exp(250ms)", "lognormal(2s, 0.5)"] {
            assert_eq!(think(text).to_string(), text);
        }
        assert_eq!(think(" lognormal( 2s,0.50 ) "), think("lognormal(2s, 0.5)"));
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let error = text.parse::<Think>().expect_err("it is no think time");
        assert_eq!(error.to_string(), format!("`{text}` is not {expected}"));
    }

    #[test]
    fn what_is_no_think_time_says_what_would_be() {
        for text in ["", "2", "soon", "-1s", "normal(1s, 2s)"] {
            check(text, EXPECTED);
        }
        check("exp(2s", "a closing bracket at the end, as in `exp(2s)`");
        check("exp(1s, 2s)", "one mean, as in `exp(2s)`");
        check("uniform(1s)", "two bounds, as in `uniform(1s, 3s)`");
        check("uniform(3s, 1s)", "two bounds, the shorter first, as in `uniform(1s, 3s)`");
        check("lognormal(2s)", "a median and a sigma, as in `lognormal(2s, 0.5)`");
        check("lognormal(2s, -1)", "right: `-1` is not a sigma from 0 to 5, such as `0.5`");
        check("lognormal(2s, NaN)", "right: `NaN` is not a sigma from 0 to 5, such as `0.5`");
        let unit = "a duration with a unit, such as `250ms`, `30s` or `1m30s`";
        check("exp(2)", &format!("right: `2` is not {unit}"));
        check("100d", "a think time of at most 30 days");
    }

    /// The share of 100 000 pauses that are at most `bound`, and their mean, against what both must be.
    #[track_caller]
    fn follows(text: &str, mean: f64, deviation: f64, quantiles: &[(f64, f64)]) {
        let think = think(text);
        let pauses: Vec<f64> = (0..100_000)
            .map(|arrival| think.sample(&mut Stream::new(3, Purpose::Think, arrival, 0)).as_secs_f64())
            .collect();
        let count = pauses.len() as f64;
        let sampled = pauses.iter().sum::<f64>() / count;
        assert!((sampled - mean).abs() <= 4.0 * deviation / count.sqrt() + 1e-9, "mean {sampled}, not {mean}");
        assert!((think.mean().as_secs_f64() - mean).abs() < 1e-6, "{:?}", think.mean());
        for (quantile, bound) in quantiles {
            let share = pauses.iter().filter(|pause| *pause <= bound).count() as f64 / count;
            let tolerance = 4.0 * (quantile * (1.0 - quantile) / count).sqrt();
            assert!((share - quantile).abs() <= tolerance, "{share} at {bound}, not {quantile}");
        }
    }

    #[test]
    fn pauses_follow_their_distribution() {
        follows("2s", 2.0, 0.0, &[]);
        follows("uniform(1s, 3s)", 2.0, 1.0 / 3.0_f64.sqrt(), &[(0.25, 1.5), (0.5, 2.0), (0.9, 2.8)]);
        let exponential = |q: f64| (q, -2.0 * (1.0 - q).ln());
        follows("exp(2s)", 2.0, 2.0, &[0.1, 0.5, 0.9, 0.999].map(exponential));
        // The quantiles of the standard normal at 50, 90 and 99 %.
        let sigma: f64 = 0.5;
        let normal = [(0.5, 0.0), (0.9, 1.281_551_565_5), (0.99, 2.326_347_874)];
        let quantiles = normal.map(|(q, z)| (q, 2.0 * (sigma * z).exp()));
        let mean = 2.0 * (sigma * sigma / 2.0).exp();
        follows("lognormal(2s, 0.5)", mean, mean * ((sigma * sigma).exp() - 1.0).sqrt(), &quantiles);
    }

    #[test]
    fn no_pause_is_without_end() {
        let mut stream = Stream::new(1, Purpose::Think, 0, 0);
        let wild = think("lognormal(30d, 5)");
        assert!((0..10_000).all(|_| wild.sample(&mut stream) <= LONGEST));
        assert_eq!(think("uniform(0s, 0s)").sample(&mut stream), Duration::ZERO);
        assert_eq!(think("exp(0s)").sample(&mut stream), Duration::ZERO);
    }
}
