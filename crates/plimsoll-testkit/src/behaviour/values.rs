//! The small values of the grammar: durations, sizes, shares. Each is read from the same text on the command line
//! and in a path's query, and each says what it wanted when it cannot be read.

use std::time::Duration;

/// A value that could not be read, and what would have been.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {wanted}, found `{found}`")]
pub struct Unreadable {
    wanted: &'static str,
    found: String,
}

impl Unreadable {
    /// `found` was given where `wanted` was expected.
    pub fn new(wanted: &'static str, found: &str) -> Self {
        Self { wanted, found: found.to_owned() }
    }
}

// A year: long enough for any test, short enough that sums of these never overflow.
const LONGEST_S: f64 = 366.0 * 86_400.0;

/// Reads `250us`, `2ms`, `1.5s`, `3m`, `1h`, or a bare `0`.
pub(super) fn duration(text: &str) -> Result<Duration, Unreadable> {
    let unreadable = || Unreadable::new("a duration such as `2ms`", text);
    let (number, unit) = split_unit(text);
    let scale = match unit {
        "ns" => 1e-9,
        "us" | "µs" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        "" if number == "0" => 1.0,
        _ => return Err(unreadable()),
    };
    let seconds = number.parse::<f64>().map_err(|_| unreadable())? * scale;
    if !(0.0..=LONGEST_S).contains(&seconds) {
        return Err(unreadable());
    }
    // Rounded to the nanosecond: 2.3ms is 2 300 000 ns, not 2 299 999.
    Ok(Duration::from_nanos((seconds * 1e9).round() as u64))
}

/// Reads a duration that is not zero.
pub(super) fn positive_duration(text: &str) -> Result<Duration, Unreadable> {
    match duration(text)? {
        Duration::ZERO => Err(Unreadable::new("a duration above zero", text)),
        some => Ok(some),
    }
}

/// Reads `64`, `64B`, `10KB`, `10KiB`, `1MB`, `1GB`.
pub(super) fn size(text: &str) -> Result<u64, Unreadable> {
    let unreadable = || Unreadable::new("a size such as `64B` or `10KB`", text);
    let (number, unit) = split_unit(text);
    let scale: u64 = match unit {
        "" | "B" => 1,
        "KB" | "kB" => 1000,
        "KiB" => 1 << 10,
        "MB" => 1_000_000,
        "MiB" => 1 << 20,
        "GB" => 1_000_000_000,
        "GiB" => 1 << 30,
        _ => return Err(unreadable()),
    };
    let count = number.parse::<u64>().map_err(|_| unreadable())?;
    count.checked_mul(scale).ok_or_else(unreadable)
}

/// Reads a number of bytes a second: `500B/s`, `10KB/s`; never zero.
pub(super) fn pace(text: &str) -> Result<u64, Unreadable> {
    let unreadable = || Unreadable::new("a pace such as `500B/s`", text);
    let amount = text.strip_suffix("/s").ok_or_else(unreadable)?;
    size(amount).ok().filter(|&bytes| bytes > 0).ok_or_else(unreadable)
}

/// Reads a share of the whole, in [0, 1]: `0.1` or `10%`.
pub(super) fn share(text: &str) -> Result<f64, Unreadable> {
    let unreadable = || Unreadable::new("a share such as `0.1` or `10%`", text);
    let (number, scale) = match text.strip_suffix('%') {
        Some(number) => (number, 0.01),
        None => (text, 1.0),
    };
    let share = number.parse::<f64>().map_err(|_| unreadable())? * scale;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err(unreadable()) }
}

/// Reads a status code that ends an exchange, in [200, 999].
pub(super) fn status(text: &str) -> Result<u16, Unreadable> {
    text.parse()
        .ok()
        .filter(|status| (200..=999).contains(status))
        .ok_or_else(|| Unreadable::new("a status from 200 to 999", text))
}

fn split_unit(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_carry_their_unit() {
        for (text, nanos) in
            [("0", 0), ("250us", 250_000), ("2.3ms", 2_300_000), ("1s", 1_000_000_000), ("2m", 120_000_000_000)]
        {
            assert_eq!(duration(text), Ok(Duration::from_nanos(nanos)), "{text}");
        }
        for text in ["", "2", "ms", "-1s", "1..2s", "1e3s", "inf", "99999999h", "2 ms"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_paces_shares_and_statuses() {
        assert_eq!(size("10KB"), Ok(10_000));
        assert_eq!(size("10KiB"), Ok(10_240));
        assert_eq!(pace("500B/s"), Ok(500));
        assert_eq!(share("10%"), Ok(0.1));
        assert_eq!(share("0.25"), Ok(0.25));
        assert_eq!(status("503"), Ok(503));
        for text in ["-1", "99999999999999999999", "1.5KB", "1TB"] {
            assert!(size(text).is_err(), "{text}");
        }
        for text in ["0B/s", "500B", "x/s"] {
            assert!(pace(text).is_err(), "{text}");
        }
        for text in ["1.1", "NaN", "-0.1", "101%"] {
            assert!(share(text).is_err(), "{text}");
        }
        for text in ["99", "100", "1000", "abc"] {
            assert!(status(text).is_err(), "{text}");
        }
    }
}
