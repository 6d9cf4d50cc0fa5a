//! A histogram in a few bins, for pictures: it owns the edges, not the drawing.

use super::Histogram;

impl Histogram {
    /// Counts between `edges` (ascending, nanoseconds): up to the first edge, then between each edge and the next
    /// (the upper one included), and last what lies beyond them all. The counts add up to [`len`](Self::len).
    pub fn coarse(&self, edges: &[u64]) -> Vec<u64> {
        let mut counts = vec![0u64; edges.len() + 1];
        for bucket in self.buckets() {
            let bin = edges.partition_point(|&edge| edge < bucket.high.min(self.max));
            counts[bin] = counts[bin].saturating_add(bucket.count);
        }
        counts
    }
}

/// At most `bins` upper edges, evenly spaced on a log scale; the last is `high`. Edges that would coincide (the
/// range is too narrow for that many integers) are left out.
pub fn log_edges(low: u64, high: u64, bins: usize) -> Vec<u64> {
    let (low_ln, high_ln) = ((low.max(1) as f64).ln(), (high.max(1) as f64).ln());
    let mut edges: Vec<u64> = (1..bins)
        .map(|i| low_ln + (high_ln - low_ln) * i as f64 / bins as f64)
        .map(|ln| (ln.exp().round() as u64).min(high))
        .chain((bins > 0).then_some(high))
        .collect();
    edges.dedup();
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(values: &[u64], edges: &[u64], expected: &[u64]) {
        let mut histogram = Histogram::new();
        values.iter().for_each(|&v| histogram.record(v));
        assert_eq!(histogram.coarse(edges), expected);
    }

    #[test]
    fn every_value_lands_in_one_bin() {
        check(&[], &[10], &[0, 0]);
        check(&[1, 10, 11, 100, 101], &[10, 100], &[2, 2, 1]);
        check(&[5_000_000], &[1, 5_000_000], &[0, 1, 0]);
        check(&[7], &[], &[1]);
    }

    #[test]
    fn edges_are_evenly_spaced_on_a_log_scale() {
        assert_eq!(log_edges(1, 10_000, 4), [10, 100, 1_000, 10_000]);
        assert_eq!(log_edges(3, 4, 8), [3, 4]);
        assert_eq!(log_edges(7, 7, 3), [7]);
        assert!(log_edges(1, 10, 0).is_empty());
    }
}
