//! What short, empty, constant and failing runs get. How often intervals hold the truth is for `tests/coverage.rs`.

use super::*;
use crate::queue::{Queue, Random, observe};

fn constant(ticks: usize, each: u64, ns: u64) -> Vec<Histogram> {
    let mut tick = Histogram::new();
    tick.record_n(ns, each);
    vec![tick; ticks]
}

#[test]
fn no_requests_no_data() {
    assert_eq!(mean(&[], 0.95), Estimate::NoData);
    assert_eq!(quantile(&constant(20, 0, 0), Quantile::P99, 0.95), Estimate::NoData);
    assert_eq!(share(&[(0, 0)], 0.95), Estimate::NoData);
}

#[track_caller]
fn check_short(estimate: Estimate, ticks_more: u64) {
    assert_eq!(estimate, Estimate::TooShort { ticks_more });
}

#[test]
fn an_instant_server_needs_only_the_quantile_s_own_samples() {
    // 299 samples for p99 at 10 a tick are 30 ticks.
    check_short(quantile(&constant(20, 10, 5_000), Quantile::P99, 0.95), 10);
    check_short(mean(&constant(3, 1_000, 5_000), 0.95), 7);
    let enough = quantile(&constant(30, 10, 5_000), Quantile::P99, 0.95);
    let interval = enough.interval().expect("thirty ticks are enough");
    assert!(interval.contains(5_000.0) && interval.high / interval.low < 1.002);
}

#[test]
fn a_short_run_of_a_busy_queue_says_how_much_longer() {
    // At 90 % load some 360 requests count for one: 40 of those are 14 400 requests, 6.4 ticks of a second; p99 wants
    // 200 of them, 32 ticks; ten ticks are not trusted to know this and want nearly twice as much.
    let run = observe(Queue::mm1(2_250.0, 2_500.0, 3), 3.0, 25_000, 1.0);
    let Estimate::TooShort { ticks_more } = quantile(&run.ticks, Quantile::P99, 0.95) else {
        panic!("{} ticks are too short for p99", run.ticks.len());
    };
    assert!((1..100).contains(&ticks_more), "{ticks_more} more ticks");
    assert!(mean(&run.ticks, 0.95).interval().is_some());
}

#[test]
fn failures_are_slower_than_any_bound() {
    let with = |failures: u64| {
        let ticks: Vec<_> = constant(40, 1_000, 5_000).into_iter().map(|tick| (tick, failures)).collect();
        let estimate = quantile_with_failures(&ticks, Quantile::P99, 0.95);
        estimate.interval().expect("forty ticks are enough")
    };
    assert!(with(0).high.is_finite() && with(0).contains(5_000.0));
    assert!(with(5).high.is_finite());
    assert_eq!((with(20).low, with(20).high), (f64::INFINITY, f64::INFINITY));
}

#[test]
fn failures_near_the_quantile_leave_the_upper_end_open() {
    let mut random = Random::new(1);
    let ticks: Vec<_> = constant(40, 1_000, 5_000).into_iter().map(|tick| (tick, random.bits() % 21)).collect();
    let estimate = quantile_with_failures(&ticks, Quantile::P99, 0.95);
    let interval = estimate.interval().expect("forty ticks are enough");
    assert!(interval.low < 5_001.0 && interval.high.is_infinite(), "{interval:?}");
}

#[track_caller]
fn check_wilson(hits: u64, total: u64, low: f64, high: f64) {
    let interval = wilson(hits, total, 0.95);
    let close = |a: f64, b: f64| (a - b).abs() < 5e-5;
    assert!(close(interval.low, low) && close(interval.high, high), "{interval:?}");
}

#[test]
fn wilson_s_interval_is_the_published_one() {
    // Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17, 1998, table I.
    check_wilson(81, 263, 0.2553, 0.3662);
    check_wilson(15, 148, 0.0624, 0.1605);
    check_wilson(0, 20, 0.0000, 0.1611);
    check_wilson(1, 29, 0.0061, 0.1718);
    check_wilson(0, 0, 0.0, 1.0);
    check_wilson(20, 20, 0.8389, 1.0);
}

#[test]
fn bursts_of_errors_widen_the_share() {
    let width = |ticks: &[(u64, u64)]| {
        let interval = share(ticks, 0.95).interval().expect("sixty ticks are enough");
        assert!(interval.contains(0.01), "{interval:?}");
        interval.high - interval.low
    };
    let even = vec![(10, 1_000); 60];
    let bursts: Vec<_> = (0..60).map(|i| (if i % 20 == 7 { 200 } else { 0 }, 1_000)).collect();
    assert!(width(&bursts) > 5.0 * width(&even));
    check_short(share(&[(1, 10); 4], 0.95), 6);
}
