//! What a run has its users do: journeys and how often each, what they are fed with, what comes before and after.

use std::sync::Arc;
use std::time::Duration;

use crate::data::{Data, Pick, Spent, Turn};
use crate::mix::Mix;
use crate::names::{Names, Slot};
use crate::program::Journey;
use crate::scope::Scope;
use crate::secrets::Secrets;
use crate::think::Think;

/// What a run has its users do.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// All variables of all journeys.
    pub names: Arc<Names>,
    /// What variables hold before anything has happened.
    pub base: Scope,
    /// Variables whose values are never shown.
    pub secrets: Secrets,
    /// What users do, again and again.
    pub acts: Vec<Act>,
    /// One journey after the other, instead of drawn by weight.
    pub in_order: bool,
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
    /// The pause between two requests of a user, those of two iterations included.
    pub think: Option<Think>,
    /// What an iteration's variables are filled from.
    pub feed: Option<Feed>,
    /// The least time from one beginning to the user's next; none for right away.
    pub every: Option<Duration>,
    /// What is left of an iteration when the next begins.
    pub session: Session,
}

/// Rows that fill variables.
#[derive(Debug, Clone)]
pub struct Feed {
    /// The rows.
    pub data: Arc<Data>,
    /// Which of them it is.
    pub pick: Pick,
    /// The variable of each column.
    pub slots: Vec<Slot>,
    /// A user takes one row and keeps it.
    pub per_user: bool,
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
    /// What its variables are filled from.
    pub feed: Option<Feed>,
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

impl Script {
    /// How journeys are chosen; none if their weights sum to nothing.
    pub fn mix(&self, seed: u64) -> Option<Mix> {
        let weights: Vec<f64> = self.acts.iter().map(|act| act.weight).collect();
        let mix = Mix::new(&weights, seed)?;
        Some(if self.in_order { mix.in_order() } else { mix })
    }

    /// A text in which no secret can be read: values of secret variables are replaced.
    pub fn hide(&self, text: &str, scope: &Scope) -> String {
        self.secrets.redact(scope, text)
    }
}

impl Feed {
    /// Fills the variables for a turn.
    ///
    /// # Errors
    /// When rows are used once, and all have been.
    pub fn fill(&self, turn: Turn, scope: &mut Scope) -> Result<(), Spent> {
        let row = self.pick.row(turn)?;
        for (column, value) in self.data.row(row) {
            if let Some(slot) = self.slots.get(column) {
                scope.set(*slot, value);
            }
        }
        Ok(())
    }
}
