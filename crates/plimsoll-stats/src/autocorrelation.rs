//! How far apart in time two values must be before they tell independent things.
//!
//! The integrated autocorrelation time τ = 1 + 2 Σ ρₖ says that n values are worth n/τ independent ones. It knows
//! no histograms and no requests, only series.

/// The integrated autocorrelation time of `series`, in steps of the series, at least 1.
///
/// Sokal's self-consistent window ("Monte Carlo methods in statistical mechanics", 1997, section 3): the sum over ρₖ
/// stops at the first lag M ≥ 5 τ(M), since beyond it there is only noise to add. Where not even ρ₁ stands out from the
/// noise of independent values (2/√n: Bartlett 1946), they are taken as such, lest the noise of five lags be added.
pub fn time(series: &[f64]) -> f64 {
    const WINDOW: f64 = 5.0;
    let centred = centred(series);
    let variance = covariance(&centred, 0);
    if variance <= 0.0 {
        return 1.0;
    }
    let noise = 2.0 / (series.len() as f64).sqrt();
    if series.len() < 4 || covariance(&centred, 1) / variance < noise {
        return 1.0;
    }
    let mut time = 1.0;
    for lag in 1..series.len() / 2 {
        time += 2.0 * covariance(&centred, lag) / variance;
        if lag as f64 >= WINDOW * time {
            break;
        }
    }
    time.max(1.0)
}

/// How many requests count for one independent request (at least 1), from sums over ticks.
///
/// `sums` are the ticks' sums over their requests, each less what the mean would make of it; `variance` is that of a
/// single request, and `requests` their number. Sums over independent requests spread by `variance` a request;
/// however much more they spread, times the ticks' own autocorrelation time, is the autocorrelation time counted in
/// requests: τ = Var(sum) / (n̄ σ²) · τ(ticks). It sees correlations much shorter than a tick (batch means: Alexopoulos
/// and Seila in Banks (ed.), *Handbook of Simulation*, 1998, chapter 7).
pub fn requests_per_independent(sums: &[f64], variance: f64, requests: u64) -> f64 {
    if sums.len() < 2 || variance <= 0.0 || requests == 0 {
        return 1.0;
    }
    let square = sums.iter().map(|s| s * s).sum::<f64>() / (sums.len() - 1) as f64;
    let per_tick = requests as f64 / sums.len() as f64;
    (square / (per_tick * variance) * time(sums)).max(1.0)
}

fn centred(series: &[f64]) -> Vec<f64> {
    let mean = series.iter().sum::<f64>() / series.len().max(1) as f64;
    series.iter().map(|x| x - mean).collect()
}

fn covariance(centred: &[f64], lag: usize) -> f64 {
    let products = centred.iter().zip(&centred[lag..]).map(|(a, b)| a * b);
    products.sum::<f64>() / centred.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::Random;

    /// A first-order autoregression with coefficient φ has τ = (1 + φ)/(1 − φ).
    #[track_caller]
    fn check(coefficient: f64, tolerance: f64) {
        let mut random = Random::new(11);
        let mut x = 0.0;
        let series: Vec<f64> = (0..50_000)
            .map(|_| {
                x = coefficient * x + random.exponential(1.0) - 1.0;
                x
            })
            .collect();
        let expected = (1.0 + coefficient) / (1.0 - coefficient);
        let ratio = time(&series) / expected;
        assert!((ratio - 1.0).abs() < tolerance, "{ratio} times {expected}");
    }

    #[test]
    fn autoregressions_have_their_known_time() {
        check(0.0, 0.1);
        check(0.5, 0.1);
        check(0.9, 0.15);
    }

    #[test]
    fn alternating_constant_and_tiny_series_count_as_independent() {
        let alternating: Vec<f64> = (0..100).map(|i| f64::from(i % 2)).collect();
        for series in [&alternating[..], &[3.0; 50], &[1.0, 2.0], &[1.0], &[]] {
            assert_eq!(time(series), 1.0);
        }
    }

    #[test]
    fn requests_in_pairs_count_half() {
        // Each tick holds 100 requests, 50 pairs of twins: the sum's variance is 50 · 2² σ² = 200 σ².
        let mut random = Random::new(12);
        let sums: Vec<f64> = (0..5_000).map(|_| (0..50).map(|_| 2.0 * (random.exponential(1.0) - 1.0)).sum()).collect();
        let worth = requests_per_independent(&sums, 1.0, 500_000);
        assert!((worth - 2.0).abs() < 0.3, "{worth} requests count for one");
    }
}
