//! `[[scenario]]` and `levels`: several runs in one plan, each with something changed.

use std::time::Duration;

use schemars::JsonSchema;

use super::field::Field;
use super::load::{self, AMOUNTS, Load};
use super::node::{Entry, Node, Origin, Value};
use super::slo::{self, Slo};
use super::table::Table;
use super::text::Text;
use super::variables::{self, Variable};

/// One of several runs of a plan.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Scenario {
    /// What people call it.
    pub name: String,
    /// What is different in its load. An amount of load replaces the plan's, whatever that is.
    #[schemars(default)]
    pub load: Load,
    /// What is different in its objectives.
    #[schemars(default)]
    pub slo: Slo,
    /// What is different in its variables.
    #[schemars(default)]
    pub variables: std::collections::BTreeMap<String, Variable>,
    /// A pause before it, so that one queue does not pollute the next.
    #[schemars(with = "Option<String>", default)]
    pub pause: Duration,
}

/// A variant of a plan: its tree, what it adds to the name, and the pause before it.
pub(super) struct Variant {
    pub(super) tree: Node,
    pub(super) name: String,
    pub(super) pause: Duration,
}

pub(super) fn read(table: &Table<'_>, secrets: &[String]) -> Option<Scenario> {
    let name = table.get("name").required("name = \"three-minute hold\"").word();
    // What stands here makes sense only together with the plan's own load, and is judged there.
    let load = table.get("load").table(load::read).unwrap_or_default();
    let slo = table.get("slo").table(slo::read).unwrap_or_default();
    let variables = table.get("variables").table(|table| variables::read(table, secrets)).unwrap_or_default();
    let pause = table.get("pause").duration_or_zero().unwrap_or_default();
    Some(Scenario { name: name?, load, slo, variables, pause })
}

/// The plan once for each scenario, in their order; the plan itself where there is none.
pub(super) fn expand(tree: &Node, scenarios: &[Scenario]) -> Vec<Variant> {
    let mut base = tree.clone();
    let written = base.remove("scenario");
    let written = written.as_ref().map_or(&[][..], |entry| entry.node.items());
    let variant = |(node, scenario): (&Node, &Scenario)| Variant {
        tree: merged(&base, node),
        name: scenario.name.clone(),
        pause: scenario.pause,
    };
    written.iter().zip(scenarios).map(variant).collect()
}

/// The plan once for each of its `levels`.
pub(super) fn levels(tree: &Node) -> Vec<(Node, String)> {
    let levels = tree.get("load").and_then(|load| load.get("levels")).map_or(&[][..], Node::items);
    levels.iter().filter_map(|level| one_level(tree, level)).collect()
}

fn one_level(tree: &Node, level: &Node) -> Option<(Node, String)> {
    let text = level.value.scalar()?;
    let is_rate = text.reveal().contains('/');
    let mut tree = tree.clone();
    let load = tree.get_mut("load")?;
    let Entry { origin, .. } = load.remove("levels")?;
    let key = if is_rate { "rate" } else { "users" };
    load.put(Entry { key: key.to_owned(), origin, node: level.clone() });
    let name = match text.reveal() {
        "1" => "1 user".to_owned(),
        rate if is_rate => rate.to_owned(),
        users => format!("{users} users"),
    };
    Some((tree, name))
}

/// The plan's name with a variant's behind it.
pub(super) fn rename(tree: &mut Node, variant: &str) {
    let (name, origin) = match tree.get("name") {
        Some(Node { value: Value::Text(name), origin }) => (format!("{name} / {variant}"), *origin),
        _ => (variant.to_owned(), Origin::Whole),
    };
    let node = Node { value: Value::Text(Text::plain(name)), origin };
    tree.put(Entry { key: "name".to_owned(), origin, node });
}

fn merged(base: &Node, scenario: &Node) -> Node {
    let mut tree = base.clone();
    for key in ["load", "slo", "variables"] {
        let Some(changes) = scenario.get(key) else { continue };
        if key == "load"
            && let Some(load) = tree.get_mut("load")
        {
            make_room(load, changes);
        }
        merge(&mut tree, key, changes);
    }
    tree
}

/// An amount of load replaces any other, and with it what belongs to the other model. A shape brings its own end.
fn make_room(load: &mut Node, changes: &Node) {
    let Some(amount) = AMOUNTS.into_iter().find(|key| changes.get(key).is_some()) else { return };
    let other_model = model(load) != model(changes);
    AMOUNTS.into_iter().chain(["model"]).for_each(|key| drop(load.remove(key)));
    if amount == "shape" {
        ["duration", "requests"].into_iter().for_each(|key| drop(load.remove(key)));
    }
    if other_model {
        ["arrivals", "in_flight_max"].into_iter().for_each(|key| drop(load.remove(key)));
    }
}

/// Whether the load is one of users; the words tell.
fn model(load: &Node) -> bool {
    let said = |key: &str| load.get(key).map(written).unwrap_or_default();
    let of_users = load.get("users").is_some() || said("shape").contains("user") || said("model") == "closed";
    of_users || load.get("levels").is_some() && !said("levels").contains('/')
}

fn written(node: &Node) -> String {
    let own = node.value.scalar().map(|text| text.reveal().to_owned());
    own.unwrap_or_else(|| node.items().iter().map(written).collect::<Vec<_>>().join(", "))
}

fn merge(tree: &mut Node, key: &str, changes: &Node) {
    match (tree.get_mut(key), &changes.value) {
        (Some(Node { value: Value::Table(_), .. }), Value::Table(entries)) => {
            let Some(table) = tree.get_mut(key) else { return };
            for entry in entries {
                merge_entry(table, entry);
            }
        }
        _ => {
            let node = changes.clone();
            tree.put(Entry { key: key.to_owned(), origin: changes.origin, node });
        }
    }
}

/// Tables within tables, as the objectives of a step, are merged too.
fn merge_entry(table: &mut Node, entry: &Entry) {
    match (&entry.node.value, table.get(&entry.key).map(|node| &node.value)) {
        (Value::Table(_), Some(Value::Table(_))) => merge(table, &entry.key, &entry.node),
        _ => table.put(entry.clone()),
    }
}

impl Field<'_> {
    /// Reads `secrets`.
    pub(super) fn names(&self) -> Vec<String> {
        self.list(Field::word)
    }
}
