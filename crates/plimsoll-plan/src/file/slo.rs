//! `[slo]`: what a run is held to, as a whole and step by step.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use plimsoll_model::{Objective, Objectives, ParseError};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::field::Field;
use super::nearest;
use super::node::{Origin, Value};
use super::table::Table;

/// What a run is held to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Slo {
    /// What must hold of all requests together.
    pub objectives: Objectives,
    /// What must hold of the steps that are called so.
    pub steps: BTreeMap<String, Objectives>,
    /// Statuses that are the refusal we want.
    pub expect: Vec<u16>,
    /// Bounds under which the share of requests is reported.
    pub within: Vec<Duration>,
}

/// How quantiles are called.
const QUANTILE: &str = "^p[0-9]+([.][0-9]+)?$";
/// What can be bounded, where somebody mistyped it.
const MEASURES: [&str; 9] = ["p50", "p90", "p95", "p99", "p999", "mean", "max", "errors", "expect"];

pub(super) fn read(table: &Table<'_>) -> Slo {
    let expect = table.get("expect").one_or_many(Field::status);
    let within = table.get("within").one_or_many(Field::duration);
    let (mut placed, mut steps) = (single(table), BTreeMap::new());
    for (name, field) in table.rest("*") {
        if is_quantile(name) {
            placed.extend(field.objective(name));
        } else if field.is_table() {
            steps.insert(name.to_owned(), field.table(step).unwrap_or_default());
        } else {
            unknown(&field);
        }
    }
    table.survey(QUANTILE, |field| field.accepts(&["string"]));
    Slo { objectives: in_order(placed), steps, expect, within }
}

/// The objectives of one step.
fn step(table: &Table<'_>) -> Objectives {
    let mut placed = single(table);
    for (name, field) in table.rest(QUANTILE) {
        match is_quantile(name) {
            true => placed.extend(field.objective(name)),
            false => unknown(&field),
        }
    }
    table.survey(QUANTILE, |field| field.accepts(&["string"]));
    in_order(placed)
}

type Placed = (Origin, Objective);

/// In the order in which people wrote them.
fn in_order(mut placed: Vec<Placed>) -> Objectives {
    placed.sort_by_key(|(origin, _)| *origin);
    placed.into_iter().map(|(_, objective)| objective).collect()
}

fn single(table: &Table<'_>) -> Vec<Placed> {
    ["mean", "max", "errors"].into_iter().filter_map(|key| table.get(key).objective(key)).collect()
}

fn is_quantile(name: &str) -> bool {
    name.starts_with('p') && format!("{name}<1s").parse::<Objective>().is_ok()
}

fn unknown(field: &Field<'_>) {
    if !field.is_given() {
        return;
    }
    let name = field.name();
    let hint = match nearest::nearest(name.rsplit('.').next().unwrap_or_default(), MEASURES) {
        Some(word) => format!("did you mean `{word}`?"),
        None => "a step's objectives are a table: `\"POST /offers\" = { p95 = \"500ms\" }`".to_owned(),
    };
    field.mistake("this is not a measure", hint);
}

impl Field<'_> {
    /// `p99 = "200ms"` is the objective `p99<200ms`.
    fn objective(&self, measure: &str) -> Option<Placed> {
        let objective = self.parsed(|bound| {
            format!("{measure}<{}", bound.trim().trim_start_matches('<')).parse().map_err(|_| {
                let example = if measure == "errors" { "a share, such as `0.1%`" } else { "a time, such as `200ms`" };
                ParseError::new(bound, example)
            })
        });
        objective.map(|objective| (self.key_origin, objective))
    }

    fn is_table(&self) -> bool {
        self.reading.survey.is_some() || matches!(self.value(), Some(Value::Table(_)))
    }

    fn status(&self) -> Option<u16> {
        let status: u16 = self.count(0)?;
        if (400..600).contains(&status) {
            return Some(status);
        }
        self.mistake(
            format!("{status} is not a status from 400 to 599"),
            "it names the refusals that are wanted: `[429]`",
        );
        None
    }
}

impl JsonSchema for Slo {
    fn schema_name() -> Cow<'static, str> {
        "Slo".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let time = json_schema!({ "type": "string", "description": "A time that must not be reached: `200ms`." });
        let measures = json_schema!({
            "mean": time, "max": time,
            "errors": { "type": "string", "description": "A share that must not be reached: `0.1%`." },
        });
        let mut whole = measures.as_value().clone();
        if let Some(whole) = whole.as_object_mut() {
            let counts = serde_json::json!({ "type": ["integer", "string"] });
            whole.insert(
                "expect".to_owned(),
                serde_json::json!({
                    "description": "Statuses that are the refusal we want: no errors, and in no objective's quantiles.",
                    "type": ["integer", "string", "array"], "items": counts,
                }),
            );
            whole.insert(
                "within".to_owned(),
                serde_json::json!({
                    "description": "Times under which the share of requests is reported.",
                    "type": ["string", "array"], "items": { "type": "string" },
                }),
            );
        }
        json_schema!({
            "type": "object",
            "description": "What a run is held to.",
            "properties": whole,
            "patternProperties": { QUANTILE: time },
            "additionalProperties": {
                "description": "What the step of this name is held to.",
                "type": "object", "properties": measures, "patternProperties": { QUANTILE: time },
                "additionalProperties": false,
            },
        })
    }
}
