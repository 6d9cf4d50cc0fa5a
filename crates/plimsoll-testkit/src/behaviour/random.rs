//! Seeded random numbers, one independent stream for each thing that is drawn, so that adding an error share to a
//! behaviour does not change its service times.

use std::time::Duration;

/// What a stream of random numbers is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Service times.
    Service = 1,
    /// Which requests fail.
    Error = 2,
    /// Which requests are limited.
    Limit = 3,
    /// When the thief comes and how long it stays.
    Thief = 4,
    /// Which answers are malformed.
    Bad = 5,
}

/// A SplitMix64 generator (Steele, Lea, Flood 2014): 64 bits of state, and any seed is a good one.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of `seed` kept for `stream`.
    pub fn new(seed: u64, stream: Stream) -> Self {
        let mut random = Self { state: seed ^ (stream as u64).wrapping_mul(0xD1B5_4A32_D192_ED03) };
        // Mixed once, so that streams of neighbouring seeds start far apart.
        random.state = random.next_u64();
        random
    }

    /// The next number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with probability `share`.
    pub fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    /// A draw from the exponential distribution with this mean.
    pub fn exponential(&mut self, mean: Duration) -> Duration {
        // 1 − u is in (0, 1], so the logarithm is finite.
        mean.mul_f64(-(1.0 - self.unit()).ln())
    }

    fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_and_streams_differ() {
        let draw = |seed, stream| {
            let mut random = Random::new(seed, stream);
            [random.unit(), random.unit(), random.unit()]
        };
        assert_eq!(draw(7, Stream::Service), draw(7, Stream::Service));
        assert_ne!(draw(7, Stream::Service), draw(7, Stream::Error));
        assert_ne!(draw(7, Stream::Service), draw(8, Stream::Service));
    }

    #[test]
    fn exponential_draws_have_their_mean_and_variance() {
        let mut random = Random::new(1, Stream::Service);
        let draws: Vec<f64> = (0..200_000).map(|_| random.exponential(Duration::from_secs(1)).as_secs_f64()).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / draws.len() as f64;
        assert!((mean - 1.0).abs() < 0.01, "{mean}");
        assert!((variance - 1.0).abs() < 0.03, "{variance}");
    }
}
