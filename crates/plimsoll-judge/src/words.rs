//! Numbers as a sentence wants them: few digits, with their unit.

use std::time::Duration;

use plimsoll_model::units::duration_text;

/// `12.3 ms`, `1.25 s`.
pub(crate) fn ms(value: f64) -> String {
    if value >= 1e3 { format!("{} s", digits(value / 1e3)) } else { format!("{} ms", digits(value)) }
}

/// `3.2%`.
pub(crate) fn percent(share: f64) -> String {
    format!("{}%", digits(share * 100.0))
}

/// Whole seconds, or tenths of few of them, as people type them; rounded up, for time that is still wanted.
pub(crate) fn wait(seconds: f64) -> String {
    let rounded = if seconds < 10.0 { (seconds * 10.0).ceil() / 10.0 } else { seconds.ceil() };
    Duration::try_from_secs_f64(rounded).map_or_else(|_| "forever".to_owned(), duration_text)
}

/// `1 request`, `5 requests`.
pub(crate) fn count(n: u64, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

/// Three significant digits, without zeros at the end.
pub(crate) fn digits(value: f64) -> String {
    let decimals = match value.abs() {
        v if v >= 100.0 || v == 0.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_have_units() {
        let text = [ms(0.4), ms(12.345), ms(1_250.0), percent(0.032), percent(1.0), count(1, "request")];
        assert_eq!(text, ["0.4 ms", "12.3 ms", "1.25 s", "3.2%", "100%", "1 request"]);
        assert_eq!([wait(1.23), wait(75.2), wait(f64::INFINITY)], ["1.3s", "1m16s", "forever"]);
        assert_eq!([digits(0.0), digits(250.0), count(0, "answer").as_str().to_owned()], ["0", "250", "0 answers"]);
    }
}
