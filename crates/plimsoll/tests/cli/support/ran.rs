//! A finished `plimsoll run --json`, with what must hold of every such run checked once for all.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::{among_others, finished, scratch, started};

/// Codes of exit, in the order in which they win.
const INTERRUPTED: i32 = 130;
const UNANSWERED: i32 = 3;
const VOID: i32 = 4;

/// Outcomes that came with a status line.
const ANSWERS: [&str; 5] = ["ok", "limited", "client_error", "server_error", "assertion"];

/// What came of one run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) json: Value,
    pub(crate) stderr: String,
}

impl Ran {
    /// Runs `plimsoll run URL ARGS --json`; `args` are separated by blanks.
    #[track_caller]
    pub(crate) fn of(url: &str, args: &str) -> Self {
        let directory = scratch();
        Self::within(directory.path(), url, &args.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs it in a directory, with arguments that may contain blanks.
    #[track_caller]
    pub(crate) fn within(directory: &Path, url: &str, args: &[&str]) -> Self {
        let _machine = among_others();
        Self::from(&finished(started(directory, url, args)))
    }

    /// Reads a finished run.
    #[track_caller]
    pub(crate) fn from(output: &Output) -> Self {
        let stdout = String::from_utf8_lossy(&output.stdout);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!stderr.contains("panicked"), "{stderr}");
        assert_harmless(&stdout);
        assert_harmless(&stderr);
        let json = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}\n{stderr}"));
        let ran = Self { code: output.status.code().unwrap_or(-1), json, stderr };
        ran.assert_sound();
        ran
    }

    /// A count of the JSON, such as `/outcomes/ok`; zero if it is not there.
    pub(crate) fn count(&self, pointer: &str) -> u64 {
        self.json.pointer(pointer).and_then(Value::as_u64).unwrap_or(0)
    }

    /// A figure of the JSON, such as `/response_ms/p99`.
    #[track_caller]
    pub(crate) fn figure(&self, pointer: &str) -> f64 {
        let value = self.json.pointer(pointer).and_then(Value::as_f64);
        value.unwrap_or_else(|| panic!("no {pointer} in {:#}", self.json))
    }

    /// The outcomes that occurred, by name.
    pub(crate) fn outcomes(&self) -> Vec<(&str, u64)> {
        let counts = self.json["outcomes"].as_object().into_iter().flatten();
        counts.filter_map(|(name, count)| Some((name.as_str(), count.as_u64()?))).filter(|(_, n)| *n > 0).collect()
    }

    /// The slugs of `validity` or `findings`.
    pub(crate) fn codes(&self, list: &str) -> Vec<&str> {
        self.json[list].as_array().into_iter().flatten().filter_map(|remark| remark["code"].as_str()).collect()
    }

    /// The texts of `reasons`.
    pub(crate) fn reasons(&self) -> Vec<&str> {
        self.json["reasons"].as_array().into_iter().flatten().filter_map(|reason| reason["text"].as_str()).collect()
    }

    /// The points of a series; null counts as zero.
    #[track_caller]
    pub(crate) fn series(&self, name: &str) -> Vec<f64> {
        let all = self.json["series"].as_array().into_iter().flatten();
        let series = all.into_iter().find(|series| series["name"] == name).expect("a series of that name");
        series["points"].as_array().into_iter().flatten().map(|point| point.as_f64().unwrap_or(0.0)).collect()
    }

    /// The exit code is this one. Where the machine was too busy for a valid run, the result says so, and then 4 is
    /// the code that it must have; tests that want a valid run ask for one.
    #[track_caller]
    pub(crate) fn assert_exit(&self, expected: i32) {
        let void = !self.codes("validity").is_empty() && !matches!(expected, UNANSWERED | INTERRUPTED);
        let expected = if void { VOID } else { expected };
        assert_eq!(self.code, expected, "{} {:#}", self.stderr, self.json);
    }

    /// What holds of every run.
    #[track_caller]
    fn assert_sound(&self) {
        let json = &self.json;
        assert_eq!(json["schema"], "plimsoll.run/1", "{json:#}\n{}", self.stderr);
        let requests = self.count("/requests");
        assert_eq!(self.outcomes().iter().map(|(_, count)| count).sum::<u64>(), requests, "{json:#}");
        let statuses: u64 = json["statuses"].as_object().into_iter().flatten().filter_map(|(_, n)| n.as_u64()).sum();
        let answers: u64 = ANSWERS.iter().map(|name| self.count(&format!("/outcomes/{name}"))).sum();
        // Only a step of a journey can fail before it is sent: then it has no answer, and counts as an assertion.
        let is_journey = json["steps"].as_array().into_iter().flatten().any(|step| step["journey"].is_string());
        let unmade_max = if is_journey { self.count("/outcomes/assertion") } else { 0 };
        assert!((statuses..=statuses + unmade_max).contains(&answers), "{json:#}");
        assert_eq!(self.count("/response_ms/count"), requests, "{json:#}");
        let sent = requests - self.count("/outcomes/dropped");
        assert_eq!((self.count("/service_ms/count"), self.count("/lag_ms/count")), (sent, sent), "{json:#}");
        let is_void = !self.codes("validity").is_empty();
        assert_eq!(json["verdict"] == "invalid", is_void, "{json:#}");
    }
}

/// Nothing in a text moves the cursor, changes colours, or turns the direction of writing around.
#[track_caller]
pub(crate) fn assert_harmless(text: &str) {
    let harmful = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!text.chars().any(harmful), "{text:?}");
}
