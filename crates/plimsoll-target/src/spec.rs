//! What is to be started around a run, as a plan says it.

use std::path::PathBuf;
use std::time::Duration;

use rustix::process::Signal;
use url::Url;

use crate::cpus::Cpus;

/// Everything around a run. First `before` (outside), then the processes in their order, each awaited before the next,
/// then `before` (inside); afterwards the same backwards with `after`.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// In this order.
    pub before: Vec<Hook>,
    /// Started in this order, stopped in the reverse one.
    pub processes: Vec<Process>,
    /// In this order, and always: also when something before failed half-way.
    pub after: Vec<Hook>,
}

/// A process of the target.
#[derive(Debug, Clone)]
pub struct Process {
    /// What people call it.
    pub name: String,
    /// The program and its words. A relative program is looked for from `dir`.
    pub start: Vec<String>,
    /// Where it runs; where we run if none.
    pub dir: Option<PathBuf>,
    /// Added to our own environment.
    pub env: Vec<(String, String)>,
    /// The cores it is kept on, with all that it starts.
    pub cpus: Option<Cpus>,
    /// When it is ready.
    pub ready: Ready,
    /// How long that may take.
    pub ready_timeout: Duration,
    /// The signal that asks it to end.
    pub stop: StopSignal,
    /// How long it has to end by itself after that, before SIGKILL.
    pub grace: Duration,
    /// Where all that it says is written to; the last lines are kept anyway.
    pub log: Option<PathBuf>,
}

impl Process {
    /// How long a process may take to get ready, where nobody says.
    pub const READY_TIMEOUT: Duration = Duration::from_secs(30);
    /// How long it has to end by itself, where nobody says.
    pub const GRACE: Duration = Duration::from_secs(10);

    /// One that is ready as soon as it runs.
    pub fn new(name: impl Into<String>, start: Vec<String>) -> Self {
        Self {
            name: name.into(),
            start,
            dir: None,
            env: Vec::new(),
            cpus: None,
            ready: Ready::Started,
            ready_timeout: Self::READY_TIMEOUT,
            stop: StopSignal::default(),
            grace: Self::GRACE,
            log: None,
        }
    }
}

/// A signal that asks a process to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "they are the names of signals")]
pub enum StopSignal {
    #[default]
    Term,
    Int,
    Quit,
    Hup,
    Kill,
}

impl StopSignal {
    pub(crate) const ALL: [Self; 5] = [Self::Term, Self::Int, Self::Quit, Self::Hup, Self::Kill];

    /// Without `SIG`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Term => "TERM",
            Self::Int => "INT",
            Self::Quit => "QUIT",
            Self::Hup => "HUP",
            Self::Kill => "KILL",
        }
    }

    pub(crate) fn signal(self) -> Signal {
        match self {
            Self::Term => Signal::TERM,
            Self::Int => Signal::INT,
            Self::Quit => Signal::QUIT,
            Self::Hup => Signal::HUP,
            Self::Kill => Signal::KILL,
        }
    }
}

/// When a process is ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ready {
    /// As soon as it runs.
    Started,
    /// When the target answers a GET of this path with 2xx.
    Path(String),
    /// When a GET of this URL is answered with 2xx.
    Url(Url),
    /// When a connection to this port of this machine is accepted.
    Port(u16),
    /// When a line that it says holds this text.
    Line(String),
}

/// A command before or after: a line for `/bin/sh`. What one before leaves running in the background runs until the
/// very end, and is ended then, unless its output is wanted: that ends with the command, and so do they.
#[derive(Debug, Clone)]
pub struct Hook {
    /// The line. It sees `PLIMSOLL_URL`, and what earlier hooks put into variables, in its environment.
    pub run: String,
    /// What complaints call it: the line, unless that holds a secret.
    pub label: String,
    /// What it says on stdout becomes a variable.
    pub into: Option<Variabled>,
    /// Whether the processes of the target run meanwhile.
    pub when: When,
    /// How long it may take.
    pub timeout: Duration,
}

impl Hook {
    /// How long a hook may take, where nobody says.
    pub const TIMEOUT: Duration = Duration::from_secs(60);

    /// One that runs outside of the processes, and whose output nobody wants.
    pub fn new(run: impl Into<String>) -> Self {
        let run = run.into();
        Self { label: run.clone(), run, into: None, when: When::Outside, timeout: Self::TIMEOUT }
    }
}

/// The variable that a hook's output becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variabled {
    /// Its name.
    pub name: String,
    /// It is never shown.
    pub secret: bool,
}

/// Whether the processes of the target run while a hook does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum When {
    /// No: before they are started, or after they were stopped.
    #[default]
    Outside,
    /// Yes: after they are ready, or before they are stopped.
    Inside,
}
