//! Rules against closed form: what a queue on paper says, the simulated one must say too. A simulated clock; no
//! sockets.

use super::{Outcome, Random, Rules, Spec, Stream};
use clap::Parser;
use std::time::Duration;

#[derive(Parser)]
#[command(no_binary_name = true)]
struct Words {
    #[command(flatten)]
    spec: Spec,
}

fn rules(options: &str) -> Rules {
    let words = Words::try_parse_from(options.split_whitespace()).expect("readable options");
    words.spec.check().expect("keys that go together");
    Rules::new(words.spec)
}

/// Poisson arrivals at `rate` a second.
fn poisson(rate: f64, seed: u64) -> impl Iterator<Item = Duration> {
    let mut random = Random::new(seed, Stream::Limit);
    let mean = Duration::from_secs_f64(1.0 / rate);
    std::iter::successors(Some(Duration::ZERO), move |&at| Some(at + random.exponential(mean)))
}

/// The mean time in the system of Poisson arrivals, in seconds.
fn mean_response(options: &str, rate: f64, requests: usize) -> f64 {
    let mut rules = rules(options);
    let total: f64 = poisson(rate, 42).take(requests).map(|now| (rules.decide(now).due - now).as_secs_f64()).sum();
    total / requests as f64
}

#[track_caller]
fn check(options: &str, rate: f64, expected: f64, tolerance: f64) {
    let mean = mean_response(options, rate, 2_000_000);
    let off = (mean / expected - 1.0).abs();
    assert!(off < tolerance, "{options} at {rate}/s: {mean} s, on paper {expected} s");
}

/// M/M/1: T = 1 / (μ − λ).
#[test]
fn one_exponential_server() {
    for load in [0.5, 0.8, 0.9] {
        let (mu, lambda) = (500.0, 500.0 * load);
        check("--service exp:2ms --servers 1", lambda, 1.0 / (mu - lambda), 0.03);
    }
}

/// M/D/1: T = s + ρ s / (2 (1 − ρ)) (Pollaczek–Khinchine).
#[test]
fn one_deterministic_server() {
    for load in [0.5, 0.8, 0.9] {
        let s = 0.002;
        check("--service 2ms --servers 1", load / s, s + load * s / (2.0 * (1.0 - load)), 0.02);
    }
}

/// M/G/1 with two service times: T = s + λ E[S²] / (2 (1 − ρ)).
#[test]
fn one_bimodal_server() {
    let (mean, square) = (0.95 * 0.001 + 0.05 * 0.02, 0.95 * 1e-6 + 0.05 * 4e-4);
    let lambda = 0.7 / mean;
    let expected = mean + lambda * square / (2.0 * 0.3);
    check("--service bimodal:1ms,20ms,0.05 --servers 1", lambda, expected, 0.03);
}

/// M/M/c: T = 1/μ + C(c, a) / (cμ − λ), with Erlang's C.
#[test]
fn several_exponential_servers() {
    let (servers, mu) = (4_u32, 500.0);
    for load in [0.5, 0.9] {
        let offered = load * f64::from(servers);
        let lambda = offered * mu;
        let erlang_b = (1..=servers).fold(1.0, |b, n| offered * b / (f64::from(n) + offered * b));
        let erlang_c = erlang_b / (1.0 - load * (1.0 - erlang_b));
        let expected = 1.0 / mu + erlang_c / (f64::from(servers) * mu - lambda);
        check("--service exp:2ms --servers 4", lambda, expected, 0.03);
    }
}

/// Without `servers` nobody waits.
#[test]
fn as_many_servers_as_requests() {
    check("--service exp:2ms", 10_000.0, 0.002, 0.01);
}

/// M/M/c/c: of requests that find all c places taken, Erlang's B is refused.
#[test]
fn at_most_so_many_loses_what_erlang_says() {
    let mut rules = rules("--service exp:20ms --at-most 20");
    let offered: f64 = 18.0;
    let requests = 1_000_000;
    let busy =
        poisson(offered / 0.02, 7).take(requests).filter(|&now| rules.decide(now).outcome == Outcome::Busy).count();
    let erlang_b = (1..=20).fold(1.0, |b, n| offered * b / (f64::from(n) + offered * b));
    let share = busy as f64 / requests as f64;
    assert!((share / erlang_b - 1.0).abs() < 0.03, "{share}, on paper {erlang_b}");
}

/// A stolen fifth makes an idle server's work longer by what is stolen while it runs, and by half a burst's worth of
/// waiting where it starts in one: T = s / (1 − f) + f b, for exponential bursts of mean b.
#[test]
fn a_thief_takes_its_share() {
    let (s, f, b) = (0.005, 0.2, 0.02);
    check("--service 5ms --thief 0.2/20ms", 50.0, s / (1.0 - f) + f * b, 0.03);
}

#[test]
fn a_metastable_server_stays_down_at_a_load_it_could_carry() {
    // 1000/s normally, 500/s when slow: 800/s is fine before the overload, and too much after it.
    let mut rules = rules("--service 1ms --servers 1 --metastable 100,2");
    let mut at = |from_ms: u64, rate: u64, count: u64| {
        let last = (0..count).map(|i| {
            let now = Duration::from_millis(from_ms) + Duration::from_micros(i * 1_000_000 / rate);
            rules.decide(now).due - now
        });
        last.last().expect("at least one")
    };
    assert_eq!(at(0, 800, 4_000), Duration::from_millis(1));
    assert!(at(5_000, 2_000, 2_000) > Duration::from_millis(500));
    assert!(at(6_000, 800, 20_000) > Duration::from_secs(5));
    // A pause lets it run empty.
    assert_eq!(at(100_000, 800, 4_000), Duration::from_millis(1));
}

#[test]
fn bands_follow_the_rate() {
    let mut rules = rules("--bands 100:5ms,200:50ms,1000:6ms");
    for (second, rate, ms) in [(0, 50, 5), (10, 150, 50), (20, 400, 6)] {
        let last = (0..rate * 2).map(|i| {
            let now = Duration::from_secs(second) + Duration::from_micros(i * 1_000_000 / rate);
            rules.decide(now).due - now
        });
        assert_eq!(last.last(), Some(Duration::from_millis(ms)), "{rate}/s");
    }
}

#[test]
fn shares_are_drawn_from_the_seed() {
    let outcomes = |options| {
        let mut rules = rules(options);
        let draw = move |i| rules.decide(Duration::from_millis(i)).outcome;
        (0..20_000).map(draw).collect::<Vec<_>>()
    };
    let drawn = outcomes("--error 0.1:503 --limit-share 0.2 --seed 5");
    assert_eq!(drawn, outcomes("--error 0.1:503 --limit-share 0.2 --seed 5"));
    assert_ne!(drawn, outcomes("--error 0.1:503 --limit-share 0.2 --seed 6"));
    let share = |outcome| drawn.iter().filter(|&&drawn| drawn == outcome).count() as f64 / 20_000.0;
    assert!((share(Outcome::Limited) - 0.2).abs() < 0.01);
    // A tenth of those that were not limited.
    assert!((share(Outcome::Error(503)) - 0.08).abs() < 0.01);
}

#[test]
fn a_freeze_holds_refusals_too() {
    let mut rules = rules("--limit 1/60s --freeze 1s/5s");
    let s = Duration::from_secs;
    assert_eq!(rules.decide(s(3)).due, s(3));
    let refused = rules.decide(s(7) + s(1) / 2);
    assert_eq!((refused.outcome, refused.due), (Outcome::Limited, s(8)));
}

#[test]
fn arrivals_out_of_order_do_no_harm() {
    let mut rules = rules("--service 1ms --servers 1 --limit 2/1s");
    let late = rules.decide(Duration::from_millis(10));
    let early = rules.decide(Duration::from_millis(9));
    assert_eq!((late.due, early.due), (Duration::from_millis(11), Duration::from_millis(12)));
}
