//! When each arrival of the open model is due: a pure function of shape, spacing and seed.
//!
//! Arrival `k` is due when the area under the rate reaches `k` (even spacing) or the sum of `k + 1` unit
//! exponentials (a Poisson process with that rate; Çinlar's inversion). The exponentials are keyed by seed and
//! arrival, so that each slice sees exactly its share of one and the same sequence.

use plimsoll_model::{Arrivals, Shape};

use crate::clock::{Moment, moment_at, nanos};

/// Which part of the arrivals a worker takes: every `of`-th, beginning with `index`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slice {
    /// In `[0, of)`.
    pub(crate) index: u64,
    /// At least 1.
    pub(crate) of: u64,
}

impl Slice {
    /// This slice's part of something that all slices share; the parts add up to the whole.
    pub(crate) fn part_of(self, whole: u64) -> u64 {
        whole / self.of + u64::from(self.index < whole % self.of)
    }
}

/// The arrivals of one slice in order.
pub(crate) struct Schedule {
    shape: Shape,
    arrivals: Arrivals,
    seed: u64,
    slice: Slice,
    next: u64,
    end: u64,
    area: f64,
}

/// One arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrival {
    /// Its number among all arrivals of the run.
    pub(crate) number: u64,
    /// When it is due.
    pub(crate) due: Moment,
}

impl Schedule {
    /// `requests_max` ends the whole schedule, all slices together, after so many arrivals.
    pub(crate) fn new(shape: Shape, arrivals: Arrivals, seed: u64, slice: Slice, requests_max: Option<u64>) -> Self {
        let end = requests_max.unwrap_or(u64::MAX);
        Self { shape, arrivals, seed, slice, next: 0, end, area: 0.0 }
    }

    /// The area under the rate at which the next arrival is due.
    fn advance(&mut self) -> f64 {
        let number = self.next;
        self.next += 1;
        match self.arrivals {
            Arrivals::Even | Arrivals::Bursts(_) => number as f64,
            Arrivals::Poisson => {
                self.area += unit_exponential(self.seed, number);
                self.area
            }
        }
    }
}

impl Iterator for Schedule {
    type Item = Arrival;

    fn next(&mut self) -> Option<Arrival> {
        loop {
            if self.next >= self.end {
                return None;
            }
            let number = self.next;
            let area = self.advance();
            if number % self.slice.of == self.slice.index {
                let due = moment_at(self.shape.time_at_area(area)?);
                let due = match self.arrivals {
                    Arrivals::Bursts(every) => due - due % nanos(every).max(1),
                    Arrivals::Even | Arrivals::Poisson => due,
                };
                return Some(Arrival { number, due });
            }
        }
    }
}

/// An exponential variate with mean 1, keyed by seed and arrival.
fn unit_exponential(seed: u64, arrival: u64) -> f64 {
    let bits = mix(mix(seed).wrapping_add(arrival.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    // 53 bits give a uniform in (0, 1]: never zero, so the logarithm is finite.
    let uniform = ((bits >> 11) + 1) as f64 / (1_u64 << 53) as f64;
    -uniform.ln()
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit of the result depends on every bit given.
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const WHOLE: Slice = Slice { index: 0, of: 1 };

    fn schedule(arrivals: Arrivals, slice: Slice) -> Schedule {
        let shape = Shape::parse_open("100/s for 2s, ramp to 300/s over 2s").expect("valid");
        Schedule::new(shape, arrivals, 7, slice, None)
    }

    #[test]
    fn even_arrivals_are_as_many_as_the_area_under_the_rate() {
        let arrivals: Vec<Arrival> = schedule(Arrivals::Even, WHOLE).collect();
        assert_eq!(arrivals.len(), 200 + 400);
        assert_eq!(arrivals[0].due, 0);
        assert_eq!(arrivals[100].due, 1_000_000_000);
    }

    #[test]
    fn slices_add_up_to_the_whole_exactly() {
        for spacing in [Arrivals::Even, Arrivals::Poisson] {
            let whole: Vec<Arrival> = schedule(spacing, WHOLE).collect();
            let mut parts: Vec<Arrival> = (0..3).flat_map(|index| schedule(spacing, Slice { index, of: 3 })).collect();
            parts.sort_by_key(|arrival| arrival.number);
            assert_eq!(parts, whole, "{spacing:?}");
        }
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        for (whole, of) in [(10, 3), (1000, 7), (64, 64), (1, 4)] {
            assert_eq!((0..of).map(|index| Slice { index, of }.part_of(whole)).sum::<u64>(), whole);
        }
    }

    #[test]
    fn bursts_gather_arrivals_on_a_grid() {
        let shape = Shape::constant(1000.0, Some(Duration::from_secs(1)));
        let bursts = Arrivals::Bursts(Duration::from_millis(10));
        let dues: Vec<Moment> = Schedule::new(shape, bursts, 1, WHOLE, None).map(|arrival| arrival.due).collect();
        assert_eq!(dues.len(), 1000);
        assert!(dues.iter().all(|due| due % 10_000_000 == 0));
        assert_eq!(dues.iter().filter(|due| **due == 0).count(), 10);
    }

    #[test]
    fn a_count_of_requests_ends_the_schedule() {
        let shape = Shape::constant(1000.0, None);
        let schedule = Schedule::new(shape, Arrivals::Poisson, 1, WHOLE, Some(50));
        assert_eq!(schedule.count(), 50);
    }

    #[test]
    fn poisson_arrivals_have_the_mean_and_variance_of_their_process() {
        let shape = Shape::constant(1000.0, Some(Duration::from_secs(100)));
        let per_second =
            Schedule::new(shape, Arrivals::Poisson, 3, WHOLE, None).fold([0.0; 100], |mut counts, arrival| {
                counts[(arrival.due / 1_000_000_000) as usize] += 1.0;
                counts
            });
        let mean = per_second.iter().sum::<f64>() / 100.0;
        let variance = per_second.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / 99.0;
        // Both are 1000; the bounds are four standard errors wide.
        assert!((mean - 1000.0).abs() < 4.0 * 1000_f64.sqrt() / 10.0, "{mean}");
        assert!((variance / 1000.0 - 1.0).abs() < 4.0 * (2.0 / 99.0_f64).sqrt(), "{variance}");
    }

    #[test]
    fn another_seed_gives_other_arrivals() {
        let dues = |seed| {
            let shape = Shape::constant(10.0, Some(Duration::from_secs(1)));
            Schedule::new(shape, Arrivals::Poisson, seed, WHOLE, None).map(|arrival| arrival.due).collect::<Vec<_>>()
        };
        assert_eq!(dues(1), dues(1));
        assert_ne!(dues(1), dues(2));
    }
}
