//! Durations and counts as people type and read them: `1m30s`, `250ms`, `10k`.
//!
//! Every parse error says what was read, what was expected and gives an example, because these strings
//! are typed by hand on command lines and in plans.

use std::time::Duration;

/// A typed value that could not be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {expected}")]
pub struct ParseError {
    /// What was typed.
    pub text: String,
    /// What would have been understood, with an example.
    pub expected: String,
}

impl ParseError {
    /// An error for `text` where `expected` was wanted.
    pub fn new(text: &str, expected: impl Into<String>) -> Self {
        Self { text: text.trim().to_owned(), expected: expected.into() }
    }
}

const DURATION_EXPECTED: &str = "a duration with a unit, such as `250ms`, `30s` or `1m30s`";

/// Units longest first, so that `ms` is not read as `m` followed by `s`.
const DURATION_UNITS: [(&str, f64); 8] =
    [("ns", 1e-9), ("us", 1e-6), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("d", 86400.0)];

/// Reads `1m30s`, `250ms`, `1.5h`. A bare number is refused: nobody can tell its unit.
pub fn parse_duration(text: &str) -> Result<Duration, ParseError> {
    let error = || ParseError::new(text, DURATION_EXPECTED);
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(error());
    }
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let (number, tail) = split_number(rest).ok_or_else(error)?;
        let unit_len = tail.find(|c: char| !c.is_alphabetic()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(unit_len);
        let (_, scale) = DURATION_UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(error)?;
        seconds += number * scale;
        rest = tail.trim_start();
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| error())
}

/// Reads a whole count; `k` and `M` are understood (`10k`).
pub fn parse_count(text: &str) -> Result<u64, ParseError> {
    let error = || ParseError::new(text, "a whole number, such as `10000` or `10k`");
    let (number, unit) = split_number(text.trim()).ok_or_else(error)?;
    let scale = match unit {
        "" => 1.0,
        "k" => 1e3,
        "M" => 1e6,
        _ => return Err(error()),
    };
    let count = number * scale;
    let whole = count.fract() == 0.0 && (0.0..9e15).contains(&count);
    // The range check above keeps the value exact.
    whole.then_some(count as u64).ok_or_else(error)
}

/// Splits a leading decimal number from what follows it.
pub(crate) fn split_number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    let number: f64 = number.parse().ok()?;
    Some((number, rest.trim_start()))
}

/// Writes a duration the way it is typed: `1m30s`, `250ms`, `2s`.
pub fn duration_text(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    if nanos == 0 {
        return "0s".to_owned();
    }
    if nanos < 1_000_000_000 {
        return small_duration_text(duration);
    }
    let seconds = duration.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let rest = duration.as_secs_f64() - (hours * 3600 + minutes * 60) as f64;
    let mut text = String::new();
    if hours > 0 {
        text += &format!("{hours}h");
    }
    if minutes > 0 {
        text += &format!("{minutes}m");
    }
    if rest > 0.0005 {
        text += &format!("{}s", trim_zeros(&format!("{rest:.3}")));
    }
    text
}

fn small_duration_text(duration: Duration) -> String {
    let micros = duration.as_nanos() as f64 / 1e3;
    if micros >= 1e3 {
        format!("{}ms", trim_zeros(&format!("{:.3}", micros / 1e3)))
    } else {
        format!("{}us", trim_zeros(&format!("{micros:.3}")))
    }
}

fn trim_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<Duration>) {
        assert_eq!(parse_duration(text).ok(), expected, "{text}");
    }

    #[test]
    fn durations_are_read_with_their_units() {
        check("30s", Some(Duration::from_secs(30)));
        check("1m30s", Some(Duration::from_secs(90)));
        check("1h 5m", Some(Duration::from_secs(3900)));
        check("250ms", Some(Duration::from_millis(250)));
        check("1.5s", Some(Duration::from_millis(1500)));
        check("20us", Some(Duration::from_micros(20)));
        check("0s", Some(Duration::ZERO));
    }

    #[test]
    fn a_bare_number_or_nonsense_is_no_duration() {
        for text in ["", "30", "s", "-3s", "3 parsecs", "1m30", "..s", "1e9999s", "99999999999999999999d"] {
            check(text, None);
        }
    }

    #[test]
    fn durations_are_written_as_they_are_typed() {
        for text in ["30s", "1m30s", "250ms", "1h5m", "1.5s", "20us", "0s"] {
            assert_eq!(duration_text(parse_duration(text).expect("valid")), text);
        }
    }

    #[test]
    fn counts_take_k_and_m() {
        assert_eq!(parse_count("10k"), Ok(10_000));
        assert_eq!(parse_count("1.5M"), Ok(1_500_000));
        assert!(parse_count("1.5").is_err());
        assert!(parse_count("-1").is_err());
    }
}
