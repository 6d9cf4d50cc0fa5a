//! `[[target.process]]`: what is started around a run.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use plimsoll_model::ParseError;
use schemars::JsonSchema;

use super::field::Field;
use super::node::Value;
use super::table::Table;
use super::target::texts;
use super::text::Text;
use super::variables::Variable;

/// How long a process may take to get ready where nothing is said.
const READY_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a process may take to stop where nothing is said.
const GRACE: Duration = Duration::from_secs(10);
/// No machine has processors beyond this number.
const CPU_MAX: u16 = 4095;

/// A process that is started before the run, awaited, and stopped after it with all that it started.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Process {
    /// What people call it.
    pub name: String,
    /// The program and its arguments; `{name}` is a factor's or a variable's value.
    #[schemars(with = "Vec<Variable>")]
    pub start: Vec<Text>,
    /// When it is ready: a path on the target or a URL that answers with success, `port:5432` that can be connected to,
    /// or `log:words` that it prints. At once where nothing is said.
    #[schemars(with = "Option<String>")]
    pub ready: Option<Ready>,
    /// How long it may take to get ready (30s).
    #[schemars(with = "Option<String>", default)]
    pub ready_timeout: Duration,
    /// The processors it may run on: `0`, `0-3,6`.
    #[schemars(with = "Option<super::schema::Count>")]
    pub cpus: Option<Cpus>,
    /// Added to its environment.
    #[schemars(with = "BTreeMap<String, Variable>", default)]
    pub env: BTreeMap<String, Text>,
    /// Where it is started; where the plan is, if nothing is said.
    pub dir: Option<PathBuf>,
    /// The signal that asks it to stop (`TERM`).
    #[schemars(default)]
    pub stop: Signal,
    /// How long it may take to stop before it is killed (10s).
    #[schemars(with = "Option<String>", default)]
    pub grace: Duration,
}

/// When a process is ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ready {
    /// This path on the target answers with success.
    Path(String),
    /// This URL answers with success.
    Url(String),
    /// This port of this machine can be connected to.
    Port(u16),
    /// It printed a line with these words.
    Log(String),
}

/// Processors by number, in ascending order and none twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cpus(Vec<u16>);

/// What asks a process to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema)]
#[schemars(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "they are the names of signals")]
pub enum Signal {
    #[default]
    Term,
    Int,
    Quit,
    Hup,
    Kill,
}

pub(super) fn read(table: &Table<'_>) -> Option<Process> {
    let name = table.get("name").required("name = \"api\"").word();
    let start = table.get("start").required("start = [\"target/release/api\", \"--port\", \"8080\"]");
    Some(Process {
        start: program(&start),
        ready: table.get("ready").parsed(str::parse),
        ready_timeout: table.get("ready_timeout").duration().unwrap_or(READY_TIMEOUT),
        cpus: table.get("cpus").cpus(),
        env: table.get("env").table(texts).unwrap_or_default(),
        dir: table.get("dir").path(),
        stop: table.get("stop").choice(&SIGNALS).unwrap_or_default(),
        grace: table.get("grace").duration().unwrap_or(GRACE),
        name: name?,
    })
}

const SIGNALS: [(&str, Signal); 5] = [
    ("TERM", Signal::Term),
    ("INT", Signal::Int),
    ("QUIT", Signal::Quit),
    ("HUP", Signal::Hup),
    ("KILL", Signal::Kill),
];

/// No shell splits a program from its arguments, so they are a list.
fn program(field: &Field<'_>) -> Vec<Text> {
    if let Some(Value::Text(_)) = field.value() {
        field.mistake(
            "a list is expected: the program, then each argument",
            "write it like `start = [\"target/release/api\", \"--port\", \"8080\"]`",
        );
        return Vec::new();
    }
    let start = field.list(Field::argument);
    if matches!(field.value(), Some(Value::List(items)) if items.is_empty()) {
        field.mistake("it names no program", "write it like `start = [\"target/release/api\"]`");
    }
    start
}

impl Field<'_> {
    /// An argument, or a value of an environment; a number needs no quotes.
    pub(super) fn argument(&self) -> Option<Text> {
        self.accepts(&["string", "integer", "number", "boolean"]);
        let value = self.value()?;
        value.scalar().or_else(|| self.wrong(value, "text"))
    }

    fn cpus(&self) -> Option<Cpus> {
        self.accepts(&["integer", "string"]);
        self.parsed(str::parse)
    }
}

impl Cpus {
    /// In ascending order.
    pub fn numbers(&self) -> &[u16] {
        &self.0
    }
}

impl FromStr for Cpus {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::new(text, "a list of processors, such as `0` or `0-3,6`");
        let number = |text: &str| text.trim().parse::<u16>().ok().filter(|cpu| *cpu <= CPU_MAX).ok_or_else(error);
        let mut numbers = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(error());
            }
            numbers.extend(first..=last);
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(Self(numbers))
    }
}

impl fmt::Display for Cpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&numbers.join(","))
    }
}

impl FromStr for Ready {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let example = "`/health`, a URL, `port:5432` or `log:listening`";
        let error = || ParseError::new(text, format!("a sign that a process is ready, such as {example}"));
        if let Some(port) = text.strip_prefix("port:") {
            return port.trim().parse().ok().filter(|port| *port > 0).map(Self::Port).ok_or_else(error);
        }
        match text.strip_prefix("log:").map(str::trim) {
            Some("") => return Err(error()),
            Some(words) => return Ok(Self::Log(words.to_owned())),
            None => {}
        }
        if text.starts_with("http://") || text.starts_with("https://") {
            return Ok(Self::Url(text.to_owned()));
        }
        if text.starts_with('/') { Ok(Self::Path(text.to_owned())) } else { Err(error()) }
    }
}

impl fmt::Display for Ready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(address) | Self::Url(address) => write!(f, "{address} answers"),
            Self::Port(port) => write!(f, "port {port} can be connected to"),
            Self::Log(words) => write!(f, "it prints `{words}`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_read_as_lists_and_ranges() {
        for (text, written) in [("0", "0"), ("0-3,6", "0,1,2,3,6"), ("3, 1,1", "1,3")] {
            assert_eq!(text.parse::<Cpus>().expect(text).to_string(), written);
        }
        for text in ["", "a", "3-1", "-1", "1-", "99999", "0-4096"] {
            assert!(text.parse::<Cpus>().is_err(), "{text}");
        }
    }

    #[test]
    fn readiness_is_an_answer_a_port_or_a_line() {
        for text in ["/health", "http://127.0.0.1:1/x", "port:80", "log: up and running"] {
            assert!(text.parse::<Ready>().is_ok(), "{text}");
        }
        for text in ["", "health", "port:", "port:0", "port:99999", "log:", "ftp://x"] {
            assert!(text.parse::<Ready>().is_err(), "{text}");
        }
    }
}
