//! What a plan starts around a run, in the words of `plimsoll-target`.

use std::path::Path;

use plimsoll_plan::file::{self, PlanFile};
use plimsoll_target::{Cpus, Hook, Process, Ready, StopSignal, Surroundings, Variabled};
use url::Url;

use super::Planned;
use crate::usage::Usage;

/// Everything that is started around the runs of a plan, and the target's URL; none where nothing is.
pub(crate) fn surroundings(planned: &Planned) -> Result<Option<(Surroundings, Url)>, Usage> {
    let PlanFile { target, .. } = &planned.file;
    if target.before.is_empty() && target.after.is_empty() && target.processes.is_empty() {
        return Ok(None);
    }
    let url = target.url.as_ref().map_or("http://127.0.0.1/", |url| url.reveal());
    let url =
        Url::parse(url).map_err(|error| Usage::new(format!("`target.url`: {error}"), "write `http://host:port`"))?;
    let before = target.before.iter().map(before).collect();
    let after = target.after.iter().map(|line| labelled(Hook::new(line.reveal()), line)).collect();
    let processes = target.processes.iter().map(|one| process(one, &planned.folder)).collect::<Result<Vec<_>, _>>()?;
    Ok(Some((Surroundings { before, processes, after }, url)))
}

fn before(command: &file::Command) -> Hook {
    let into = command.into.clone().map(|name| Variabled { name, secret: command.secret });
    Hook { into, ..labelled(Hook::new(command.run.reveal()), &command.run) }
}

fn labelled(hook: Hook, line: &file::Text) -> Hook {
    Hook { label: line.shown(), ..hook }
}

fn process(process: &file::Process, folder: &Path) -> Result<Process, Usage> {
    let start = process.start.iter().map(|word| word.reveal().to_owned()).collect();
    let wrong = |what: &str, reason: String| {
        Usage::new(format!("process `{}`: {what}: {reason}", process.name), "correct it in `[[target.process]]`")
    };
    let cpus = match &process.cpus {
        None => None,
        Some(cpus) => {
            let text = cpus.numbers().iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
            Some(text.parse::<Cpus>().map_err(|error| wrong("cpus", error.to_string()))?)
        }
    };
    let ready = match &process.ready {
        None => Ready::Started,
        Some(file::Ready::Path(path)) => Ready::Path(path.clone()),
        Some(file::Ready::Url(url)) => Ready::Url(Url::parse(url).map_err(|error| wrong("ready", error.to_string()))?),
        Some(file::Ready::Port(port)) => Ready::Port(*port),
        Some(file::Ready::Log(words)) => Ready::Line(words.clone()),
    };
    Ok(Process {
        dir: process
            .dir
            .as_ref()
            .map(|dir| folder.join(dir))
            .or_else(|| Some(folder.to_owned()))
            .filter(|dir| !dir.as_os_str().is_empty()),
        env: process.env.iter().map(|(name, value)| (name.clone(), value.reveal().to_owned())).collect(),
        cpus,
        ready,
        ready_timeout: process.ready_timeout,
        stop: match process.stop {
            file::Signal::Term => StopSignal::Term,
            file::Signal::Int => StopSignal::Int,
            file::Signal::Quit => StopSignal::Quit,
            file::Signal::Hup => StopSignal::Hup,
            file::Signal::Kill => StopSignal::Kill,
        },
        grace: process.grace,
        ..Process::new(process.name.clone(), start)
    })
}
