//! A histogram as bytes: for the ledger, for ticks over the wire, and for keeping ticks small in memory.
//!
//! `1` (the version), then LEB128 numbers: the bucket count b, the sum's low and high 64 bits, min, max, and b pairs
//! (buckets skipped since the last, count). An empty histogram is the version and a zero. Decoding trusts nothing:
//! its memory is bounded by the layout, whatever the bytes say.

use super::{Histogram, layout};

const VERSION: u8 = 1;

/// Why bytes are not a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The first byte names no version that this code reads.
    #[error("unknown histogram version `{0}`")]
    Version(u8),
    /// The bytes end in the middle.
    #[error("the histogram's bytes end early")]
    Truncated,
    /// A number does not fit 64 bits.
    #[error("a number in the histogram is longer than 64 bits")]
    Overlong,
    /// A bucket lies outside the layout, or holds nothing.
    #[error("the histogram has an impossible bucket")]
    Bucket,
    /// Sum, minimum or maximum cannot belong to these buckets.
    #[error("the histogram's sum, minimum or maximum contradicts its buckets")]
    Contradiction,
    /// Something follows the histogram.
    #[error("`{0}` bytes follow the histogram")]
    Trailing(usize),
}

impl Histogram {
    /// The histogram as bytes, in a size that follows the number of non-empty buckets.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        put(&mut bytes, self.indexed().count() as u64);
        if self.is_empty() {
            return bytes;
        }
        put(&mut bytes, self.sum as u64);
        put(&mut bytes, (self.sum >> 64) as u64);
        put(&mut bytes, self.min);
        put(&mut bytes, self.max);
        let mut next = 0;
        for (index, count) in self.indexed() {
            put(&mut bytes, (index - next) as u64);
            put(&mut bytes, count);
            next = index + 1;
        }
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (&version, mut rest) = bytes.split_first().ok_or(DecodeError::Truncated)?;
        if version != VERSION {
            return Err(DecodeError::Version(version));
        }
        let histogram = read(&mut rest)?;
        match rest.len() {
            0 => Ok(histogram),
            n => Err(DecodeError::Trailing(n)),
        }
    }
}

fn read(rest: &mut &[u8]) -> Result<Histogram, DecodeError> {
    let mut histogram = Histogram::new();
    let buckets = take(rest)?;
    if buckets == 0 {
        return Ok(histogram);
    }
    histogram.sum = u128::from(take(rest)?) | u128::from(take(rest)?) << 64;
    histogram.min = take(rest)?;
    histogram.max = take(rest)?;
    let mut next = 0usize;
    for _ in 0..buckets {
        let index = usize::try_from(take(rest)?)
            .ok()
            .and_then(|skipped| next.checked_add(skipped))
            .filter(|&index| index < layout::BUCKETS)
            .ok_or(DecodeError::Bucket)?;
        let count = take(rest)?;
        if count == 0 {
            return Err(DecodeError::Bucket);
        }
        histogram.reserve(index);
        histogram.counts[index - histogram.first] = count;
        histogram.total = histogram.total.saturating_add(count);
        next = index + 1;
    }
    if consistent(&histogram) { Ok(histogram) } else { Err(DecodeError::Contradiction) }
}

fn consistent(histogram: &Histogram) -> bool {
    let mut indices = histogram.indexed().map(|(index, _)| index);
    let first = indices.next();
    let last = indices.last().or(first);
    let bound = |end: fn(&super::Bucket) -> u64| {
        histogram.buckets().map(|b| u128::from(end(&b)) * u128::from(b.count)).fold(0, u128::saturating_add)
    };
    first == Some(layout::index(histogram.min))
        && last == Some(layout::index(histogram.max))
        && histogram.min <= histogram.max
        && histogram.sum >= bound(|b| b.low)
        // A saturated count no longer bounds the sum.
        && (histogram.total == u64::MAX || histogram.sum <= bound(|b| b.high))
}

fn put(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}

fn take(rest: &mut &[u8]) -> Result<u64, DecodeError> {
    let mut n = 0u64;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, after) = rest.split_first().ok_or(DecodeError::Truncated)?;
        *rest = after;
        let bits = u64::from(byte & 0x7f);
        if (bits << shift) >> shift != bits {
            return Err(DecodeError::Overlong);
        }
        n |= bits << shift;
        if byte < 0x80 {
            return Ok(n);
        }
    }
    Err(DecodeError::Overlong)
}
