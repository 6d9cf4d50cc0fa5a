//! `docs/plan.md` is right: its example is a plan, and no key is left out.

use super::keys::of_schema;
use super::plan;

const DOCUMENT: &str = include_str!("../../../../../docs/plan.md");

#[test]
fn the_examples_are_plans() {
    let examples: Vec<&str> =
        DOCUMENT.split("```toml\n").skip(1).filter_map(|rest| rest.split_once("```")).map(|(text, _)| text).collect();
    assert!(!examples.is_empty());
    for example in examples {
        assert_eq!(plan(example).scenarios().len(), 1);
    }
}

#[test]
fn every_key_is_in_the_tables() {
    let keys = of_schema().into_keys().map(|path| path.replace("[]", ""));
    let last = keys.filter_map(|path| path.rsplit('.').next().map(str::to_owned));
    let missing: Vec<String> = last
        .filter(|key| key.chars().all(|letter| letter.is_alphanumeric() || letter == '_'))
        .filter(|key| {
            !["target", "process", "journey", "setup", "teardown", "scenario", "transport", "factors"]
                .contains(&key.as_str())
        })
        .filter(|key| !DOCUMENT.contains(&format!("`{key}`")))
        .collect();
    assert_eq!(missing, Vec::<String>::new());
}
