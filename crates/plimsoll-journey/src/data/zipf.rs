//! Zipf's law over ranks: rank k is drawn in proportion to 1/kˢ.
//!
//! By rejection-inversion (Hörmann and Derflinger, "Rejection-inversion to generate variates from monotone discrete
//! distributions", ACM TOMACS 6, 1996): exact, three numbers of set-up whatever the number of ranks, and about 1.1
//! tries a draw. A variate of the density h(x) = x⁻ˢ is drawn by inverting its integral H and rounded to the nearest
//! rank; the few that would make the rank too frequent are drawn again.

use crate::chance::Stream;

/// Zipf's law over so many ranks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Zipf {
    ranks: f64,    // at least 1
    exponent: f64, // in [0, 10]
    /// H where the area of rank 1 begins. Its bar is one wide, which makes it one high: no try for it is wasted.
    area_from: f64,
    /// H where the area of the last rank ends.
    area_to: f64,
    /// So close below its rank a variate needs no second look, whatever the rank.
    sure: f64,
}

impl Zipf {
    /// Steeper than this, everything is the first row.
    pub const EXPONENT_MAX: f64 = 10.0;

    /// None without ranks, or with an exponent outside of [0, 10].
    pub fn new(ranks: u64, exponent: f64) -> Option<Self> {
        if ranks == 0 || !(0.0..=Self::EXPONENT_MAX).contains(&exponent) {
            return None;
        }
        let ranks = ranks as f64;
        let law = Self { ranks, exponent, area_from: 0.0, area_to: 0.0, sure: 0.0 };
        Some(Self {
            area_from: law.area(1.5) - 1.0,
            area_to: law.area(ranks + 0.5),
            sure: 2.0 - law.inverse(law.area(2.5) - law.density(2.0)),
            ..law
        })
    }

    /// The next rank, from 1.
    pub fn sample(&self, stream: &mut Stream) -> u64 {
        loop {
            let area = self.area_to + stream.uniform() * (self.area_from - self.area_to);
            let x = self.inverse(area);
            let rank = x.round().clamp(1.0, self.ranks);
            if rank - x <= self.sure || area >= self.area(rank + 0.5) - self.density(rank) {
                return rank as u64;
            }
        }
    }

    /// h(x) = x⁻ˢ.
    fn density(&self, x: f64) -> f64 {
        (-self.exponent * x.ln()).exp()
    }

    /// H(x) = (x¹⁻ˢ − 1) / (1 − s), which becomes ln x as s goes to 1.
    fn area(&self, x: f64) -> f64 {
        let log = x.ln();
        let slope = (1.0 - self.exponent) * log;
        log * if slope.abs() > 1e-9 { slope.exp_m1() / slope } else { 1.0 + slope / 2.0 }
    }

    /// The x with H(x) = `area`.
    fn inverse(&self, area: f64) -> f64 {
        // Rounding may put it just below −1, where there is no logarithm.
        let slope = (area * (1.0 - self.exponent)).max(-1.0);
        let scale = if slope.abs() > 1e-9 { slope.ln_1p() / slope } else { 1.0 - slope / 2.0 };
        (area * scale).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Purpose;

    /// 200 000 draws against the exact shares of the first ranks and of all that follow.
    #[track_caller]
    fn check(ranks: u64, exponent: f64) {
        let law = Zipf::new(ranks, exponent).expect("it is a law");
        let shown = ranks.min(20) as usize;
        let mut counts = vec![0.0; shown + 1];
        let draws = 200_000_u32;
        for arrival in 0..draws {
            let rank = law.sample(&mut Stream::new(11, Purpose::Row(0), arrival.into(), 0));
            assert!((1..=ranks).contains(&rank), "{rank}");
            counts[(rank as usize - 1).min(shown)] += 1.0;
        }
        let weight = |rank: u64| (rank as f64).powf(-exponent);
        let total: f64 = (1..=ranks).map(weight).sum();
        let mut shares: Vec<f64> = (1..=shown as u64).map(|rank| weight(rank) / total).collect();
        shares.push((1.0 - shares.iter().sum::<f64>()).max(0.0));
        for (rank, (count, share)) in counts.iter().zip(shares).enumerate() {
            let mean = share * f64::from(draws);
            let tolerance = 4.5 * (mean * (1.0 - share)).max(1.0).sqrt();
            assert!((count - mean).abs() <= tolerance, "rank {}: {count}, not {mean}", rank + 1);
        }
    }

    #[test]
    fn ranks_are_as_frequent_as_the_law_says() {
        for exponent in [0.0, 0.5, 0.99, 1.0, 1.000_000_001, 1.2, 2.0, 10.0] {
            for ranks in [1, 2, 3, 10, 1000, 100_000] {
                check(ranks, exponent);
            }
        }
    }

    #[test]
    fn what_is_no_law_is_none() {
        for (ranks, exponent) in [(0, 1.0), (5, -0.1), (5, 10.1), (5, f64::NAN), (5, f64::INFINITY)] {
            assert_eq!(Zipf::new(ranks, exponent), None, "{ranks} {exponent}");
        }
    }

    #[test]
    fn ranks_beyond_counting_are_no_trouble() {
        let law = Zipf::new(u64::MAX, 1.0).expect("it is a law");
        let mut stream = Stream::new(1, Purpose::Row(0), 0, 0);
        assert!((0..1000).all(|_| law.sample(&mut stream) >= 1));
    }
}
