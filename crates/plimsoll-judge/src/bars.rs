//! The latency histogram as a few bars between round numbers.
//!
//! Edges are 1-2-5 × 10ⁿ; where that gives fewer than eight bars between the fastest and the slowest response, a
//! finer ladder of preferred numbers is taken, and where it gives more than 24, powers of ten. Times are above a
//! bar's lower edge and up to its upper one, to three digits.

use std::collections::BTreeMap;

use plimsoll_model::Phases;
use plimsoll_model::run::HistogramBar;
use plimsoll_stats::Histogram;

use crate::figures::ms;

const BARS_MAX: usize = 24;
const BARS_WANTED: usize = 8;

/// Steps within a power of ten, in tenths, from coarse to fine.
const LADDERS: [&[u64]; 4] = [
    &[10],
    &[10, 20, 50],
    &[10, 15, 20, 30, 50, 70],
    &[10, 12, 14, 16, 18, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90],
];

/// The bars of `times`, from its smallest to its largest; none if it is empty.
pub(crate) fn bars(times: &Histogram) -> Vec<HistogramBar> {
    let (Some(min), Some(max)) = (times.min(), times.max()) else {
        return Vec::new();
    };
    let edges = edges(min, max);
    let mut counts = times.coarse(&edges);
    // Only a time of zero is not above the first edge.
    counts[1] += counts[0];
    let pairs = edges.windows(2).zip(&counts[1..]);
    pairs.map(|(edge, count)| HistogramBar { above_ms: ms(edge[0]), to_ms: ms(edge[1]), count: *count }).collect()
}

/// The bars of each phase that occurred.
pub(crate) fn of_phases(phases: &Phases) -> BTreeMap<&'static str, Vec<HistogramBar>> {
    let all = [
        ("connect", &phases.connect),
        ("tls", &phases.tls),
        ("first_byte", &phases.first_byte),
        ("body", &phases.body),
    ];
    all.into_iter().filter(|(_, times)| !times.is_empty()).map(|(name, times)| (name, bars(times))).collect()
}

/// Edges around `min..=max`: the coarsest ladder with enough bars, or the finest with few enough.
fn edges(min: u64, max: u64) -> Vec<u64> {
    let mut chosen = ladder(LADDERS[0], min, max);
    for steps in &LADDERS[1..] {
        let finer = ladder(steps, min, max);
        if chosen.len() > BARS_WANTED || finer.len() > BARS_MAX + 1 {
            break;
        }
        chosen = finer;
    }
    chosen
}

/// From the last step below `min` to the first that reaches `max`; 0 is the step below all others.
fn ladder(steps: &[u64], min: u64, max: u64) -> Vec<u64> {
    // Tenths of nanoseconds would not be whole numbers, so the first decade is that of 10 ns.
    let all = (1..=20).flat_map(|n| steps.iter().map(move |step| u128::from(*step) * 10u128.pow(n) / 10));
    let mut edges = vec![0];
    for step in all.map(|step| u64::try_from(step).unwrap_or(u64::MAX)) {
        if step < min {
            edges[0] = step;
            continue;
        }
        edges.push(step);
        if step >= max {
            break;
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(values_ms: &[f64], expected: &[(f64, f64, u64)]) {
        let mut times = Histogram::new();
        values_ms.iter().for_each(|value| times.record((value * 1e6) as u64));
        let bars: Vec<_> = bars(&times).iter().map(|bar| (bar.above_ms, bar.to_ms, bar.count)).collect();
        assert_eq!(bars, expected);
    }

    #[test]
    fn edges_are_round_numbers() {
        check(&[], &[]);
        check(&[3.1], &[(3.0, 3.5, 1)]);
        check(
            &[0.9, 15.0, 490.0],
            &[
                (0.5, 1.0, 1),
                (1.0, 2.0, 0),
                (2.0, 5.0, 0),
                (5.0, 10.0, 0),
                (10.0, 20.0, 1),
                (20.0, 50.0, 0),
                (50.0, 100.0, 0),
                (100.0, 200.0, 0),
                (200.0, 500.0, 1),
            ],
        );
    }

    #[test]
    fn there_are_never_more_than_24_and_none_is_lost() {
        for (low, high) in [(0, 0), (0, 1), (0, u64::MAX), (1, 1 << 40), (999_999, 1_000_001), (7, 30_000_000_000)] {
            let mut times = Histogram::new();
            [low, low, high].into_iter().for_each(|value| times.record(value));
            let bars = bars(&times);
            assert!((1..=BARS_MAX).contains(&bars.len()), "{low} {high}: {}", bars.len());
            assert_eq!(bars.iter().map(|bar| bar.count).sum::<u64>(), 3, "{low} {high}");
        }
    }
}
