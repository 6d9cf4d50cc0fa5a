//! The course of a calibration: one trial after the other, while somebody watches the rest of the machine.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use plimsoll_engine::Stopper;
use plimsoll_model::Calibration;
use plimsoll_model::calibration::{Figures, Machine, Meanwhile, SCHEMA};

use crate::error::CalibrateError;
use crate::machine::{cores, governor, here, stat::Stat};
use crate::pace::Pace;
use crate::trials::{Bench, Program, closed, floor, fresh, jitter, open, users};
use crate::verdict;
use crate::watch::Watch;

/// How to calibrate.
#[derive(Debug, Clone)]
pub struct Setting {
    /// How the testkit is started.
    pub program: Program,
    /// A few seconds instead of most of a minute.
    pub quick: bool,
}

/// Where a calibration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// From 1.
    pub number: usize,
    /// How many there are.
    pub of: usize,
    /// What is measured now.
    pub name: &'static str,
}

/// What a calibration is called: all that the measuring does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Naming {
    /// Unique and sortable by time.
    pub id: String,
    /// When it began, RFC 3339.
    pub at: String,
    /// `plimsoll 0.1.0`.
    pub tool: String,
}

/// All that was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    machine: Machine,
    figures: Figures,
    meanwhile: Meanwhile,
    quick: bool,
    took: Duration,
}

const STAGES: [&str; 6] = [
    "timers and the core's absence",
    "latency floor: one user",
    "memory: many users",
    "closed loop: the highest rate",
    "open loop: the highest rate on time",
    "new connections a second",
];

/// Measures this machine. `say` hears of every stage as it begins.
///
/// # Errors
/// When the server cannot be started or driven, or `stopper` was used.
pub fn calibrate(setting: &Setting, stopper: &Stopper, say: &mut dyn FnMut(Stage)) -> Result<Measured, CalibrateError> {
    let began = Instant::now();
    let pace = if setting.quick { Pace::QUICK } else { Pace::FULL };
    // Before the engine raises limits.
    let mut machine = here();
    let usable = cores::usable();
    let mut watch = Watch::begin();
    let places = places(&usable, pace.look);
    machine.generator_core = places.generator;
    machine.server_core = places.server;
    machine.governor = governor(places.generator.unwrap_or(usable[0]));
    let bench = Bench { program: &setting.program, places, pace, stopper };
    let mut next = 0;
    let mut stage = |watch: &mut Watch| {
        say(Stage { number: next + 1, of: STAGES.len(), name: STAGES[next] });
        next += 1;
        watch.look();
    };
    let figures = figures(&bench, &machine, &mut || stage(&mut watch))?;
    Ok(Measured { machine, figures, meanwhile: watch.end(&usable), quick: setting.quick, took: began.elapsed() })
}

/// The quietest cores, after a short look at them.
fn places(usable: &[usize], look: Duration) -> cores::Places {
    let before = Stat::now();
    std::thread::sleep(look);
    let busy = Stat::now().zip(before).map_or_else(BTreeMap::new, |(now, before)| now.busy_since(&before));
    if cfg!(target_os = "linux") { cores::choose(&cores::candidates(usable, &busy)) } else { cores::Places::default() }
}

/// Every trial in its order; that of the users has to come early, see there.
fn figures(bench: &Bench<'_>, machine: &Machine, stage: &mut dyn FnMut()) -> Result<Figures, CalibrateError> {
    stage();
    let (timer_jitter_us, core_gaps) = jitter::measure(bench)?;
    stage();
    let (latency_floor_ms, one_bytes) = floor::measure(bench)?;
    stage();
    let memory = users::measure(bench, machine, one_bytes)?;
    stage();
    let closed = closed::measure(bench)?;
    stage();
    let open = open::measure(bench, closed.median, machine.descriptors_hard)?;
    stage();
    let (connections_per_s, [plain_limit, tls_limit]) = fresh::measure(bench)?;
    let mut limits = BTreeMap::from([
        ("closed_rate_per_core".to_owned(), closed.limit),
        ("open_rate_max".to_owned(), open.limit),
        ("connections_per_s.plain".to_owned(), plain_limit),
        ("connections_per_s.tls".to_owned(), tls_limit),
    ]);
    limits.extend(memory.limit.map(|limit| ("users_measured".to_owned(), limit)));
    Ok(Figures {
        closed_rate_per_core: closed.median,
        closed_rate_range: closed.range,
        open_rate_max: open.rate,
        latency_floor_ms,
        timer_jitter_us,
        core_gaps,
        connections_per_s,
        bytes_per_user: memory.bytes_per_user,
        users_measured: memory.users,
        limits,
    })
}

impl Measured {
    /// With its name, and with what it means.
    pub fn named(self, naming: Naming) -> Calibration {
        let mut spoilers = verdict::spoilers(&self.machine, &self.figures, &self.meanwhile);
        spoilers.extend(verdict::debug_build(cfg!(debug_assertions)));
        let believe = verdict::believe(&self.machine, &self.figures, &spoilers);
        let Naming { id, at, tool } = naming;
        Calibration {
            schema: SCHEMA.to_owned(),
            id,
            at,
            tool,
            quick: self.quick,
            took_s: self.took.as_secs_f64(),
            machine: self.machine,
            figures: self.figures,
            meanwhile: self.meanwhile,
            believe,
            spoilers,
        }
    }
}
