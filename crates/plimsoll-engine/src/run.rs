//! The coordinator of a run: starts the threads, merges their parts second by second, decides when to give up.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use plimsoll_model::{
    End, FailureSample, FlowTick, Incident, Load, Plan, Recording, RiteRecord, StepTick, Tick, Timeline,
};
use tokio::time::Instant;

use crate::clock::{Clock, Moment, nanos};
use crate::giving_up::GivingUp;
use crate::journey::{Stage, play};
use crate::prepare::Prepared;
use crate::recorder::{FAILURES_MAX, Last, Part};
use crate::schedule::Slice;
use crate::stopper::Stopper;
use crate::thread;
use crate::threads::Threads;

/// The wall clock may be slewed by a little; a jump is more than this.
const CLOCK_STEP: Duration = Duration::from_millis(250);

/// One second of the whole run.
pub struct Pulse<'a> {
    /// What all threads saw.
    pub tick: &'a Tick,
    /// Seconds since the start.
    pub elapsed_s: f64,
    /// The level asked for now: arrivals a second, or users.
    pub level: f64,
    /// The generator threads' share of their cores over this second.
    pub cpu_share: f64,
}

impl Prepared {
    /// Runs to the end. `watch` is called once a second, and for warm-up and measured phase apart.
    pub fn run(mut self, stopper: &Stopper, watch: &mut dyn FnMut(&Pulse<'_>)) -> Recording {
        let setup = match self.set_up(stopper) {
            Ok(setup) => setup,
            Err(recording) => return *recording,
        };
        let mut recording = self.drive(stopper, watch);
        recording.setup = setup;
        self.tear_down(&mut recording);
        recording
    }

    /// What comes before load; a recording without any if that goes wrong.
    fn set_up(&mut self, stopper: &Stopper) -> Result<Vec<RiteRecord>, Box<Recording>> {
        let Some(scripted) = &self.job.script else { return Ok(Vec::new()) };
        let mut stage = Stage::default();
        let users = users(&self.job.plan);
        let (rites, plots) = (&scripted.script.setup, &scripted.plots.setup);
        let played = play(&self.job, &mut stage, rites, plots, users, stopper, false);
        if let Some(reason) = played.broken {
            let mut recording = Recording { setup: played.records, failures: played.failures, ..Recording::default() };
            recording.started_at_ms = since_epoch_ms(SystemTime::now());
            recording.end = End::Aborted(format!("the setup failed: {reason}"));
            recording.reasons = vec![(format!("the setup failed: {reason}"), 1)];
            self.tear_down(&mut recording);
            return Err(Box::new(recording));
        }
        if let Some(scripted) = Arc::get_mut(&mut self.job).and_then(|job| job.script.as_mut()) {
            scripted.stage = stage;
        }
        Ok(played.records)
    }

    /// What comes after load, whatever happened.
    fn tear_down(&self, recording: &mut Recording) {
        let Some(scripted) = &self.job.script else { return };
        let mut stage = scripted.stage.clone();
        let (rites, plots) = (&scripted.script.teardown, &scripted.plots.teardown);
        // A stopper of its own: the run may have been stopped, and what was made is still to be taken away.
        let played = play(&self.job, &mut stage, rites, plots, users(&self.job.plan), &Stopper::new(), true);
        recording.teardown = played.records;
        recording.teardown_error = played.broken;
        recording.failures.extend(played.failures);
    }

    fn drive(&self, stopper: &Stopper, watch: &mut dyn FnMut(&Pulse<'_>)) -> Recording {
        let threads = threads_of_use(&self.job.plan);
        let (parts_in, parts) = channel();
        let wall = SystemTime::now();
        let start = Instant::now();
        let handles: Vec<_> = (0..threads)
            .map(|index| {
                let (job, stopper, parts_in) = (Arc::clone(&self.job), stopper.clone(), parts_in.clone());
                let slice = Slice { index: index as u64, of: threads as u64 };
                std::thread::Builder::new()
                    .name(format!("generator-{index}"))
                    .spawn(move || thread::work(job, slice, start, &stopper, parts_in))
            })
            .collect();
        drop(parts_in);
        let mut coordinator = Coordinator::new(&self.job.plan, Clock::starting_at(start), threads, stopper);
        coordinator.gather(&parts, watch);
        for handle in handles.into_iter().flatten() {
            // A thread that failed has not said that it ended, which is what counts.
            let _ = handle.join();
        }
        let mut recording = coordinator.finish(wall);
        recording.log_error = self.job.log.as_ref().and_then(|log| log.broken().map(str::to_owned));
        recording
    }
}

/// Those for whom something is done once for each user.
fn users(plan: &Plan) -> u64 {
    match &plan.load {
        Load::Closed(closed) => closed.shape.peak().ceil() as u64,
        Load::Open(_) => 1,
    }
}

fn since_epoch_ms(wall: SystemTime) -> u64 {
    let since_start = wall.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since_start.as_millis()).unwrap_or(u64::MAX)
}

/// More threads than can have a request in flight would have nothing to do.
fn threads_of_use(plan: &Plan) -> usize {
    let in_flight_max = usize::try_from(plan.load.in_flight_max()).unwrap_or(usize::MAX);
    plan.threads.min(in_flight_max).max(1)
}

struct Coordinator<'p> {
    plan: &'p Plan,
    clock: Clock,
    stopper: &'p Stopper,
    threads: Threads,
    /// Seconds for which not every thread has reported yet.
    open: BTreeMap<u64, Open>,
    recording: Recording,
    reasons: BTreeMap<String, u64>,
    /// By step.
    failures: BTreeMap<usize, Vec<FailureSample>>,
    giving_up: GivingUp,
    load_end: Moment,
}

/// A second while the threads' parts of it come in.
#[derive(Default)]
struct Open {
    ticks: [Option<Tick>; 2],
    cpu_s: f64,
}

impl<'p> Coordinator<'p> {
    fn new(plan: &'p Plan, clock: Clock, threads: usize, stopper: &'p Stopper) -> Self {
        Self {
            plan,
            clock,
            stopper,
            threads: Threads::new(threads, plan.warmup),
            open: BTreeMap::new(),
            recording: Recording { timeline: Timeline::default(), ..Recording::default() },
            reasons: BTreeMap::new(),
            failures: BTreeMap::new(),
            giving_up: GivingUp::new(plan.abort),
            load_end: 0,
        }
    }

    /// Takes parts until every thread has ended.
    fn gather(&mut self, parts: &Receiver<Part>, watch: &mut dyn FnMut(&Pulse<'_>)) {
        while let Ok(mut part) = parts.recv() {
            let cpu_s = self.threads.heard(&part);
            if let Some(last) = part.last.take() {
                self.last(last);
            }
            let open = self.open.entry(part.second).or_default();
            open.cpu_s += cpu_s;
            open.add(part.ticks);
            while let Some(entry) = self.open.first_entry()
                && self.threads.all_told(*entry.key())
            {
                let (second, open) = entry.remove_entry();
                self.second(second, open, watch);
            }
        }
        while let Some((second, open)) = self.open.pop_first() {
            self.second(second, open, watch);
        }
    }

    /// All threads have told of a second.
    fn second(&mut self, second: u64, open: Open, watch: &mut dyn FnMut(&Pulse<'_>)) {
        let cpu_share = open.cpu_s / self.threads.count() as f64;
        let level = self.plan.load.shape().level_at(second as f64 + 0.5);
        let elapsed_s = (second + 1) as f64;
        let ticks: Vec<Tick> = open.ticks.into_iter().flatten().collect();
        for tick in &ticks {
            self.tick(tick);
            watch(&Pulse { tick, elapsed_s, level, cpu_share });
        }
        if !self.stopper.is_stopped()
            && let Some(reason) = self.giving_up.consider(&ticks)
        {
            self.recording.end = End::Aborted(reason);
            self.stopper.stop();
        }
    }

    fn tick(&mut self, tick: &Tick) {
        if !tick.warmup {
            let recording = &mut self.recording;
            recording.timeline.push(tick);
            recording.due += tick.due;
            recording.reconnects += tick.reconnects;
            if recording.steps.len() < tick.steps.len() {
                recording.steps.resize_with(tick.steps.len(), StepTick::default);
            }
            for (total, step) in recording.steps.iter_mut().zip(&tick.steps) {
                total.merge(step);
            }
            FlowTick::merge_all(&mut recording.flows, &tick.flows);
        }
    }

    fn last(&mut self, last: Last) {
        let recording = &mut self.recording;
        recording.unfinished += last.unfinished;
        recording.flows_cut += last.flows_cut;
        for (step, failures) in last.failures {
            let kept = self.failures.entry(step).or_default();
            kept.extend(failures.into_iter().take(FAILURES_MAX.saturating_sub(kept.len())));
        }
        if last.incidents.count(Incident::Panicked) > 0 && !self.stopper.is_stopped() {
            recording.end = End::Aborted("a task of the generator panicked".to_owned());
            self.stopper.stop();
        }
        recording.answered_in_time += last.answered_in_time;
        recording.incidents.merge(&last.incidents);
        recording.server = recording.server.take().or(last.server);
        for (reason, count) in last.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
        self.load_end = self.load_end.max(last.load_end);
    }

    fn finish(self, wall: SystemTime) -> Recording {
        let elapsed = Duration::from_nanos(self.clock.now());
        let mut recording = self.recording;
        if self.stopper.is_stopped() && recording.end == End::Complete {
            recording.end = End::Interrupted;
        }
        recording.started_at_ms = since_epoch_ms(wall);
        let load_end = Duration::from_nanos(self.load_end);
        recording.warmup = self.plan.warmup.min(load_end);
        recording.measured = load_end - recording.warmup;
        recording.generator = self.threads.generator_use(recording.measured);
        // A thread that could not run has left out its share of the schedule.
        recording.incidents.note_n(Incident::ScheduleMissed, self.threads.missing() as u64);
        if clock_stepped(wall, elapsed) {
            recording.incidents.note(Incident::ClockStepped);
        }
        let mut reasons: Vec<(String, u64)> = self.reasons.into_iter().collect();
        reasons.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        recording.reasons = reasons;
        recording.failures = self.failures.into_values().flatten().collect();
        recording
    }
}

impl Open {
    fn add(&mut self, ticks: [Option<Tick>; 2]) {
        for (merged, tick) in self.ticks.iter_mut().zip(ticks) {
            match (merged, tick) {
                (Some(merged), Some(tick)) => merged.merge(&tick),
                (merged @ None, tick) => *merged = tick,
                (Some(_), None) => {}
            }
        }
    }
}

/// Whether the wall clock moved otherwise than time did.
fn clock_stepped(wall: SystemTime, elapsed: Duration) -> bool {
    let Ok(wall_elapsed) = SystemTime::now().duration_since(wall) else { return true };
    nanos(wall_elapsed).abs_diff(nanos(elapsed)) > nanos(CLOCK_STEP)
}
