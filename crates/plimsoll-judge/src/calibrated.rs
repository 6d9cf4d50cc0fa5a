//! What the last calibration of this machine says about a run.
//!
//! None of it voids the run: a calibration is of another moment, and of the testkit. What the generator got wrong in this
//! run, validity has seen in this run. Rates are compared per generator thread, since they were calibrated for one.
//! - The rate asked for is above the highest that was sent on time (arrivals in bursts cost less, and are not compared).
//! - The rate achieved is above 80 % of the highest that was generated at all (by HTTP/1.1, so HTTP/2 is not compared).
//! - The median of response time is below ten floors, so a tenth of it or more is this machine.

use plimsoll_model::calibration::Calibration;
use plimsoll_model::run::Calibrated;
use plimsoll_model::{Arrivals, Load};
use plimsoll_stats::Quantile;

use crate::evidence::Evidence;
use crate::figures::quantile_ms;
use crate::{rates, words};

/// From this share of what a core can generate on, it has little time left for what comes unevenly.
const NEARLY_ALL: f64 = 0.8;
/// A time of fewer floors than this is this machine's for a tenth or more.
const FLOORS: f64 = 10.0;

/// The calibration, and what it says about this run.
pub(crate) fn cite(evidence: &Evidence, calibration: &Calibration) -> Calibrated {
    let figures = &calibration.figures;
    let sentences = [too_fast(evidence, calibration), nearly_all(evidence, calibration), floor(evidence, calibration)];
    Calibrated {
        at: calibration.at.clone(),
        closed_rate_per_core: figures.closed_rate_per_core,
        open_rate_max: figures.open_rate_max,
        latency_floor_ms: figures.latency_floor_ms,
        cited: sentences.into_iter().flatten().collect(),
    }
}

/// What a remark about lag adds: whether this machine was ever punctual.
pub(crate) fn punctuality(calibration: &Calibration) -> String {
    let day = day(calibration);
    match calibration.figures.open_rate_max {
        Some(rate) => {
            format!("calibrated on {day}, this machine sends up to {}/s per thread within 1 ms", words::digits(rate))
        }
        None => format!("calibrated on {day}, this machine sends at no rate within 1 ms"),
    }
}

fn too_fast(evidence: &Evidence, calibration: &Calibration) -> Option<String> {
    let Load::Open(open) = &evidence.plan.load else { return None };
    if matches!(open.arrivals, Arrivals::Bursts(_)) {
        return None;
    }
    let per_thread = open.shape.peak() / threads(evidence);
    let over = calibration.figures.open_rate_max.is_none_or(|highest| per_thread > highest);
    over.then(|| format!("asked for {}/s per thread: {}", words::digits(per_thread), punctuality(calibration)))
}

fn nearly_all(evidence: &Evidence, calibration: &Calibration) -> Option<String> {
    let highest = calibration.figures.closed_rate_per_core;
    let per_thread = rates::achieved(evidence.recording) / threads(evidence);
    let is_comparable = !evidence.plan.transport.http.is_two() && highest > 0.0;
    (is_comparable && per_thread > NEARLY_ALL * highest).then(|| {
        format!(
            "achieved {}/s per thread, {} of the {}/s that this machine was calibrated to generate on {}: the generator may \
             have been the limit",
            words::digits(per_thread),
            words::percent(per_thread / highest),
            words::digits(highest),
            day(calibration)
        )
    })
}

fn floor(evidence: &Evidence, calibration: &Calibration) -> Option<String> {
    let p50_ms = quantile_ms(&evidence.whole.response, Quantile::P50)?;
    let floor_ms = calibration.figures.latency_floor_ms.p50;
    (p50_ms < FLOORS * floor_ms).then(|| {
        format!(
            "the median of {} is below ten times this machine's own {}: a tenth of it or more is not the target's",
            words::ms(p50_ms),
            words::ms(floor_ms)
        )
    })
}

fn threads(evidence: &Evidence) -> f64 {
    evidence.recording.generator.threads.max(1) as f64
}

/// `2026-11-21` of RFC 3339.
fn day(calibration: &Calibration) -> String {
    calibration.at.chars().take(10).collect()
}

#[cfg(test)]
mod tests {
    use plimsoll_model::Outcome::Ok;
    use plimsoll_model::Plan;
    use plimsoll_model::calibration::{Figures, Floor};

    use super::*;
    use crate::support::{Recorded, calibration, closed, open};

    /// Calibrated to 1 000/s closed, 400/s open, and a floor of 0.1 ms.
    #[track_caller]
    fn check(plan: &Plan, per_second: u64, response_ms: f64, expected: &[&str]) {
        let figures = Figures {
            closed_rate_per_core: 1_000.0,
            open_rate_max: Some(400.0),
            latency_floor_ms: Floor { p50: 0.1, p99: 0.2 },
            ..Figures::default()
        };
        check_with(figures, plan, per_second, response_ms, expected);
    }

    #[track_caller]
    fn check_with(figures: Figures, plan: &Plan, per_second: u64, response_ms: f64, expected: &[&str]) {
        let mut recording = Recorded::seconds(10).each(Ok, per_second, response_ms).done();
        recording.generator.threads = 2;
        let cited = cite(&Evidence::new(plan, &recording), &calibration(figures)).cited;
        assert_eq!(cited.len(), expected.len(), "{cited:#?}");
        for (sentence, words) in cited.iter().zip(expected) {
            assert!(sentence.contains(words), "{sentence}");
        }
    }

    #[test]
    fn a_run_within_what_was_calibrated_needs_no_words() {
        check(&open(800.0), 800, 5.0, &[]);
        check(&closed(9.0), 1_600, 5.0, &[]);
    }

    #[test]
    fn a_run_beyond_it_does() {
        let late = "asked for 450/s per thread: calibrated on 2026-11-21, this machine sends up to 400/s per thread within 1 ms";
        check(&open(900.0), 900, 5.0, &[late]);
        check(&closed(9.0), 1_700, 5.0, &["achieved 850/s per thread, 85% of the 1000/s"]);
        check(&closed(9.0), 100, 0.9, &["the median of 0.9 ms is below ten times this machine's own 0.1 ms"]);
        check(&open(2_000.0), 2_000, 0.5, &["asked for", "achieved", "the median"]);
        check_with(Figures::default(), &open(1.0), 100, 5.0, &["sends at no rate within 1 ms"]);
    }

    #[test]
    fn what_was_not_calibrated_is_not_compared() {
        let mut bursts = open(900.0);
        if let Load::Open(load) = &mut bursts.load {
            load.arrivals = Arrivals::Bursts(std::time::Duration::from_millis(10));
        }
        check(&bursts, 900, 5.0, &[]);
        let mut two = closed(9.0);
        two.transport.http = plimsoll_model::Http::Two { streams_max: 8, connections_max: None };
        check(&two, 1_700, 5.0, &[]);
    }
}
