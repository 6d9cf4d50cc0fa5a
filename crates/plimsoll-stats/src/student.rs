//! Critical values of Student's t and of the normal distribution, by bisection of exact series.
//!
//! Own code rather than a crate: it is two sums, and needs neither speed nor a table. Source: Abramowitz and
//! Stegun, *Handbook of Mathematical Functions*, 26.7.3, 26.7.4 and 26.2.10.

use std::f64::consts::PI;

/// The t for which |T| ≤ t with probability `confidence`, T having Student's distribution with `freedom` degrees of
/// freedom (at least 1; beyond 10 000 as with 10 000).
pub fn t(confidence: f64, freedom: usize) -> f64 {
    let freedom = freedom.clamp(1, 10_000);
    solve(confidence, |t| t_within(t, freedom))
}

/// The z for which |Z| ≤ z with probability `confidence`, Z being standard normal.
pub fn z(confidence: f64) -> f64 {
    solve(confidence, z_within)
}

/// P(|T| ≤ t). With θ = atan(t/√ν), c = cos θ and ν degrees of freedom:
/// ν even: sin θ · (1 + 1/2 c² + 1·3/(2·4) c⁴ + … up to c^(ν−2));
/// ν odd: 2/π · (θ + sin θ · (c + 2/3 c³ + 2·4/(3·5) c⁵ + … up to c^(ν−2))).
fn t_within(t: f64, freedom: usize) -> f64 {
    let angle = (t / (freedom as f64).sqrt()).atan();
    let (sin, cos) = angle.sin_cos();
    let odd = freedom % 2;
    let mut term = if odd == 1 { cos } else { 1.0 };
    let mut sum = 0.0;
    for k in (odd..freedom.saturating_sub(1)).step_by(2) {
        sum += term;
        term *= cos * cos * (k + 1) as f64 / (k + 2) as f64;
    }
    match odd {
        1 => 2.0 / PI * (angle + sin * sum),
        _ => sin * sum,
    }
}

/// P(|Z| ≤ z) = 2φ(z) · (z + z³/3 + z⁵/(3·5) + …), φ being the density.
fn z_within(z: f64) -> f64 {
    let (mut term, mut sum, mut k) = (z, 0.0, 1.0);
    while term > 1e-17 * sum {
        sum += term;
        k += 2.0;
        term *= z * z / k;
    }
    2.0 * sum * (-z * z / 2.0).exp() / (2.0 * PI).sqrt()
}

/// Where the growing function `within` reaches `confidence`, which is held to 0 … 1 − 10⁻⁹.
fn solve(confidence: f64, within: impl Fn(f64) -> f64) -> f64 {
    let confidence = confidence.clamp(0.0, 1.0 - 1e-9);
    let (mut low, mut high) = (0.0, 1.0);
    while within(high) < confidence {
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if within(middle) < confidence {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: f64, printed: f64) {
        assert!((value - printed).abs() <= 5e-4 * printed, "{value}, not {printed}");
    }

    #[test]
    fn critical_values_are_those_of_the_printed_tables() {
        check(t(0.95, 1), 12.706);
        check(t(0.95, 2), 4.303);
        check(t(0.95, 3), 3.182);
        check(t(0.95, 4), 2.776);
        check(t(0.99, 5), 4.032);
        check(t(0.90, 30), 1.697);
        check(t(0.999, 6), 5.959);
        check(t(0.95, 1_000_000), 1.960);
        check(z(0.95), 1.960);
        check(z(0.99), 2.576);
        check(z(0.6827), 1.000);
        check(z(0.999_999_9), 5.327);
    }

    #[test]
    fn impossible_confidences_stay_finite() {
        for confidence in [-1.0, 0.0, 1.0, 2.0] {
            assert!(t(confidence, 3).is_finite() && z(confidence).is_finite());
        }
    }
}
