//! What values must be.

use hurl_core::ast::{ExprKind, Function, Predicate as AstPredicate, PredicateFuncValue as Func, PredicateValue};
use hurl_core::reader::Pos;
use plimsoll_journey::{Comparison, Operand, Predicate, Template, TypeTest, Value};

use super::reader::Reader;
use super::settings::number;
use super::template::{constant, text};
use super::variables::Use;

impl Reader<'_> {
    pub(super) fn predicate(&mut self, predicate: &AstPredicate) -> Predicate {
        let func = &predicate.predicate_func;
        Predicate { not: predicate.not, comparison: self.comparison(&func.value, func.source_info.start) }
    }

    fn comparison(&mut self, func: &Func, at: Pos) -> Comparison {
        match func {
            Func::Equal { value, .. } => Comparison::Equals(self.operand(value, at)),
            Func::NotEqual { value, .. } => Comparison::Differs(self.operand(value, at)),
            Func::GreaterThan { value, .. } => Comparison::Above(self.operand(value, at)),
            Func::GreaterThanOrEqual { value, .. } => Comparison::AtLeast(self.operand(value, at)),
            Func::LessThan { value, .. } => Comparison::Below(self.operand(value, at)),
            Func::LessThanOrEqual { value, .. } => Comparison::AtMost(self.operand(value, at)),
            Func::StartWith { value, .. } => Comparison::StartsWith(self.operand(value, at)),
            Func::EndWith { value, .. } => Comparison::EndsWith(self.operand(value, at)),
            Func::Contain { value, .. } => Comparison::Contains(self.operand(value, at)),
            Func::Include { value, .. } => Comparison::Includes(self.operand(value, at)),
            Func::Match { value, .. } => Comparison::Matches(self.pattern(value, at)),
            Func::Exist => Comparison::Is(TypeTest::Exists),
            Func::IsBoolean => Comparison::Is(TypeTest::Boolean),
            Func::IsCollection => Comparison::Is(TypeTest::Collection),
            Func::IsDate => Comparison::Is(TypeTest::Date),
            Func::IsEmpty => Comparison::Is(TypeTest::Empty),
            Func::IsFloat => Comparison::Is(TypeTest::Float),
            Func::IsInteger => Comparison::Is(TypeTest::Integer),
            Func::IsIpv4 => Comparison::Is(TypeTest::Ipv4),
            Func::IsIpv6 => Comparison::Is(TypeTest::Ipv6),
            Func::IsIsoDate => Comparison::Is(TypeTest::IsoDate),
            Func::IsList => Comparison::Is(TypeTest::List),
            Func::IsNumber => Comparison::Is(TypeTest::Number),
            Func::IsObject => Comparison::Is(TypeTest::Object),
            Func::IsString => Comparison::Is(TypeTest::Text),
            Func::IsUuid => Comparison::Is(TypeTest::Uuid),
        }
    }

    fn operand(&mut self, value: &PredicateValue, at: Pos) -> Operand {
        match value {
            PredicateValue::Null => Operand::Fixed(Value::Null),
            PredicateValue::Bool(value) => Operand::Fixed(Value::Bool(*value)),
            PredicateValue::Number(value) => Operand::Fixed(Value::Number(number(value))),
            PredicateValue::Base64(value) => bytes(&value.value),
            PredicateValue::Hex(value) => bytes(&value.value),
            PredicateValue::File(file) => {
                bytes(&self.file(&file.filename).map(|file| file.content).unwrap_or_default())
            }
            PredicateValue::String(template) => text_operand(self.template(template)),
            PredicateValue::MultilineString(value) => text_operand(self.multiline(value)),
            PredicateValue::Placeholder(placeholder) => match &placeholder.expr.kind {
                ExprKind::Variable(variable) => {
                    Operand::Variable(self.mention(&variable.name, variable.source_info.start, Use::Read))
                }
                ExprKind::Function(function) => self.function_operand(function, placeholder.expr.source_info.start),
            },
            PredicateValue::Regex(_) => {
                let message = "a value compared with a regular expression, which it never equals";
                self.mistake(at, message, "`matches` takes a regular expression");
                Operand::Fixed(Value::Null)
            }
        }
    }

    /// A value made for the comparison alone can only differ.
    fn function_operand(&mut self, function: &Function, at: Pos) -> Operand {
        let message = format!("a value compared with `{function}`, which is another one each time");
        self.mistake(at, message, "set it with `variable:` in `[Options]`, send it, and compare with that variable");
        Operand::Fixed(Value::Null)
    }

    fn pattern(&mut self, value: &PredicateValue, at: Pos) -> Template {
        match value {
            PredicateValue::Regex(regex) => text(regex.inner.as_str()),
            PredicateValue::String(template) => self.regex_template(template),
            _ => {
                self.mistake(at, "`matches` without a regular expression", "expected `/…/` or a text");
                Template::default()
            }
        }
    }
}

/// A text that is known is not rendered each time.
pub(super) fn text_operand(template: Template) -> Operand {
    match constant(&template) {
        Some(text) => Operand::Fixed(Value::Text(text.into())),
        None => Operand::Text(template),
    }
}

pub(super) fn bytes(bytes: &[u8]) -> Operand {
    Operand::Fixed(Value::Bytes(bytes.into()))
}
