//! Finding the highest level that passes: doubled until one fails, then halved in between.
//!
//! Pure: what a level does is asked of a function, so that the search is tested against machines that are made up.

/// A search is over when the level that failed is at most this much above the one that passed.
const CLOSE_ENOUGH: f64 = 1.10;
/// Levels are not tried beyond this many times the first, upwards and downwards.
const REACH: f64 = 256.0;

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Found {
    /// The highest level that passed.
    pub(crate) passed: Option<f64>,
    /// The lowest level that failed.
    pub(crate) failed: Option<f64>,
}

/// Asks `passes` until the answer is close enough, or it has no answer any more (`Ok(None)`).
pub(crate) fn search<E>(
    first: f64,
    lowest: f64,
    mut passes: impl FnMut(f64) -> Result<Option<bool>, E>,
) -> Result<Found, E> {
    let mut found = Found::default();
    while let Some(level) = found.next(first, lowest) {
        match passes(level)? {
            Some(true) => found.passed = Some(level),
            Some(false) => found.failed = Some(level),
            None => break,
        }
    }
    Ok(found)
}

impl Found {
    /// What to ask next; none when it is known, or out of reach.
    fn next(self, first: f64, lowest: f64) -> Option<f64> {
        match (self.passed, self.failed) {
            (None, None) => Some(first.max(lowest)),
            (Some(passed), None) => (passed < first * REACH).then_some(passed * 2.0),
            (None, Some(failed)) => (failed > lowest).then(|| (failed / 4.0).max(lowest)),
            // In ratios, because that is how closeness is meant.
            (Some(passed), Some(failed)) => (failed / passed > CLOSE_ENOUGH).then(|| (passed * failed).sqrt()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn find(first: f64, truth: f64, mut patience: usize) -> Found {
        let passes = |level: f64| {
            patience = patience.saturating_sub(1);
            Ok::<_, ()>((patience > 0).then_some(level <= truth))
        };
        search(first, 500.0, passes).expect("it never fails")
    }

    #[track_caller]
    fn check(first: f64, truth: f64, expected: (Option<f64>, Option<f64>)) {
        let found = find(first, truth, 100);
        assert_eq!((found.passed.map(f64::round), found.failed.map(f64::round)), expected);
    }

    #[test]
    fn limits_below_above_and_out_of_reach() {
        check(1_000.0, 4_000.0, (Some(4_000.0), Some(4_362.0)));
        check(64_000.0, 500.0, (Some(500.0), Some(545.0)));
        check(64_000.0, 499.0, (None, Some(500.0)));
        check(1_000.0, f64::INFINITY, (Some(256_000.0), None));
        check(100.0, 600.0, (Some(595.0), Some(648.0)));
    }

    #[test]
    fn who_has_no_more_time_keeps_what_is_known() {
        assert_eq!(find(1_000.0, 9_000.0, 1), Found::default());
        assert_eq!(find(1_000.0, 9_000.0, 4), Found { passed: Some(4_000.0), failed: None });
    }

    proptest! {
        #[test]
        fn the_truth_is_closed_in(first in 500.0..1e5_f64, truth in 500.0..1e5_f64) {
            let found = find(first, truth, 1_000);
            let (passed, failed) = (found.passed.expect("in reach"), found.failed.expect("in reach"));
            prop_assert!(passed <= truth && truth < failed && failed / passed <= CLOSE_ENOUGH);
        }
    }
}
