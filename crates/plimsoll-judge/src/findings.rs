//! What the target did that a person should know. A finding never voids a run and never decides it: what it did to
//! the figures, the objectives have seen.

mod ending;
mod limits;
mod outage;
mod outcomes;
mod stability;

use plimsoll_model::run::Remark;

use crate::evidence::Evidence;

/// Every finding, the gravest first.
pub(crate) fn remarks(evidence: &Evidence) -> Vec<Remark> {
    let outage = outage::find(evidence);
    // An outage, or a growing backlog, moves response times by itself: drift would say the same again.
    let unsteady = if outage.is_empty() { stability::find(evidence) } else { Vec::new() };
    [
        ending::find(evidence),
        outcomes::no_success(evidence),
        outage,
        unsteady,
        limits::in_flight_cap(evidence).into_iter().collect(),
        outcomes::find(evidence),
        limits::closed_model(evidence).into_iter().collect(),
    ]
    .concat()
}

/// A finding.
fn remark(code: &'static str, detail: impl Into<String>, hint: impl Into<String>) -> Remark {
    Remark { code, detail: detail.into(), hint: hint.into() }
}

#[cfg(test)]
#[track_caller]
fn check(plan: &plimsoll_model::Plan, recording: &plimsoll_model::Recording, expected: &[&str]) -> Vec<Remark> {
    let remarks = remarks(&Evidence::new(plan, recording));
    assert_eq!(remarks.iter().map(|remark| remark.code).collect::<Vec<_>>(), expected, "{remarks:#?}");
    remarks
}
