//! Filters from and to moments.

use std::fmt::Write as _;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};

use crate::value::Value;
use crate::wrong::Wrong;

/// Reads a moment by a format; what the format leaves out is midnight, and UTC.
pub(super) fn to_date(text: &str, format: &str) -> Result<Value, Wrong> {
    let zoned = || DateTime::parse_from_str(text, format).ok().map(|date| date.with_timezone(&Utc));
    let local = || NaiveDateTime::parse_from_str(text, format).ok().map(|date| date.and_utc());
    let day = || NaiveDate::parse_from_str(text, format).ok().map(|day| day.and_time(NaiveTime::MIN).and_utc());
    let date = zoned().or_else(local).or_else(day);
    date.map(Value::Date).ok_or_else(|| Wrong::new(format!("a date in the format <{format}>"), text))
}

pub(super) fn date_format(date: DateTime<Utc>, format: &str) -> Result<Value, Wrong> {
    let mut out = String::new();
    match write!(out, "{}", date.format(format)) {
        Ok(()) => Ok(Value::Text(out.into())),
        Err(_) => Err(Wrong::new("a date format", format)),
    }
}

/// Whole days from one moment to another.
pub(super) fn days(from: DateTime<Utc>, to: DateTime<Utc>) -> Value {
    Value::integer(to.signed_duration_since(from).num_days())
}
