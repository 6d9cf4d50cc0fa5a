//! Numbers: how they compare, and how they are written.
//!
//! An integer may have any length, for servers write identifiers of 128 bits as bare digits. Integers and floats are
//! compared by their value, as Hurl does.

use std::cmp::Ordering;
use std::fmt;

use crate::value::Number;

/// `NaN` is equal to everything, as in Hurl.
impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.compare(other) == Ordering::Equal
    }
}

/// A whole float keeps its fraction: `1.0`.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(integer) => integer.fmt(f),
            Self::Float(float) if float.fract() == 0.0 => write!(f, "{float}.0"),
            Self::Float(float) => float.fmt(f),
            Self::Big(digits) => f.write_str(digits),
        }
    }
}

impl Number {
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a.cmp(b),
            (Self::Big(a), Self::Big(b)) => compare_digits(a, b),
            (Self::Big(a), Self::Integer(b)) => compare_digits(a, &b.to_string()),
            (Self::Integer(a), Self::Big(b)) => compare_digits(&a.to_string(), b),
            _ => compare_floats(self.as_float(), other.as_float()),
        }
    }

    fn as_float(&self) -> f64 {
        match self {
            Self::Integer(integer) => *integer as f64,
            Self::Float(float) => *float,
            Self::Big(digits) => digits.parse().unwrap_or(f64::NAN),
        }
    }
}

fn compare_floats(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// Integers in decimal digits: the longer one is the greater one.
fn compare_digits(a: &str, b: &str) -> Ordering {
    match (a.strip_prefix('-'), b.strip_prefix('-')) {
        (None, None) => compare_magnitudes(a, b),
        (Some(a), Some(b)) => compare_magnitudes(b, a),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
    }
}

fn compare_magnitudes(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn big(digits: &str) -> Number {
        Number::Big(digits.into())
    }

    #[track_caller]
    fn check(a: Number, b: Number, expected: Ordering) {
        assert_eq!(a.compare(&b), expected, "{a} and {b}");
        assert_eq!(b.compare(&a), expected.reverse(), "{b} and {a}");
    }

    #[test]
    fn numbers_compare_by_value() {
        check(Number::Integer(1), Number::Integer(2), Ordering::Less);
        check(Number::Integer(1), Number::Float(1.0), Ordering::Equal);
        check(Number::Float(1.5), Number::Integer(1), Ordering::Greater);
        check(Number::Float(f64::NAN), Number::Integer(1), Ordering::Equal);
        check(big("100000000000000000000"), Number::Integer(9), Ordering::Greater);
        check(big("-100000000000000000000"), Number::Integer(-9), Ordering::Less);
        check(big("100000000000000000000"), big("99999999999999999999"), Ordering::Greater);
        check(big("100000000000000000000"), Number::Float(1e20), Ordering::Equal);
    }

    #[test]
    fn numbers_are_written_as_in_hurl() {
        let written = |number: Number| number.to_string();
        assert_eq!(written(Number::Integer(-3)), "-3");
        assert_eq!(written(Number::Float(1.0)), "1.0");
        assert_eq!(written(Number::Float(-1.5)), "-1.5");
        assert_eq!(written(Number::Float(1e21)), "1000000000000000000000.0");
        assert_eq!(written(big("18446744073709551616")), "18446744073709551616");
    }
}
