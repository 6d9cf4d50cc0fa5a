//! The target while it runs, and how it is put away.

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use crate::error::{Ending, TargetError};
use crate::hooks;
use crate::program::Program;
use crate::spec::{Hook, Process, When};
use crate::tree::Use;
use crate::ward::Ward;

/// The target as it was set up; put away when dropped.
pub struct Begun {
    pub(crate) program: Program,
    pub(crate) url: String,
    pub(crate) variables: Vec<Variable>,
    pub(crate) running: Vec<Running>,
    /// What commands before left running.
    pub(crate) background: Vec<Ward>,
    /// What is still to be run.
    pub(crate) after: Vec<Hook>,
}

pub(crate) struct Running {
    pub(crate) process: Process,
    pub(crate) ward: Ward,
    pub(crate) facts: Facts,
}

/// A variable that a command made.
#[derive(Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The value is never shown.
    pub secret: bool,
}

impl fmt::Debug for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = if self.secret { "[redacted]" } else { &self.value };
        write!(f, "{} = {value:?}", self.name)
    }
}

/// What was started.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// What people call it.
    pub name: String,
    /// The process's number.
    pub pid: i32,
    /// The file that it runs, where the system says so.
    pub program: Option<PathBuf>,
    /// When that file was last changed: which build it is.
    pub built: Option<SystemTime>,
    /// The cores that it is kept on.
    pub cpus: Option<String>,
    /// How long it took to get ready.
    pub ready_after: Duration,
}

impl Begun {
    /// What the commands before have made.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// What was started, in its order.
    pub fn facts(&self) -> impl Iterator<Item = &Facts> {
        self.running.iter().map(|running| &running.facts)
    }

    /// Processes that have ended by themselves, which none should; with the last that they said.
    pub fn ended(&self) -> impl Iterator<Item = (&str, Ending, String)> {
        self.running.iter().filter_map(|running| {
            let ending = running.ward.failure()?;
            Some((running.process.name.as_str(), ending, running.ward.said().to_string()))
        })
    }

    /// What each process has used so far, with all that it started; zeros where the system does not tell.
    pub fn used(&self) -> impl Iterator<Item = (&str, Use)> {
        self.running.iter().map(|running| (running.process.name.as_str(), running.ward.used()))
    }

    /// Puts all of it away: commands inside, processes in reverse, commands outside, and what the commands before left
    /// in the background. What goes wrong does not keep
    /// the rest from being done.
    pub fn finish(mut self) -> Vec<TargetError> {
        self.put_away()
    }

    pub(crate) fn put_away(&mut self) -> Vec<TargetError> {
        let (inside, outside): (Vec<Hook>, Vec<Hook>) =
            std::mem::take(&mut self.after).into_iter().partition(|hook| hook.when == When::Inside);
        let mut wrong = self.run_after(&inside);
        while let Some(mut last) = self.running.pop() {
            last.ward.end();
        }
        wrong.extend(self.run_after(&outside));
        while self.background.pop().is_some() {}
        wrong
    }

    /// Nobody interrupts these: a second Ctrl-C ends the program, and a time-out ends what hangs.
    fn run_after(&self, hooks: &[Hook]) -> Vec<TargetError> {
        hooks.iter().filter_map(|hook| hooks::run(hook, self.env(), &self.program, &|| false).err()).collect()
    }

    /// What everything that is started finds in its environment.
    pub(crate) fn env(&self) -> Vec<(String, String)> {
        let variables = self.variables.iter().map(|variable| (variable.name.clone(), variable.value.clone()));
        variables.chain([("PLIMSOLL_URL".to_owned(), self.url.clone())]).collect()
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        // Nobody is there to be told what went wrong.
        let _ = self.put_away();
    }
}

impl fmt::Debug for Begun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.facts()).finish()
    }
}
