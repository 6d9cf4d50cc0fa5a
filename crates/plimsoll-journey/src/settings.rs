//! Settings that are written down, or that a variable holds.

use std::time::Duration;

use crate::names::Slot;
use crate::options::{Count, Setting};
use crate::scope::Scope;
use crate::value::{Number, Value};
use crate::wrong::Wrong;

/// What a variable must hold to be a setting.
pub trait FromValue: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// If the value is of another kind or out of range.
    fn from_value(value: &Value) -> Result<Self, Wrong>;
}

impl<T: FromValue + Clone> Setting<T> {
    /// What is set, now.
    ///
    /// # Errors
    /// If it is held by a variable that has no value or one that cannot be such a setting.
    pub fn value(&self, scope: &Scope) -> Result<T, Wrong> {
        match self {
            Self::Fixed(fixed) => Ok(fixed.clone()),
            Self::Variable(slot) => held(*slot, scope).and_then(T::from_value),
        }
    }
}

fn held(slot: Slot, scope: &Scope) -> Result<&Value, Wrong> {
    scope.get(slot).ok_or_else(|| Wrong::missing(scope.name(slot)))
}

impl FromValue for bool {
    fn from_value(value: &Value) -> Result<Self, Wrong> {
        if let Value::Bool(truth) = value { Ok(*truth) } else { Err(Wrong::new("boolean", value.described())) }
    }
}

/// -1 is without end.
impl FromValue for Count {
    fn from_value(value: &Value) -> Result<Self, Wrong> {
        match integer(value)? {
            -1 => Ok(Self::Endless),
            times => u64::try_from(times).map(Self::Times).map_err(|_| Wrong::new("integer >= -1", value.described())),
        }
    }
}

/// An integer is milliseconds; text has a unit of its own: `500ms`, `2s`, `1m`, `1h`.
impl FromValue for Duration {
    fn from_value(value: &Value) -> Result<Self, Wrong> {
        if let Value::Text(text) = value {
            return duration(text).ok_or_else(|| Wrong::new("a duration such as `500ms`", value.described()));
        }
        let millis = u64::try_from(integer(value)?).map_err(|_| Wrong::new("positive integer", value.described()))?;
        Ok(Self::from_millis(millis))
    }
}

fn integer(value: &Value) -> Result<i64, Wrong> {
    match value {
        Value::Number(Number::Integer(integer)) => Ok(*integer),
        _ => Err(Wrong::new("integer", value.described())),
    }
}

fn duration(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let millis: u64 = match unit {
        "" | "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(millis).map(Duration::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Names;

    /// What a setting is whose variable holds `value`.
    fn read<T: FromValue + Clone>(value: Option<Value>) -> Result<T, String> {
        let mut names = Names::default();
        let slot = names.slot("v");
        let mut scope = Scope::of(names.into());
        if let Some(value) = value {
            scope.set(slot, value);
        }
        Setting::Variable(slot).value(&scope).map_err(|wrong| wrong.to_string())
    }

    #[test]
    fn variables_hold_settings() {
        assert_eq!(read(Some(Value::Bool(true))), Ok(true));
        assert_eq!(read(Some(Value::integer(3))), Ok(Count::Times(3)));
        assert_eq!(read(Some(Value::integer(-1))), Ok(Count::Endless));
        assert_eq!(read(Some(Value::integer(250))), Ok(Duration::from_millis(250)));
        assert_eq!(read(Some(Value::text("2s"))), Ok(Duration::from_secs(2)));
        assert_eq!(Setting::Fixed(Count::Times(7)).value(&Scope::default()), Ok(Count::Times(7)));
    }

    #[test]
    fn what_is_no_setting_says_why() {
        let wrong = |value| read::<Duration>(value).err().unwrap_or_default();
        assert_eq!(wrong(None), "expected a value for the variable `v`, actual none: the variable is not defined");
        assert_eq!(wrong(Some(Value::text("1 day"))), "expected a duration such as `500ms`, actual string <1 day>");
        assert_eq!(wrong(Some(Value::integer(-5))), "expected positive integer, actual integer <-5>");
        assert_eq!(
            wrong(Some(Value::text(&format!("{}h", u64::MAX)))).split(',').next(),
            Some("expected a duration such as `500ms`")
        );
        assert_eq!(read::<bool>(Some(Value::text("true"))), Err("expected boolean, actual string <true>".to_owned()));
        assert_eq!(
            read::<Count>(Some(Value::integer(-2))),
            Err("expected integer >= -1, actual integer <-2>".to_owned())
        );
    }
}
