//! Why an exchange has no answer: data, not an error of ours.

use std::io;

use plimsoll_http::ProtocolError;
use plimsoll_model::Outcome;

/// Why an exchange has no answer.
pub(crate) struct Fault {
    pub(crate) outcome: Outcome,
    pub(crate) reason: String,
}

/// How an attempt on one connection failed.
pub(crate) enum Broken {
    /// The peer went away before a byte of the answer: on a kept-alive connection that is nobody's fault.
    Unanswered(String),
    /// The peer has said that it did nothing about the request, so that any may be sent again.
    Refused(String),
    Fault(Fault),
}

impl Fault {
    pub(crate) fn new(outcome: Outcome, reason: String) -> Self {
        Self { outcome, reason }
    }

    pub(crate) fn timeout(reason: &str) -> Self {
        Self::new(Outcome::Timeout, reason.to_owned())
    }
}

impl Broken {
    /// The same, for a reason that says more.
    pub(crate) fn or_rather(self, reason: Option<&str>) -> Self {
        match (self, reason) {
            (Self::Fault(fault), Some(reason)) => Self::Fault(Fault::new(fault.outcome, reason.to_owned())),
            (broken, _) => broken,
        }
    }

    pub(crate) fn into_fault(self) -> Fault {
        match self {
            Self::Unanswered(reason) | Self::Refused(reason) => Fault::new(Outcome::Reset, reason),
            Self::Fault(fault) => fault,
        }
    }
}

impl From<ProtocolError> for Broken {
    fn from(error: ProtocolError) -> Self {
        let outcome = if matches!(error, ProtocolError::Truncated { .. }) { Outcome::Reset } else { Outcome::Protocol };
        Self::Fault(Fault::new(outcome, error.to_string()))
    }
}

/// An error's words without its number.
pub(crate) fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    text[..end].to_lowercase()
}
