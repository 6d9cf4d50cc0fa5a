//! Numbers as people read them: three significant digits, a unit, thousands apart.

/// A time in milliseconds: `845 µs`, `1.23 ms`, `12.3 s`.
pub fn time(ms: f64) -> String {
    let (value, unit) = scaled(ms);
    format!("{value} {unit}")
}

/// Two times in one unit: `1.20 – 1.25 ms`.
pub fn time_range(low_ms: f64, high_ms: f64) -> String {
    let (high, unit) = scaled(high_ms);
    let low = digits(low_ms / scale_of(unit));
    format!("{low} – {high} {unit}")
}

/// A length in seconds: `30 s`, `2 min 5 s`.
pub fn length(seconds: f64) -> String {
    if seconds < 120.0 {
        return time(seconds * 1e3).replace(".0 ", " ").replace(".00 ", " ");
    }
    let whole = seconds.round() as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    let parts = [(hours, "h"), (minutes, "min"), (seconds, "s")];
    let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, unit)| format!("{count} {unit}"));
    parts.collect::<Vec<_>>().join(" ")
}

/// A rate per second: `0.5/s`, `27.3/s`, `12,345/s`.
pub fn rate(per_second: f64) -> String {
    let text = digits(per_second);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}/s")
}

/// A count: `12,345`.
pub fn count(count: u64) -> String {
    let plain = count.to_string();
    let mut text = String::with_capacity(plain.len() + plain.len() / 3);
    for (index, digit) in plain.chars().enumerate() {
        if index > 0 && (plain.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share as a percentage that says 0 % and 100 % only where that is exact.
pub fn share(share: f64) -> String {
    let percent = share * 100.0;
    if share > 0.0 && percent < 0.01 {
        return "< 0.01%".to_owned();
    }
    if share < 1.0 && percent > 99.99 {
        return "> 99.99%".to_owned();
    }
    let text = format!("{percent:.2}");
    format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Bytes: `12.3 MB`.
pub fn bytes(bytes: u64) -> String {
    let value = bytes as f64;
    match value {
        v if v < 1e3 => format!("{bytes} B"),
        v if v < 1e6 => format!("{} kB", digits(v / 1e3)),
        v if v < 1e9 => format!("{} MB", digits(v / 1e6)),
        v => format!("{} GB", digits(v / 1e9)),
    }
}

/// One thing, or several: `1 request`, `2 requests`.
pub fn plural(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

fn scaled(ms: f64) -> (String, &'static str) {
    // Decided on the rounded value, so that 999.96 µs becomes 1.00 ms and not 1000 µs.
    let unit = if ms == 0.0 || (0.9995..999.5).contains(&ms) {
        "ms"
    } else if ms < 0.9995 {
        "µs"
    } else {
        "s"
    };
    (digits(ms / scale_of(unit)), unit)
}

fn scale_of(unit: &str) -> f64 {
    match unit {
        "µs" => 1e-3,
        "s" => 1e3,
        _ => 1.0,
    }
}

/// Three significant digits, and all digits before the point.
fn digits(value: f64) -> String {
    let value_abs = value.abs();
    if value_abs >= 99.95 {
        let whole = count(value_abs.round() as u64);
        return if value < 0.0 { format!("-{whole}") } else { whole };
    }
    let decimals = match value_abs {
        0.0 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_time(ms: f64, expected: &str) {
        assert_eq!(time(ms), expected, "{ms}");
    }

    #[test]
    fn times_have_three_digits_and_their_unit() {
        check_time(0.0, "0 ms");
        check_time(0.0004, "0.40 µs");
        check_time(0.845, "845 µs");
        check_time(0.9996, "1.00 ms");
        check_time(1.234, "1.23 ms");
        check_time(9.996, "10.0 ms");
        check_time(12.34, "12.3 ms");
        check_time(99.96, "100 ms");
        check_time(999.6, "1.00 s");
        check_time(1_234_567.0, "1,235 s");
    }

    #[test]
    fn a_range_has_one_unit() {
        assert_eq!(time_range(0.9, 1.25), "0.90 – 1.25 ms");
        assert_eq!(time_range(120.0, 133.0), "120 – 133 ms");
    }

    #[test]
    fn shares_are_exact_at_the_ends() {
        for (value, expected) in
            [(0.0, "0%"), (1.0, "100%"), (0.999_999, "> 99.99%"), (0.000_001, "< 0.01%"), (0.001, "0.1%"), (0.5, "50%")]
        {
            assert_eq!(share(value), expected);
        }
    }

    #[test]
    fn counts_rates_lengths_and_bytes() {
        assert_eq!((count(0), count(999), count(1_234_567)), ("0".into(), "999".into(), "1,234,567".into()));
        assert_eq!((rate(200.0), rate(27.31), rate(0.5)), ("200/s".into(), "27.3/s".into(), "0.5/s".into()));
        assert_eq!((length(30.0), length(3.25), length(125.0)), ("30 s".into(), "3.25 s".into(), "2 min 5 s".into()));
        assert_eq!((bytes(12), bytes(12_345_678)), ("12 B".into(), "12.3 MB".into()));
        assert_eq!((plural(1, "user"), plural(0, "user")), ("1 user".into(), "0 users".into()));
    }
}
