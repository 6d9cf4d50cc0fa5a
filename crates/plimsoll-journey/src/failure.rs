//! Why a step did not go as its journey wants it.

use crate::program::Place;

/// Why a step did not go as its journey wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What could not be done.
    pub kind: FailureKind,
    /// Where that was asked for.
    pub place: Place,
    /// The line that asked for it.
    pub source: String,
    /// What was wanted, in words.
    pub expected: String,
    /// What there was instead, in words; not safe to print, for a server may have written it.
    pub actual: String,
}

/// What could not be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The request could not be made: a variable has no value, or one that cannot stand there.
    Request,
    /// A value could not be taken out of the answer.
    Capture,
    /// An assert does not hold.
    Assert,
}
