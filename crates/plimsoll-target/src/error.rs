//! Why the target could not be set up or put away.

use std::fmt;
use std::time::Duration;

use plimsoll_http::printable;
use plimsoll_model::units::duration_text;

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// Its minder was ended by somebody else, so nobody knows.
    Unknown,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(9) => f.write_str("signal 9 (SIGKILL: out of memory?)"),
            Self::Signal(11) => f.write_str("signal 11 (SIGSEGV)"),
            Self::Signal(6) => f.write_str("signal 6 (SIGABRT)"),
            Self::Signal(15) => f.write_str("signal 15 (SIGTERM)"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
            Self::Unknown => f.write_str("an end that nobody saw"),
        }
    }
}

/// The last lines that somebody said, made harmless.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Said(Vec<String>);

const LINE_CHARS_MAX: usize = 400;

impl Said {
    pub(crate) fn new(lines: impl IntoIterator<Item = String>) -> Self {
        Self(lines.into_iter().map(|line| printable(line.as_bytes(), LINE_CHARS_MAX)).collect())
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("; it said nothing");
        }
        f.write_str("; the last that it said:")?;
        self.0.iter().try_for_each(|line| write!(f, "\n  | {line}"))
    }
}

/// Why the target could not be set up or put away.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are what the message says")]
pub enum TargetError {
    /// There is no program to start.
    #[error("process `{name}` has nothing to start")]
    Nothing { name: String },
    /// No minder could be started.
    #[error("cannot start the minder of {what}: {reason}")]
    Minder { what: String, reason: String },
    /// The system does not start it.
    #[error("cannot start {what}: {reason}")]
    Start { what: String, reason: String },
    /// Nobody could say when it is ready.
    #[error("cannot tell when process `{name}` is ready: {reason}")]
    Ready { name: String, reason: String },
    /// Somebody else is where it should be.
    #[error("something answers at {address} already, before process `{name}` is started")]
    Occupied { name: String, address: String },
    /// It ended before it was ready.
    #[error("process `{name}` ended with {ending} before it was ready{said}")]
    Early { name: String, ending: Ending, said: Said },
    /// It ran, and was not ready in time.
    #[error("process `{name}` was not ready after {}: {lacking}{said}", duration_text(*after))]
    Unready { name: String, after: Duration, lacking: String, said: Said },
    /// A command failed.
    #[error("the command `{run}` ended with {ending}{said}")]
    Hook { run: String, ending: Ending, said: Said },
    /// A command took too long.
    #[error("the command `{run}` did not end within {}{said}", duration_text(*after))]
    Slow { run: String, after: Duration, said: Said },
    /// What a command said cannot be a variable's value.
    #[error("the output of the command `{run}` cannot be the value of `{variable}`: {reason}")]
    Output { run: String, variable: String, reason: String },
    /// The file for what a process says cannot be written.
    #[error("cannot write `{path}`: {reason}")]
    Log { path: String, reason: String },
    /// Somebody asked for the end.
    #[error("interrupted while the target was set up")]
    Interrupted,
}

impl TargetError {
    /// What to try.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Nothing { .. } => Some(
                "`start` names the program and its words: `start = [\"target/release/api\", \"--port\", \"8080\"]`",
            ),
            Self::Start { .. } => Some("a relative program is looked for from `dir`, and a bare name in PATH"),
            Self::Occupied { .. } => {
                Some("is one left from before? measuring it would say nothing of the one that the plan starts")
            }
            Self::Early { .. } => Some("run the command of `start` by hand to see why"),
            Self::Unready { .. } => {
                Some("see that `ready` names what it really does when it is ready; `ready_timeout` gives it more time")
            }
            Self::Slow { .. } => Some("`timeout` gives a command more time: `{ run = \"…\", timeout = \"5m\" }`"),
            Self::Ready { .. } => Some(
                "`ready = { port = 8443 }` waits for a port, `ready = { line = \"listening\" }` for a line of its log",
            ),
            Self::Output { .. } | Self::Hook { .. } | Self::Log { .. } | Self::Minder { .. } | Self::Interrupted => {
                None
            }
        }
    }
}

/// The target could not be set up; all that had been started was ended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct Failed {
    /// Why.
    pub error: TargetError,
    /// What went wrong with putting it away.
    pub after: Vec<TargetError>,
}
