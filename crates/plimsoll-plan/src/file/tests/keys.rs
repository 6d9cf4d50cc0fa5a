//! The reader and the published schema name the same keys, with the same kinds of values.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::file::expansion::Origins;
use crate::file::found::Mistakes;
use crate::file::node::Node;
use crate::file::table::{Reading, Survey, Table};
use crate::file::{plan, schema};

pub(super) type Kinds = BTreeMap<String, BTreeSet<String>>;

#[test]
fn the_reader_and_the_schema_name_the_same_keys() {
    let (read, published) = (of_reader(), of_schema());
    let text = |kinds: &Kinds| kinds.iter().map(|(key, kinds)| format!("{key}: {kinds:?}\n")).collect::<String>();
    assert!(read.len() > 90, "the survey came through all sections: {}", text(&read));
    for (key, kinds) in &published {
        assert_eq!(read.get(key), Some(kinds), "the schema names `{key}`");
    }
    for key in read.keys() {
        assert!(published.contains_key(key), "the reader accepts `{key}`");
    }
}

#[test]
fn every_key_is_described() {
    let mut silent = Vec::new();
    collect_silent(&schema(), &mut silent);
    assert_eq!(silent, Vec::<String>::new());
}

fn collect_silent(node: &Value, silent: &mut Vec<String>) {
    if let Some(properties) = node["properties"].as_object() {
        let undescribed = properties.iter().filter(|(_, property)| property["description"].as_str().is_none());
        silent.extend(undescribed.map(|(key, _)| key.clone()));
    }
    match node {
        Value::Object(object) => object.values().for_each(|inner| collect_silent(inner, silent)),
        Value::Array(items) => items.iter().for_each(|inner| collect_silent(inner, silent)),
        _ => {}
    }
}

/// What the reader asks for when it goes through everything.
fn of_reader() -> Kinds {
    let (found, survey, empty) = (Mistakes::default(), Survey::new(BTreeMap::new()), Node::default());
    let table = Table::whole(Reading { found: &found, survey: Some(&survey) }, &empty);
    plan::read(&table, Origins::default());
    let kinds = |kinds: BTreeSet<&str>| kinds.into_iter().map(str::to_owned).collect();
    RefCell::into_inner(survey).into_iter().map(|(key, of_key)| (key, kinds(of_key))).collect()
}

/// What the schema says.
pub(super) fn of_schema() -> Kinds {
    let schema = schema();
    let mut kinds = Kinds::new();
    visit(&schema, &schema, String::new(), &mut |path, node| {
        let own = match &node["type"] {
            Value::String(kind) => vec![kind.clone()],
            Value::Array(several) => several.iter().filter_map(|kind| kind.as_str().map(str::to_owned)).collect(),
            _ => Vec::new(),
        };
        if !path.is_empty() && !own.is_empty() {
            kinds.entry(path.to_owned()).or_default().extend(own);
        }
    });
    kinds
}

/// Shows every place of the schema with the path of the key it is about.
fn visit(root: &Value, node: &Value, path: String, see: &mut dyn FnMut(&str, &Value)) {
    see(&path, node);
    if let Some(name) = node["$ref"].as_str().and_then(|text| text.strip_prefix("#/$defs/")) {
        visit(root, &root["$defs"][name], path.clone(), see);
    }
    for choice in ["anyOf", "oneOf"].iter().filter_map(|key| node[*key].as_array()).flatten() {
        visit(root, choice, path.clone(), see);
    }
    let join = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    for (key, property) in ["properties", "patternProperties"].iter().filter_map(|key| node[*key].as_object()).flatten()
    {
        visit(root, property, join(key), see);
    }
    if node["additionalProperties"].is_object() {
        visit(root, &node["additionalProperties"], join("*"), see);
    }
    if node["items"].is_object() {
        visit(root, &node["items"], path + "[]", see);
    }
}
