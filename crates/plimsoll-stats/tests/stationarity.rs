//! A stationary queue at 90 % load is called drifting or growing in at most 1 % of 1 000 runs, whatever their length,
//! while a server that slows down and an overload are found. The same runs give the intervals' coverage at 90 %.

#[expect(dead_code, reason = "shared with others, which use more of it")]
mod trials;

use plimsoll_stats::drift::{self, Drift};
use plimsoll_stats::growth::{Growth, growth};
use plimsoll_stats::queue::{Queue, observe};
use trials::{Results, Scenario, Tally};

const SEEDS: std::ops::Range<u64> = 0..1_000;

#[track_caller]
fn check_alarms(scenario: Scenario, requests: u64, results: &Results) {
    let (alarms, tick_s) = (results.alarms, scenario.tick_s);
    let most = 10; // of 1 000
    assert!(alarms.drift <= most && alarms.growth <= most, "{requests} requests, ticks of {tick_s} s: {alarms:?}");
}

#[track_caller]
fn check_coverage(tally: &Tally) {
    let coverage = tally.coverage();
    let of = tally.claims();
    assert!((93.0..=97.0).contains(&coverage), "{coverage:.1} % of {of} hold the truth");
    assert!(of >= 990, "{of} intervals");
}

#[test]
fn false_alarms_and_coverage_at_90_percent() {
    let lengths = [10_000, 50_000, 200_000, 1_000_000];
    let scenario = Scenario::at(0.9);
    let results = scenario.trials(&lengths, SEEDS);
    for (requests, results) in lengths.into_iter().zip(&results) {
        check_alarms(scenario, requests, results);
    }
    check_coverage(&results[2].mean);
    check_coverage(&results[2].p99);
    check_coverage(&results[3].mean);
    check_coverage(&results[3].p99);
}

#[test]
fn false_alarms_in_ticks_shorter_and_longer_than_the_queue_s_memory() {
    let lengths = [10_000, 50_000];
    let shorter = Scenario { tick_s: 0.1, ..Scenario::at(0.9) };
    // At 200 arrivals a second the same queue takes ten times as long to forget, two ticks.
    let slower = Scenario { service_rate: 200.0 / 0.9, ..Scenario::at(0.9) };
    for scenario in [shorter, slower] {
        let results = scenario.trials(&lengths, SEEDS);
        for (requests, results) in lengths.into_iter().zip(&results) {
            check_alarms(scenario, requests, results);
        }
    }
}

#[test]
fn a_server_that_slows_to_half_its_speed_is_found() {
    let found = (0..100)
        .map(|seed| drift::response(&trials::slowing(Scenario::at(0.5), 2.0, 200_000, seed)))
        .filter(|drift| matches!(drift, Drift::Drifting { ratio } if *ratio > 1.5))
        .count();
    assert!(found >= 90, "{found} of 100");
}

#[test]
fn an_overload_of_a_tenth_is_found_in_thirty_seconds() {
    let found = SEEDS
        .map(|seed| observe(Queue::mm1(200.0, 200.0 / 1.1, seed), 0.0, 30 * 200, 1.0))
        .map(|run| growth(&run.in_flight, &run.arrivals, 1.0))
        .filter(|growth| matches!(growth, Growth::Growing { .. }))
        .count();
    assert!(found >= 950, "{found} of 1 000");
}
