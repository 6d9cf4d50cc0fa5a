//! A moment as RFC 3339 text, in UTC, from milliseconds since the Unix epoch.
//!
//! The calendar is Howard Hinnant's `civil_from_days` ("chrono-compatible low-level date algorithms", 2014): days
//! are counted from 1 March of year 0, in eras of 400 years, so that the leap day is the last of its year.

const MS_PER_DAY: u64 = 86_400_000;
const DAYS_TO_EPOCH: u64 = 719_468; // from 0000-03-01 to 1970-01-01
const DAYS_PER_ERA: u64 = 146_097;

/// `2026-07-30T12:34:56.789Z`.
pub fn rfc3339(ms_since_epoch: u64) -> String {
    let (year, month, day) = civil(ms_since_epoch / MS_PER_DAY);
    let ms = ms_since_epoch % MS_PER_DAY;
    let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", ms % 1_000)
}

fn civil(days_since_epoch: u64) -> (u64, u64, u64) {
    let days = days_since_epoch + DAYS_TO_EPOCH;
    let (era, day_of_era) = (days / DAYS_PER_ERA, days % DAYS_PER_ERA);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ms: u64, expected: &str) {
        assert_eq!(rfc3339(ms), expected);
    }

    #[test]
    fn moments_are_those_of_date_1() {
        // As `date -u -d @SECONDS` prints them.
        check(0, "1970-01-01T00:00:00.000Z");
        check(951_782_400_000, "2000-02-29T00:00:00.000Z");
        check(1_709_251_199_999, "2024-02-29T23:59:59.999Z");
        check(1_709_251_200_000, "2024-03-01T00:00:00.000Z");
        check(1_785_414_896_789, "2026-07-30T12:34:56.789Z");
        check(4_107_542_400_000, "2100-03-01T00:00:00.000Z");
    }
}
