//! Which quantile is meant: a validated share, its name (`p99.9`), and how many samples it wants.

use std::fmt;
use std::str::FromStr;

/// A share strictly between 0 and 1, named like `p99` or `p99.9`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Quantile(f64); // in (0, 1)

/// Why a text names no quantile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a quantile: expected a name like `p50`, `p99` or `p99.9`")]
pub struct ParseQuantileError(String);

impl Quantile {
    /// The median.
    pub const P50: Self = Self(0.5);
    /// The 90th percentile.
    pub const P90: Self = Self(0.9);
    /// The 95th percentile.
    pub const P95: Self = Self(0.95);
    /// The 99th percentile.
    pub const P99: Self = Self(0.99);
    /// The 99.9th percentile.
    pub const P999: Self = Self(0.999);

    /// The quantile of `share`, when that lies strictly between 0 and 1.
    pub fn new(share: f64) -> Option<Self> {
        (share > 0.0 && share < 1.0).then_some(Self(share))
    }

    /// The share of values at or below this quantile.
    pub const fn share(self) -> f64 {
        self.0
    }

    /// The rank ⌈q·n⌉ of this quantile among `n` values, at least 1.
    pub fn rank(self, n: u64) -> u64 {
        // Without the hair's breadth 0.07 · 100 = 7.000000000000001 would give rank 8.
        ((self.0 * n as f64 * (1.0 - 1e-14)).ceil() as u64).max(1)
    }

    /// How many independent samples let the largest exceed this quantile with 95 %: the smallest n with
    /// 1 − qⁿ ≥ 0.95 (Wilks, "Determination of sample sizes for setting tolerance limits", 1941). With fewer, the
    /// data says nothing about the quantile.
    pub fn samples_wanted(self) -> u64 {
        (0.05f64.ln() / self.0.ln()).ceil() as u64
    }
}

impl FromStr for Quantile {
    type Err = ParseQuantileError;

    /// Reads `p99`, `p99.9`, and the wide-spread `p999` for the latter: three digits and more, all without a
    /// point, are read as decimals when they begin with `99`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).ok_or_else(|| ParseQuantileError(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Quantile> {
    let digits = text.strip_prefix(['p', 'P'])?;
    let (whole, decimals) = match digits.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None if digits.starts_with("99") => digits.split_at(2),
        None => (digits, ""),
    };
    let plain = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || whole.len() > 2 || !plain(whole) || !plain(decimals) {
        return None;
    }
    // Moving the point in the text, not dividing by 100, keeps `p99.9` equal to `P999`.
    Quantile::new(format!("0.{whole:0>2}{decimals}").parse().ok()?)
}

impl fmt::Display for Quantile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = self.0.to_string();
        let decimals = format!("{:0<2}", share.trim_start_matches("0."));
        let (whole, rest) = decimals.split_at(2);
        let whole = whole.strip_prefix('0').unwrap_or(whole);
        let point = if rest.is_empty() { "" } else { "." };
        write!(f, "p{whole}{point}{rest}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, share: f64, name: &str) {
        let quantile: Quantile = text.parse().expect("the text names a quantile");
        assert_eq!(quantile.share(), share);
        assert_eq!(quantile.to_string(), name);
        assert_eq!(name.parse(), Ok(quantile));
    }

    #[test]
    fn names_are_read_and_written() {
        check("p50", 0.5, "p50");
        check("P90", 0.9, "p90");
        check("p99", 0.99, "p99");
        check("p99.9", 0.999, "p99.9");
        check("p999", 0.999, "p99.9");
        check("p9999", 0.9999, "p99.99");
        check("p99.0", 0.99, "p99");
        check("p5", 0.05, "p5");
        check("p0.1", 0.001, "p0.1");
    }

    #[track_caller]
    fn check_refused(text: &str) {
        let error = text.parse::<Quantile>().expect_err("this is no quantile");
        assert!(error.to_string().contains(text));
    }

    #[test]
    fn what_is_no_quantile_is_refused() {
        for text in ["", "p", "99", "p0", "p100", "p-1", "pNaN", "p1e1", "p99.", "p.9", "p9.9.9", "p٣", "p+9"] {
            check_refused(text);
        }
        assert_eq!(Quantile::new(f64::NAN), None);
        assert_eq!(Quantile::new(1.0), None);
        assert_eq!(Quantile::new(0.0), None);
    }

    #[test]
    fn samples_wanted_is_wilks_formula() {
        let wanted =
            [Quantile::P50, Quantile::P90, Quantile::P95, Quantile::P99, Quantile::P999].map(Quantile::samples_wanted);
        assert_eq!(wanted, [5, 29, 59, 299, 2995]);
    }

    #[test]
    fn ranks_are_exact() {
        let rank = |q, n| Quantile::new(q).expect("a share").rank(n);
        assert_eq!(rank(0.99, 100), 99);
        assert_eq!(rank(0.99, 101), 100);
        assert_eq!(rank(0.07, 100), 7);
        assert_eq!(rank(0.5, 1), 1);
        assert_eq!(rank(0.01, 10), 1);
        assert_eq!(rank(0.999, 1_000_000_000), 999_000_000);
    }
}
