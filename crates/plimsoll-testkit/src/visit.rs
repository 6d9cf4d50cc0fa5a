//! What a connection is to behaviours, whatever protocol it speaks: how many requests it has made, and which flows it
//! is. From a request to what is said, before anybody puts that into bytes.

use crate::answer::Reply;
use crate::behaviour::{Decision, FlowGate, Outcome};
use crate::routes::Scripted;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// One connection, from its first request to its close.
#[derive(Debug, Default)]
pub(crate) struct Visit {
    // Requests so far.
    served: u32,
    // What this connection is a flow of.
    flows: Vec<Arc<FlowGate>>,
}

/// What is said to a request, and when.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) what: What,
    /// Counted from the server's start.
    pub(crate) due: Duration,
    pub(crate) parting: Parting,
}

/// What is said.
#[derive(Debug)]
pub(crate) enum What {
    /// The answer of the behaviour, the same for every request.
    Proper,
    /// The malformed answer of the behaviour.
    Malformed,
    /// An answer to this request alone.
    Reply(Box<Reply>),
}

/// What becomes of the connection after an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parting {
    /// It is kept.
    None,
    /// It is closed, and the client is told so.
    Told,
    /// It is closed.
    Rude,
}

impl Visit {
    /// Asks a behaviour about a request; `target` and `echo` are what the answer repeats, if it does.
    pub(crate) fn ask(
        &mut self,
        scripted: &Scripted,
        target: Option<&str>,
        echo: Option<Vec<u8>>,
        now: Duration,
    ) -> Said {
        self.served = self.served.saturating_add(1);
        let parting = self.parting(scripted);
        if let Some(gate) = &scripted.behaviour.flows
            && !self.joins(gate)
        {
            let refusal = Box::new(Reply::text(503, "too many flows\n"));
            return Said { what: What::Reply(refusal), due: now, parting };
        }
        let decision = scripted.behaviour.decide(now);
        Said { what: what(scripted, &decision, target, echo), due: decision.due, parting }
    }

    fn parting(&self, scripted: &Scripted) -> Parting {
        match scripted.behaviour.spec.close_after {
            Some(close) if self.served >= close.answers && close.rude => Parting::Rude,
            Some(close) if self.served >= close.answers => Parting::Told,
            _ => Parting::None,
        }
    }

    fn joins(&mut self, gate: &Arc<FlowGate>) -> bool {
        if self.flows.iter().any(|joined| Arc::ptr_eq(joined, gate)) {
            return true;
        }
        let joins = gate.enter();
        if joins {
            self.flows.push(Arc::clone(gate));
        }
        joins
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        for gate in &self.flows {
            gate.leave();
        }
    }
}

fn what(scripted: &Scripted, decision: &Decision, target: Option<&str>, echo: Option<Vec<u8>>) -> What {
    let standing = decision.standing;
    let reply = match decision.outcome {
        Outcome::Answer if standing.is_none() && target.is_none() && echo.is_none() => return What::Proper,
        Outcome::Bad => return What::Malformed,
        Outcome::Answer => match (&scripted.api, &echo) {
            // A panic of another thread leaves what it knows as valid as any request does.
            (Some(api), Some(request)) => api.lock().unwrap_or_else(PoisonError::into_inner).reply(request),
            _ => Reply::of(&scripted.behaviour.spec, target.unwrap_or(""), echo),
        },
        Outcome::Error(status) => Reply::text(status, "failed by lot\n"),
        Outcome::Busy => Reply::text(503, "too many at once\n"),
        Outcome::Limited => {
            let seconds = standing.map_or(1, |standing| standing.reset_s());
            Reply::text(429, "limited\n").retry_after(seconds)
        }
    };
    What::Reply(Box::new(reply.standing(standing)))
}
