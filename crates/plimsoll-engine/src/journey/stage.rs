//! What comes before the measured phase and after it: users are made, and taken away again.
//!
//! It runs in one thread, a few travellers at a time, and is timed apart. What a setup captures is there for
//! everybody, or for the one user it was made for.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use plimsoll_journey::{Jar, Per, Rite, Scope, Script, Turn};
use plimsoll_model::{FailureSample, RiteRecord};
use tokio::time::Instant;

use super::plot::Plot;
use super::traveller::{Key, Traveller};
use crate::clock::Clock;
use crate::recorder::Part;
use crate::stopper::{Stopper, Urgency};
use crate::timers::Timers;
use crate::worker::{Job, Worker};

/// So many users are set up at once.
const AT_ONCE: u64 = 16;

/// What came of the setup.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stage {
    base: Option<Scope>,
    users: Vec<(Scope, Jar)>,
}

/// What came of one part of it.
#[derive(Debug, Default)]
pub(crate) struct Played {
    pub(crate) records: Vec<RiteRecord>,
    /// Why it did not come to its end.
    pub(crate) broken: Option<String>,
    pub(crate) failures: Vec<FailureSample>,
}

impl Stage {
    /// What a user begins with.
    pub(crate) fn of_user(&self, script: &Script, user: u64) -> (Scope, Jar) {
        let own = usize::try_from(user).ok().and_then(|user| self.users.get(user));
        own.cloned().unwrap_or_else(|| (self.base(script), Jar::default()))
    }

    /// What everybody begins with.
    pub(crate) fn base(&self, script: &Script) -> Scope {
        self.base.clone().unwrap_or_else(|| script.base.clone())
    }
}

/// Performs rites one after the other, each for everybody it is for; stops at the first that fails, if asked.
pub(crate) fn play(
    job: &Arc<Job>,
    stage: &mut Stage,
    rites: &[Rite],
    plots: &[Vec<Plot>],
    users: u64,
    stopper: &Stopper,
    to_the_end: bool,
) -> Played {
    let mut played = Played::default();
    for (rite, plots) in rites.iter().zip(plots) {
        let began = Instant::now();
        let result = perform(job, stage, rite, plots, users, stopper);
        let (passed, total, parts) = match result {
            Ok(done) => done,
            Err(error) => {
                played.broken = Some(format!("`{}` could not begin: {error}", rite.journey.name));
                return played;
            }
        };
        let seconds = began.elapsed().as_secs_f64();
        played.records.push(RiteRecord { name: rite.journey.name.clone(), passed, total, seconds });
        if passed == total {
            continue;
        }
        let mut reasons: Vec<String> = Vec::new();
        for last in parts.into_iter().filter_map(|part| part.last) {
            played.failures.extend(last.failures.into_values().flatten());
            reasons.extend(last.reasons.into_keys());
        }
        let why = reasons.into_iter().next().unwrap_or_else(|| "it was interrupted".to_owned());
        played.broken.get_or_insert(format!(
            "`{}` went wrong {} of {total} times: {why}",
            rite.journey.name,
            total - passed
        ));
        if !to_the_end {
            return played;
        }
    }
    played
}

type Performed = (u64, u64, Vec<Part>);

fn perform(
    job: &Arc<Job>,
    stage: &mut Stage,
    rite: &Rite,
    plots: &[Plot],
    users: u64,
    stopper: &Stopper,
) -> io::Result<Performed> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build_local(tokio::runtime::LocalOptions::default())?;
    let total = if rite.per == Per::Run { 1 } else { users };
    let (parts_in, parts) = channel();
    let result = runtime.block_on(async {
        let timers = Timers::new(Clock::starting_at(Instant::now()))?;
        let worker = Rc::new(Worker::on_stage(Arc::clone(job), timers, parts_in));
        let cast = Rc::new(Cast {
            worker,
            rite: rite.clone(),
            plots: plots.to_vec(),
            next: Cell::new(0),
            total,
            done: RefCell::default(),
        });
        cast.play(stage, stopper).await
    });
    runtime.shutdown_timeout(Duration::from_millis(100));
    let done = result?;
    let passed = done.iter().flatten().count() as u64;
    if passed == total {
        keep(stage, rite.per, done);
    }
    Ok((passed, total, parts.try_iter().collect()))
}

fn keep(stage: &mut Stage, per: Per, done: Vec<Option<(Scope, Jar)>>) {
    match per {
        Per::Run => stage.base = done.into_iter().flatten().next().map(|(scope, _)| scope),
        Per::User => stage.users = done.into_iter().flatten().collect(),
    }
}

/// Those who perform one rite.
struct Cast {
    worker: Rc<Worker>,
    rite: Rite,
    plots: Vec<Plot>,
    next: Cell<u64>,
    total: u64,
    /// What each of them ended with; none for those who failed.
    done: RefCell<Vec<Option<(Scope, Jar)>>>,
}

impl Cast {
    async fn play(self: Rc<Self>, stage: &Stage, stopper: &Stopper) -> io::Result<Vec<Option<(Scope, Jar)>>> {
        let driver = Rc::clone(&self.worker);
        tokio::task::spawn_local(async move { driver.timers().drive().await });
        self.done.borrow_mut().resize_with(self.total as usize, || None);
        let all: Vec<_> = (0..AT_ONCE.min(self.total))
            .map(|_| tokio::task::spawn_local(Rc::clone(&self).one_after_the_other(stage.clone())))
            .collect();
        let mut urgency = stopper.listen();
        let everybody = async {
            for one in all {
                // Who panicked has not passed, which is what counts.
                let _ = one.await;
            }
        };
        tokio::select! {
            () = everybody => {}
            _ = urgency.wait_for(|urgency| *urgency > Urgency::None) => {}
        }
        let now = self.worker.now();
        self.worker.recorder().finish(now);
        Ok(self.done.take())
    }

    async fn one_after_the_other(self: Rc<Self>, stage: Stage) {
        while self.next.get() < self.total {
            let number = self.next.replace(self.next.get() + 1);
            let script = &self.worker.script().expect("a stage has a script").script;
            let (base, jar) = stage.of_user(script, number);
            let mut traveller = Traveller::new(Rc::clone(&self.worker), base, jar);
            let key = Key::User(number, u64::MAX);
            let turn = Turn::of_user(number, self.total, 0, 0);
            let ended = traveller.go(&self.rite, &self.plots, key, turn).await;
            self.done.borrow_mut()[number as usize] = ended.map(|scope| (scope, std::mem::take(&mut traveller.jar)));
        }
    }
}
