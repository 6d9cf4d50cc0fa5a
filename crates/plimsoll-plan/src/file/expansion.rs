//! From the tree to the typed plan, and from one plan to its variants: scenarios, levels, factors.
//!
//! A variant is made of the plan's tree and read anew, so that there is one way of reading and every rule holds for
//! every variant. Reading a plan therefore reads its variants too: what is wrong with one is told before anything runs.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::factors::Names;
use super::found::{Found, Mistakes, Source};
use super::node::{Node, Origin};
use super::plan::{self, PlanFile};
use super::scenario;
use super::table::{Reading, Table};
use crate::Mistake;

/// What a plan was made of.
#[derive(Clone, Default)]
pub(super) struct Origins {
    source: Arc<Source>,
    /// With factors' names where their values will be.
    tree: Arc<Node>,
    /// With their values.
    pub(super) resolved: Arc<Node>,
    /// Values other than the first of each factor.
    pub(super) chosen: BTreeMap<String, String>,
}

/// It holds the file's text, and that may hold secrets.
impl fmt::Debug for Origins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Origins").field("file", &self.source.file).finish_non_exhaustive()
    }
}

/// Reads a plan and all of its variants; `found` is what is known to be wrong already.
pub(super) fn whole(tree: Node, source: Source, found: Mistakes) -> Result<PlanFile, Vec<Mistake>> {
    let origins = Origins { source: Arc::new(source), tree: Arc::new(tree), ..Origins::default() };
    checked(origins, found)
}

fn checked(origins: Origins, found: Mistakes) -> Result<PlanFile, Vec<Mistake>> {
    let source = Arc::clone(&origins.source);
    let plan = interpret(origins, &found);
    try_factors(&plan, &found);
    try_variants(&plan, &found);
    if found.is_empty() { Ok(plan) } else { Err(found.placed(&source)) }
}

fn interpret(mut origins: Origins, found: &Mistakes) -> PlanFile {
    let mut tree = Node::clone(&origins.tree);
    Names::of(&tree, &origins.chosen).put_into(&mut tree, found);
    let resolved = Arc::new(tree);
    origins.resolved = Arc::clone(&resolved);
    let table = Table::whole(Reading { found, survey: None }, &resolved);
    let plan = plan::read(&table, origins);
    table.finish();
    plan
}

fn try_factors(plan: &PlanFile, found: &Mistakes) {
    for factor in &plan.factors {
        for value in factor.values.iter().skip(1).filter(|_| !plan.origins.chosen.contains_key(&factor.name)) {
            let mut origins = plan.origins.clone();
            origins.chosen.insert(factor.name.clone(), value.reveal().to_owned());
            let others = Mistakes::default();
            interpret(origins, &others);
            found.add_of_variant(&format!("with `{} = {value}`", factor.name), &others);
        }
    }
}

fn try_variants(plan: &PlanFile, found: &Mistakes) {
    for (origins, name, _) in variants(plan) {
        let others = Mistakes::default();
        interpret(origins, &others);
        found.add_of_variant(&format!("in the run `{name}`"), &others);
    }
}

/// The scenarios, and of each its levels.
fn variants(plan: &PlanFile) -> Vec<(Origins, String, Duration)> {
    let with = |tree: Node| Origins { tree: Arc::new(tree), ..plan.origins.clone() };
    let scenarios = scenario::expand(&plan.origins.tree, &plan.scenarios);
    let mut variants = Vec::new();
    if scenarios.is_empty() {
        for (mut tree, name) in scenario::levels(&plan.origins.tree) {
            scenario::rename(&mut tree, &name);
            variants.push((with(tree), name, Duration::ZERO));
        }
    }
    for mut scenario in scenarios {
        scenario::rename(&mut scenario.tree, &scenario.name);
        let levels = scenario::levels(&scenario.tree);
        for (mut tree, level) in levels.iter().cloned() {
            scenario::rename(&mut tree, &level);
            variants.push((with(tree), format!("{} / {level}", scenario.name), scenario.pause));
        }
        if levels.is_empty() {
            variants.push((with(scenario.tree), scenario.name, scenario.pause));
        }
    }
    variants
}

impl PlanFile {
    /// The runs of this plan in their order: one for each scenario and level, or the plan itself. In each the
    /// overrides are applied, the names are composed, and `pause` is what is waited before it.
    pub fn scenarios(&self) -> Vec<Self> {
        let variants = variants(self);
        if variants.is_empty() {
            return vec![self.clone()];
        }
        let plan = |(origins, _, pause)| Self { pause, ..interpret(origins, &Mistakes::default()) };
        variants.into_iter().map(plan).collect()
    }

    /// The plan with these values of its factors; the others keep their first.
    ///
    /// # Errors
    /// Where there is no factor of such a name, or a value makes no sense where it goes.
    pub fn with_factors(&self, chosen: &BTreeMap<String, String>) -> Result<Self, Vec<Mistake>> {
        let found = Mistakes::default();
        for name in chosen.keys().filter(|name| !self.factors.iter().any(|factor| factor.name == **name)) {
            let known: Vec<&str> = self.factors.iter().map(|factor| factor.name.as_str()).collect();
            let hint = super::nearest::hint(name, &known);
            found.add(Found::new(Origin::Whole, format!("there is no factor `{name}`"), hint));
        }
        let mut origins = self.origins.clone();
        origins.chosen.extend(chosen.clone());
        checked(origins, found).map(|plan| Self { pause: self.pause, ..plan })
    }
}
