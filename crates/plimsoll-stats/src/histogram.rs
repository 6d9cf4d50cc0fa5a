//! A histogram of durations in nanoseconds: three significant digits, any `u64`, lossless merging.
//!
//! It owns the counts and, beside them, the exact sum, minimum and maximum. It does not know what is measured.
//! The layout is HdrHistogram's (`layout`); the code is ours because recording is the product's hot path, and
//! because a tick's histogram must be small: only the stretch of buckets between the fastest and the slowest
//! value is held, and an empty histogram holds none. The `hdrhistogram` crate is the oracle in the tests.

mod bytes;
mod coarse;
mod layout;

pub use bytes::DecodeError;
pub use coarse::log_edges;

use crate::quantile::Quantile;

/// Counts of durations, to three significant digits.
#[derive(Clone)]
pub struct Histogram {
    counts: Vec<u64>, // the buckets from `first` on; its length is a multiple of `layout::STRETCH`
    first: usize,     // a multiple of `layout::STRETCH`
    total: u64,
    sum: u128,
    min: u64, // `u64::MAX` when empty
    max: u64, // 0 when empty
}

/// A non-empty bucket: `count` values in `low..=high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// The least value that falls into the bucket, in nanoseconds.
    pub low: u64,
    /// The greatest value that falls into the bucket, in nanoseconds.
    pub high: u64,
    /// How many values fell into it.
    pub count: u64,
}

impl Histogram {
    /// An empty histogram. It allocates nothing until the first value.
    pub const fn new() -> Self {
        Self { counts: Vec::new(), first: 0, total: 0, sum: 0, min: u64::MAX, max: 0 }
    }

    /// Counts one value. Never fails: counts saturate.
    #[inline]
    pub fn record(&mut self, ns: u64) {
        self.record_n(ns, 1);
    }

    /// Counts `n` values of `ns` nanoseconds.
    #[inline]
    pub fn record_n(&mut self, ns: u64, n: u64) {
        if n == 0 {
            return;
        }
        let index = layout::index(ns);
        match self.counts.get_mut(index.wrapping_sub(self.first)) {
            Some(count) => *count = count.saturating_add(n),
            None => self.add_outside(index, n),
        }
        self.total = self.total.saturating_add(n);
        self.sum = self.sum.saturating_add(u128::from(ns) * u128::from(n));
        self.min = self.min.min(ns);
        self.max = self.max.max(ns);
    }

    /// Adds the values of `other`; exactly the histogram that had recorded both.
    pub fn merge(&mut self, other: &Self) {
        if other.is_empty() {
            return;
        }
        self.reserve(layout::index(other.min));
        self.reserve(layout::index(other.max));
        // Both ends were reserved, so `other`'s stretches lie within ours but for unused ones at its ends.
        let (start, end) = (self.first.max(other.first), self.end().min(other.end()));
        let ours = &mut self.counts[start - self.first..end - self.first];
        let theirs = &other.counts[start - other.first..end - other.first];
        // No count exceeds the total, so they saturate only if the total does; plain sums are several times faster.
        let pairs = ours.iter_mut().zip(theirs);
        if self.total.checked_add(other.total).is_some() {
            pairs.for_each(|(count, &n)| *count = count.wrapping_add(n));
        } else {
            pairs.for_each(|(count, &n)| *count = count.saturating_add(n));
        }
        self.total = self.total.saturating_add(other.total);
        self.sum = self.sum.saturating_add(other.sum);
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// Forgets every value and keeps the memory.
    pub fn clear(&mut self) {
        let (mut counts, first) = (std::mem::take(&mut self.counts), self.first);
        counts.fill(0);
        *self = Self { counts, first, ..Self::new() };
    }

    /// How many values were recorded.
    pub const fn len(&self) -> u64 {
        self.total
    }

    /// Whether nothing was recorded.
    pub const fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The value that at least a share `q` of the values does not exceed: the ⌈q·n⌉-th smallest, rounded up to its
    /// bucket's end or to the maximum. `None` when empty. For every bound, `quantile(q) <= bound` exactly when
    /// [`count_at_most`](Self::count_at_most) of the bound reaches that rank.
    pub fn quantile(&self, q: Quantile) -> Option<u64> {
        self.value_at_rank(q.rank(self.total))
    }

    /// The `rank`-th smallest value (1 is the smallest), rounded up as in [`quantile`](Self::quantile). `None` when
    /// there are not that many values.
    pub fn value_at_rank(&self, rank: u64) -> Option<u64> {
        if rank > self.total {
            return None;
        }
        let mut below = 0u64;
        let (index, _) = self.indexed().find(|&(_, count)| {
            below = below.saturating_add(count);
            below >= rank
        })?;
        Some(layout::high(index).min(self.max))
    }

    /// The greatest value, exactly.
    pub fn max(&self) -> Option<u64> {
        (!self.is_empty()).then_some(self.max)
    }

    /// The least value, exactly.
    pub fn min(&self) -> Option<u64> {
        (!self.is_empty()).then_some(self.min)
    }

    /// The mean, exactly (as far as `f64` goes).
    pub fn mean(&self) -> Option<f64> {
        (!self.is_empty()).then(|| self.sum as f64 / self.total as f64)
    }

    /// The sum of all values, exactly.
    pub const fn sum(&self) -> u128 {
        self.sum
    }

    /// The standard deviation (dividing by n), from the buckets' middles.
    pub fn stdev(&self) -> Option<f64> {
        let mean = self.mean()?;
        let squares: f64 = self.buckets().map(|b| b.count as f64 * (b.middle() - mean).powi(2)).sum();
        Some((squares / self.total as f64).sqrt())
    }

    /// How many values surely are at most `ns`: a bucket that reaches past `ns` is left out.
    pub fn count_at_most(&self, ns: u64) -> u64 {
        if ns >= self.max {
            return self.total;
        }
        self.buckets().take_while(|b| b.high <= ns).fold(0, |sum, b| sum.saturating_add(b.count))
    }

    /// The non-empty buckets, from the fastest on.
    pub fn buckets(&self) -> impl Iterator<Item = Bucket> + '_ {
        self.indexed().map(|(index, count)| Bucket { low: layout::low(index), high: layout::high(index), count })
    }

    fn indexed(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        (self.first..).zip(self.counts.iter().copied()).filter(|&(_, count)| count > 0)
    }

    fn end(&self) -> usize {
        self.first + self.counts.len()
    }

    #[cold]
    fn add_outside(&mut self, index: usize, n: u64) {
        self.reserve(index);
        self.counts[index - self.first] = n;
    }

    /// Grows the held stretch so that it covers `index`.
    fn reserve(&mut self, index: usize) {
        let start = index / layout::STRETCH * layout::STRETCH;
        if self.counts.is_empty() {
            self.first = start;
        }
        if start < self.first {
            let missing = self.first - start;
            self.counts.splice(0..0, std::iter::repeat_n(0, missing));
            self.first = start;
        }
        let end = start + layout::STRETCH - self.first;
        if end > self.counts.len() {
            self.counts.resize(end, 0);
        }
    }
}

impl Bucket {
    /// The middle of the bucket.
    pub fn middle(&self) -> f64 {
        self.low as f64 + (self.high - self.low) as f64 / 2.0
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

/// Equal when the same counts, sum, minimum and maximum are held, whatever memory was reserved for them.
impl PartialEq for Histogram {
    fn eq(&self, other: &Self) -> bool {
        (self.total, self.sum, self.min, self.max) == (other.total, other.sum, other.min, other.max)
            && self.indexed().eq(other.indexed())
    }
}

impl Eq for Histogram {}

impl std::fmt::Debug for Histogram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Histogram")
            .field("len", &self.len())
            .field("min", &self.min())
            .field("p50", &self.quantile(Quantile::P50))
            .field("p99", &self.quantile(Quantile::P99))
            .field("max", &self.max())
            .finish()
    }
}
