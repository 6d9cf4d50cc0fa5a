//! Whole plans: good ones, bad ones, variants, and the reader against its schema.

mod bad;
mod document;
mod good;
mod keys;
mod properties;
mod secrets;
mod variants;

use std::path::Path;

use super::{PlanFile, read};
use crate::Mistake;

/// Two variables, of which plans may take their secrets.
fn environment(name: &str) -> Option<String> {
    match name {
        "API_TOKEN" => Some("swordfish".to_owned()),
        "DATABASE_URL" => Some("postgres://me:tuna@db/shop".to_owned()),
        "REDIS_URL" => Some("redis://cache".to_owned()),
        _ => None,
    }
}

fn attempt(text: &str, sets: &[&str]) -> Result<PlanFile, Vec<Mistake>> {
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    read(Path::new("plan.toml"), text, &sets, &environment)
}

#[track_caller]
fn plan(text: &str) -> PlanFile {
    plan_with(text, &[])
}

#[track_caller]
fn plan_with(text: &str, sets: &[&str]) -> PlanFile {
    attempt(text, sets).unwrap_or_else(|mistakes| panic!("{}", rendered(&mistakes)))
}

/// What a person sees.
fn rendered(mistakes: &[Mistake]) -> String {
    let one = |mistake: &Mistake| match mistake.hint.as_str() {
        "" => mistake.to_string(),
        hint => format!("{mistake}\nhint: {hint}"),
    };
    mistakes.iter().map(one).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn mistakes(text: &str, sets: &[&str]) -> String {
    rendered(&attempt(text, sets).expect_err("a mistake"))
}
