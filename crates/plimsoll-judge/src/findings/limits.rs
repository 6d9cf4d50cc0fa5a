//! Where the way of asking limits what can be seen: `in_flight_cap` in the open model, `closed_model` in the closed.

use plimsoll_model::Outcome;
use plimsoll_model::run::Remark;

use super::remark;
use crate::evidence::Evidence;
use crate::figures::ms;
use crate::words;

const LONG_TAIL: f64 = 10.0; // max in medians

/// The cap on requests in flight was reached, and not because the generator was late.
pub(super) fn in_flight_cap(evidence: &Evidence) -> Option<Remark> {
    let dropped = evidence.whole.outcomes[Outcome::Dropped];
    if dropped == 0 || evidence.lag().is_some_and(|lag| lag.is_over()) {
        return None;
    }
    let cap = evidence.plan.load.in_flight_max();
    let share = words::percent(dropped as f64 / evidence.whole.requests() as f64);
    Some(remark(
        "in_flight_cap",
        format!("{dropped} requests ({share}) were never sent, because {cap} were in flight already"),
        "the target answers more slowly than requests come: lower the rate, or raise --max-in-flight if it should take more",
    ))
}

/// A user who waits for a slow answer asks nothing meanwhile, so few requests see a pause that would meet many.
pub(super) fn closed_model(evidence: &Evidence) -> Option<Remark> {
    let times = &evidence.whole.response;
    let (p50, max) = (times.quantile(plimsoll_stats::Quantile::P50)?, times.max()?);
    if evidence.is_open() || max as f64 <= LONG_TAIL * p50 as f64 {
        return None;
    }
    let (p50, max) = (words::ms(ms(p50)), words::ms(ms(max)));
    Some(remark(
        "closed_model",
        format!(
            "the slowest response took {max}, the median {p50}: users who waited for slow answers sent nothing \
             meanwhile, so the quantiles hide how many requests such a pause would have met"
        ),
        "to see it, ask for a rate (--rate): then requests come whatever the target does",
    ))
}

#[cfg(test)]
mod tests {
    use plimsoll_model::Outcome::{Dropped, Ok};

    use crate::findings::check;
    use crate::support::{Recorded, closed, open};

    #[test]
    fn the_cap_is_the_target_s_doing_unless_the_generator_was_late() {
        let capped = || Recorded::seconds(10).each(Ok, 90, 60.0).each(Dropped, 10, 30_000.0);
        let remarks = check(&open(100.0), &capped().done(), &["in_flight_cap", "errors"]);
        assert_eq!(remarks[0].detail, "100 requests (10%) were never sent, because 1000 were in flight already");
        let late = Recorded::seconds(10).lag(50.0).each(Ok, 90, 60.0).each(Dropped, 10, 30_000.0);
        check(&open(100.0), &late.done(), &["errors"]);
    }

    #[test]
    fn the_closed_model_says_what_it_hides() {
        let long_tail = || Recorded::seconds(10).each(Ok, 99, 1.0).each(Ok, 1, 10.5);
        check(&closed(9.0), &long_tail().done(), &["closed_model"]);
        check(&open(100.0), &long_tail().done(), &[]);
        check(&closed(9.0), &Recorded::seconds(10).each(Ok, 99, 1.0).each(Ok, 1, 9.5).done(), &[]);
    }
}
