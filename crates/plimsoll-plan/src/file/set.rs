//! `--set load.shape="…"`: any key of a plan from the command line.
//!
//! A path walks tables by key, and lists by index or by the name of what they hold. The value is read as TOML writes
//! it; what TOML cannot read is text, so that nobody has to quote twice.

use super::found::{Found, Mistakes};
use super::load::AMOUNTS;
use super::node::{Entry, Node, Origin, Value};
use super::parse;
use super::text::Text;

/// No plan has keys below so many others.
const STEPS_MAX: usize = 16;
const EXAMPLE: &str = "write it like `--set load.rate=50/s` or `--set journey.0.weight=3`";

/// The key of an override, for people: what follows may be a secret.
pub(super) fn key(set: &str) -> &str {
    set.split_once('=').map_or(set, |(key, _)| key).trim()
}

/// Applies the so-many-th override to the tree.
pub(super) fn apply(tree: &mut Node, index: usize, set: &str, found: &mut Mistakes) {
    let origin = Origin::Set(index);
    let Some((path, text)) = set.split_once('=') else {
        return found.add(Found::new(origin, "a key, `=` and a value are expected", EXAMPLE));
    };
    let value = parse::value(text.trim(), origin, found)
        .unwrap_or_else(|| Node { value: Value::Text(Text::plain(text.trim())), origin });
    let Some(steps) = steps(path) else {
        return found.add(Found::new(origin, format!("`{}` is not a path of keys", path.trim()), EXAMPLE));
    };
    if let [section, amount] = steps.as_slice()
        && section == "load"
        && AMOUNTS.contains(&amount.as_str())
        && let Some(load) = tree.get_mut("load")
    {
        // An amount of load replaces any other, as in a scenario.
        AMOUNTS.into_iter().chain(["model"]).for_each(|other| drop(load.remove(other)));
    }
    if let Err(message) = walk(tree, &steps, Node { origin, ..value }) {
        found.add(Found::new(origin, message, EXAMPLE));
    }
}

/// `slo."POST /offers".p95` in its steps; none where a step is empty, a quote is left open, or there are too many.
fn steps(path: &str) -> Option<Vec<String>> {
    let (mut steps, mut step, mut quoted) = (Vec::new(), String::new(), false);
    for character in path.trim().chars() {
        match character {
            '"' => quoted = !quoted,
            '.' if !quoted => steps.push(std::mem::take(&mut step)),
            other => step.push(other),
        }
    }
    steps.push(step);
    let whole = !quoted && steps.len() <= STEPS_MAX && steps.iter().all(|step| !step.trim().is_empty());
    whole.then(|| steps.iter().map(|step| step.trim().to_owned()).collect())
}

fn walk(node: &mut Node, steps: &[String], value: Node) -> Result<(), String> {
    let Some((step, rest)) = steps.split_first() else {
        *node = value;
        return Ok(());
    };
    match &mut node.value {
        Value::List(items) => walk(item(items, step)?, rest, value),
        Value::Table(_) => {
            if node.get(step).is_none() || rest.is_empty() {
                let origin = value.origin;
                node.put(Entry { key: step.clone(), origin, node: Node { value: Value::default(), origin } });
            }
            node.get_mut(step).map_or(Ok(()), |next| walk(next, rest, value))
        }
        other => Err(format!("`{step}` cannot be set: what stands before it is {}", other.kind())),
    }
}

/// An item by its index, or by its `name` or `file`.
fn item<'n>(items: &'n mut [Node], step: &str) -> Result<&'n mut Node, String> {
    let count = items.len();
    let index = match step.parse::<usize>() {
        Ok(index) => index,
        Err(_) => items.iter().position(|item| is_called(item, step)).unwrap_or(count),
    };
    items.get_mut(index).ok_or_else(|| format!("there is no `{step}` in this list of {count}; the first is 0"))
}

fn is_called(item: &Node, name: &str) -> bool {
    let called =
        |key: &str| matches!(item.get(key), Some(Node { value: Value::Text(text), .. }) if text.reveal() == name);
    called("name") || called("file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: Option<&[&str]>) {
        let expected = expected.map(|steps| steps.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(steps(path), expected, "{path}");
    }

    #[test]
    fn a_path_is_split_at_its_points() {
        check("name", Some(&["name"]));
        check(" load.shape ", Some(&["load", "shape"]));
        check("slo.\"POST /a.b\".p95", Some(&["slo", "POST /a.b", "p95"]));
        for path in ["", ".", "load.", ".shape", "a..b", "\"a"] {
            check(path, None);
        }
    }
}
