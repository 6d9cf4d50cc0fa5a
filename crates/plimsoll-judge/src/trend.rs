//! Whether a sequence went somewhere, or only wandered.
//!
//! Response times and requests in flight of a busy queue are far from independent: over a few relaxation times they
//! wander like a random walk, and any test that takes seconds for independent cries wolf. So a change is measured
//! against how far a *random walk* with the same steps would have come, which holds whatever the correlation: the
//! sequence is cut into B blocks of equal length with means m₁…m_B, s is the scale of their steps dᵢ = mᵢ₊₁ − mᵢ
//! about their median (1.4826 × the median absolute deviation, so that one jump does not hide itself), and
//! score = (mean of the last 0.3·B blocks − mean of the first 0.3·B blocks) / (s·√B).
//! A walk scores beyond ±1.5 seldom and a settled sequence hardly ever; a steady slope scores without limit.

/// Blocks, where there are values enough.
const BLOCKS: usize = 20;

/// How far a sequence went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Trend {
    /// The mean of its first three tenths.
    pub(crate) before: f64,
    /// The mean of its last three tenths.
    pub(crate) after: f64,
    /// The change beside that of a random walk.
    pub(crate) score: f64,
}

/// The trend of blocks: at most [`BLOCKS`] of `0..len`, whose means `mean` tells; `None` if there are fewer than
/// `blocks_min`, or one has no mean.
pub(crate) fn trend(
    len: usize,
    blocks_min: usize,
    mean: impl Fn(std::ops::Range<usize>) -> Option<f64>,
) -> Option<Trend> {
    let blocks = len.min(BLOCKS);
    if blocks < blocks_min.max(4) {
        return None;
    }
    let means: Vec<f64> =
        (0..blocks).map(|block| mean(block * len / blocks..(block + 1) * len / blocks)).collect::<Option<_>>()?;
    let edge = (blocks * 3).div_ceil(10);
    let average = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let (before, after) = (average(&means[..edge]), average(&means[blocks - edge..]));
    let walk = step_scale(&means) * (blocks as f64).sqrt();
    let change = after - before;
    Some(Trend { before, after, score: if change == 0.0 { 0.0 } else { change / walk } })
}

/// 1.4826 × the median absolute deviation of the steps from their median.
fn step_scale(means: &[f64]) -> f64 {
    let mut steps: Vec<f64> = means.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let typical = median(&mut steps);
    let mut off: Vec<f64> = steps.iter().map(|step| (step - typical).abs()).collect();
    1.4826 * median(&mut off)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(values: &[f64], blocks_min: usize, expected: Option<(f64, f64, bool)>) {
        let mean = |range: std::ops::Range<usize>| {
            let part = &values[range];
            Some(part.iter().sum::<f64>() / part.len() as f64)
        };
        let found = trend(values.len(), blocks_min, mean).map(|t| (t.before, t.after, t.score.abs() > 1.5));
        assert_eq!(found, expected);
    }

    #[test]
    fn slopes_and_jumps_stand_out_from_noise() {
        let noise = |i: usize| if i % 3 == 0 { 0.1 } else { -0.05 };
        let flat: Vec<f64> = (0..20).map(|i| 5.0 + noise(i)).collect();
        let slope: Vec<f64> = (0..20).map(|i| i as f64).collect();
        let jump: Vec<f64> = (0..20).map(|i| if i < 10 { 1.0 } else { 2.0 }).collect();
        assert!(trend(20, 10, |r| Some(flat[r.start])).is_some_and(|t| t.score.abs() < 0.2));
        check(&slope, 10, Some((2.5, 16.5, true)));
        check(&jump, 10, Some((1.0, 2.0, true)));
        check(&[3.0; 20], 10, Some((3.0, 3.0, false)));
        check(&slope[..9], 10, None);
        assert_eq!(trend(20, 10, |_| None), None);
    }
}
