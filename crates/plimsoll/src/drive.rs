//! The seam to the engine and the judge: the only file that knows how they are called.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use plimsoll_engine::{Prepared, StartError};
use plimsoll_judge::{Facts, judge, judge_once};
use plimsoll_model::{Plan, Run};

use crate::identity;
use crate::output;
use crate::resolve::Asked;
use crate::state;
use crate::usage::Usage;

pub(crate) use plimsoll_engine::{Pulse, Stopper};

/// A plan that the engine has accepted, ready to start.
pub(crate) struct Ready {
    plan: Plan,
    prepared: Prepared,
    log: Option<PathBuf>,
    is_once: bool,
}

impl Ready {
    /// Compiles requests, looks up names, checks limits. Sends nothing.
    pub(crate) fn prepare(asked: Asked) -> Result<Self, Usage> {
        let Asked { plan, script, is_once } = asked;
        let prepared = plimsoll_engine::prepare(&plan, script).map_err(refused)?;
        Ok(Self { plan, prepared, log: None, is_once })
    }

    /// Writes a line for each request there.
    pub(crate) fn with_log(mut self, path: Option<&Path>) -> Result<Self, Usage> {
        if let Some(path) = path {
            self.prepared = self.prepared.with_log(path).map_err(refused)?;
            self.log = Some(path.to_owned());
        }
        Ok(self)
    }

    /// What will be obeyed.
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Whether it is each journey once, to see whether it goes well.
    pub(crate) fn is_once(&self) -> bool {
        self.is_once
    }

    /// What was changed to make it fit: `descriptor limit raised …`.
    pub(crate) fn notes(&self) -> &[String] {
        self.prepared.notes()
    }

    /// Where connections go.
    pub(crate) fn addresses(&self) -> &[SocketAddr] {
        self.prepared.addresses()
    }

    /// The request's exact bytes.
    pub(crate) fn request_text(&self) -> Vec<u8> {
        self.prepared.request_text()
    }

    /// Drives the load and judges it. `watch` is called once a second.
    pub(crate) fn run(self, stopper: &Stopper, watch: &mut dyn FnMut(&Pulse<'_>)) -> Run {
        let facts = Facts {
            id: identity::run_id(),
            tool: identity::tool(),
            commit: identity::commit(),
            calibration: state::last_calibration(),
        };
        let recording = self.prepared.run(stopper, watch);
        if let (Some(path), Some(error)) = (&self.log, &recording.log_error) {
            output::note(&format!("warning: `--log {}` is shorter than the run: {error}", path.display()));
        }
        if self.is_once { judge_once(&self.plan, &recording, facts) } else { judge(&self.plan, &recording, facts) }
    }
}

/// An error's `Display` leaves out its source, and the source is what helps.
fn refused(error: StartError) -> Usage {
    let hint = error.hint();
    Usage::new(format!("{:#}", anyhow::Error::from(error)), hint)
}
