//! Flows: how often a journey went from its first step to its last, and how long that took.
//!
//! A flow *passed* when every step ended as its journey wants it; *total* are all that ended, and what the end of the
//! run cut short is in neither. `flow_ms` runs from when the flow was due to the last byte of its last step, pauses
//! included, over those that passed. The share's interval is Wilson's (1927) for independent flows: flows that meet the
//! same outage are not, and then it is too narrow.

use plimsoll_model::Plan;
use plimsoll_model::run::JourneyResult;
use plimsoll_stats::Histogram;

use crate::evidence::Evidence;
use crate::figures::figures;

/// The standard normal's 97.5 % point.
const Z: f64 = 1.959_963_984_540_054;

/// A row for each journey of the plan.
pub(crate) fn results(plan: &Plan, evidence: &Evidence) -> Vec<JourneyResult> {
    if plan.journeys.is_empty() {
        // A plan of one request is a journey of one step, so its flows are its requests.
        let times = &evidence.whole.response_ok;
        return vec![result(&plan.name, evidence.ok(), evidence.whole.requests(), times)];
    }
    let nothing = Histogram::new();
    let flows = &evidence.recording.flows;
    let row = |(index, name): (usize, &String)| match flows.get(index) {
        None => result(name, 0, 0, &nothing),
        Some(flow) => result(name, flow.passed.len(), flow.passed.len() + flow.failed.len(), &flow.passed),
    };
    plan.journeys.iter().map(|journey| &journey.name).enumerate().map(row).collect()
}

fn result(name: &str, passed: u64, total: u64, times: &Histogram) -> JourneyResult {
    JourneyResult { name: name.to_owned(), passed, total, passed_share: wilson(passed, total), flow_ms: figures(times) }
}

/// Wilson's interval for a share.
fn wilson(passed: u64, total: u64) -> Option<[f64; 2]> {
    if total == 0 {
        return None;
    }
    let (n, share) = (total as f64, passed as f64 / total as f64);
    let weight = 1.0 + Z * Z / n;
    let middle = (share + Z * Z / (2.0 * n)) / weight;
    let half = Z / weight * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    // At the ends rounding must not make nothing of something, or something of nothing.
    let low = if passed == 0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if passed == total { 1.0 } else { (middle + half).min(1.0) };
    Some([low, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(passed: u64, total: u64, low: f64, high: f64) {
        let [a, b] = wilson(passed, total).expect("there are flows");
        assert!((a - low).abs() < 5e-4 && (b - high).abs() < 5e-4, "{passed}/{total}: {a} {b}");
    }

    #[test]
    fn shares_have_the_interval_of_wilson() {
        // Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I.
        check(81, 263, 0.2553, 0.3662);
        check(15, 148, 0.0624, 0.1605);
        check(0, 20, 0.0, 0.1611);
        check(1, 29, 0.0061, 0.1718);
        assert_eq!(wilson(0, 0), None);
        for total in 1..200 {
            let ends = [wilson(0, total), wilson(total, total)].map(Option::unwrap_or_default);
            assert_eq!((ends[0][0], ends[1][1]), (0.0, 1.0), "{total}");
        }
    }
}
