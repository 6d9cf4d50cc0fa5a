//! The histogram's promises: lossless merging, exact round trips, agreement with the `hdrhistogram` crate, and no
//! panic whatever is recorded or decoded.

use plimsoll_stats::{DecodeError, Histogram, Quantile};
use proptest::prelude::*;

fn of(values: &[u64]) -> Histogram {
    let mut histogram = Histogram::new();
    values.iter().for_each(|&value| histogram.record(value));
    histogram
}

fn merged(a: &Histogram, b: &Histogram) -> Histogram {
    let mut sum = a.clone();
    sum.merge(b);
    sum
}

/// Any `u64`, but all magnitudes alike.
fn durations() -> impl Strategy<Value = Vec<u64>> {
    let duration = (any::<u64>(), 0..64u32).prop_map(|(bits, shift)| bits >> shift);
    prop::collection::vec(duration, 0..200)
}

fn quantiles() -> impl Strategy<Value = Quantile> {
    (1..9_999u32).prop_map(|q| Quantile::new(f64::from(q) / 1e4).expect("it lies between 0 and 1"))
}

proptest! {
    #[test]
    fn merging_is_recording_it_all(a in durations(), b in durations(), q in quantiles()) {
        let whole = of(&[&a[..], &b[..]].concat());
        let sum = merged(&of(&a), &of(&b));
        prop_assert_eq!(&sum, &whole);
        prop_assert_eq!(sum.quantile(q), whole.quantile(q));
        prop_assert_eq!(sum.mean(), whole.mean());
        prop_assert_eq!(sum.to_bytes(), whole.to_bytes());
    }

    #[test]
    fn merging_is_commutative_and_associative(a in durations(), b in durations(), c in durations()) {
        let (a, b, c) = (of(&a), of(&b), of(&c));
        prop_assert_eq!(merged(&a, &b), merged(&b, &a));
        prop_assert_eq!(merged(&merged(&a, &b), &c), merged(&a, &merged(&b, &c)));
    }

    #[test]
    fn bytes_round_trip(values in durations(), n in any::<u64>()) {
        let mut histogram = of(&values);
        if let Some(&value) = values.first() {
            histogram.record_n(value, n);
        }
        prop_assert_eq!(Histogram::from_bytes(&histogram.to_bytes()), Ok(histogram));
    }

    #[test]
    fn hostile_bytes_give_an_error_or_a_sound_histogram(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        sound(&bytes);
    }

    #[test]
    fn damaged_bytes_give_an_error_or_a_sound_histogram(
        values in durations(), at in any::<prop::sample::Index>(), bits in any::<u8>(), keep in any::<prop::sample::Index>(),
    ) {
        let mut bytes = of(&values).to_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= bits;
        sound(&bytes);
        sound(&bytes[..keep.index(bytes.len())]);
    }

    #[test]
    fn quantiles_are_within_a_bucket_of_the_sorted_values(mut values in durations(), q in quantiles()) {
        let histogram = of(&values);
        values.sort_unstable();
        let exact = values.get((q.rank(values.len() as u64) - 1) as usize).copied();
        let within = |(value, exact): (u64, u64)| exact <= value && value - exact <= exact / 1024;
        prop_assert_eq!(histogram.quantile(q).is_some(), exact.is_some());
        prop_assert!(histogram.quantile(q).zip(exact).is_none_or(within));
        prop_assert_eq!(histogram.max(), values.last().copied());
        prop_assert_eq!(histogram.min(), values.first().copied());
    }

    #[test]
    fn a_quantile_keeps_a_bound_exactly_when_enough_values_do(values in durations(), q in quantiles(), bound in any::<u64>(), shift in 0..64u32) {
        let (histogram, bound) = (of(&values), bound >> shift);
        prop_assume!(!histogram.is_empty());
        let enough = histogram.count_at_most(bound) >= q.rank(histogram.len());
        prop_assert_eq!(histogram.quantile(q).is_some_and(|value| value <= bound), enough);
    }

    #[test]
    fn the_hdrhistogram_crate_agrees(values in durations(), q in quantiles()) {
        let values: Vec<u64> = values.into_iter().map(|value| (value >> 2).max(1)).collect();
        let ours = of(&values);
        let mut theirs = hdrhistogram::Histogram::<u64>::new(3).expect("three digits");
        values.iter().for_each(|&value| theirs.record(value).expect("it resizes"));
        let buckets: Vec<_> = ours.buckets().map(|b| (b.low, b.high, b.count)).collect();
        let expected: Vec<_> = theirs
            .iter_recorded()
            .map(|v| (theirs.lowest_equivalent(v.value_iterated_to()), v.value_iterated_to(), v.count_at_value()))
            .collect();
        prop_assert_eq!(buckets, expected);
        let value = theirs.value_at_quantile(q.share());
        prop_assert!(ours.quantile(q).is_none_or(|ours| theirs.equivalent(ours, value)));
    }

    #[test]
    fn coarse_counts_add_up(values in durations(), mut edges in prop::collection::vec(any::<u64>(), 0..20)) {
        edges.sort_unstable();
        let histogram = of(&values);
        let coarse = histogram.coarse(&edges);
        prop_assert_eq!(coarse.iter().sum::<u64>(), histogram.len());
        let mut below = 0;
        for (edge, count) in edges.iter().zip(coarse) {
            below += count;
            prop_assert_eq!(below, histogram.count_at_most(*edge));
        }
    }
}

/// Whatever decodes must behave.
fn sound(bytes: &[u8]) {
    if let Ok(histogram) = Histogram::from_bytes(bytes) {
        assert!(histogram.quantile(Quantile::P99) <= histogram.max());
        assert_eq!(Histogram::from_bytes(&histogram.to_bytes()), Ok(histogram));
    }
}

#[track_caller]
fn check_refused(bytes: &[u8], error: DecodeError) {
    assert_eq!(Histogram::from_bytes(bytes), Err(error));
}

#[test]
fn impossible_bytes_are_refused() {
    check_refused(&[], DecodeError::Truncated);
    check_refused(&[2, 0], DecodeError::Version(2));
    check_refused(&[1], DecodeError::Truncated);
    check_refused(&[1, 0, 9, 9], DecodeError::Trailing(2));
    // Version, buckets, the sum's halves, min, max, then (skipped, count).
    assert_eq!(Histogram::from_bytes(&[1, 1, 10, 0, 5, 5, 5, 2]), Ok(of(&[5, 5])));
    check_refused(&[1, 1, 11, 0, 5, 5, 5, 2], DecodeError::Contradiction);
    check_refused(&[1, 1, 10, 0, 4, 5, 5, 2], DecodeError::Contradiction);
    check_refused(&[1, 1, 10, 0, 5, 6, 5, 2], DecodeError::Contradiction);
    check_refused(&[1, 1, 10, 0, 5, 5, 5, 0], DecodeError::Bucket);
    check_refused(&[1, 1, 10, 0, 5, 5, 0xff, 0xff, 0x7f, 2], DecodeError::Bucket);
    check_refused(&[&[1][..], &[0xff; 11]].concat(), DecodeError::Overlong);
    check_refused(&[&[1][..], &[0xff; 9], &[0x7f]].concat(), DecodeError::Overlong);
    // A claim of 2⁶³ buckets costs no memory.
    check_refused(&[&[1][..], &[0x80; 9], &[1]].concat(), DecodeError::Truncated);
}

#[test]
fn the_largest_values_and_counts_saturate() {
    let mut histogram = Histogram::new();
    for _ in 0..3 {
        histogram.record_n(u64::MAX, u64::MAX);
        histogram.record(0);
    }
    assert_eq!(histogram.len(), u64::MAX);
    assert_eq!((histogram.min(), histogram.max()), (Some(0), Some(u64::MAX)));
    let mut twice = histogram.clone();
    twice.merge(&histogram);
    assert_eq!(twice.len(), u64::MAX);
    assert_eq!(Histogram::from_bytes(&twice.to_bytes()), Ok(twice));
}

#[test]
fn an_empty_histogram_has_no_figures() {
    let mut histogram = of(&[1, 2, 3]);
    histogram.clear();
    assert_eq!(histogram, Histogram::default());
    assert_eq!(histogram.quantile(Quantile::P50), None);
    assert_eq!((histogram.min(), histogram.max()), (None, None));
    assert_eq!((histogram.mean(), histogram.stdev()), (None, None));
    assert_eq!(histogram.count_at_most(u64::MAX), 0);
    assert_eq!(histogram.to_bytes(), [1, 0]);
    histogram.record_n(7, 0);
    assert!(histogram.is_empty());
}

#[test]
fn mean_and_spread_are_those_of_the_values() {
    let histogram = of(&[2, 4, 4, 4, 5, 5, 7, 9]);
    assert_eq!(histogram.mean(), Some(5.0));
    assert_eq!(histogram.stdev(), Some(2.0));
    let exact = of(&[1_000_000_007, 1_000_000_009]);
    assert_eq!(exact.mean(), Some(1_000_000_008.0));
    assert_eq!(exact.max(), Some(1_000_000_009));
}
