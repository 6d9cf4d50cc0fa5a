//! The share of all requests that ended well within given bounds.
//!
//! A request that failed or was refused is within none. To three digits, and on the safe side: a time that its
//! histogram cannot tell from the bound counts as beyond it. Nothing is said of no requests.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::whole::Whole;

/// Shares by bound, named by its milliseconds.
pub(crate) fn within(bounds: &[Duration], whole: &Whole) -> BTreeMap<String, f64> {
    if whole.requests() == 0 {
        return BTreeMap::new();
    }
    let share = |bound: &Duration| {
        let ns = u64::try_from(bound.as_nanos()).unwrap_or(u64::MAX);
        whole.response_ok.count_at_most(ns) as f64 / whole.requests() as f64
    };
    bounds.iter().map(|bound| ((bound.as_nanos() as f64 / 1e6).to_string(), share(bound))).collect()
}

#[cfg(test)]
mod tests {
    use plimsoll_model::Outcome;

    use super::*;
    use crate::support::{Recorded, open};

    #[test]
    fn failures_are_within_no_bound() {
        let recording = Recorded::seconds(1).each(Outcome::Ok, 6, 1.0).each(Outcome::Ok, 2, 100.0);
        let recording = recording.each(Outcome::Reset, 2, 0.1).done();
        let whole = Whole::of_steps(&open(1.0), &recording.steps);
        let bounds = [Duration::from_micros(500), Duration::from_millis(50), Duration::from_secs(1)];
        let expected = [("0.5", 0.0), ("1000", 0.8), ("50", 0.6)].map(|(name, share)| (name.to_owned(), share));
        assert_eq!(within(&bounds, &whole).into_iter().collect::<Vec<_>>(), expected);
        assert!(within(&bounds, &Whole::default()).is_empty());
    }
}
