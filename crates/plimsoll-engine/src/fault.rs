//! Why an exchange has no answer: data, not an error of ours.

use plimsoll_model::Outcome;

/// Why an exchange has no answer.
pub(crate) struct Fault {
    pub(crate) outcome: Outcome,
    pub(crate) reason: String,
}

impl Fault {
    pub(crate) fn new(outcome: Outcome, reason: String) -> Self {
        Self { outcome, reason }
    }

    pub(crate) fn timeout(reason: &str) -> Self {
        Self::new(Outcome::Timeout, reason.to_owned())
    }
}
