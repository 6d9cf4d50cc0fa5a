//! Which bucket a value falls into: the log-linear layout of HdrHistogram (Gil Tene, 2012) for three significant
//! digits.
//!
//! Values below 2 048 have a bucket each; above, every doubling has 1 024 buckets of equal width, so a bucket is at
//! most 1/1 024 of its values wide. With s = max(0, ⌊log₂ v⌋ − 10), bucket(v) = 1 024·s + ⌊v / 2ˢ⌋.

/// Buckets are held in stretches of this many: a quarter of a doubling, 2 KB.
pub(super) const STRETCH: usize = 1 << (BITS - 2);

/// How many buckets there are for all of `u64`.
pub(super) const BUCKETS: usize = (63 - BITS as usize + 2) << BITS;

const BITS: u32 = 10;

#[inline]
pub(super) const fn index(value: u64) -> usize {
    // Setting the low bits spares small values a branch.
    let shift = (u64::BITS - 1 - BITS) - (value | ((2 << BITS) - 1)).leading_zeros();
    ((shift as usize) << BITS) + (value >> shift) as usize
}

/// The least value in bucket `index`.
pub(super) const fn low(index: usize) -> u64 {
    let shift = shift_of(index);
    ((index - (shift << BITS)) as u64) << shift
}

/// The greatest value in bucket `index`.
pub(super) const fn high(index: usize) -> u64 {
    low(index) + ((1 << shift_of(index)) - 1)
}

const fn shift_of(index: usize) -> usize {
    (index >> BITS).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: u64, expected: (usize, u64, u64)) {
        let i = index(value);
        assert_eq!((i, low(i), high(i)), expected, "value {value}");
    }

    #[test]
    fn values_fall_into_the_buckets_worked_out_by_hand() {
        check(0, (0, 0, 0));
        check(1, (1, 1, 1));
        check(2_047, (2_047, 2_047, 2_047));
        check(2_048, (2_048, 2_048, 2_049));
        check(2_049, (2_048, 2_048, 2_049));
        check(4_095, (3_071, 4_094, 4_095));
        check(4_096, (3_072, 4_096, 4_099));
        check(u64::MAX, (BUCKETS - 1, u64::MAX - (1 << 53) + 1, u64::MAX));
    }

    #[test]
    fn buckets_tile_the_integers() {
        for i in 1..BUCKETS {
            assert_eq!(low(i), high(i - 1) + 1, "bucket {i}");
        }
    }
}
