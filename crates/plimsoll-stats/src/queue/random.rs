//! A small seeded generator, so that simulations are the same everywhere. Not for secrets.

/// xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), seeded by
/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random {
    state: [u64; 4],
    ziggurat: &'static Ziggurat,
}

impl Random {
    /// The stream of `seed`.
    pub fn new(seed: u64) -> Self {
        let mut split = seed;
        Self { state: std::array::from_fn(|_| split_mix(&mut split)), ziggurat: &ZIGGURAT }
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Uniform in (0, 1].
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        ((self.bits() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    /// Exponentially distributed with `mean`.
    #[inline]
    pub fn exponential(&mut self, mean: f64) -> f64 {
        loop {
            let bits = self.bits();
            let layer = (bits & 0xff) as usize;
            let x = (bits >> 11) as f64 / (1u64 << 53) as f64 * self.ziggurat.width[layer];
            if x < self.ziggurat.width[layer + 1] {
                return x * mean;
            }
            if let Some(x) = self.near_the_curve(layer, x) {
                return x * mean;
            }
        }
    }

    /// One draw in a hundred: from the tail, or kept with the share of the layer that lies under the curve.
    #[cold]
    fn near_the_curve(&mut self, layer: usize, x: f64) -> Option<f64> {
        if layer == 0 {
            return Some(TAIL - self.uniform().ln());
        }
        let (low, high) = (self.ziggurat.height[layer], self.ziggurat.height[layer + 1]);
        (low + self.uniform() * (high - low) < (-x).exp()).then_some(x)
    }
}

/// 256 layers of equal area that cover e⁻ˣ (Marsaglia and Tsang, "The ziggurat method for generating random
/// variables", 2000): twice as fast as a logarithm, and simulations draw billions.
#[derive(Debug)]
struct Ziggurat {
    width: [f64; 257],
    height: [f64; 257], // e to the minus `width`
}

const TAIL: f64 = 7.697_117_470_131_05; // where the lowest layer's tail begins
const AREA: f64 = 0.003_949_659_822_581_557; // of each layer

static ZIGGURAT: std::sync::LazyLock<Ziggurat> = std::sync::LazyLock::new(|| {
    let mut width = [0.0; 257];
    width[0] = AREA * TAIL.exp();
    width[1] = TAIL;
    for i in 1..255 {
        width[i + 1] = -(AREA / width[i] + (-width[i]).exp()).ln();
    }
    Ziggurat { width, height: width.map(|x: f64| (-x).exp()) }
});

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeding_is_split_mix() {
        // The first outputs of SplitMix64 seeded with 0, as published with Vigna's code.
        let mut state = 0;
        assert_eq!(split_mix(&mut state), 0xe220_a839_7b1d_cdaf);
        assert_eq!(split_mix(&mut state), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn exponentials_have_their_mean_and_spread() {
        let mut random = Random::new(7);
        let draws: Vec<f64> = (0..200_000).map(|_| random.exponential(3.0)).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let square = draws.iter().map(|x| x * x).sum::<f64>() / draws.len() as f64;
        assert!((mean - 3.0).abs() < 0.03, "mean {mean}");
        assert!((square - 18.0).abs() < 0.6, "mean square {square}");
        for x in [0.01, 0.1, 1.0, 3.0, 10.0, 20.0f64] {
            let beyond = draws.iter().filter(|&&draw| draw > x).count() as f64;
            let expected = (-x / 3.0).exp() * draws.len() as f64;
            let tolerance = 4.0 * expected.sqrt();
            assert!((beyond - expected).abs() < tolerance, "{beyond} beyond {x}, not {expected}");
        }
    }
}
