//! What the tasks of one generator thread share: its timers, connections and recorder. Nothing is shared with the
//! other threads while load is on.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::HashMap;
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use plimsoll_model::{Http, Load, Outcome, Plan, Timeouts, Transport};
use rustls::pki_types::ServerName;
use tokio::sync::Notify;

use crate::carrier::Buffer;
use crate::clock::{Moment, NEVER, nanos};
use crate::compile::Ask;
use crate::dial::{Dialler, Place, Secure};
use crate::doze::Doze;
use crate::fault::Fault;
use crate::log::LogFile;
use crate::recorder::{Part, Recorder, Rules};
use crate::redirect::{self, Hop};
use crate::sample::Sample;
use crate::schedule::Slice;
use crate::timers::Timers;
use crate::tls::Setup;
use crate::two::Pool;

/// Distinct redirects remembered.
const HOPS_MAX: usize = 256;

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
}

/// What the tasks of one thread share.
pub(crate) struct Worker {
    job: Arc<Job>,
    slice: Slice,
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
    /// An answer said that the target speaks TLS where we speak in the clear. Only the first answers are looked at.
    https_wanted: Cell<bool>,
    stopping: Cell<bool>,
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
        };
        let mut recorder = Recorder::new(rules, parts, job.log.as_ref().map(LogFile::end));
        recorder.load_ends(job.plan.length().map_or(NEVER, nanos));
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
            timers,
            dialler,
            tls,
            recorder: RefCell::new(recorder),
            buffer: RefCell::new(Buffer::new()),
            doze,
            pool: pool(plan, slice),
            hops: RefCell::default(),
            https_wanted: Cell::new(false),
            stopping: Cell::new(false),
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
        if self.stopping.get() && recorder.in_flight() == 0 {
            self.at_rest.notify_one();
        }
    }

    /// From now on nobody begins anything new.
    pub(crate) fn stop(&self) {
        self.stopping.set(true);
        self.recorder().load_ends(self.now());
    }

    /// Ends when nothing is in flight. Every exchange ends by its time-out, so this does too.
    pub(crate) async fn rest(&self) {
        while self.recorder().in_flight() > 0 {
            self.at_rest.notified().await;
        }
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
    let waits = !plan.transport.fresh && plan.transport.follow_max == 0 && plan.transport.unix_socket.is_none();
    waits && matches!(plan.load, Load::Open(_))
}

/// A thread's share of the connections that lanes share.
fn pool(plan: &Plan, slice: Slice) -> Option<Rc<Pool>> {
    match plan.transport.http {
        Http::One => None,
        Http::Two { streams_max, connections_max } => {
            let share = |max: u32| slice.part_of(u64::from(max)).max(1) as u32;
            Some(Pool::new(streams_max, connections_max.map(share), plan.transport.fresh))
        }
    }
}
