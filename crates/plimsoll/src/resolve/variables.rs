//! Variables from the command line: `--variable name=value`, a file of them, and hurl's own environment variables.

use std::fs;
use std::path::Path;

use plimsoll_journey::{Number, Value};

use super::Machine;
use crate::args::VariableArgs;
use crate::usage::Usage;

/// How hurl names them in the environment.
const PREFIX: &str = "HURL_VARIABLE_";

/// A variable and its value.
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) value: Value,
    pub(crate) secret: bool,
}

/// All of them; the later overrides the earlier.
pub(crate) fn resolve(args: &VariableArgs, machine: &Machine) -> Result<Vec<Variable>, Usage> {
    let mut all: Vec<Variable> = machine
        .variables()
        .filter_map(|(name, value)| Some((name.strip_prefix(PREFIX)?, value)))
        .map(|(name, value)| Variable { name: name.to_owned(), value: typed(value), secret: false })
        .collect();
    if let Some(path) = &args.variables_file {
        all.extend(file(path)?);
    }
    for text in &args.variables {
        let (name, value) = pair("--variable", text)?;
        all.push(given(name, value, false, machine)?);
    }
    for text in &args.secrets {
        let (name, value) = pair("--secret", text)?;
        all.push(given(name, value, true, machine)?);
    }
    Ok(all)
}

/// A URL has no use for them.
pub(super) fn refuse(args: &VariableArgs) -> Result<(), Usage> {
    let given = [
        ("--variable", !args.variables.is_empty()),
        ("--secret", !args.secrets.is_empty()),
        ("--variables-file", args.variables_file.is_some()),
        ("--set", !args.sets.is_empty()),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((flag, _)) => Err(Usage::new(
            format!("`{flag}` is for journeys and plans, and this is a URL"),
            "give a Hurl file or a plan, or leave the flag out",
        )),
    }
}

/// `env:NAME` is read from the environment, and then it is a secret.
fn given(name: &str, value: &str, secret: bool, machine: &Machine) -> Result<Variable, Usage> {
    let Some(variable) = value.strip_prefix("env:") else {
        return Ok(Variable { name: name.to_owned(), value: typed(value), secret });
    };
    let value = machine.variable(variable).ok_or_else(|| {
        let message = format!("`{name}=env:{variable}`: there is no environment variable `{variable}`");
        Usage::new(message, format!("set it first: `export {variable}=…`"))
    })?;
    Ok(Variable { name: name.to_owned(), value: Value::Text(value.into()), secret: true })
}

fn pair<'t>(flag: &str, text: &'t str) -> Result<(&'t str, &'t str), Usage> {
    let pair = text.split_once('=').map(|(name, value)| (name.trim(), value)).filter(|(name, _)| is_name(name));
    pair.ok_or_else(|| {
        let message = format!("`{flag}`: expected a name and a value");
        Usage::new(message, format!("write it like `{flag} host=http://127.0.0.1:8080`"))
    })
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

/// Lines of `name=value`, as hurl reads them.
fn file(path: &Path) -> Result<Vec<Variable>, Usage> {
    let shown = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| Usage::new(format!("`--variables-file {shown}`: {error}"), "check the path"))?;
    let lines = text.lines().enumerate().map(|(nth, line)| (nth + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            let (name, value) = line.split_once('=').filter(|(name, _)| is_name(name.trim())).ok_or_else(|| {
                Usage::new(format!("{shown}:{number}: `{line}` is not a variable"), "write it like `name=value`")
            })?;
            Ok(Variable { name: name.trim().to_owned(), value: typed(value.trim()), secret: false })
        })
        .collect()
}

/// As hurl takes them: numbers, truth values and null are what they look like; quotes make text of anything.
fn typed(text: &str) -> Value {
    match text {
        "true" => return Value::Bool(true),
        "false" => return Value::Bool(false),
        "null" => return Value::Null,
        _ => {}
    }
    if let Ok(integer) = text.parse::<i64>() {
        return Value::Number(Number::Integer(integer));
    }
    if text.contains('.')
        && let Some(float) = text.parse::<f64>().ok().filter(|float| float.is_finite())
    {
        return Value::Number(Number::Float(float));
    }
    let quoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    Value::Text(quoted.unwrap_or(text).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_what_they_look_like() {
        for (text, value) in [
            ("1", Value::Number(Number::Integer(1))),
            ("1.5", Value::Number(Number::Float(1.5))),
            ("true", Value::Bool(true)),
            ("null", Value::Null),
            ("\"1\"", Value::Text("1".into())),
            ("1.2.3", Value::Text("1.2.3".into())),
            ("", Value::Text("".into())),
        ] {
            assert_eq!(typed(text), value, "{text}");
        }
    }
}
