//! The whole plan, and how its sections are read.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;

use super::expansion::Origins;
use super::factors::{self, Factor};
use super::journey::{self, Errand, Journey};
use super::load::{self, Load, Model};
use super::scenario::{self, Scenario};
use super::slo::{self, Slo};
use super::table::Table;
use super::target::{self, Target};
use super::transport::{self, Transport};
use super::variables::{self, Variable};

/// A plan: what is tested, what is done to it, how much, and what must hold.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PlanFile {
    /// What people call it.
    pub name: Option<String>,
    /// What is tested, and what is done around a run.
    #[schemars(default)]
    pub target: Target,
    /// What users do; each iteration is one of these, by weight.
    #[schemars(rename = "journey", default)]
    pub journeys: Vec<Journey>,
    /// Journeys before the measured phase; what they capture, the journeys see.
    #[schemars(default)]
    pub setup: Vec<Errand>,
    /// Journeys after it.
    #[schemars(default)]
    pub teardown: Vec<Errand>,
    /// Values that journeys use: `{{name}}`. `env:NAME` is taken from the environment, and is a secret.
    #[schemars(default)]
    pub variables: BTreeMap<String, Variable>,
    /// Variables that are never shown, wherever their values come from.
    #[schemars(default)]
    pub secrets: Vec<String>,
    /// How much load, when, until when.
    #[schemars(default)]
    pub load: Load,
    /// How requests reach the target.
    #[schemars(default)]
    pub transport: Transport,
    /// What the run is held to.
    #[schemars(default)]
    pub slo: Slo,
    /// Several runs, each with something changed.
    #[schemars(rename = "scenario", default)]
    pub scenarios: Vec<Scenario>,
    /// What an experiment varies: `{name}` in the load and in what starts a process is its value.
    #[schemars(with = "BTreeMap<String, Vec<Variable>>", default)]
    pub factors: Vec<Factor>,
    /// The pause before this run, where it is a scenario.
    #[schemars(skip)]
    pub pause: Duration,
    /// What it was made of, so that variants can be made of it.
    #[schemars(skip)]
    pub(super) origins: Origins,
}

/// Reads all sections.
pub(super) fn read(table: &Table<'_>, origins: Origins) -> PlanFile {
    let secrets = table.get("secrets").names();
    let plan = PlanFile {
        name: table.get("name").word(),
        target: table.get("target").table(target::read).unwrap_or_default(),
        journeys: table.get("journey").tables(journey::read).into_iter().flatten().collect(),
        setup: table.get("setup").tables(journey::errand).into_iter().flatten().collect(),
        teardown: table.get("teardown").tables(journey::errand).into_iter().flatten().collect(),
        variables: table.get("variables").table(|table| variables::read(table, &secrets)).unwrap_or_default(),
        load: table.get("load").table(load::read).unwrap_or_default(),
        transport: table.get("transport").table(transport::read).unwrap_or_default(),
        slo: table.get("slo").table(slo::read).unwrap_or_default(),
        scenarios: table.get("scenario").tables(|t| scenario::read(t, &secrets)).into_iter().flatten().collect(),
        factors: table.get("factors").table(factors::read).unwrap_or_default(),
        pause: Duration::ZERO,
        secrets,
        origins,
    };
    check_journeys(table, &plan);
    ["journey", "scenario"].into_iter().for_each(|key| table.get(key).names_differ());
    plan
}

fn check_journeys(table: &Table<'_>, plan: &PlanFile) {
    let written = table.get("journey");
    if !written.is_given() {
        let hint = "add `[[journey]]` with `file = \"checkout.hurl\"` or `url = \"/path\"`";
        table.mistake("a plan without a `[[journey]]` would do nothing", hint);
        return;
    }
    if !plan.journeys.is_empty() && plan.journeys.iter().all(|journey| journey.weight == 0.0) {
        written.mistake("the weights add up to nothing", "give one of the journeys a weight above zero");
    }
    let relative =
        plan.journeys.iter().any(|journey| journey.url.as_ref().is_some_and(|url| url.reveal().starts_with('/')));
    if relative && plan.target.url.is_none() {
        table.mistake("a journey's `url` is a path, and nothing says on which target", "add `[target]` with `url = …`");
    }
    if plan.load.model() == Some(Model::Open) && plan.journeys.iter().any(|journey| journey.pace.is_some()) {
        written.mistake("`pace` belongs to users of the closed model", "leave it out: the rate is the pace");
    }
}
