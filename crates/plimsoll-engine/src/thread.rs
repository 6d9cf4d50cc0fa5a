//! The course of one generator thread: begin, give load, let what is in flight end, tell the last of it.

use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use plimsoll_model::{Incident, Load};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::arrivals;
use crate::clock::{Clock, nanos};
use crate::recorder::Part;
use crate::schedule::Slice;
use crate::sentry::Sentry;
use crate::stopper::{Stopper, Urgency};
use crate::timers::Timers;
use crate::users;
use crate::worker::{Job, Worker};

/// What is in flight when a run is stopped from outside has this long to end.
const GRACE: Duration = Duration::from_secs(1);

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
        let run = tokio::task::spawn_local(async move { course(worker, &stopper).await });
        run.await.map_err(io::Error::other)
    });
    // A name look-up that hangs must not keep the run from ending.
    runtime.shutdown_background();
    result
}

/// The course of a thread whose worker is ready.
pub(crate) async fn course(worker: Rc<Worker>, stopper: &Stopper) {
    let (driver, sentry) = (Rc::clone(&worker), Sentry::over(&worker));
    tokio::task::spawn_local(async move {
        let _sentry = sentry;
        driver.timers().drive().await;
    });
    tokio::task::spawn_local(roll_every_second(Rc::clone(&worker)));

    let mut urgency = stopper.listen();
    tokio::select! {
        () = give_load(&worker) => {}
        _ = urgency.wait_for(|urgency| *urgency > Urgency::None) => worker.halt(),
        () = worker.broken() => {}
    }
    worker.stop();
    tokio::select! {
        () = worker.rest() => {}
        () = grace(&worker, urgency) => {}
        () = worker.broken() => {}
    }
    if worker.is_broken() {
        worker.recorder().incident(Incident::Panicked);
    }
    let now = worker.now();
    worker.recorder().finish(now);
}

async fn give_load(worker: &Rc<Worker>) {
    match &worker.plan().load {
        Load::Open(open) => arrivals::give_out(worker, open).await,
        Load::Closed(closed) => users::live(worker, closed).await,
    }
}

/// Ends when a run that was stopped from outside has waited long enough.
async fn grace(worker: &Worker, mut urgency: watch::Receiver<Urgency>) {
    // An error means that nobody is left who could stop the run.
    if urgency.wait_for(|urgency| *urgency > Urgency::None).await.is_err() {
        std::future::pending::<()>().await;
    }
    worker.halt();
    let end = worker.now().saturating_add(nanos(GRACE));
    tokio::select! {
        () = worker.timers().sleep_until(end) => {}
        _ = urgency.wait_for(|urgency| *urgency == Urgency::Abandon) => {}
    }
}

/// So that quiet seconds are handed on too.
async fn roll_every_second(worker: Rc<Worker>) {
    let _sentry = Sentry::over(&worker);
    for second in 1.. {
        worker.timers().sleep_until(second * 1_000_000_000).await;
        let now = worker.now();
        worker.recorder().roll(now);
    }
}
