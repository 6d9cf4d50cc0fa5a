//! A lane carries one exchange at a time: a request, its answer, and the redirects in between.
//!
//! A user of the closed model has a lane; in the open model every request in flight occupies one. Whatever
//! goes wrong here is a [`Sample`] with its outcome, never an error: what servers do is data.

use std::rc::Rc;

use plimsoll_model::Outcome;

use crate::clock::{Moment, nanos};
use crate::compile::Ask;
use crate::dial::Dialler;
use crate::fault::Fault;
use crate::hand::Hand;
use crate::one::One;
use crate::redirect;
use crate::sample::Sample;
use crate::two::{Pool, Two};
use crate::worker::Worker;

/// Carries one exchange at a time.
pub(crate) struct Lane {
    hand: Hand,
    line: Line,
}

/// What requests travel on.
enum Line {
    One(One),
    Two(Two),
}

impl Lane {
    pub(crate) fn new(worker: Rc<Worker>) -> Self {
        let line = match worker.pool() {
            None => Line::One(One::default()),
            Some(pool) => Line::Two(Two::new(Rc::clone(pool))),
        };
        Self { hand: Hand::new(worker), line }
    }

    /// Performs a request that was counted as due, and counts its end.
    pub(crate) async fn perform(&mut self, due: Moment) -> Sample {
        let sample = self.exchange(due).await;
        self.hand.worker.ended(&sample);
        sample
    }

    /// Sends the worker's request and reads its answer, redirects included.
    async fn exchange(&mut self, due: Moment) -> Sample {
        let worker = Rc::clone(&self.hand.worker);
        let sent = worker.now();
        self.hand.take_up(due, sent, sent.saturating_add(nanos(worker.timeouts().whole)));
        let result = self.attempt(worker.request(), worker.dialler()).await;
        let mut body_bytes = self.hand.answer.body_bytes;
        let result = match result {
            Ok(()) if worker.transport().follow_max > 0 && redirect::is_redirect(self.hand.answer.status) => {
                self.follow(&mut body_bytes).await
            }
            other => other,
        };
        self.hand.put_down();
        worker.doze().answered(body_bytes);
        let (outcome, status) = match result.and_then(|()| self.hand.looked_through()) {
            Ok(()) => (Outcome::of_status(self.hand.answer.status), self.hand.answer.status),
            Err(fault) => {
                worker.recorder().reason(due, fault.reason);
                (fault.outcome, 0)
            }
        };
        let end = if status == 0 { worker.now() } else { self.hand.answer.last.max(sent) };
        Sample { due, sent, end, outcome, status, body_bytes, spans: self.hand.spans }
    }

    /// One request to the target.
    async fn attempt(&mut self, request: &Ask, dialler: &Dialler) -> Result<(), Fault> {
        match (&mut self.line, request) {
            (Line::One(one), Ask::One(request)) => one.attempt(&mut self.hand, request, dialler).await,
            (Line::Two(two), Ask::Two(request)) => two.attempt(&mut self.hand, request, dialler).await,
            _ => Err(Fault::new(Outcome::Protocol, "the request is of another HTTP version".to_owned())),
        }
    }

    /// One request to some other place, by a connection for it alone.
    async fn attempt_elsewhere(&mut self, request: &Ask, dialler: &Dialler) -> Result<(), Fault> {
        match request {
            Ask::One(request) => One::default().attempt(&mut self.hand, request, dialler).await,
            Ask::Two(request) => Two::new(Pool::of_one()).attempt(&mut self.hand, request, dialler).await,
        }
    }

    /// Goes where the answer points to, up to the number of times that the plan allows.
    async fn follow(&mut self, body_bytes: &mut u64) -> Result<(), Fault> {
        let worker = Rc::clone(&self.hand.worker);
        let mut from = None;
        for _ in 0..worker.transport().follow_max {
            let status = self.hand.answer.status;
            let location = self.hand.look.as_ref().and_then(|look| look.location()).map(<[u8]>::to_vec);
            let Some(location) = location.filter(|_| redirect::is_redirect(status)) else {
                return Ok(());
            };
            let hop = worker.hop(from.as_ref(), status, &location).await?;
            self.hand.asked = worker.now();
            if hop.same_place {
                self.attempt(&hop.request, worker.dialler()).await?;
            } else {
                self.attempt_elsewhere(&hop.request, &hop.dialler).await?;
            }
            *body_bytes += self.hand.answer.body_bytes;
            from = Some(hop);
        }
        Ok(())
    }
}
