//! Counts and durations of flags, with complaints that name the flag.

use std::time::Duration;

use plimsoll_model::ParseError;
use plimsoll_model::units::{parse_count, parse_duration};

use crate::usage::Usage;

/// A value that its type's parser refused.
pub(crate) fn refused(flag: &str, error: &ParseError) -> Usage {
    let (wanted, example) = split_example(&error.expected);
    Usage::new(format!("`{flag}`: `{}` is not {wanted}", error.text), example)
}

/// `a rate with a unit, such as …` in two: what it is, and what to type.
fn split_example(expected: &str) -> (&str, String) {
    match expected.split_once(", such as ") {
        Some((wanted, example)) => (wanted, format!("write it like {example}")),
        None => (expected, "`plimsoll run --help` shows the values that are understood".to_owned()),
    }
}

/// A count of at least one.
pub(super) fn positive(flag: &str, text: &str) -> Result<u64, Usage> {
    match parse_count(text).map_err(|error| refused(flag, &error))? {
        0 => Err(Usage::new(
            format!("`{flag} {text}`: at least 1 is needed"),
            format!("try `{flag} 1`, or leave it out"),
        )),
        count => Ok(count),
    }
}

/// A count of at least one that fits `T`.
pub(super) fn positive_in<T: TryFrom<u64>>(flag: &str, text: &str) -> Result<T, Usage> {
    T::try_from(positive(flag, text)?).map_err(|_| too_large(flag, text))
}

/// A count that may be zero.
pub(super) fn count_in<T: TryFrom<u64>>(flag: &str, text: &str) -> Result<T, Usage> {
    let count = parse_count(text).map_err(|error| refused(flag, &error))?;
    T::try_from(count).map_err(|_| too_large(flag, text))
}

/// A duration longer than nothing.
pub(super) fn duration(flag: &str, text: &str) -> Result<Duration, Usage> {
    let duration = parse_duration(text).map_err(|error| refused(flag, &error))?;
    if duration.is_zero() {
        let message = format!("`{flag} {text}`: it must be longer than nothing");
        return Err(Usage::new(message, format!("write it like `{flag} 30s`")));
    }
    Ok(duration)
}

/// The seed: any 64-bit number.
pub(super) fn seed(text: &str) -> Result<u64, Usage> {
    text.trim().parse().map_err(|_| {
        Usage::new(format!("`--seed`: `{text}` is not a whole number from 0 to 2^64 − 1"), "write it like `--seed 42`")
    })
}

fn too_large(flag: &str, text: &str) -> Usage {
    Usage::new(format!("`{flag} {text}`: that is more than this tool can count"), "use a smaller number")
}
