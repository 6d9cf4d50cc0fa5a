//! The trials: each figure is measured by the real engine, against a testkit of its own.
//!
//! A new server for every trial: what the trial before has left behind, such as ports that are held for a minute after
//! their connection, is then nobody's trouble.

mod authority;
pub(crate) mod closed;
pub(crate) mod floor;
pub(crate) mod fresh;
pub(crate) mod jitter;
pub(crate) mod open;
mod plan;
mod search;
mod server;
pub(crate) mod users;

use std::time::{Duration, Instant};

use plimsoll_engine::{Stopper, prepare};
use plimsoll_model::{End, Load, Outcome, Recording};
use plimsoll_stats::Histogram;
use rustix::time::{ClockId, clock_gettime};

use crate::error::CalibrateError;
use crate::machine::cores::Places;
use crate::pace::Pace;
use crate::pin::Pinned;

pub use server::Program;

use authority::Authority;
use server::Server;

/// What every trial needs.
pub(crate) struct Bench<'b> {
    pub(crate) program: &'b Program,
    pub(crate) places: Places,
    pub(crate) pace: Pace,
    pub(crate) stopper: &'b Stopper,
}

/// One load on a server of its own.
pub(crate) struct Shot {
    /// What is being measured, for complaints.
    pub(crate) name: &'static str,
    pub(crate) load: Load,
    pub(crate) length: Duration,
    /// Left out of every figure. What a thread used is told by whole seconds, and so is only right without a warm-up.
    pub(crate) warmup: Duration,
    pub(crate) wire: Wire,
}

/// What came of it.
pub(crate) struct Shooting {
    pub(crate) recording: Recording,
    /// The share of one core that the whole of it used.
    pub(crate) cpu_share: f64,
}

/// What requests travel on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    /// Connections that are kept alive.
    Kept,
    /// A connection for each request.
    Fresh,
    /// A connection for each request, encrypted.
    FreshTls,
}

impl Bench<'_> {
    /// Drives the load to its end.
    pub(crate) fn shoot(&self, shot: &Shot) -> Result<Shooting, CalibrateError> {
        self.go_on()?;
        let authority = (shot.wire == Wire::FreshTls).then(Authority::new).transpose()?;
        let server = Server::start(self.program, &plan::server_words(authority.as_ref()), self.places.server)?;
        let plan = plan::plan(shot, server.address(), authority.as_ref());
        let prepared = prepare(&plan, None).map_err(CalibrateError::Start)?;
        let (began, used) = (Instant::now(), process_cpu_s());
        let recording = {
            // Generator threads inherit the core from this one.
            let _pinned = Pinned::to(self.places.generator);
            prepared.run(self.stopper, &mut |_| {})
        };
        let cpu_share = (process_cpu_s() - used) / began.elapsed().as_secs_f64().max(1e-9);
        if recording.end == End::Interrupted {
            return Err(CalibrateError::Interrupted);
        }
        answered(shot.name, &recording)?;
        Ok(Shooting { recording, cpu_share })
    }

    /// An error once somebody has asked for the end.
    pub(crate) fn go_on(&self) -> Result<(), CalibrateError> {
        if self.stopper.is_stopped() { Err(CalibrateError::Interrupted) } else { Ok(()) }
    }
}

fn process_cpu_s() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// An error where nothing at all came back.
fn answered(trial: &'static str, recording: &Recording) -> Result<(), CalibrateError> {
    if times(recording, |timings| &timings.response, &[Outcome::Ok]).is_empty() {
        let reason = recording.reasons.first().map_or("no reason was given", |(reason, _)| reason);
        return Err(CalibrateError::Unanswered { trial, reason: reason.to_owned() });
    }
    Ok(())
}

/// One of the three times of all requests that ended in one of these ways.
fn times(recording: &Recording, which: fn(&plimsoll_model::Timings) -> &Histogram, outcomes: &[Outcome]) -> Histogram {
    let mut all = Histogram::new();
    let cells = recording.steps.iter().flat_map(|step| &step.cells);
    cells.filter(|cell| outcomes.contains(&cell.outcome)).for_each(|cell| all.merge(which(&cell.timings)));
    all
}

/// Answers a second while load was offered.
fn rate(recording: &Recording) -> f64 {
    recording.answered_in_time as f64 / recording.measured.as_secs_f64().max(1e-9)
}

/// The middle value, the lower one of two; zero of none.
fn median(values: &[f64]) -> f64 {
    let mut ordered = values.to_vec();
    ordered.sort_by(f64::total_cmp);
    ordered.get(ordered.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
}
