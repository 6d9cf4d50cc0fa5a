//! Prints the tables of COVERAGE.md: how often intervals that claim 95 % hold the truth, and how often a stationary
//! run is called drifting or growing. `cargo run --release -p plimsoll-stats --example coverage -- [SEEDS] [FIRST]`
#![expect(clippy::print_stdout, reason = "the tables are what this program is for")]

#[path = "../tests/trials/mod.rs"]
mod trials;

use trials::{Results, Scenario, Tally};

const LENGTHS: [u64; 5] = [10_000, 50_000, 100_000, 200_000, 1_000_000];

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|arg| arg.parse().ok());
    let seeds: u64 = numbers.next().unwrap_or(1_000);
    let first: u64 = numbers.next().unwrap_or(1_000_000);
    println!("Seeds {first} to {}.\n", first + seeds - 1);
    let all: Vec<(f64, Vec<Results>)> =
        [0.5, 0.8, 0.9].map(|load| (load, Scenario::at(load).trials(&LENGTHS, first..first + seeds))).into();
    coverage(&all);
    alarms(&all, seeds);
}

fn coverage(all: &[(f64, Vec<Results>)]) {
    println!(
        "| load | requests | figure | intervals that hold the truth | below it | above it | too short | wrong, of all runs | half width |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (load, results) in all {
        for (requests, results) in LENGTHS.iter().zip(results) {
            for (figure, tally) in [("mean", &results.mean), ("p90", &results.p90), ("p99", &results.p99)] {
                println!("| {:.0} % | {requests} | {figure} | {} |", load * 100.0, row(tally));
            }
        }
    }
}

fn row(tally: &Tally) -> String {
    if tally.claims() == 0 {
        return format!("none | | | {} | 0.0 % | ", tally.too_short);
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

fn alarms(all: &[(f64, Vec<Results>)], seeds: u64) {
    println!("\n| load | requests | called drifting | too short for that | called growing | too short for that |");
    println!("|---|---|---|---|---|---|");
    let percent = |n: u64| 100.0 * n as f64 / seeds as f64;
    for (load, results) in all {
        for (requests, results) in LENGTHS.iter().zip(results) {
            let alarms = results.alarms;
            println!(
                "| {:.0} % | {requests} | {:.1} % | {} | {:.1} % | {} |",
                load * 100.0,
                percent(alarms.drift),
                alarms.drift_too_short,
                percent(alarms.growth),
                alarms.growth_too_short
            );
        }
    }
}
