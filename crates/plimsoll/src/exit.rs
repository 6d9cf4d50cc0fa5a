//! Exit codes: the whole list, and which of them a run earns.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | passed, or nothing to judge |
//! | 1 | measured, and an objective failed, or the run was given up by its abort rule |
//! | 2 | bad usage or plan: no request was attempted |
//! | 3 | not one request was answered |
//! | 4 | measured, but void: the generator was at fault |
//! | 130 | interrupted; the partial result is kept |

use std::process::ExitCode;

use plimsoll_model::Run;
use plimsoll_model::run::Verdict;

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Passed, or nothing to judge.
    Passed = 0,
    /// Measured, and an objective failed, or the run was given up.
    Failed = 1,
    /// Bad usage or plan.
    Usage = 2,
    /// Not one request was answered.
    Unanswered = 3,
    /// Measured, but void.
    Void = 4,
    /// By Ctrl-C.
    Interrupted = 130,
}

impl Exit {
    /// How much it says of several runs: the heaviest is that of all.
    pub(crate) fn weight(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::Void => 1,
            Self::Failed => 2,
            Self::Unanswered => 3,
            Self::Usage => 4,
            Self::Interrupted => 5,
        }
    }

    /// What a run earns; where several hold, the one that explains the others.
    pub(crate) fn of(run: &Run) -> Self {
        if run.ended_by.as_deref() == Some("interrupted") {
            return Self::Interrupted;
        }
        // Why nothing was answered is known then, and it is not the target.
        if run.validity.iter().any(|remark| remark.code == "generator_panicked") {
            return Self::Void;
        }
        // A flow whose steps are all left out is one that went well, and nobody was asked.
        let went = run.requests == 0 && run.journeys.iter().any(|journey| journey.passed > 0);
        if !went && run.outcomes.iter().all(|(outcome, count)| count == 0 || !outcome.is_answer()) {
            return Self::Unanswered;
        }
        match run.verdict {
            Verdict::Invalid => Self::Void,
            // A run that gave up by itself did not hold what was asked of it, whatever it was judged by.
            _ if run.ended_by.is_some() => Self::Failed,
            Verdict::Fail => Self::Failed,
            Verdict::Pass | Verdict::None => Self::Passed,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
