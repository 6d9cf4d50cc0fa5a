//! From files to what users do: Hurl files are read into one numbering of variables, and what has no value is found
//! before the first request.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use chrono::Utc;
use plimsoll_journey::{Act, Draw, Journey, Names, Rite, Scope, Script, Secrets, Slot, Value};
use plimsoll_model::Target;
use plimsoll_plan::Mistake;
use plimsoll_plan::hurl::{self, Variables};

use crate::resolve;
use crate::usage::Usage;

/// A script while its parts come in.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    names: Names,
    values: Vec<(Slot, Value)>,
    secrets: Vec<Slot>,
    /// What each journey reads, in the order in which they were read.
    read: Vec<(Variables, BTreeSet<Slot>)>,
    mistakes: Vec<Mistake>,
    /// The text of each file, for the plan's hash.
    texts: Vec<(String, String)>,
}

impl Draft {
    /// A variable that has a value from the beginning.
    pub(crate) fn set(&mut self, name: &str, value: Value, secret: bool) {
        let slot = self.names.slot(name);
        self.values.push((slot, value));
        if secret {
            self.secrets.push(slot);
        }
    }

    /// The slot of a variable.
    pub(crate) fn slot(&mut self, name: &str) -> Slot {
        self.names.slot(name)
    }

    /// Whether a variable has a value from the beginning.
    pub(crate) fn has(&self, slot: Slot) -> bool {
        self.values.iter().any(|(known, _)| *known == slot)
    }

    /// Reads a Hurl file; `given` are set before its first step, besides those that always are. A journey that cannot
    /// be read is none; why stands among the mistakes.
    pub(crate) fn journey(&mut self, path: &Path, given: BTreeSet<Slot>) -> Result<Option<Journey>, Usage> {
        let text = fs::read_to_string(path).map_err(|error| {
            let hint = "check the path; a Hurl file is text in UTF-8";
            Usage::new(format!("`{}`: {}", path.display(), plain(&error)), hint)
        })?;
        match hurl::read_with_variables(path, &text, &mut self.names) {
            Ok(reading) => {
                self.read.push((reading.variables, given));
                self.texts.push((path.display().to_string(), text));
                if reading.journey.steps.is_empty() {
                    let message = format!("`{}`: there is no request in it", path.display());
                    return Err(Usage::new(message, "a request is a line such as `GET http://127.0.0.1:8080/`"));
                }
                Ok(Some(reading.journey))
            }
            Err(mistakes) => {
                self.mistakes.extend(mistakes);
                Ok(None)
            }
        }
    }

    /// What the journey read last sets.
    pub(crate) fn sets(&self) -> BTreeSet<Slot> {
        self.read.last().map(|(variables, _)| variables.sets()).unwrap_or_default()
    }

    /// The text of each file that was read.
    pub(crate) fn texts(&self) -> &[(String, String)] {
        &self.texts
    }

    /// All of it; a complaint if anything is wrong.
    pub(crate) fn finish(mut self, acts: Vec<Act>, setup: Vec<Rite>, teardown: Vec<Rite>) -> Result<Script, Usage> {
        let always: BTreeSet<Slot> = self.values.iter().map(|(slot, _)| *slot).collect();
        for (variables, given) in &self.read {
            let given = given.union(&always).copied().collect();
            self.mistakes.extend(variables.missing(&self.names, &given));
        }
        if let Some(usage) = complaint(&self.mistakes) {
            return Err(usage);
        }
        let names = Arc::new(self.names);
        let mut base = Scope::of(Arc::clone(&names));
        for (slot, value) in self.values {
            base.set(slot, value);
        }
        let journeys = acts.iter().map(|act| &act.journey);
        let rites = setup.iter().chain(&teardown).map(|rite| &rite.journey);
        let secrets = Secrets::of(journeys.chain(rites), self.secrets);
        Ok(Script { names, base, secrets, acts, in_order: false, setup, teardown })
    }
}

/// All mistakes as one complaint; none if there are none.
pub(crate) fn complaint(mistakes: &[Mistake]) -> Option<Usage> {
    let (first, more) = mistakes.split_first()?;
    let mut message = first.to_string();
    for mistake in more {
        message += &format!("\n{mistake}");
        if !mistake.hint.is_empty() && mistake.hint != first.hint {
            message += &format!("\n   {}", mistake.hint);
        }
    }
    Some(Usage::maybe(message, Some(first.hint.clone()).filter(|hint| !hint.is_empty())))
}

/// Where the first request of a script goes, as far as that is known beforehand.
pub(crate) fn first_target(script: &Script) -> Option<Result<Target, Usage>> {
    let first =
        script.setup.iter().map(|rite| &rite.journey).chain(script.acts.iter().map(|act| &act.journey)).next()?;
    let mut url = Vec::new();
    let mut draw = Draw::for_arrival(0, 0, Utc::now());
    first.steps.first()?.request.url.render(&script.base, &mut draw, &mut url).ok()?;
    let url = String::from_utf8(url).ok()?;
    let shown = |target: Target| Target { url: script.hide(&target.url, &script.base), ..target };
    Some(resolve::target_of_step(&url).map(shown).map_err(|usage| {
        let place =
            first.steps.first().map(|step| format!("{}:{}: ", step.place.file, step.place.line)).unwrap_or_default();
        Usage::maybe(format!("{place}{usage}"), usage.hint().map(str::to_owned))
    }))
}

/// The system's words without its error number.
fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::InvalidData => "it is not text in UTF-8".to_owned(),
        _ => error.to_string(),
    }
}
