//! From an answer to a verdict: queries, the filters behind them, and predicates.
//!
//! The rules are those of the `hurl` command line tool: which kinds of value a filter takes, what compares with what, and
//! what an absent value means. Nothing is described in words before something is wrong.

mod dates;
mod encode;
mod filter;
mod html;
mod predicate;
mod query;
mod reading;
mod set_cookie;
mod step;
#[cfg(test)]
mod tests;
mod words;

use std::borrow::Cow;

use crate::draw::Draw;
use crate::filter::Filter;
use crate::query::Query;
use crate::scope::Scope;
use crate::template::Template;
use crate::value::Value;
use crate::wrong::Wrong;
use reading::Reading;

/// What queries, filters and predicates see beside the answer.
struct Env<'a> {
    scope: &'a Scope,
    draw: &'a mut Draw,
    /// A JSONPath always yields a list.
    plain: bool,
}

impl Env<'_> {
    fn string<'t>(&mut self, template: &'t Template) -> Result<Cow<'t, str>, Wrong> {
        template.string(self.scope, self.draw)
    }
}

/// What a query yields after its filters.
fn found(query: &Query, filters: &[Filter], reading: &Reading<'_>, env: &mut Env<'_>) -> Result<Option<Value>, Wrong> {
    let mut value = query.evaluate(reading, env)?;
    for filter in filters {
        let input = value.ok_or_else(|| Wrong::new("a value to apply the filter to", "none"))?;
        value = filter.apply(input, env)?;
    }
    Ok(value)
}
