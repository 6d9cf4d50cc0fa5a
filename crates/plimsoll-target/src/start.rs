//! Setting the target up, one after the other.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use url::Url;

use crate::begun::{Begun, Facts, Running};
use crate::error::{Failed, TargetError};
use crate::hooks;
use crate::minder::Orders;
use crate::probe::Probe;
use crate::program::Program;
use crate::spec::{Hook, Process, Ready, Surroundings, When};
use crate::ward::{Setting, Ward};

/// How often it is looked whether a process is ready.
const LOOK: Duration = Duration::from_millis(20);

/// How far the setting up is, for whoever tells people.
#[derive(Debug, Clone, Copy)]
pub enum Stage<'a> {
    /// A command is run.
    Running(&'a Hook),
    /// A process is started.
    Starting(&'a Process),
    /// A process is ready.
    Ready(&'a Facts),
}

/// Sets up all that is around a run of that target.
///
/// # Errors
/// When something could not be started, failed, or was not ready in time; all that had been started was ended.
pub fn start(
    surroundings: Surroundings,
    url: &Url,
    program: &Program,
    is_interrupted: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(Stage<'_>),
) -> Result<Begun, Failed> {
    let Surroundings { before, processes, after } = surroundings;
    // What cannot work is known before anything is done that would have to be undone.
    let probes = processes.iter().map(|process| checked(process, url)).collect::<Result<Vec<_>, _>>();
    let probes = probes.map_err(|error| Failed { error, after: Vec::new() })?;
    let begun = Begun {
        program: program.clone(),
        url: url.to_string(),
        variables: Vec::new(),
        running: Vec::new(),
        background: Vec::new(),
        after,
    };
    let mut setup = Setup { begun, is_interrupted, tell };
    match setup.all(&before, processes, &probes) {
        Ok(()) => Ok(setup.begun),
        Err(error) => Err(Failed { error, after: setup.begun.put_away() }),
    }
}

fn checked(process: &Process, url: &Url) -> Result<Probe, TargetError> {
    let name = || process.name.clone();
    if process.start.first().is_none_or(|program| program.is_empty()) {
        return Err(TargetError::Nothing { name: name() });
    }
    Probe::new(&process.ready, url).map_err(|reason| TargetError::Ready { name: name(), reason })
}

struct Setup<'a> {
    begun: Begun,
    is_interrupted: &'a dyn Fn() -> bool,
    tell: &'a mut dyn FnMut(Stage<'_>),
}

impl Setup<'_> {
    fn all(&mut self, before: &[Hook], processes: Vec<Process>, probes: &[Probe]) -> Result<(), TargetError> {
        self.hooks(before, When::Outside)?;
        for (process, probe) in processes.into_iter().zip(probes) {
            self.process(process, probe)?;
        }
        self.hooks(before, When::Inside)
    }

    fn hooks(&mut self, hooks: &[Hook], when: When) -> Result<(), TargetError> {
        for hook in hooks.iter().filter(|hook| hook.when == when) {
            self.go_on()?;
            (self.tell)(Stage::Running(hook));
            let done = hooks::run(hook, self.begun.env(), &self.begun.program, self.is_interrupted)?;
            self.begun.variables.extend(done.variable);
            self.begun.background.extend(done.background);
        }
        Ok(())
    }

    fn process(&mut self, process: Process, probe: &Probe) -> Result<(), TargetError> {
        self.go_on()?;
        if let Some(address) = probe.occupied() {
            return Err(TargetError::Occupied { name: process.name, address });
        }
        (self.tell)(Stage::Starting(&process));
        let ward = self.ward(&process)?;
        self.await_ready(&process, &ward, probe)?;
        let facts = facts(&process, &ward);
        (self.tell)(Stage::Ready(&facts));
        self.begun.running.push(Running { process, ward, facts });
        Ok(())
    }

    fn ward(&self, process: &Process) -> Result<Ward, TargetError> {
        let start = process.start.iter().map(Into::into).collect();
        let orders = Orders { stop: process.stop, grace: process.grace, cpus: process.cpus.clone(), start };
        let mut env = self.begun.env();
        env.extend(process.env.iter().cloned());
        let awaited_line = match &process.ready {
            Ready::Line(text) => Some(text.clone()),
            _ => None,
        };
        let log = process.log.as_deref().map(create).transpose()?;
        let setting = Setting { dir: process.dir.clone(), env, stdout: None, log, awaited_line };
        Ward::start(&self.begun.program, &format!("process `{}`", process.name), &orders, setting)
    }

    fn await_ready(&self, process: &Process, ward: &Ward, probe: &Probe) -> Result<(), TargetError> {
        let name = || process.name.clone();
        loop {
            let lacking = probe.look(ward.output());
            // Asked after the look: who answered may have been somebody else.
            if let Some(ending) = ward.failure() {
                return Err(TargetError::Early { name: name(), ending, said: ward.said() });
            }
            let Err(lacking) = lacking else { return Ok(()) };
            self.go_on()?;
            let after = process.ready_timeout;
            if ward.age() >= after {
                return Err(TargetError::Unready { name: name(), after, lacking, said: ward.said() });
            }
            ward.wait_for_failure(LOOK);
        }
    }

    fn go_on(&self) -> Result<(), TargetError> {
        if (self.is_interrupted)() { Err(TargetError::Interrupted) } else { Ok(()) }
    }
}

fn create(path: &Path) -> Result<File, TargetError> {
    let failed =
        |error: std::io::Error| TargetError::Log { path: path.display().to_string(), reason: error.to_string() };
    File::create(path).map_err(failed)
}

fn facts(process: &Process, ward: &Ward) -> Facts {
    // A program that was replaced while it ran is named with a remark by the kernel, and then has no time either.
    let program = std::fs::read_link(format!("/proc/{}/exe", ward.pid())).ok();
    let built = program.as_ref().and_then(|path| std::fs::metadata(path).ok()?.modified().ok());
    Facts {
        name: process.name.clone(),
        pid: ward.pid(),
        program,
        built,
        cpus: process.cpus.as_ref().map(ToString::to_string),
        ready_after: ward.age(),
    }
}
