//! The measured phase added up: one set of counts and histograms, for the run or for one of its steps.
//!
//! Definitions that every other module leans on: *requests* have an outcome; *ok* ended well; *refused* were
//! refusals that the plan expects; *failures* are all others; *sent* are all but the dropped ones. A dropped
//! request was due and never sent: it is in `response` with the whole time-out, since it would have waited at
//! least that long, and in neither `service` nor `lag`. In the closed model a request is due when it is sent, so
//! `service` is a copy of `response`.

use std::collections::BTreeMap;

use plimsoll_model::{Load, Outcome, OutcomeCounts, Phases, Plan, StepTick};
use plimsoll_stats::Histogram;

/// Counts and times of all requests with an outcome.
#[derive(Debug, Clone, Default)]
pub(crate) struct Whole {
    pub(crate) outcomes: OutcomeCounts,
    pub(crate) statuses: BTreeMap<u16, u64>,
    pub(crate) refused: u64,
    pub(crate) failures: u64,
    pub(crate) body_bytes: u64,
    pub(crate) response: Histogram,
    pub(crate) response_ok: Histogram,
    /// Response times of what was sent: without the dropped requests, whose time is not a measured one.
    pub(crate) response_sent: Histogram,
    pub(crate) service: Histogram,
    pub(crate) lag: Histogram,
    pub(crate) phases: Phases,
}

impl Whole {
    /// All steps together.
    pub(crate) fn of_steps(plan: &Plan, steps: &[StepTick]) -> Self {
        let mut all = StepTick::default();
        steps.iter().for_each(|step| all.merge(step));
        Self::of_step(plan, &all)
    }

    /// One step.
    pub(crate) fn of_step(plan: &Plan, step: &StepTick) -> Self {
        let mut whole = Self {
            statuses: step.statuses.clone(),
            body_bytes: step.body_bytes,
            phases: step.phases.clone(),
            ..Self::default()
        };
        for cell in &step.cells {
            whole.outcomes[cell.outcome] += cell.count();
            whole.response.merge(&cell.timings.response);
            whole.service.merge(&cell.timings.service);
            whole.lag.merge(&cell.timings.lag);
            if cell.refused {
                whole.refused += cell.count();
            } else if cell.outcome == Outcome::Ok {
                whole.response_ok.merge(&cell.timings.response);
            } else {
                whole.failures += cell.count();
            }
            if cell.outcome != Outcome::Dropped {
                whole.response_sent.merge(&cell.timings.response);
            }
        }
        if matches!(plan.load, Load::Closed(_)) {
            whole.service = whole.response.clone();
        }
        whole
    }

    pub(crate) fn requests(&self) -> u64 {
        self.outcomes.total()
    }

    /// ok ÷ requests.
    pub(crate) fn success(&self) -> Option<f64> {
        (self.requests() > 0).then(|| self.outcomes[Outcome::Ok] as f64 / self.requests() as f64)
    }

    /// What objectives are about: all requests but the expected refusals.
    pub(crate) fn judged(&self) -> u64 {
        self.requests() - self.refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::{Recorded, closed, open};

    #[test]
    fn dropped_requests_count_with_the_time_out_and_have_no_service_time() {
        let recording = Recorded::seconds(1).each(Outcome::Ok, 9, 10.0).each(Outcome::Dropped, 1, 30_000.0).done();
        let whole = Whole::of_steps(&open(10.0), &recording.steps);
        assert_eq!((whole.requests(), whole.failures, whole.service.len(), whole.lag.len()), (10, 1, 9, 9));
        assert_eq!(whole.response.max(), Some(30_000_000_000));
        assert_eq!(whole.response_sent.max(), Some(10_000_000));
        assert_eq!(whole.success(), Some(0.9));
    }

    #[test]
    fn the_closed_model_s_service_time_is_its_response_time() {
        let recording = Recorded::seconds(1).each(Outcome::Ok, 9, 10.0).without_service().done();
        assert_eq!(Whole::of_steps(&closed(3.0), &recording.steps).service.len(), 9);
        assert_eq!(Whole::of_steps(&open(3.0), &recording.steps).service.len(), 0);
    }

    #[test]
    fn expected_refusals_are_neither_ok_nor_failures() {
        let recording = Recorded::seconds(2).each(Outcome::Ok, 3, 1.0).refused(Outcome::Limited, 2, 1.0).done();
        let whole = Whole::of_steps(&open(5.0), &recording.steps);
        assert_eq!((whole.requests(), whole.refused, whole.failures, whole.judged()), (10, 4, 0, 6));
        assert_eq!(whole.success(), Some(0.6));
    }
}
