//! How a step's exchange is counted.

use plimsoll_journey::{Failure, FailureKind};
use plimsoll_model::Outcome;

/// An answer that its journey takes for good is good, whatever its status, if the journey says which status it
/// wants. One that it does not is counted by its status where that tells more than that an assert did not hold.
pub(super) fn of(status: u16, says_status: bool, failure: Option<&Failure>) -> Outcome {
    let by_status = Outcome::of_status(status);
    match failure {
        None if says_status => Outcome::Ok,
        None => by_status,
        Some(failure) if failure.kind == FailureKind::Request => Outcome::Assertion,
        Some(_) if by_status == Outcome::Ok => Outcome::Assertion,
        Some(_) => by_status,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(status: u16, says_status: bool, failed: Option<FailureKind>, outcome: Outcome) {
        let failure = failed.map(|kind| Failure {
            kind,
            place: Default::default(),
            source: String::new(),
            expected: String::new(),
            actual: String::new(),
        });
        assert_eq!(of(status, says_status, failure.as_ref()), outcome, "{status} {says_status} {failed:?}");
    }

    #[test]
    fn a_status_that_is_wanted_is_good() {
        check(404, true, None, Outcome::Ok);
        check(404, false, None, Outcome::ClientError);
        check(200, true, None, Outcome::Ok);
    }

    #[test]
    fn a_status_that_says_more_than_an_assert_is_what_counts() {
        check(200, true, Some(FailureKind::Assert), Outcome::Assertion);
        check(302, false, Some(FailureKind::Capture), Outcome::Assertion);
        check(429, true, Some(FailureKind::Assert), Outcome::Limited);
        check(503, true, Some(FailureKind::Assert), Outcome::ServerError);
        check(404, true, Some(FailureKind::Assert), Outcome::ClientError);
        check(0, true, Some(FailureKind::Request), Outcome::Assertion);
    }
}
