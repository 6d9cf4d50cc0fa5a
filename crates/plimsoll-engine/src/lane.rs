//! A lane carries one exchange at a time: a request, its answer, and the redirects in between.
//!
//! A user of the closed model has a lane; in the open model every request in flight occupies one. Whatever
//! goes wrong here is a [`Sample`] with its outcome, never an error: what servers do is data.

use std::rc::Rc;

use plimsoll_model::Outcome;

use crate::clock::{Moment, nanos};
use crate::fault::Fault;
use crate::hand::Hand;
use crate::line::Line;
use crate::redirect;
use crate::sample::Sample;
use crate::worker::Worker;

/// Carries one exchange at a time.
pub(crate) struct Lane {
    hand: Hand,
    line: Line,
}

impl Lane {
    pub(crate) fn new(worker: Rc<Worker>) -> Self {
        let line = Line::on(worker.pool());
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
        let result = self.line.attempt(&mut self.hand, worker.request(), worker.dialler()).await;
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
        Sample { due, sent, end, outcome, step: 0, status, body_bytes, spans: self.hand.spans }
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
                self.line.attempt(&mut self.hand, &hop.request, worker.dialler()).await?;
            } else {
                Line::for_once(&hop.request).attempt(&mut self.hand, &hop.request, &hop.dialler).await?;
            }
            *body_bytes += self.hand.answer.body_bytes;
            from = Some(hop);
        }
        Ok(())
    }
}
