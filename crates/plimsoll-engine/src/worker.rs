//! One generator thread: a runtime of its own, its timers, connections and recorder, and nothing shared with
//! the other threads while load is on.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use plimsoll_http::Request;
use plimsoll_model::{Load, Outcome, Plan, Timeouts, Transport};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::arrivals;
use crate::clock::{Clock, Moment, NEVER, nanos};
use crate::dial::{Dialler, Place};
use crate::doze::Doze;
use crate::lane::{Fault, Lane};
use crate::log::LogFile;
use crate::recorder::{Part, Recorder, Rules};
use crate::redirect::{self, Hop};
use crate::schedule::Slice;
use crate::stopper::{Stopper, Urgency};
use crate::stream::Buffer;
use crate::timers::Timers;
use crate::users;

/// What is in flight when a run is stopped from outside has this long to end.
const GRACE: Duration = Duration::from_secs(1);
/// Distinct redirects remembered.
const HOPS_MAX: usize = 256;

/// What all threads of a run are given.
pub(crate) struct Job {
    pub(crate) plan: Plan,
    pub(crate) request: Request,
    pub(crate) place: Place,
    pub(crate) log: Option<LogFile>,
}

/// What the tasks of one thread share.
pub(crate) struct Worker {
    job: Arc<Job>,
    slice: Slice,
    timers: Timers,
    dialler: Dialler,
    recorder: RefCell<Recorder>,
    buffer: RefCell<Buffer>,
    doze: Doze,
    hops: RefCell<Hops>,
    stopping: Cell<bool>,
    /// Told when nothing is in flight any more.
    at_rest: Notify,
}

/// Redirects that were met before, by status and location.
type Hops = HashMap<(u16, Vec<u8>), Rc<Hop>>;

/// Runs one thread's share of a job to its end. Must be called on the thread itself.
pub(crate) fn work(
    job: Arc<Job>,
    slice: Slice,
    start: Instant,
    stopper: &Stopper,
    parts: Sender<Part>,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        // Requests become ready in batches as large as there are connections; look at the sockets again only
        // when a batch is through.
        .event_interval(512)
        .build_local(tokio::runtime::LocalOptions::default())?;
    let stopper = stopper.clone();
    let result = runtime.block_on(async {
        let worker = Rc::new(Worker::new(job, slice, Timers::new(Clock::starting_at(start))?, parts));
        // As a task like the others: the outermost future is polled out of turn, after another look at the
        // sockets, which would cost every arrival a system call.
        let run = tokio::task::spawn_local(async move { worker.run(&stopper).await });
        run.await.map_err(io::Error::other)
    });
    // A name look-up that hangs must not keep the run from ending.
    runtime.shutdown_background();
    result
}

impl Worker {
    pub(crate) fn new(job: Arc<Job>, slice: Slice, timers: Timers, parts: Sender<Part>) -> Self {
        let plan = &job.plan;
        let rules = Rules {
            thread: slice.index as usize,
            closed: matches!(plan.load, Load::Closed(_)),
            warmup_end: nanos(plan.warmup),
            whole_timeout: nanos(plan.timeouts.whole),
            expect: plan.expect.clone(),
        };
        let mut recorder = Recorder::new(rules, parts, job.log.as_ref().map(LogFile::end));
        recorder.load_ends(job.plan.length().map_or(NEVER, nanos));
        let dialler = Dialler::new(job.place.clone(), plan.transport.local_addrs.clone(), slice.index as usize);
        let doze = Doze::new(may_doze(plan));
        Self {
            slice,
            timers,
            dialler: dialler.stamped(doze.is_possible()),
            recorder: RefCell::new(recorder),
            buffer: RefCell::new(Buffer::new()),
            doze,
            hops: RefCell::default(),
            stopping: Cell::new(false),
            at_rest: Notify::new(),
            job,
        }
    }

    pub(crate) async fn run(self: Rc<Self>, stopper: &Stopper) {
        let worker = Rc::clone(&self);
        tokio::task::spawn_local(async move { worker.timers.drive().await });
        let worker = Rc::clone(&self);
        tokio::task::spawn_local(async move { worker.roll_every_second().await });

        let mut urgency = stopper.listen();
        let load = async {
            match &self.job.plan.load {
                Load::Open(open) => arrivals::give_out(&self, open).await,
                Load::Closed(closed) => users::live(&self, closed).await,
            }
        };
        tokio::select! {
            () = load => {}
            _ = urgency.wait_for(|urgency| *urgency > Urgency::None) => {}
        }
        self.stopping.set(true);
        self.recorder().load_ends(self.now());
        tokio::select! {
            () = self.rest() => {}
            () = self.grace(urgency) => {}
        }
        let now = self.now();
        self.recorder().finish(now);
    }

    /// Ends when nothing is in flight. Every exchange ends by its time-out, so this does too.
    async fn rest(&self) {
        while self.recorder().in_flight() > 0 {
            self.at_rest.notified().await;
        }
    }

    /// Ends when a run that was stopped from outside has waited long enough.
    async fn grace(&self, mut urgency: tokio::sync::watch::Receiver<Urgency>) {
        // An error means that nobody is left who could stop the run.
        if urgency.wait_for(|urgency| *urgency > Urgency::None).await.is_err() {
            std::future::pending::<()>().await;
        }
        let end = self.now().saturating_add(nanos(GRACE));
        tokio::select! {
            () = self.timers.sleep_until(end) => {}
            _ = urgency.wait_for(|urgency| *urgency == Urgency::Abandon) => {}
        }
    }

    /// So that quiet seconds are handed on too.
    async fn roll_every_second(&self) {
        for second in 1.. {
            self.timers.sleep_until(second * 1_000_000_000).await;
            let now = self.now();
            self.recorder().roll(now);
        }
    }

    /// Performs a request that was counted as due, and counts its end.
    pub(crate) async fn perform(&self, lane: &mut Lane, due: Moment) -> (Moment, Outcome) {
        let sample = lane.exchange(due).await;
        let mut recorder = self.recorder();
        recorder.ended(&sample);
        if self.stopping.get() && recorder.in_flight() == 0 {
            self.at_rest.notify_one();
        }
        (sample.end, sample.outcome)
    }

    /// The redirect from a place to a location; remembered, because every request meets the same one.
    pub(crate) fn hop(
        &self,
        from: Option<&Rc<Hop>>,
        status: u16,
        location: &[u8],
    ) -> impl Future<Output = Result<Rc<Hop>, Fault>> {
        let key = (status, location.to_vec());
        // Only what the first answer points to: further on, a relative location means something else each time.
        let known = if from.is_none() { self.hops.borrow().get(&key).cloned() } else { None };
        async move {
            if let Some(hop) = known {
                return Ok(hop);
            }
            let hop = Rc::new(redirect::hop(&self.job.plan, from, status, &key.1).await?);
            let mut hops = self.hops.borrow_mut();
            if from.is_none() && hops.len() < HOPS_MAX {
                hops.insert(key, Rc::clone(&hop));
            }
            Ok(hop)
        }
    }

    #[inline]
    pub(crate) fn now(&self) -> Moment {
        self.timers.clock().now()
    }

    #[inline]
    pub(crate) fn recorder(&self) -> RefMut<'_, Recorder> {
        self.recorder.borrow_mut()
    }

    #[inline]
    pub(crate) fn buffer(&self) -> RefMut<'_, Buffer> {
        self.buffer.borrow_mut()
    }

    pub(crate) fn doze(&self) -> &Doze {
        &self.doze
    }

    pub(crate) fn timers(&self) -> &Timers {
        &self.timers
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.job.plan
    }

    pub(crate) fn slice(&self) -> Slice {
        self.slice
    }

    pub(crate) fn request(&self) -> &Request {
        &self.job.request
    }

    pub(crate) fn dialler(&self) -> &Dialler {
        &self.dialler
    }

    pub(crate) fn timeouts(&self) -> &Timeouts {
        &self.job.plan.timeouts
    }

    pub(crate) fn transport(&self) -> &Transport {
        &self.job.plan.transport
    }

    /// Whether lanes look into answers: where the plan wants it, and until the server's name is known.
    pub(crate) fn wants_look(&self) -> bool {
        let transport = self.transport();
        transport.compressed || transport.follow_max > 0 || !self.recorder().knows_server()
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.get()
    }
}

/// Whether lanes of this plan only wait between a request and its answer: users act on every answer, and so
/// does who connects anew or follows redirects.
fn may_doze(plan: &Plan) -> bool {
    let waits = !plan.transport.fresh && plan.transport.follow_max == 0 && plan.transport.unix_socket.is_none();
    waits && matches!(plan.load, Load::Open(_))
}
