//! Random numbers that can be asked for in any order.
//!
//! A stream is keyed by what it is for, not by who asks first: (seed, purpose, a, b), where a is the arrival in the
//! open model, and (a, b) are user and iteration in the closed one. So equal plans make equal choices whatever the
//! number of threads, and nothing is shared between them. Not for secrets.

/// What a stream is drawn for. Streams of different purposes know nothing of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Which journey it is.
    Mix,
    /// How long somebody thinks; one stream for all pauses of an iteration, drawn in their order.
    Think,
    /// Which row of the plan's n-th data file it is: two files must not be read in step.
    Row(u32),
    /// What functions in templates make up.
    Value,
}

impl Purpose {
    fn number(self) -> u64 {
        match self {
            Self::Mix => 1,
            Self::Think => 2,
            Self::Value => 3,
            Self::Row(file) => (1 << 32) | u64::from(file),
        }
    }
}

/// A stream of random numbers: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// 2014), which is a counter and a mixer, begun where the mixed key says.
#[derive(Debug, Clone)]
pub struct Stream {
    state: u64,
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Stream {
    /// The stream of a key.
    pub fn new(seed: u64, purpose: Purpose, a: u64, b: u64) -> Self {
        // For any three parts of the key, this is one-to-one in the fourth. The state is mixed once more than the part
        // that joins it, lest seed 1 for purpose 2 be seed 2 for purpose 1.
        let join = |state: u64, part: u64| mix(mix(state.wrapping_add(GOLDEN)) ^ mix(part.wrapping_add(GOLDEN)));
        let state = [purpose.number(), a, b].into_iter().fold(mix(seed.wrapping_add(GOLDEN)), join);
        Self { state }
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// Uniform in (0, 1]: never zero, so that its logarithm is finite.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        ((self.bits() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in `[0, bound)`, without bias (Lemire, "Fast random integer generation in an interval", 2019); 0 if
    /// there is nothing to choose from.
    pub fn below(&mut self, bound: u64) -> u64 {
        let unfair = bound.wrapping_neg().checked_rem(bound).unwrap_or(0);
        loop {
            let product = u128::from(self.bits()) * u128::from(bound);
            if product as u64 >= unfair {
                return (product >> 64) as u64;
            }
        }
    }

    /// Standard normal (Box and Muller, "A note on the generation of random normal deviates", 1958). Its twin is
    /// not kept, so that every call draws two numbers and no more.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// An index, each as often as its weight says; none if the weights sum to nothing. Weights that are below zero
    /// or no numbers count as nothing.
    pub fn choose(&mut self, weights: &[f64]) -> Option<usize> {
        let weight = |weight: &f64| if weight.is_finite() { weight.max(0.0) } else { 0.0 };
        let total: f64 = weights.iter().map(weight).sum();
        let aim = self.uniform() * total;
        let mut sum = 0.0;
        let mut last = None;
        for (index, weight) in weights.iter().map(weight).enumerate().filter(|(_, weight)| *weight > 0.0) {
            sum += weight;
            last = Some(index);
            if aim <= sum {
                break;
            }
        }
        last
    }
}

/// The mixer of SplitMix64 (variant 13 of Stafford): every bit of the result depends on every bit given.
fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_numbers_are_those_of_split_mix() {
        // The first outputs of SplitMix64 seeded with 0, as published with Vigna's code.
        let mut stream = Stream { state: 0 };
        assert_eq!([stream.bits(), stream.bits()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn streams_are_pinned() {
        // A change here changes every run that anybody wants to repeat.
        let first = |purpose, a, b| Stream::new(7, purpose, a, b).bits();
        let all = [first(Purpose::Mix, 0, 0), first(Purpose::Think, 1, 2), first(Purpose::Row(3), 2, 1)];
        assert_eq!(all, [2_213_515_256_199_645_878, 15_230_608_747_367_297_991, 10_261_202_331_977_026_449]);
    }

    #[test]
    fn neighbouring_keys_have_nothing_in_common() {
        let purposes = [Purpose::Mix, Purpose::Think, Purpose::Value, Purpose::Row(0), Purpose::Row(1)];
        let mut seen = HashSet::new();
        for seed in 0..3 {
            for purpose in purposes {
                for (a, b) in (0..40).flat_map(|a| (0..40).map(move |b| (a, b))) {
                    assert!(seen.insert(Stream::new(seed, purpose, a, b).bits()), "{seed} {purpose:?} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn first_numbers_of_neighbouring_keys_are_uniform() {
        // Most streams are asked once, so it is across keys that they must be fair: chi squared over 64 cells.
        let mut cells = [0.0; 64];
        for arrival in 0..64_000 {
            cells[Stream::new(1, Purpose::Row(0), arrival, 0).below(64) as usize] += 1.0;
        }
        let chi: f64 = cells.iter().map(|count: &f64| (count - 1000.0).powi(2) / 1000.0).sum();
        // 63 degrees of freedom: mean 63, deviation 11.2.
        assert!((25.0..110.0).contains(&chi), "{chi}");
    }

    #[test]
    fn below_stays_below() {
        let mut stream = Stream::new(1, Purpose::Value, 0, 0);
        for bound in [1, 2, 3, 1000, u64::MAX] {
            assert!((0..1000).all(|_| stream.below(bound) < bound), "{bound}");
        }
        assert_eq!(stream.below(0), 0);
    }

    #[track_caller]
    fn check(weights: &[f64], expected: &[f64]) {
        let mut counts = vec![0.0; weights.len()];
        let draws = 20_000_u32;
        for arrival in 0..draws {
            let index = Stream::new(5, Purpose::Mix, arrival.into(), 0).choose(weights).expect("there is a choice");
            counts[index] += 1.0;
        }
        for (count, share) in counts.iter().zip(expected) {
            let mean = share * f64::from(draws);
            assert!((count - mean).abs() <= 4.5 * (mean * (1.0 - share)).sqrt(), "{counts:?}");
        }
    }

    #[test]
    fn choices_follow_their_weights() {
        check(&[1.0], &[1.0]);
        check(&[3.0, 1.0], &[0.75, 0.25]);
        check(&[0.0, 0.5, 0.0, 0.5, 0.0], &[0.0, 0.5, 0.0, 0.5, 0.0]);
        check(&[f64::NAN, -1.0, 2.0], &[0.0, 0.0, 1.0]);
    }

    #[test]
    fn weights_that_sum_to_nothing_leave_no_choice() {
        for weights in [&[][..], &[0.0, 0.0], &[-1.0], &[f64::NAN], &[f64::INFINITY]] {
            assert_eq!(Stream::new(1, Purpose::Mix, 0, 0).choose(weights), None, "{weights:?}");
        }
    }
}
