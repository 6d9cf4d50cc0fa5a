//! Prints the tables of COVERAGE.md: how often intervals that claim 95 % hold the truth, and how often a stationary
//! run is called drifting or growing. `cargo run --release -p plimsoll-stats --example coverage -- [SEEDS] [FIRST]`
#![expect(clippy::print_stdout, reason = "the tables are what this program is for")]

#[path = "../tests/trials/mod.rs"]
mod trials;

use std::ops::Range;

use plimsoll_stats::drift::{self, Drift};
use plimsoll_stats::growth::{Growth, growth};
use plimsoll_stats::queue::{Queue, observe};
use trials::{Kind, Results, Scenario, Tally};

const LENGTHS: [u64; 5] = [10_000, 50_000, 100_000, 200_000, 1_000_000];

/// A scenario, what to call it, and its results for each of its lengths.
type Row = (String, &'static [u64], Vec<Results>);

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|arg| arg.parse().ok());
    let seeds: u64 = numbers.next().unwrap_or(1_000);
    let first: u64 = numbers.next().unwrap_or(20_000_000);
    let seeds = first..first + seeds;
    println!("Seeds {} to {}.\n", seeds.start, seeds.end - 1);
    let mut rows: Vec<Row> = Vec::new();
    for load in [0.5, 0.8, 0.9] {
        let name = format!("M/M/1, {:.0} %", load * 100.0);
        rows.push((name, &LENGTHS, Scenario::at(load).trials(&LENGTHS, seeds.clone())));
    }
    for (name, scenario) in variants() {
        rows.push((name.to_owned(), &LENGTHS[3..4], scenario.trials(&LENGTHS[3..4], seeds.clone())));
    }
    coverage(&rows);
    alarms(&rows, seeds.end - seeds.start);
    println!();
    slowdowns(seeds.start..seeds.start + 200);
    overloads(seeds);
}

/// What the method was not developed on.
fn variants() -> [(&'static str, Scenario); 5] {
    let base = Scenario::at(0.9);
    [
        ("M/M/1, 90 %, ticks of 0.1 s", Scenario { tick_s: 0.1, ..base }),
        ("M/M/1, 90 %, 200 requests/s", Scenario { service_rate: 200.0 / 0.9, ..base }),
        ("M/M/4, 90 %", Scenario { kind: Kind::Exponential(4), ..base }),
        ("M/D/1, 90 %", Scenario { kind: Kind::Fixed, ..base }),
        ("M/M/1, 10 %", Scenario { load: 0.1, ..base }),
    ]
}

fn coverage(rows: &[Row]) {
    println!(
        "| queue | requests | figure | intervals that hold the truth | below it | above it | too short | wrong, of all runs | half width |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, lengths, results) in rows {
        for (requests, results) in lengths.iter().zip(results) {
            for (figure, tally) in [("mean", &results.mean), ("p90", &results.p90), ("p99", &results.p99)] {
                println!("| {name} | {requests} | {figure} | {} |", cells(tally));
            }
        }
    }
}

fn cells(tally: &Tally) -> String {
    if tally.claims() + tally.too_short == 0 {
        return "not in closed form | | | | | ".to_owned();
    }
    if tally.claims() == 0 {
        return format!("none | | | {} | | ", tally.too_short);
    }
    let percent = |n: u64| 100.0 * n as f64 / tally.claims() as f64;
    format!(
        "{:.1} % | {:.1} % | {:.1} % | {} | {:.1} % | ±{:.1} %",
        tally.coverage(),
        percent(tally.too_low),
        percent(tally.too_high),
        tally.too_short,
        tally.wrong(),
        tally.half_width()
    )
}

fn alarms(rows: &[Row], seeds: u64) {
    println!("\n| queue | requests | called drifting | too short for that | called growing | too short for that |");
    println!("|---|---|---|---|---|---|");
    let percent = |n: u64| 100.0 * n as f64 / seeds as f64;
    for (name, lengths, results) in rows {
        for (requests, Results { alarms, .. }) in lengths.iter().zip(results) {
            println!(
                "| {name} | {requests} | {:.1} % | {} | {:.1} % | {} |",
                percent(alarms.drift),
                alarms.drift_too_short,
                percent(alarms.growth),
                alarms.growth_too_short
            );
        }
    }
}

fn slowdowns(seeds: Range<u64>) {
    println!("| M/M/1 at 50 %, 200 000 requests, service slowing to … times as long | found |");
    println!("|---|---|");
    for slowdown in [1.05, 1.1, 1.2, 1.5, 2.0] {
        let found = |seed: &u64| {
            let ticks = trials::slowing(Scenario::at(0.5), slowdown, 200_000, *seed);
            matches!(drift::response(&ticks), Drift::Drifting { .. })
        };
        println!("| {slowdown} | {:.1} % |", share(seeds.clone(), found));
    }
}

fn overloads(seeds: Range<u64>) {
    println!("\n| 200 requests/s, load | seconds | called growing |");
    println!("|---|---|---|");
    for (load, seconds) in [(1.0, 30), (1.0, 300), (1.02, 300), (1.05, 60), (1.1, 30), (1.2, 15)] {
        let found = |seed: &u64| {
            let run = observe(Queue::mm1(200.0, 200.0 / load, *seed), 0.0, 200 * seconds, 1.0);
            matches!(growth(&run.in_flight, &run.arrivals, 1.0), Growth::Growing { .. })
        };
        println!("| {:.0} % | {seconds} | {:.1} % |", load * 100.0, share(seeds.clone(), found));
    }
}

fn share(seeds: Range<u64>, found: impl Fn(&u64) -> bool) -> f64 {
    let all = (seeds.end - seeds.start) as f64;
    100.0 * seeds.filter(found).count() as f64 / all
}
