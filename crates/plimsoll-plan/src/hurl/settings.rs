//! Values of options: written down, or held by a variable when the step begins.

use std::time::Duration;

use hurl_core::ast::{
    BooleanOption, CountOption, DurationOption, ExprKind, Number as AstNumber, Placeholder, VariableValue,
};
use hurl_core::types::{Count as AstCount, DurationUnit};
use plimsoll_journey::{Count, Number, Operand, Setting, Slot, Value};

use super::reader::Reader;
use super::template::constant;
use super::variables::Use;

impl Reader<'_> {
    pub(super) fn flag(&mut self, option: &BooleanOption) -> Option<Setting<bool>> {
        match option {
            BooleanOption::Literal(value) => Some(Setting::Fixed(*value)),
            BooleanOption::Placeholder(placeholder) => self.held(placeholder).map(Setting::Variable),
        }
    }

    pub(super) fn count(&mut self, option: &CountOption) -> Option<Setting<Count>> {
        match option {
            CountOption::Literal(AstCount::Finite(times)) => Some(Setting::Fixed(Count::Times(*times as u64))),
            CountOption::Literal(AstCount::Infinite) => Some(Setting::Fixed(Count::Endless)),
            CountOption::Placeholder(placeholder) => self.held(placeholder).map(Setting::Variable),
        }
    }

    /// Without a unit it is milliseconds.
    pub(super) fn duration(&mut self, option: &DurationOption) -> Option<Setting<Duration>> {
        match option {
            DurationOption::Literal(literal) => {
                let factor = match literal.unit {
                    None | Some(DurationUnit::MilliSecond) => 1,
                    Some(DurationUnit::Second) => 1000,
                    Some(DurationUnit::Minute) => 60_000,
                    Some(DurationUnit::Hour) => 3_600_000,
                };
                let milliseconds = literal.value.as_u64().saturating_mul(factor);
                Some(Setting::Fixed(Duration::from_millis(milliseconds)))
            }
            DurationOption::Placeholder(placeholder) => self.held(placeholder).map(Setting::Variable),
        }
    }

    /// The variable of a placeholder that stands for a whole value.
    fn held(&mut self, placeholder: &Placeholder) -> Option<Slot> {
        match &placeholder.expr.kind {
            ExprKind::Variable(variable) => Some(self.mention(&variable.name, variable.source_info.start, Use::Read)),
            ExprKind::Function(function) => {
                let message = format!("`{function}` cannot be the value of an option");
                self.mistake(placeholder.expr.source_info.start, message, "expected a variable or a value");
                None
            }
        }
    }

    /// What `variable: name=value` gives.
    pub(super) fn variable_value(&mut self, value: &VariableValue) -> Operand {
        match value {
            VariableValue::Null => Operand::Fixed(Value::Null),
            VariableValue::Bool(value) => Operand::Fixed(Value::Bool(*value)),
            VariableValue::Number(value) => Operand::Fixed(Value::Number(number(value))),
            VariableValue::String(template) => {
                let template = self.template(template);
                match constant(&template) {
                    Some(text) => Operand::Fixed(Value::Text(text.into())),
                    None => Operand::Text(template),
                }
            }
        }
    }
}

pub(super) fn number(value: &AstNumber) -> Number {
    match value {
        AstNumber::Integer(value) => Number::Integer(value.as_i64()),
        AstNumber::Float(value) => Number::Float(value.as_f64()),
        AstNumber::BigInteger(digits) => Number::Big(digits.as_str().into()),
    }
}
