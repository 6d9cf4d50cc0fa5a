//! What recording a value costs, beside the `hdrhistogram` crate: `cargo run --release -p plimsoll-stats --example
//! record`. Response times are exponential with a mean of 300 µs, fifty million of them, in alternating rounds.
#![expect(clippy::print_stdout, reason = "the figures are what this program is for")]

use std::hint::black_box;
use std::time::Instant;

use plimsoll_stats::Histogram;
use plimsoll_stats::queue::Random;

const ROUNDS: usize = 7;
const REPEATS: usize = 200;

fn main() {
    let mut random = Random::new(1);
    let values: Vec<u64> = (0..1 << 15).map(|_| 50_000 + random.exponential(300e3) as u64).collect();
    println!("ns a record: ours, hdrhistogram's");
    for _ in 0..ROUNDS {
        let mut ours = Histogram::new();
        let ours_ns = nanoseconds_each(&values, |value| ours.record(value));
        let mut theirs = hdrhistogram::Histogram::<u64>::new(3).expect("three digits");
        let theirs_ns = nanoseconds_each(&values, |value| theirs.saturating_record(value));
        black_box((ours, theirs));
        println!("{ours_ns:.2}, {theirs_ns:.2}");
    }
}

fn nanoseconds_each(values: &[u64], mut record: impl FnMut(u64)) -> f64 {
    let start = Instant::now();
    for _ in 0..REPEATS {
        values.iter().for_each(|&value| record(black_box(value)));
    }
    start.elapsed().as_nanos() as f64 / (REPEATS * values.len()) as f64
}
