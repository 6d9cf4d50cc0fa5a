//! For tests: one worker against a scripted server in the same runtime, in paused time.
//!
//! Time stands still while anything can go on, and jumps to the next timer when nothing can: seconds of load
//! pass in milliseconds, and every duration is exact.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use plimsoll_journey::{Journey, Script};
use plimsoll_model::{
    ClosedLoad, JourneySpec, Load, OpenLoad, Outcome, Plan, RequestSpec, Scheme, Shape, StepTick, Stop, Target, Tick,
    Timeouts, Transport,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::time::{Instant, sleep};

use crate::alarm::Alarm;
use crate::clock::Clock;
use crate::compile;
use crate::dial::Place;
use crate::prepare;
use crate::recorder::Last;
use crate::schedule::Slice;
use crate::stopper::Stopper;
use crate::thread;
use crate::timers::Timers;
use crate::worker::{Job, Scripted, Worker};

/// What a scripted server does on one connection, in order; then it closes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Act {
    /// Awaits a request's blank line.
    Hear,
    Say(&'static [u8]),
    Wait(Duration),
}

pub(crate) const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

/// What came of it.
pub(crate) struct Outcomes {
    pub(crate) total: StepTick,
    pub(crate) ticks: Vec<Tick>,
    pub(crate) last: Last,
    /// Connections that the server saw.
    pub(crate) connections: usize,
    /// Requests that the server heard, whole.
    pub(crate) heard: Vec<String>,
    /// When it heard each of them, in milliseconds.
    pub(crate) heard_ms: Vec<u128>,
}

impl Outcomes {
    pub(crate) fn count(&mut self, outcome: Outcome) -> u64 {
        self.total.cell(outcome, false).count()
    }

    pub(crate) fn reconnects(&self) -> u64 {
        self.ticks.iter().map(|tick| tick.reconnects).sum()
    }

    /// The longest response time of an outcome in milliseconds.
    pub(crate) fn longest_ms(&mut self, outcome: Outcome) -> u64 {
        self.total.cell(outcome, false).timings.response.max().map_or(0, |ns| ns / 1_000_000)
    }
}

pub(crate) fn open(rate: f64, seconds: f64, in_flight_max: u32) -> Plan {
    let shape = Shape::constant(rate, Some(Duration::from_secs_f64(seconds)));
    plan(Load::Open(OpenLoad { shape, arrivals: plimsoll_model::Arrivals::Even, in_flight_max }), None)
}

pub(crate) fn closed(users: &str, requests: Option<u64>) -> Plan {
    let shape = Shape::parse_closed(users).expect("a shape");
    plan(Load::Closed(ClosedLoad { shape, think: Duration::ZERO }), requests)
}

fn plan(load: Load, requests: Option<u64>) -> Plan {
    Plan {
        name: "rehearsal".to_owned(),
        target: Target {
            url: "http://scripted/a".to_owned(),
            scheme: Scheme::Http,
            host: "scripted".to_owned(),
            port: 80,
            path: "/a".to_owned(),
        },
        request: RequestSpec { label: "GET /a".to_owned(), method: "GET".to_owned(), headers: vec![], body: vec![] },
        journeys: vec![],
        transport: Transport::default(),
        load,
        stop: Stop { after: None, requests },
        warmup: Duration::ZERO,
        timeouts: Timeouts { whole: Duration::from_secs(5), connect: None, first_byte: None },
        objectives: vec![],
        step_objectives: vec![],
        expect: vec![],
        within: vec![],
        abort: None,
        seed: 1,
        threads: 1,
    }
}

/// Runs a plan against a server that follows the script for its n-th connection, the last one for all further.
pub(crate) fn rehearse(plan: Plan, scripts: &[Vec<Act>]) -> Outcomes {
    rehearse_with(plan, scripts, |_| {})
}

/// As [`rehearse`]; `meanwhile` is called with the means to stop the run before it begins.
pub(crate) fn rehearse_with(plan: Plan, scripts: &[Vec<Act>], meanwhile: impl FnOnce(Stopper)) -> Outcomes {
    perform(plan, |_| None, Slice { index: 0, of: 1 }, scripts, meanwhile)
}

/// As [`rehearse`], of journeys: one slice of the plan.
pub(crate) fn rehearse_flows(mut plan: Plan, script: Script, slice: Slice, scripts: &[Vec<Act>]) -> Outcomes {
    plan.journeys = script.acts.iter().map(|act| spec(&act.journey)).collect();
    let scripted = |plan: &Plan| Some(prepare::scripted(plan, script).expect("a script that can be followed"));
    perform(plan, scripted, slice, scripts, |_| {})
}

/// As [`rehearse_flows`], stopped from outside after so long.
pub(crate) fn rehearse_stopped(mut plan: Plan, script: Script, after: Duration, scripts: &[Vec<Act>]) -> Outcomes {
    plan.journeys = script.acts.iter().map(|act| spec(&act.journey)).collect();
    let scripted = |plan: &Plan| Some(prepare::scripted(plan, script).expect("a script that can be followed"));
    perform(plan, scripted, Slice { index: 0, of: 1 }, scripts, |stopper| {
        tokio::task::spawn_local(async move {
            sleep(after).await;
            stopper.stop();
        });
    })
}

/// As [`rehearse_flows`], by a generator with a mistake in it: whoever begins a flow panics.
pub(crate) fn rehearse_panic(mut plan: Plan, script: Script, scripts: &[Vec<Act>]) -> Outcomes {
    plan.journeys = script.acts.iter().map(|act| spec(&act.journey)).collect();
    let scripted = |plan: &Plan| {
        let mut scripted = prepare::scripted(plan, script).expect("a script that can be followed");
        scripted.plots.acts.clear();
        Some(scripted)
    };
    perform(plan, scripted, Slice { index: 0, of: 1 }, scripts, |_| {})
}

fn spec(journey: &Journey) -> JourneySpec {
    let steps = journey.steps.iter().map(|step| step.label.clone()).collect();
    JourneySpec { name: journey.name.clone(), share: 1.0, steps, lines: vec![] }
}

fn perform(
    mut plan: Plan,
    scripted: impl FnOnce(&Plan) -> Option<Scripted>,
    slice: Slice,
    scripts: &[Vec<Act>],
    meanwhile: impl FnOnce(Stopper),
) -> Outcomes {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build_local(tokio::runtime::LocalOptions::default())
        .expect("a runtime");
    runtime.block_on(async {
        let stage = Stage::new(scripts);
        plan.transport.unix_socket = Some(stage.path.clone());
        let (parts_in, parts) = channel();
        let request = compile::first_request(&plan).expect("a request");
        let script = scripted(&plan);
        let job = Job {
            plan,
            request,
            place: Place::Unix(stage.path.clone()),
            tunnel: None,
            tls: None,
            server_name: None,
            log: None,
            script,
        };
        let clock = Clock::starting_at(Instant::now());
        let timers = Timers::with_alarm(clock, Alarm::coarse());
        let worker = Worker::new(Arc::new(job), slice, timers, parts_in);
        let stopper = Stopper::new();
        meanwhile(stopper.clone());
        thread::course(Rc::new(worker), &stopper).await;
        stage.outcomes(parts.try_iter())
    })
}

/// The server's side.
struct Stage {
    path: PathBuf,
    seen: Rc<RefCell<Seen>>,
}

#[derive(Default)]
struct Seen {
    connections: usize,
    heard: Vec<String>,
    heard_ms: Vec<u128>,
}

impl Stage {
    fn new(scripts: &[Vec<Act>]) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("plimsoll-rehearsal-{}-{number}", std::process::id()));
        let listener = UnixListener::bind(&path).expect("a socket");
        let seen = Rc::new(RefCell::new(Seen::default()));
        let (scripts, seen_too, began) = (scripts.to_vec(), Rc::clone(&seen), Instant::now());
        tokio::task::spawn_local(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let number = seen_too.borrow().connections;
                seen_too.borrow_mut().connections += 1;
                let script = scripts[number.min(scripts.len() - 1)].clone();
                tokio::task::spawn_local(follow(script, stream, Rc::clone(&seen_too), began));
            }
        });
        Self { path, seen }
    }

    fn outcomes(&self, parts: impl Iterator<Item = crate::recorder::Part>) -> Outcomes {
        let mut outcomes = Outcomes {
            total: StepTick::default(),
            ticks: Vec::new(),
            last: Last::default(),
            connections: self.seen.borrow().connections,
            heard: self.seen.borrow().heard.clone(),
            heard_ms: self.seen.borrow().heard_ms.clone(),
        };
        for part in parts {
            outcomes.last = part.last.unwrap_or_default();
            for tick in part.ticks.into_iter().flatten() {
                tick.steps.iter().for_each(|step| outcomes.total.merge(step));
                outcomes.ticks.push(tick);
            }
        }
        outcomes
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Follows a script, and closes when it is through or the client has gone.
async fn follow(script: Vec<Act>, mut stream: UnixStream, seen: Rc<RefCell<Seen>>, began: Instant) {
    for act in script {
        match act {
            Act::Hear => match hear(&mut stream).await {
                Some(request) => {
                    let mut seen = seen.borrow_mut();
                    seen.heard.push(request);
                    seen.heard_ms.push(began.elapsed().as_millis());
                }
                None => return,
            },
            Act::Say(bytes) => {
                if stream.write_all(bytes).await.is_err() {
                    return;
                }
            }
            Act::Wait(duration) => sleep(duration).await,
        }
    }
}

async fn hear(stream: &mut UnixStream) -> Option<String> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        let byte = stream.read_u8().await.ok()?;
        request.push(byte);
    }
    String::from_utf8(request).ok()
}

/// A connection that answers so many requests and then closes.
pub(crate) fn answers(count: usize, answer: &'static [u8]) -> Vec<Act> {
    (0..count).flat_map(|_| [Act::Hear, Act::Say(answer)]).collect()
}
