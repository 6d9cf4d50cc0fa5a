//! A lane carries one exchange at a time: it keeps a connection, sends a request on it and reads the answer.
//!
//! A user of the closed model has a lane; in the open model every request in flight occupies one. Whatever
//! goes wrong here is a [`Sample`] with its outcome, never an error: what servers do is data. The read buffer
//! is the thread's, not the lane's, so that an idle connection costs next to nothing.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use plimsoll_http::{Closed, Fed, ProtocolError, Request, ResponseParser};
use plimsoll_model::Outcome;

use crate::clock::{Moment, nanos};
use crate::dial::{Dialler, incident_of};
use crate::fault::Fault;
use crate::look::Look;
use crate::redirect;
use crate::sample::Sample;
use crate::stream::Stream;
use crate::timers::Watch;
use crate::worker::Worker;

/// Carries one exchange at a time.
pub(crate) struct Lane {
    worker: Rc<Worker>,
    watch: Rc<Watch>,
    stream: Option<Stream>,
    parser: ResponseParser,
    /// What is looked at in answers; none where nobody looks.
    look: Option<Box<Look>>,
    /// When the request at hand was due.
    due: Moment,
    /// When the last bytes read had arrived.
    arrived: Moment,
    /// Does something other than waiting for an answer.
    acting: bool,
}

/// How an attempt on one connection failed.
enum Broken {
    /// The peer went away before a byte of the answer: on a kept-alive connection that is nobody's fault.
    Unanswered(String),
    Fault(Fault),
}

/// What reading led to.
enum Step {
    More,
    Done { leftover: bool },
}

impl Lane {
    pub(crate) fn new(worker: Rc<Worker>) -> Self {
        let look = worker.wants_look().then(|| Box::new(Look::new(worker.transport().compressed)));
        Self {
            worker,
            watch: Watch::new(),
            stream: None,
            parser: ResponseParser::new(),
            look,
            due: 0,
            arrived: 0,
            acting: false,
        }
    }

    /// Performs a request that was counted as due, and counts its end.
    pub(crate) async fn perform(&mut self, due: Moment) -> Sample {
        let sample = self.exchange(due).await;
        self.worker.ended(&sample);
        sample
    }

    /// Sends the worker's request and reads its answer, redirects included.
    async fn exchange(&mut self, due: Moment) -> Sample {
        let worker = Rc::clone(&self.worker);
        let sent = worker.now();
        self.due = due;
        let deadline = sent.saturating_add(nanos(worker.timeouts().whole));
        let result = self.attempt(worker.request(), worker.dialler(), deadline).await;
        let mut body_bytes = self.parser.body_bytes();
        let result = match result {
            Ok(()) if worker.transport().follow_max > 0 && redirect::is_redirect(self.parser.status()) => {
                self.follow(deadline, &mut body_bytes).await
            }
            other => other,
        };
        self.watch.rest();
        self.act(false);
        worker.doze().answered(body_bytes);
        let (outcome, status) = match result.and_then(|()| self.looked_through()) {
            Ok(()) => (Outcome::of_status(self.parser.status()), self.parser.status()),
            Err(fault) => {
                worker.recorder().reason(due, fault.reason);
                (fault.outcome, 0)
            }
        };
        let end = if status == 0 { worker.now() } else { self.arrived.max(sent) };
        Sample { due, sent, end, outcome, status, body_bytes }
    }

    /// One request to one place: on the connection there is, else on a new one; again on a new one if the kept
    /// one turns out to be closed.
    async fn attempt(&mut self, request: &Request, dialler: &Dialler, deadline: Moment) -> Result<(), Fault> {
        self.discard_stirred().await;
        let reused = self.stream.is_some();
        if !reused {
            self.connect(dialler, deadline).await?;
        }
        match self.talk(request, deadline).await {
            Ok(()) => Ok(()),
            Err(Broken::Unanswered(_)) if reused && request.is_idempotent() => {
                self.worker.recorder().reconnect(self.due);
                self.connect(dialler, deadline).await?;
                self.talk(request, deadline).await.map_err(Broken::into_fault)
            }
            Err(broken) => Err(broken.into_fault()),
        }
    }

    /// Goes where the answer points to, up to the number of times that the plan allows.
    async fn follow(&mut self, deadline: Moment, body_bytes: &mut u64) -> Result<(), Fault> {
        let worker = Rc::clone(&self.worker);
        let mut from = None;
        for _ in 0..worker.transport().follow_max {
            let location = self.look.as_ref().and_then(|look| look.location()).map(<[u8]>::to_vec);
            let Some(location) = location.filter(|_| redirect::is_redirect(self.parser.status())) else {
                return Ok(());
            };
            let hop = worker.hop(from.as_ref(), self.parser.status(), &location).await?;
            if hop.same_place {
                self.attempt(&hop.request, worker.dialler(), deadline).await?;
            } else {
                let kept = self.stream.take();
                let result = self.attempt(&hop.request, &hop.dialler, deadline).await;
                self.stream = kept;
                result?;
            }
            *body_bytes += self.parser.body_bytes();
            from = Some(hop);
        }
        Ok(())
    }

    /// A connection on which something happened while it was idle is of no use: it was closed, or holds bytes
    /// that answer no question of ours.
    async fn discard_stirred(&mut self) {
        let gone = poll_fn(|cx| {
            let Some(stream) = &mut self.stream else { return Poll::Ready(None) };
            if !stream.poll_stirred(cx) {
                return Poll::Ready(None);
            }
            let mut buffer = self.worker.buffer();
            Poll::Ready(match stream.poll_read(cx, &mut buffer) {
                Poll::Pending => None,
                Poll::Ready(Ok(came)) if !came.bytes.is_empty() => Some("bytes came that answer no request"),
                Poll::Ready(_) => Some(""),
            })
        })
        .await;
        if let Some(reason) = gone {
            self.stream = None;
            let mut recorder = self.worker.recorder();
            recorder.reconnect(self.due);
            if !reason.is_empty() {
                recorder.reason(self.due, reason.to_owned());
            }
        }
    }

    async fn connect(&mut self, dialler: &Dialler, deadline: Moment) -> Result<(), Fault> {
        let worker = Rc::clone(&self.worker);
        self.act(true);
        // Nothing of the answer before belongs to this exchange, should it get none.
        self.parser.begin(false);
        let limit = worker.timeouts().connect.map_or(deadline, |limit| worker.now().saturating_add(nanos(limit)));
        worker.timers().set_deadline(&self.watch, limit.min(deadline));
        // Boxed, so that the thousands of lanes that are connected do not carry room for connecting.
        match self.watched(Box::pin(dialler.dial())).await {
            Some(Ok(stream)) => {
                self.stream = Some(stream);
                Ok(())
            }
            Some(Err(error)) => {
                if let Some(incident) = incident_of(&error) {
                    worker.recorder().incident(incident);
                }
                Err(Fault::new(Outcome::Connect, format!("no connection: {}", plain(&error))))
            }
            None if worker.now() >= deadline => Err(Fault::timeout("no connection within the time-out")),
            None => Err(Fault::new(Outcome::Connect, "no connection within the connect time-out".to_owned())),
        }
    }

    /// Sends a request on the connection and reads its answer.
    async fn talk(&mut self, request: &Request, deadline: Moment) -> Result<(), Broken> {
        self.act(true);
        self.parser.begin(request.is_head());
        if let Some(look) = &mut self.look {
            look.begin();
        }
        self.worker.timers().set_deadline(&self.watch, deadline);
        let mut written = 0;
        let result = poll_fn(|cx| self.poll_talk(cx, request.bytes(), &mut written, deadline)).await;
        let whole = written == request.bytes().len();
        let keeps = matches!(result, Ok(false)) && whole && self.parser.keep_alive() && !request.closes();
        if !keeps {
            self.stream = None;
        }
        result.map(|leftover| {
            if leftover {
                self.worker.recorder().reason(self.due, "bytes came after the end of an answer".to_owned());
                self.worker.recorder().reconnect(self.due);
            }
        })
    }

    fn poll_talk(
        &mut self,
        cx: &mut Context<'_>,
        bytes: &[u8],
        written: &mut usize,
        deadline: Moment,
    ) -> Poll<Result<bool, Broken>> {
        self.watch.belongs_to(cx);
        if self.watch.expired() {
            return Poll::Ready(Err(Broken::Fault(Fault::timeout(self.missing()))));
        }
        self.poll_send(cx, bytes, written);
        loop {
            let worker = Rc::clone(&self.worker);
            let mut buffer = worker.buffer();
            let Some(stream) = &mut self.stream else {
                return Poll::Ready(Err(Broken::Unanswered("no connection".to_owned())));
            };
            let read = match stream.poll_read(cx, &mut buffer) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Err(error)) => Err(self.broken_by(&error)),
                Poll::Ready(Ok(came)) => {
                    self.arrived = worker.now().saturating_sub(came.age);
                    self.take(came.bytes, deadline)
                }
            };
            match read {
                Ok(Step::More) if self.watch.expired() => {}
                Ok(Step::More) => {
                    // The rest is to be read as it comes.
                    self.act(true);
                    continue;
                }
                Ok(Step::Done { leftover }) => return Poll::Ready(Ok(leftover)),
                Err(broken) => return Poll::Ready(Err(broken)),
            }
            return Poll::Ready(Err(Broken::Fault(Fault::timeout(self.missing()))));
        }
    }

    /// Writes what the connection takes. An error is left to the read that follows: a server may have answered
    /// and closed before it had read everything, and its answer is what counts.
    #[inline]
    fn poll_send(&mut self, cx: &mut Context<'_>, bytes: &[u8], written: &mut usize) {
        let Some(stream) = &mut self.stream else { return };
        let before = *written;
        while *written < bytes.len() {
            match stream.poll_write(cx, &bytes[*written..]) {
                Poll::Ready(Ok(count)) if count > 0 => *written += count,
                Poll::Ready(_) | Poll::Pending => return,
            }
        }
        if before < bytes.len() {
            self.sent_whole();
        }
    }

    /// From now on this lane only waits for its answer.
    #[inline]
    fn sent_whole(&mut self) {
        self.act(false);
        if let Some(limit) = self.worker.timeouts().first_byte {
            let first_byte = self.worker.now().saturating_add(nanos(limit));
            self.worker.timers().set_deadline(&self.watch, first_byte);
        }
    }

    /// Reads what came; nothing means that the peer closed.
    #[inline]
    fn take(&mut self, bytes: &[u8], deadline: Moment) -> Result<Step, Broken> {
        if bytes.is_empty() {
            return self.closed();
        }
        if self.worker.timeouts().first_byte.is_some() && !self.parser.answered() {
            self.worker.timers().set_deadline(&self.watch, deadline);
        }
        let fed = match &mut self.look {
            None => self.parser.feed(bytes, &mut ()),
            Some(look) => self.parser.feed(bytes, &mut **look),
        };
        match fed {
            Ok(Fed::More) => Ok(Step::More),
            Ok(Fed::Done { consumed }) => Ok(Step::Done { leftover: consumed < bytes.len() }),
            Err(error) => Err(protocol(&error)),
        }
    }

    fn closed(&mut self) -> Result<Step, Broken> {
        match self.parser.close() {
            Ok(Closed::Complete) => Ok(Step::Done { leftover: false }),
            Ok(Closed::BeforeAnswer) => Err(Broken::Unanswered("closed without an answer".to_owned())),
            Err(error @ ProtocolError::Truncated { .. }) => {
                Err(Broken::Fault(Fault::new(Outcome::Reset, error.to_string())))
            }
            Err(error) => Err(protocol(&error)),
        }
    }

    fn broken_by(&self, error: &io::Error) -> Broken {
        if self.parser.answered() {
            Broken::Fault(Fault::new(Outcome::Reset, format!("in the middle of the answer: {}", plain(error))))
        } else {
            Broken::Unanswered(format!("before the answer: {}", plain(error)))
        }
    }

    /// A whole answer whose body could not be decoded is not a valid one.
    fn looked_through(&mut self) -> Result<(), Fault> {
        let Some(look) = &mut self.look else { return Ok(()) };
        self.worker.recorder().server(look.take_server());
        let error = look.decoding_error();
        if !self.worker.wants_look() {
            self.look = None;
        }
        match error {
            Some(reason) => Err(Fault::new(Outcome::Protocol, reason)),
            None => Ok(()),
        }
    }

    /// Tells the thread whether this lane needs it awake.
    #[inline]
    fn act(&mut self, acting: bool) {
        match (self.acting, acting) {
            (false, true) => self.worker.doze().begin(),
            (true, false) => self.worker.doze().end(),
            _ => {}
        }
        self.acting = acting;
    }

    fn missing(&self) -> &'static str {
        if self.parser.answered() { "no whole answer within the time-out" } else { "no answer within the time-out" }
    }

    /// A future's value, or none if the watch expires first.
    async fn watched<F: Future>(&self, future: F) -> Option<F::Output> {
        let mut future = pin!(future);
        poll_fn(|cx| {
            self.watch.belongs_to(cx);
            match future.as_mut().poll(cx) {
                Poll::Ready(value) => Poll::Ready(Some(value)),
                Poll::Pending if self.watch.expired() => Poll::Ready(None),
                Poll::Pending => Poll::Pending,
            }
        })
        .await
    }
}

impl Broken {
    fn into_fault(self) -> Fault {
        match self {
            Self::Unanswered(reason) => Fault::new(Outcome::Reset, reason),
            Self::Fault(fault) => fault,
        }
    }
}

fn protocol(error: &ProtocolError) -> Broken {
    Broken::Fault(Fault::new(Outcome::Protocol, error.to_string()))
}

/// An error's words without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    text[..end].to_lowercase()
}
