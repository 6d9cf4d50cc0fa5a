//! What the tasks of one generator thread share: its timers, connections and recorder. Nothing is shared with the
//! other threads while load is on.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::HashMap;
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use plimsoll_journey::{Mix, Scope, Script};
use plimsoll_model::{Http, Load, Outcome, Plan, Timeouts, Transport};
use rustls::pki_types::ServerName;
use tokio::sync::Notify;

use crate::carrier::Buffer;
use crate::clock::{Moment, NEVER, nanos};
use crate::compile::Ask;
use crate::dial::{Dialler, Place, Secure};
use crate::doze::Doze;
use crate::fault::Fault;
use crate::journey::{Manner, Plots, Ready, Stage, Wants, Ways};
use crate::log::LogFile;
use crate::look::Look;
use crate::recorder::{Part, Recorder, Rules};
use crate::redirect::{self, Hop};
use crate::sample::Sample;
use crate::schedule::Slice;
use crate::timers::Timers;
use crate::tls::Setup;
use crate::two::Pool;

/// Distinct redirects remembered.
const HOPS_MAX: usize = 256;
/// Room for answers that is kept while nobody needs it.
const LOOKS_MAX: usize = 64;

/// What all threads of a run are given.
pub(crate) struct Job {
    pub(crate) plan: Plan,
    pub(crate) request: Ask,
    /// What a proxy is asked before TLS can go through it.
    pub(crate) tunnel: Option<Box<[u8]>>,
    /// How TLS is spoken; none where nothing can need it.
    pub(crate) tls: Option<Setup>,
    /// The name that the target must prove; none where it is spoken to in the clear.
    pub(crate) server_name: Option<ServerName<'static>>,
    pub(crate) place: Place,
    pub(crate) log: Option<LogFile>,
    /// What users do instead of sending one request.
    pub(crate) script: Option<Scripted>,
}

/// A script, and what is known of its steps.
pub(crate) struct Scripted {
    pub(crate) script: Script,
    pub(crate) plots: Plots,
    pub(crate) mix: Mix,
    /// What came of the setup.
    pub(crate) stage: Stage,
}

/// What the tasks of one thread share.
pub(crate) struct Worker {
    job: Arc<Job>,
    slice: Slice,
    /// When load ends, if that is known.
    end: Moment,
    timers: Timers,
    /// With a memory for sessions that is this thread's.
    tls: Option<Setup>,
    dialler: Dialler,
    recorder: RefCell<Recorder>,
    buffer: RefCell<Buffer>,
    doze: Doze,
    /// The connections that lanes share; none where each has its own.
    pool: Option<Rc<Pool>>,
    hops: RefCell<Hops>,
    ways: Ways,
    ready: Ready,
    /// Room for answers, lent to the exchanges that are under way.
    #[expect(clippy::vec_box, reason = "they are lent as they are")]
    looks: RefCell<Vec<Box<Look>>>,
    /// Flows that have begun and not ended.
    flows: Cell<u64>,
    out_of_rows: Cell<bool>,
    /// An answer said that the target speaks TLS where we speak in the clear. Only the first answers are looked at.
    https_wanted: Cell<bool>,
    stopping: Cell<bool>,
    /// The run was stopped from outside: not even flows that are awaited go on.
    halted: Cell<bool>,
    /// A task has panicked.
    broken: Cell<bool>,
    /// Told when that happens.
    breaks: Notify,
    /// Told when nothing is in flight any more.
    at_rest: Notify,
}

/// Redirects that were met before, by status and location.
type Hops = HashMap<(u16, Vec<u8>), Rc<Hop>>;

impl Worker {
    pub(crate) fn new(job: Arc<Job>, slice: Slice, timers: Timers, parts: Sender<Part>) -> Self {
        let plan = &job.plan;
        let rules = Rules {
            thread: slice.index as usize,
            closed: matches!(plan.load, Load::Closed(_)),
            warmup_end: nanos(plan.warmup),
            whole_timeout: nanos(plan.timeouts.whole),
            expect: plan.expect.clone(),
            steps: plan.journeys.iter().map(|journey| journey.steps.len()).sum::<usize>().max(1),
            journeys: plan.journeys.len(),
        };
        let end = plan.length().map_or(NEVER, nanos);
        Self::with(job, slice, timers, parts, rules, end)
    }

    /// For what comes before load and after it: everything counts, and nothing ends it.
    pub(crate) fn on_stage(job: Arc<Job>, timers: Timers, parts: Sender<Part>) -> Self {
        let steps = job.script.as_ref().map_or(1, |scripted| scripted.plots.most_steps());
        let whole_timeout = nanos(job.plan.timeouts.whole);
        let rules =
            Rules { thread: 0, closed: true, warmup_end: 0, whole_timeout, expect: Vec::new(), steps, journeys: 0 };
        Self::with(job, Slice { index: 0, of: 1 }, timers, parts, rules, NEVER)
    }

    fn with(job: Arc<Job>, slice: Slice, timers: Timers, parts: Sender<Part>, rules: Rules, end: Moment) -> Self {
        let plan = &job.plan;
        let log =
            if end == NEVER && rules.journeys == 0 && !plan.journeys.is_empty() { None } else { job.log.as_ref() };
        let mut recorder = Recorder::new(rules, parts, log.map(LogFile::end));
        recorder.load_ends(end);
        let tls = job.tls.as_ref().map(|tls| tls.for_thread(&plan.transport.tls));
        let doze = Doze::new(may_doze(plan));
        let secure = tls.as_ref().zip(job.server_name.clone()).map(|(tls, name)| Secure {
            config: Arc::clone(&tls.config),
            name,
            two: plan.transport.http.is_two(),
        });
        let dialler = Dialler::new(job.place.clone(), plan.transport.local_addrs.clone(), slice.index as usize)
            .stamped(doze.is_possible())
            .through(job.tunnel.clone())
            .secured(secure);
        Self {
            slice,
            end,
            timers,
            dialler,
            tls,
            recorder: RefCell::new(recorder),
            buffer: RefCell::new(Buffer::new()),
            doze,
            pool: pool(plan, slice, plan.transport.http),
            hops: RefCell::default(),
            ways: Ways::default(),
            ready: Ready::default(),
            looks: RefCell::default(),
            flows: Cell::new(0),
            out_of_rows: Cell::new(false),
            https_wanted: Cell::new(false),
            stopping: Cell::new(false),
            halted: Cell::new(false),
            broken: Cell::new(false),
            breaks: Notify::new(),
            at_rest: Notify::new(),
            job,
        }
    }

    /// What it takes to speak TLS with some other host.
    pub(crate) fn secure(&self, host: &str) -> Result<Secure, Fault> {
        let fault = |reason: String| Fault::new(Outcome::Tls, reason);
        let tls = self.tls.as_ref().ok_or_else(|| fault("TLS cannot be spoken here".to_owned()))?;
        let name = tls.name_for(host).map_err(|error| fault(error.to_string()))?;
        Ok(Secure { config: Arc::clone(&tls.config), name, two: self.transport().http.is_two() })
    }

    /// Counts the end of a request.
    #[inline]
    pub(crate) fn ended(&self, sample: &Sample) {
        let mut recorder = self.recorder();
        recorder.ended(sample);
        if self.stopping.get() && recorder.in_flight() == 0 && self.flows.get() == 0 {
            self.at_rest.notify_one();
        }
    }

    /// A flow begins.
    pub(crate) fn flow_begins(&self) {
        self.flows.set(self.flows.get() + 1);
    }

    /// A flow has ended.
    pub(crate) fn flow_ends(&self) {
        self.flows.set(self.flows.get() - 1);
        if self.stopping.get() && self.flows.get() == 0 {
            self.at_rest.notify_one();
        }
    }

    /// What is under way: requests, or flows where users do more than one.
    pub(crate) fn under_way(&self) -> u64 {
        if self.job.script.is_some() { self.flows.get() } else { self.recorder().in_flight() }
    }

    /// Whether a request of a flow may still begin at `due`. Flows that are awaited go on when load has ended, as
    /// long as one exchange may take, unless somebody stopped the run; the others end with it.
    pub(crate) fn may_begin(&self, due: Moment, is_awaited: bool) -> bool {
        if is_awaited {
            !self.halted.get() && due <= self.end.saturating_add(nanos(self.timeouts().whole))
        } else {
            !self.stopping.get() && due < self.end
        }
    }

    /// No arrival can begin any more: every row has been used.
    pub(crate) fn runs_out_of_rows(&self) {
        self.out_of_rows.set(true);
    }

    pub(crate) fn is_out_of_rows(&self) -> bool {
        self.out_of_rows.get()
    }

    /// Eyes for an answer, with room to keep it.
    pub(crate) fn lend_look(&self, wants: Wants) -> Box<Look> {
        let mut look = self.looks.borrow_mut().pop().unwrap_or_default();
        look.keep(wants, self.recorder().knows_server());
        look
    }

    /// They are free again; a few are enough, for most users wait most of the time.
    pub(crate) fn give_back_look(&self, look: Box<Look>) {
        let mut free = self.looks.borrow_mut();
        if free.len() < LOOKS_MAX {
            free.push(look);
        }
    }

    /// A text without the secrets of the script.
    pub(crate) fn hide(&self, text: &str, scope: &Scope) -> String {
        self.job.script.as_ref().map_or_else(|| text.to_owned(), |scripted| scripted.script.hide(text, scope))
    }

    /// From now on nobody begins anything new.
    pub(crate) fn stop(&self) {
        self.stopping.set(true);
        self.recorder().load_ends(self.now());
    }

    /// The run is stopped from outside, by hand or by its rule.
    pub(crate) fn halt(&self) {
        self.halted.set(true);
    }

    /// Ends when nothing is in flight. Every exchange ends by its time-out, so this does too.
    pub(crate) async fn rest(&self) {
        while self.recorder().in_flight() > 0 || self.flows.get() > 0 {
            self.at_rest.notified().await;
        }
    }

    /// A task has panicked: what was in flight there has no end that could be waited for.
    pub(crate) fn breaks(&self) {
        self.broken.set(true);
        self.breaks.notify_one();
    }

    /// Ends when a task has panicked.
    pub(crate) async fn broken(&self) {
        while !self.broken.get() {
            self.breaks.notified().await;
        }
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.broken.get()
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
            let hop = Rc::new(redirect::hop(self, from, status, &key.1).await?);
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

    /// The most users that there will ever be, over all threads.
    pub(crate) fn users(&self) -> u64 {
        self.plan().load.in_flight_max()
    }

    pub(crate) fn ways(&self) -> &Ways {
        &self.ways
    }

    pub(crate) fn ready(&self) -> &Ready {
        &self.ready
    }

    pub(crate) fn script(&self) -> Option<&Scripted> {
        self.job.script.as_ref()
    }

    /// A way of speaking to servers that some step of the script has.
    pub(crate) fn manner(&self, manner: usize) -> &Manner {
        let scripted = self.job.script.as_ref().expect("only scripts have manners");
        &scripted.plots.manners[manner]
    }

    /// Connections of their own for one origin; none where each traveller has its own.
    pub(crate) fn pool_for(&self, http: Http) -> Option<Rc<Pool>> {
        pool(self.plan(), self.slice, http)
    }

    pub(crate) fn pool(&self) -> Option<&Rc<Pool>> {
        self.pool.as_ref()
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

    pub(crate) fn request(&self) -> &Ask {
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

    /// An answer has said so.
    pub(crate) fn wants_https(&self, wanted: bool) {
        self.https_wanted.set(self.https_wanted.get() || wanted);
    }

    /// Whether the target is spoken to in the clear, and has said that it speaks TLS there.
    pub(crate) fn speaks_plain_to_tls(&self) -> bool {
        self.https_wanted.get() && self.job.server_name.is_none()
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.get()
    }
}

/// Whether lanes of this plan only wait between a request and its answer: users act on every answer, and so
/// does who connects anew or follows redirects.
fn may_doze(plan: &Plan) -> bool {
    let waits = plan.journeys.is_empty()
        && !plan.transport.fresh
        && plan.transport.follow_max == 0
        && plan.transport.unix_socket.is_none();
    waits && matches!(plan.load, Load::Open(_))
}

/// A thread's share of the connections that lanes share.
fn pool(plan: &Plan, slice: Slice, http: Http) -> Option<Rc<Pool>> {
    match http {
        Http::One => None,
        Http::Two { streams_max, connections_max } => {
            let share = |max: u32| slice.part_of(u64::from(max)).max(1) as u32;
            Some(Pool::new(streams_max, connections_max.map(share), plan.transport.fresh))
        }
    }
}
