//! Quantiles, mean and maximum of a histogram, in milliseconds.
//!
//! A quantile is the ⌈q·n⌉-th smallest of n values, to three digits; mean and maximum are exact. A quantile of
//! fewer samples than it wants is null, and `wants` says how many: p50 5, p90 29, p95 59, p99 299, p99.9 2 995,
//! the number from which the largest sample lies beyond the quantile with 95 %.

use plimsoll_model::Phases;
use plimsoll_model::run::{Figures, PhaseFigures};
use plimsoll_stats::{Histogram, Quantile};

/// The quantiles that are always reported, with their names in JSON.
pub(crate) const QUANTILES: [(&str, Quantile); 5] = [
    ("p50", Quantile::P50),
    ("p90", Quantile::P90),
    ("p95", Quantile::P95),
    ("p99", Quantile::P99),
    ("p999", Quantile::P999),
];

const NS_PER_MS: f64 = 1e6;

/// The figures of `times`.
pub(crate) fn figures(times: &Histogram) -> Figures {
    let at = |q| quantile_ms(times, q);
    Figures {
        count: times.len(),
        p50: at(Quantile::P50),
        p90: at(Quantile::P90),
        p95: at(Quantile::P95),
        p99: at(Quantile::P99),
        p999: at(Quantile::P999),
        max: times.max().map(ms),
        mean: times.mean().map(|ns| ns / NS_PER_MS),
        wants: QUANTILES
            .into_iter()
            .filter(|(_, q)| times.len() < q.samples_wanted())
            .map(|(name, q)| (name, q.samples_wanted()))
            .collect(),
    }
}

/// The figures of each phase.
pub(crate) fn phases(phases: &Phases) -> PhaseFigures {
    PhaseFigures {
        connect: figures(&phases.connect),
        tls: figures(&phases.tls),
        first_byte: figures(&phases.first_byte),
        body: figures(&phases.body),
    }
}

/// A quantile in milliseconds, if there are samples enough for it.
pub(crate) fn quantile_ms(times: &Histogram, q: Quantile) -> Option<f64> {
    (times.len() >= q.samples_wanted()).then(|| times.quantile(q).map(ms)).flatten()
}

/// Nanoseconds in milliseconds.
pub(crate) fn ms(ns: u64) -> f64 {
    ns as f64 / NS_PER_MS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(count: u64, wants: &[&str]) {
        let mut times = Histogram::new();
        times.record_n(2_000_000, count);
        let figures = figures(&times);
        assert_eq!(figures.wants.keys().copied().collect::<Vec<_>>(), wants);
        assert_eq!(figures.p99.is_none(), wants.contains(&"p99"));
        assert_eq!(figures.max, (count > 0).then_some(2.0));
        assert_eq!(figures.mean, (count > 0).then_some(2.0));
    }

    #[test]
    fn a_quantile_waits_for_its_samples() {
        check(0, &["p50", "p90", "p95", "p99", "p999"]);
        check(1, &["p50", "p90", "p95", "p99", "p999"]);
        check(5, &["p90", "p95", "p99", "p999"]);
        check(298, &["p99", "p999"]);
        check(299, &["p999"]);
        check(2_995, &[]);
    }
}
