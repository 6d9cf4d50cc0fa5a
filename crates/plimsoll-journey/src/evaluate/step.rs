//! A step's answer: what is kept of it, and whether it is as the journey wants it.

use super::reading::Reading;
use super::{Env, found};
use crate::answer::Answer;
use crate::draw::Draw;
use crate::failure::{Failure, FailureKind};
use crate::predicate::{Comparison, Operand};
use crate::program::{Assert, Capture, Step};
use crate::query::Query;
use crate::scope::Scope;
use crate::value::Value;
use crate::wrong::Wrong;

impl Step {
    /// Takes the captures out of an answer, then checks the asserts, both in the order of the file.
    ///
    /// The asserts on status and version that the file begins with come before the captures, as in Hurl: what an error
    /// page lacks is not worth a word.
    ///
    /// # Errors
    /// The first capture that yields nothing, or the first assert that does not hold. What was captured before it stays.
    pub fn check(&self, answer: &Answer<'_>, scope: &mut Scope, draw: &mut Draw) -> Result<(), Failure> {
        let plain = match &self.options.plain_jsonpath {
            None => false,
            Some(setting) => setting.value(scope).map_err(|wrong| self.wrong(wrong))?,
        };
        let reading = Reading::new(answer);
        let asserts = &self.expected.asserts;
        let (first, rest) = asserts.split_at(asserts.iter().take_while(|assert| assert.comes_first()).count());
        self.assert(first, &reading, &mut Env { scope, draw, plain })?;
        for capture in &self.expected.captures {
            let value = capture.value(&reading, &mut Env { scope, draw, plain });
            let value = value.map_err(|wrong| wrong.at(FailureKind::Capture, &capture.place, &capture.source))?;
            scope.set(capture.slot, value);
        }
        self.assert(rest, &reading, &mut Env { scope, draw, plain })
    }

    /// Sets the variables of the step's options, in their order.
    ///
    /// # Errors
    /// If one is made of a variable that has no value.
    pub fn set_variables(&self, scope: &mut Scope, draw: &mut Draw) -> Result<(), Failure> {
        for (slot, operand) in &self.options.variables {
            let value = operand.value(&mut Env { scope, draw, plain: false }).map(|value| value.into_owned());
            let value = value.map_err(|wrong| self.wrong(wrong))?;
            scope.set(*slot, value);
        }
        Ok(())
    }

    /// A request that cannot be made.
    pub(crate) fn wrong(&self, wrong: Wrong) -> Failure {
        wrong.at(FailureKind::Request, &self.place, &self.label)
    }

    fn assert(&self, asserts: &[Assert], reading: &Reading<'_>, env: &mut Env<'_>) -> Result<(), Failure> {
        for assert in asserts {
            let checked = assert.check(reading, env);
            checked.map_err(|wrong| wrong.at(FailureKind::Assert, &assert.place, &assert.source))?;
        }
        Ok(())
    }
}

impl Assert {
    fn check(&self, reading: &Reading<'_>, env: &mut Env<'_>) -> Result<(), Wrong> {
        let actual = found(&self.query, &self.filters, reading, env)?;
        self.predicate.check(actual.as_ref(), env)
    }

    /// An assert on status or version that needs nothing else.
    fn comes_first(&self) -> bool {
        matches!(self.query, Query::Status | Query::Version)
            && self.filters.is_empty()
            && matches!(self.predicate.comparison, Comparison::Equals(Operand::Fixed(_)))
    }
}

impl Capture {
    fn value(&self, reading: &Reading<'_>, env: &mut Env<'_>) -> Result<Value, Wrong> {
        let value = found(&self.query, &self.filters, reading, env)?;
        let nothing = || match self.filters.as_slice() {
            [] => Wrong::new("a value", "none: the query didn't return any result"),
            _ => Wrong::new("a value", "none: a filter didn't return any result"),
        };
        let value = value.ok_or_else(nothing)?;
        if self.secret && !matches!(value, Value::Text(_)) {
            return Err(Wrong::new("a string, for only strings can be secret", value.kind()));
        }
        Ok(value)
    }
}
