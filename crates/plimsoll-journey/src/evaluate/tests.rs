//! Tables for what the rules are; the words are compared, too, for people act on them.

mod filters;
mod predicates;
mod queries;
mod steps;

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::reading::Reading;
use super::{Env, found};
use crate::answer::{Answer, Certificate, Hop};
use crate::draw::Draw;
use crate::filter::Filter;
use crate::names::{Names, Slot};
use crate::query::Query;
use crate::scope::Scope;
use crate::template::{Escape, Expression, Part, Template};
use crate::value::{Number, Value};
use crate::wrong::Wrong;

fn t(text: &str) -> Template {
    Template::text(text)
}

fn list(values: &[Value]) -> Value {
    Value::List(values.into())
}

fn float(float: f64) -> Value {
    Value::Number(Number::Float(float))
}

fn bytes(bytes: &[u8]) -> Value {
    Value::Bytes(bytes.into())
}

/// 2024-02-29T12:00:00Z.
fn moment() -> DateTime<Utc> {
    DateTime::from_timestamp(1_709_208_000, 0).unwrap_or_default()
}

fn draw() -> Draw {
    Draw::for_arrival(1, 2, moment())
}

/// A scope in which `three` is an integer and `word` is text; `nothing` has no value.
fn scope() -> (Scope, [Slot; 3]) {
    let mut names = Names::default();
    let slots = ["three", "word", "nothing"].map(|name| names.slot(name));
    let mut scope = Scope::of(Arc::new(names));
    scope.set(slots[0], Value::integer(3));
    scope.set(slots[1], Value::text("word"));
    (scope, slots)
}

fn gap(slot: Slot) -> Template {
    Template { parts: vec![Part::Gap { expression: Expression::Variable(slot), escape: Escape::None }] }
}

fn words(found: Result<Option<Value>, Wrong>) -> String {
    match found {
        Ok(Some(value)) => value.described(),
        Ok(None) => "none".to_owned(),
        Err(wrong) => format!("WRONG {wrong}"),
    }
}

/// What a query and its filters yield, in words.
fn yielded(query: &Query, filters: &[Filter], answer: &Answer<'_>, plain: bool) -> String {
    let (scope, mut draw) = (scope().0, draw());
    words(found(query, filters, &Reading::new(answer), &mut Env { scope: &scope, draw: &mut draw, plain }))
}
