//! What an answer is and when it leaves: the pure part. No sockets, no clock (times are `Duration`s counted from the
//! server's start), no bytes.
//!
//! # The grammar
//! A behaviour is a set of keys. On the command line they are options and hold for every path; in a path's query
//! they override those: `/any/path?service=exp:2ms&servers=4`. Values are percent-decoded. Equal keys mean the same
//! behaviour, whatever the path and the order of the keys, and share its state (queue, limit, freeze, random
//! streams) across connections and threads; `queue=NAME` separates them. `tag=ANYTHING` makes targets differ and
//! changes nothing. An unknown key is answered 400, or ignored with `--lenient`. The keys are the fields of [`Spec`].
//!
//! # The way of a request
//! 1. `flows`: a connection that is no flow yet, and finds no room, gets 503 at once.
//! 2. `limit` counts it; beyond the limit 429. `limit_share`: refused by lot, 429.
//! 3. `at_most`: with so many in the system already, 503.
//! 4. Service begins: it waits for one of `servers` and is served for `service` (or `bands`), `metastable` and
//!    `thief` making that longer. Its length is fixed on arrival. `error` and `bad` are drawn by lot and cost the
//!    same service.
//! 5. `freeze` holds whatever is ready, the refusals of 2 and 3 too, until the thaw.
//!
//! Only then the first byte of the answer leaves. Requests of one connection are served one after another
//! in HTTP/1.1, and independently in HTTP/2.

mod bands;
mod fields;
mod flows;
mod freeze;
mod metastable;
mod meter;
#[cfg(test)]
mod oracles;
mod quota;
mod random;
mod rules;
mod service;
mod spec;
mod station;
mod thief;
mod values;

pub use bands::Bands;
pub use fields::{BadShare, CloseAfter, ErrorShare, Field, Framing, Interim, Redirect, is_field_value};
pub use flows::FlowGate;
pub use freeze::Freeze;
pub use metastable::{Metastable, Mood};
pub use meter::Meter;
pub use quota::{Quota, Standing, Window};
pub use random::{Random, Stream};
pub use rules::{Decision, Outcome, Rules};
pub use service::Service;
pub use spec::{Conflict, Encoding, Spec};
pub use station::{Presence, Station};
pub use thief::{Thefts, Thief};
pub use values::Unreadable;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A behaviour that connections of all threads share.
#[derive(Debug)]
pub struct Behaviour {
    /// What was asked for.
    pub spec: Spec,
    /// Where flows are counted, if they are.
    pub flows: Option<Arc<FlowGate>>,
    // `None` when every request is answered alike and at once: the fast path takes no lock.
    rules: Option<Mutex<Rules>>,
}

impl Behaviour {
    /// A behaviour that has seen no request.
    pub fn new(spec: Spec) -> Self {
        Self {
            rules: spec.is_stateful().then(|| Mutex::new(Rules::new(spec.clone()))),
            flows: spec.flows.map(|most| Arc::new(FlowGate::new(most))),
            spec,
        }
    }

    /// Decides about a request that arrives `now`.
    pub fn decide(&self, now: Duration) -> Decision {
        match &self.rules {
            None => Decision {
                outcome: match self.spec.bad {
                    None => Outcome::Answer,
                    Some(_) => Outcome::Bad,
                },
                due: now,
                standing: None,
            },
            // A panic of another thread leaves the rules as valid as any request does.
            Some(rules) => rules.lock().unwrap_or_else(PoisonError::into_inner).decide(now),
        }
    }
}
