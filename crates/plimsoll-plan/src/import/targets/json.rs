//! The JSON format: an object a line, its body in base64.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::super::source::Source;
use super::{Distinct, METHODS, Target, TargetBody};
use crate::Mistake;

/// A line. Unknown keys are none of vegeta's, so they are not ours either.
#[derive(Deserialize)]
struct Line {
    method: String,
    url: String,
    #[serde(default)]
    body: Option<String>,
    #[serde(default)]
    header: Option<BTreeMap<String, Vec<String>>>,
}

/// Whether a line is a target.
pub(super) fn is_target(line: &str) -> bool {
    serde_json::from_str::<Line>(line).is_ok()
}

/// Adds the targets of a text.
pub(super) fn read(source: Source<'_>, all: &mut Distinct) -> Result<(), Mistake> {
    for (index, line) in source.text.lines().enumerate() {
        let number = index + 1;
        if line.trim().is_empty() {
            continue;
        }
        let hint = "a target is one line: {\"method\": \"GET\", \"url\": \"http://host/path\"}";
        let read: Line = serde_json::from_str(line).map_err(|error| {
            let mistake = source.json(&error, hint);
            source.mistake(number, error.column(), mistake.message, hint)
        })?;
        all.add(&source, number, target(&source, number, read)?)?;
    }
    Ok(())
}

fn target(source: &Source<'_>, number: usize, line: Line) -> Result<Target, Mistake> {
    if !METHODS.contains(&line.method.as_str()) || line.method == "CONNECT" {
        return Err(source.mistake(number, 1, "no `method` that can be sent", "write it like \"GET\""));
    }
    let body = match line.body.filter(|body| !body.is_empty()) {
        None => TargetBody::None,
        Some(text) => TargetBody::Bytes(STANDARD.decode(text).map_err(|error| {
            source.mistake(number, 1, format!("the `body` is not base64: {error}"), "encode it: base64 -w0 FILE")
        })?),
    };
    let headers = line.header.unwrap_or_default().into_iter();
    let headers = headers.flat_map(|(name, values)| values.into_iter().map(move |value| (name.clone(), value)));
    Ok(Target { method: line.method, url: line.url, headers: headers.collect(), body })
}
