//! What a run has its users do: journeys and how often each, what they are fed with, what comes before and after.

use std::sync::Arc;
use std::time::Duration;

use crate::names::Names;
use crate::names::Slot;
use crate::program::Journey;
use crate::scope::Scope;

/// What a run has its users do.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// All variables of all journeys.
    pub names: Arc<Names>,
    /// What variables hold before anything has happened.
    pub base: Scope,
    /// Variables whose values are never shown.
    pub secrets: Vec<Slot>,
    /// What users do, again and again.
    pub acts: Vec<Act>,
    /// Done before the measured phase, in this order.
    pub setup: Vec<Rite>,
    /// Done after it, whatever happened.
    pub teardown: Vec<Rite>,
}

/// A journey in the mix.
#[derive(Debug, Clone)]
pub struct Act {
    /// What is done.
    pub journey: Journey,
    /// How often, beside the other journeys' weights; above 0.
    pub weight: f64,
    /// The least time from one beginning to the user's next; none for right away.
    pub every: Option<Duration>,
    /// What is left of an iteration when the next begins.
    pub session: Session,
}

/// What is left of an iteration when the user's next begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Session {
    /// Cookies and connections, as in a browser that stays open.
    #[default]
    Keep,
    /// Nothing.
    Fresh,
}

/// A journey that is done once, before or after the measured phase.
#[derive(Debug, Clone)]
pub struct Rite {
    /// What is done.
    pub journey: Journey,
    /// For whom.
    pub per: Per,
}

/// How often something is done before or after a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Per {
    /// Once; what it captures is there for everybody.
    #[default]
    Run,
    /// Once for each user of the closed model; what it captures is that user's own.
    User,
}
