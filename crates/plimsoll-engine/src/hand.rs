//! What an exchange has at hand, whatever HTTP it speaks: the thread, a deadline, eyes for the answer, and notes
//! of how it went.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use plimsoll_model::{Outcome, Timeouts};

use crate::clock::{Moment, nanos};
use crate::dial::Dialler;
use crate::fault::Fault;
use crate::look::Look;
use crate::sample::Spans;
use crate::stream::Stream;
use crate::timers::Watch;
use crate::worker::Worker;

/// What an exchange has at hand.
pub(crate) struct Hand {
    pub(crate) worker: Rc<Worker>,
    watch: Rc<Watch>,
    /// What is looked at in answers; none where nobody looks.
    pub(crate) look: Option<Box<Look>>,
    /// When the request was due.
    pub(crate) due: Moment,
    /// When the request at hand began to go out, on a connection that stood.
    pub(crate) asked: Moment,
    /// When the exchange must have ended.
    pub(crate) deadline: Moment,
    /// How long its parts may take.
    pub(crate) timeouts: Timeouts,
    pub(crate) answer: Answer,
    pub(crate) spans: Spans,
    /// Does something other than waiting for an answer.
    acting: bool,
}

/// What is known of the answer at hand.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Answer {
    /// 0 until there is one.
    pub(crate) status: u16,
    pub(crate) body_bytes: u64,
    /// When its first bytes had come; 0 until they have.
    pub(crate) first: Moment,
    /// When its last bytes so far had come.
    pub(crate) last: Moment,
}

impl Hand {
    pub(crate) fn new(worker: Rc<Worker>) -> Self {
        let look = worker.wants_look().then(|| Box::new(Look::new(worker.transport().compressed)));
        let timeouts = *worker.timeouts();
        Self {
            worker,
            watch: Watch::new(),
            look,
            due: 0,
            asked: 0,
            deadline: 0,
            timeouts,
            answer: Answer::default(),
            spans: Spans::default(),
            acting: false,
        }
    }

    /// Takes up another exchange.
    pub(crate) fn take_up(&mut self, due: Moment, sent: Moment, deadline: Moment) {
        (self.due, self.asked, self.deadline) = (due, sent, deadline);
        (self.answer, self.spans) = (Answer::default(), Spans::default());
    }

    /// The exchange is over.
    pub(crate) fn put_down(&mut self) {
        self.watch.rest();
        self.act(false);
    }

    /// Another request of the exchange goes out.
    pub(crate) fn begin(&mut self) {
        self.answer = Answer::default();
        if let Some(look) = &mut self.look {
            look.begin();
        }
        self.act(true);
        self.wait_until(self.deadline);
    }

    /// The request has gone out whole: from now on there is only waiting for its answer.
    #[inline]
    pub(crate) fn sent_whole(&mut self) {
        self.act(false);
        if let Some(limit) = self.timeouts.first_byte {
            self.wait_until(self.worker.now().saturating_add(nanos(limit)).min(self.deadline));
        }
    }

    /// Bytes of the answer had come at that moment.
    #[inline]
    pub(crate) fn came(&mut self, at: Moment) {
        if self.answer.first == 0 {
            // In tests the first moment of all is one like any other.
            self.answer.first = at.max(1);
            if self.timeouts.first_byte.is_some() {
                self.wait_until(self.deadline);
            }
        }
        self.answer.last = at;
    }

    /// Whether an answer has begun.
    pub(crate) fn answered(&self) -> bool {
        self.answer.first > 0
    }

    /// Makes a connection, and notes how long that took.
    pub(crate) async fn connect(&mut self, dialler: &Dialler) -> Result<Stream, Fault> {
        let worker = Rc::clone(&self.worker);
        self.act(true);
        // Nothing of the answer before belongs to this exchange, should it get none.
        self.answer = Answer::default();
        let limit = self.timeouts.connect.map_or(self.deadline, |limit| worker.now().saturating_add(nanos(limit)));
        self.wait_until(limit.min(self.deadline));
        // Boxed, so that the thousands of lanes that are connected do not carry room for connecting.
        match self.watched(Box::pin(dialler.dial(&worker))).await {
            Some(Ok(dialled)) => {
                self.spans.connected(dialled.connect, dialled.tls);
                self.asked = worker.now();
                Ok(dialled.stream)
            }
            Some(Err(error)) => {
                if let Some(incident) = error.incident() {
                    worker.recorder().incident(incident);
                }
                Err(error.into_fault())
            }
            None if worker.now() >= self.deadline => Err(Fault::timeout("no connection within the time-out")),
            None => Err(Fault::new(Outcome::Connect, "no connection within the connect time-out".to_owned())),
        }
    }

    /// A connection was of no use any more, and another takes its place.
    pub(crate) fn reconnects(&self) {
        self.worker.recorder().reconnect(self.due);
    }

    /// A whole answer whose body could not be decoded is not a valid one.
    pub(crate) fn looked_through(&mut self) -> Result<(), Fault> {
        if let Some(look) = &mut self.look {
            self.worker.recorder().server(look.take_server());
            self.worker.wants_https(look.wants_https());
        }
        if self.answer.status == 400 && self.worker.speaks_plain_to_tls() {
            let reason = "the server wants https:// on this port, and says so with a 400".to_owned();
            return Err(Fault::new(Outcome::Protocol, reason));
        }
        let Some(look) = &mut self.look else { return Ok(()) };
        let error = look.decoding_error();
        if !self.worker.wants_look() {
            self.look = None;
        }
        match error {
            Some(reason) => Err(Fault::new(Outcome::Protocol, reason)),
            None => Ok(()),
        }
    }

    /// Tells the thread whether this exchange needs it awake.
    #[inline]
    pub(crate) fn act(&mut self, acting: bool) {
        match (self.acting, acting) {
            (false, true) => self.worker.doze().begin(),
            (true, false) => self.worker.doze().end(),
            _ => {}
        }
        self.acting = acting;
    }

    /// The deadline is that of the task that is being polled.
    #[inline]
    pub(crate) fn watch(&self, cx: &Context<'_>) {
        self.watch.belongs_to(cx);
    }

    #[inline]
    pub(crate) fn expired(&self) -> bool {
        self.watch.expired()
    }

    /// What is missing when time is up.
    pub(crate) fn missing(&self) -> Fault {
        Fault::timeout(match self.answered() {
            true => "no whole answer within the time-out",
            false => "no answer within the time-out",
        })
    }

    /// A future's value, or none if the deadline comes first.
    pub(crate) async fn watched<F: Future>(&self, future: F) -> Option<F::Output> {
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

    #[inline]
    fn wait_until(&self, moment: Moment) {
        self.worker.timers().set_deadline(&self.watch, moment);
    }
}
