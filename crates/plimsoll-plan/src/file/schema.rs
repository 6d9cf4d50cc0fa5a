//! The JSON Schema of a plan, for editors, and what some values look like in it.
//!
//! A typed plan holds durations, rates and counts; a schema says how they are written. The types here stand in for
//! those values and are never made.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema};
use serde_json::{Map, Value};

use super::PlanFile;

/// The JSON Schema (2020-12) of a plan file.
pub fn schema() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<PlanFile>().to_value();
    tidy(&mut schema);
    if let Some(object) = schema.as_object_mut() {
        object.insert("title".to_owned(), "A plan of Plimsoll".into());
    }
    schema
}

/// TOML has no null: what is optional is left out. And what a type is by default is not always what a key means where
/// it is left out, so the descriptions say that and no `default` does.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.remove("default");
            without_null(object);
            object.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

fn without_null(object: &mut Map<String, Value>) {
    if let Some(Value::Array(kinds)) = object.get_mut("type") {
        kinds.retain(|kind| kind != "null");
    }
    if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
        choices.retain(|choice| choice.get("type") != Some(&Value::from("null")));
    }
    if let Some(only) = only(object, "type") {
        object.insert("type".to_owned(), only);
    }
    if let Some(Value::Object(only)) = only(object, "anyOf") {
        object.remove("anyOf");
        for (key, value) in only {
            object.entry(key).or_insert(value);
        }
    }
}

/// The only choice where there is no other.
fn only(object: &Map<String, Value>, key: &str) -> Option<Value> {
    match object.get(key)?.as_array()?.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// A whole number, or `10k`.
pub(super) enum Count {}

/// A number, also as text.
pub(super) enum Number {}

/// True or false, also as text.
pub(super) enum Switch {}

/// A list, or its only item.
pub(super) struct OneOrMany<T>(PhantomData<T>);

/// A table, or text that says the same in short.
pub(super) struct TextOr<T>(PhantomData<T>);

macro_rules! written_as {
    ($name:ident, $($kind:literal),+) => {
        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": [$($kind),+] })
            }
        }
    };
}

written_as!(Count, "integer", "string");
written_as!(Number, "number", "string");
written_as!(Switch, "boolean", "string");

impl<T: JsonSchema> JsonSchema for OneOrMany<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("OneOrMany_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let item = generator.subschema_for::<T>();
        json_schema!({ "anyOf": [item, { "type": "array", "items": item }] })
    }
}

impl<T: JsonSchema> JsonSchema for TextOr<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("TextOr_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let table = generator.subschema_for::<T>();
        json_schema!({ "anyOf": [{ "type": "string" }, table] })
    }
}
