//! When requests were made, and how long the user paused in between.

use std::time::Duration;

use super::super::Options;
use super::super::draft::Exchange;
use super::super::notes::Notes;
use super::Timed;

/// Shorter gaps are a browser's own.
const PAUSE_MIN_MS: i64 = 500;
/// Longer gaps are somebody who was away.
const PAUSE_MAX_MS: i64 = 60_000;

/// Says how long the pauses were, or makes delays of them.
pub(super) fn put(exchanges: &mut [Exchange], all: &[Timed], options: Options<'_>, notes: &mut Notes) {
    let mut pauses = Vec::new();
    let mut free_at = i64::MIN;
    for (exchange, timed) in exchanges.iter_mut().zip(all) {
        let gap = if free_at == i64::MIN { 0 } else { timed.start_ms.saturating_sub(free_at) };
        let took = timed.entry.time.filter(|time| (0.0..1e9).contains(time)).unwrap_or(0.0) as i64;
        free_at = free_at.max(timed.start_ms.saturating_add(took));
        if gap >= PAUSE_MIN_MS {
            let pause = rounded(gap);
            pauses.push(pause);
            exchange.delay = options.delays.then_some(pause);
        }
    }
    let total: Duration = pauses.iter().sum();
    let count = pauses.len();
    let (pauses, took) = if count == 1 { ("pause", "took") } else { ("pauses", "took together") };
    let recorded = format!("{count} {pauses} of the user {took} {:.1} s", total.as_secs_f64());
    match (count, options.delays) {
        (0, _) => (),
        (_, true) => notes.say(format!("{recorded}: they are delays in the Hurl file")),
        (_, false) => notes.say(format!("{recorded}: `--delays` keeps them, or set `think` in the plan")),
    }
}

/// To a tenth of a second below ten, else to whole seconds.
fn rounded(gap_ms: i64) -> Duration {
    let step = if gap_ms < 10_000 { 100 } else { 1000 };
    let gap_ms = gap_ms.min(PAUSE_MAX_MS);
    Duration::from_millis(u64::try_from((gap_ms + step / 2) / step * step).unwrap_or(0))
}

/// A moment of ISO 8601 in milliseconds: `2026-01-02T03:04:05.678Z`, `…+02:00`.
pub(super) fn moment(text: &str) -> Option<i64> {
    let (date, time) = text.trim().split_once(['T', ' '])?;
    let mut date = date.splitn(3, '-').map(number);
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let zone_at = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    let (clock, zone) = time.split_at(zone_at);
    let mut clock = clock.splitn(3, ':');
    let (hour, minute) = (number(clock.next()?)?, number(clock.next()?)?);
    let (seconds, fraction) = clock.next().map_or(("0", ""), |text| text.split_once('.').unwrap_or((text, "")));
    let millis: i64 = fraction
        .bytes()
        .chain(*b"000")
        .take(3)
        .try_fold(0, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + i64::from(digit - b'0')))?;
    let in_range = (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 25 && minute < 60;
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + number(seconds)? - offset(zone)?;
    in_range.then_some(seconds * 1000 + millis)
}

/// At most four digits, so that no sum overflows.
fn number(text: &str) -> Option<i64> {
    (1..=4)
        .contains(&text.len())
        .then(|| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?)?
}

fn offset(zone: &str) -> Option<i64> {
    let sign = match zone.chars().next() {
        None | Some('Z' | 'z') => return Some(0),
        Some('-') => -1,
        Some(_) => 1,
    };
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    let (hours, minutes) = (number(digits.get(..2)?)?, digits.get(2..4).map_or(Some(0), number)?);
    Some(sign * (hours * 3600 + minutes * 60))
}

/// Days since 1970-01-01, by the calendar's 400-year cycle counted from March, when leap days come last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (cycle, of_cycle) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    cycle * 146_097 + of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<i64>) {
        assert_eq!(moment(text), expected, "{text}");
    }

    #[test]
    fn moments() {
        check("1970-01-01T00:00:00Z", Some(0));
        check("2000-03-01T00:00:00.000Z", Some(951_868_800_000));
        check("2024-02-29T12:30:15.5+02:00", Some(1_709_202_615_500));
        check("2024-02-29T12:30:15.123456789-0530", Some(1_709_229_615_123));
        check("2024-02-29", None);
        check("2024-13-01T00:00:00Z", None);
        check("99999-01-01T00:00:00Z", None);
        check("2024-02-29T12:3é:15Z", None);
    }

    #[test]
    fn pauses_are_rounded_sensibly() {
        for (gap, expected) in [(548, 500), (1_260, 1_300), (12_700, 13_000), (3_600_000, 60_000)] {
            assert_eq!(rounded(gap).as_millis(), expected, "{gap}");
        }
    }
}
