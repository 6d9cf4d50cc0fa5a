//! What every judgement looks at: the plan, the recording, and what was added up from it once.

use plimsoll_model::{Load, Outcome, Plan, Recording};
use plimsoll_stats::Quantile;

use crate::course::Course;
use crate::figures::{ms, quantile_ms};
use crate::whole::Whole;

/// A run about to be judged.
#[derive(Debug)]
pub(crate) struct Evidence<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) recording: &'a Recording,
    pub(crate) whole: Whole,
    pub(crate) course: Course,
}

/// The generator's lateness beside the bound that it must keep.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lag {
    /// Which quantile there were samples enough for: p99, or the next lower one.
    pub(crate) quantile: Quantile,
    pub(crate) value_ms: f64,
    pub(crate) bound_ms: f64,
}

impl<'a> Evidence<'a> {
    pub(crate) fn new(plan: &'a Plan, recording: &'a Recording) -> Self {
        let whole = Whole::of_steps(plan, &recording.steps);
        Self { plan, recording, whole, course: Course::of(recording) }
    }

    pub(crate) fn is_open(&self) -> bool {
        matches!(self.plan.load, Load::Open(_))
    }

    pub(crate) fn ok(&self) -> u64 {
        self.whole.outcomes[Outcome::Ok]
    }

    /// p99 of lag, and its bound: 10 % of p99 of response time, but at least 1 ms. Response times are those of
    /// requests that were sent: dropped ones stand in the figures with the whole time-out, and would excuse any lag.
    /// With too few samples for p99 both are the highest of p95, p90 and p50 that has enough.
    pub(crate) fn lag(&self) -> Option<Lag> {
        [Quantile::P99, Quantile::P95, Quantile::P90, Quantile::P50].into_iter().find_map(|quantile| {
            let value_ms = quantile_ms(&self.whole.lag, quantile)?;
            let response_ms = self.whole.response_sent.quantile(quantile).map(ms)?;
            Some(Lag { quantile, value_ms, bound_ms: (response_ms * 0.1).max(1.0) })
        })
    }
}

impl Lag {
    pub(crate) fn is_over(&self) -> bool {
        self.value_ms > self.bound_ms
    }
}
