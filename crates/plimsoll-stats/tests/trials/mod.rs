//! Many seeded runs of queues, judged by their closed forms: shared by the tests and `examples/coverage.rs`.

use std::ops::Range;

use plimsoll_stats::drift::{self, Drift};
use plimsoll_stats::growth::{Growth, growth};
use plimsoll_stats::interval::{Blocks, Estimate};
use plimsoll_stats::queue::{Observed, Queue, Service, md1_mean, mm1_relaxation, mmc_mean, mmc_quantile};
use plimsoll_stats::{Histogram, Quantile};

/// Which queue, as far as its truth is known.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// M/M/c.
    Exponential(usize),
    /// M/D/1, whose mean alone has a simple closed form.
    Fixed,
}

/// A load test of a queue, in ticks of some length.
#[derive(Clone, Copy)]
pub(crate) struct Scenario {
    pub(crate) kind: Kind,
    pub(crate) service_rate: f64, // of each server
    pub(crate) load: f64,
    pub(crate) tick_s: f64,
    pub(crate) intervals: bool, // whether to judge them too: they cost as much as the simulation
}

/// What became of many intervals that claim 95 %.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) covered: u64,
    pub(crate) too_low: u64,  // the whole interval below the truth
    pub(crate) too_high: u64, // the whole interval above the truth
    pub(crate) too_short: u64,
    pub(crate) half_widths: Vec<f64>, // relative to the truth
}

/// What the tests of stationarity said of many stationary runs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Alarms {
    pub(crate) drift: u64,
    pub(crate) drift_too_short: u64,
    pub(crate) growth: u64,
    pub(crate) growth_too_short: u64,
}

/// All that was tallied of runs of one length.
#[derive(Clone, Debug, Default)]
pub(crate) struct Results {
    pub(crate) mean: Tally,
    pub(crate) p90: Tally,
    pub(crate) p99: Tally,
    pub(crate) alarms: Alarms,
}

impl Scenario {
    /// 2 500 services a second and ticks of a second, as a small but real service: 200 000 requests are 89 ticks at
    /// 90 % load and 160 at 50 %.
    pub(crate) fn at(load: f64) -> Self {
        Self { kind: Kind::Exponential(1), service_rate: 2_500.0, load, tick_s: 1.0, intervals: true }
    }

    pub(crate) fn arrival_rate(self) -> f64 {
        self.load * self.service_rate * self.servers() as f64
    }

    fn servers(self) -> usize {
        match self.kind {
            Kind::Exponential(servers) => servers,
            Kind::Fixed => 1,
        }
    }

    pub(crate) fn queue(self, seed: u64) -> Queue {
        let service = match self.kind {
            Kind::Exponential(_) => Service::Exponential,
            Kind::Fixed => Service::Fixed,
        };
        Queue::new(service, self.servers(), self.arrival_rate(), self.service_rate, seed)
    }

    fn true_mean(self) -> f64 {
        match self.kind {
            Kind::Exponential(servers) => mmc_mean(servers, self.arrival_rate(), self.service_rate),
            Kind::Fixed => md1_mean(self.arrival_rate(), self.service_rate),
        }
    }

    /// The warm-up left out: twenty relaxation times, after which an empty start is forgotten but for e⁻²⁰.
    pub(crate) fn warmup_s(self) -> f64 {
        20.0 * mm1_relaxation(self.arrival_rate(), self.service_rate * self.servers() as f64)
    }

    /// Results for each of `lengths` (requests, ascending); shorter runs are the beginnings of the longest.
    pub(crate) fn trials(self, lengths: &[u64], seeds: Range<u64>) -> Vec<Results> {
        let longest = lengths.iter().copied().max().unwrap_or(0);
        in_two_threads(seeds, lengths.len(), |run, seed, results| {
            run.observe(self.queue(seed), self.warmup_s(), longest, self.tick_s);
            for (&length, results) in lengths.iter().zip(results) {
                let ticks = ticks_of(run, length);
                self.judge(run, ticks, results);
            }
        })
    }

    fn judge(self, run: &Observed, ticks: usize, results: &mut Results) {
        let responses = &run.ticks[..ticks];
        results
            .alarms
            .add(drift::response(responses), growth(&run.in_flight[..ticks], &run.arrivals[..ticks], self.tick_s));
        if self.intervals {
            self.judge_intervals(&Blocks::new(responses), results);
        }
    }

    fn judge_intervals(self, blocks: &Blocks, results: &mut Results) {
        results.mean.add(blocks.mean(0.95), self.true_mean());
        if self.kind == Kind::Fixed {
            return;
        }
        for (tally, q) in [(&mut results.p90, Quantile::P90), (&mut results.p99, Quantile::P99)] {
            let truth = mmc_quantile(self.servers(), self.arrival_rate(), self.service_rate, q);
            tally.add(blocks.quantile(q, 0.95), truth);
        }
    }
}

impl Tally {
    fn add(&mut self, estimate: Estimate, truth_s: f64) {
        let truth = truth_s * 1e9;
        let Some(interval) = estimate.interval() else {
            self.too_short += 1;
            return;
        };
        self.half_widths.push((interval.high - interval.low) / 2.0 / truth);
        match interval {
            i if i.contains(truth) => self.covered += 1,
            i if i.high < truth => self.too_low += 1,
            _ => self.too_high += 1,
        }
    }

    pub(crate) fn claims(&self) -> u64 {
        self.covered + self.too_low + self.too_high
    }

    /// The share of the intervals that hold the truth, in percent.
    pub(crate) fn coverage(&self) -> f64 {
        100.0 * self.covered as f64 / self.claims() as f64
    }

    /// The share of all runs, with an interval or without, that made a wrong claim, in percent.
    pub(crate) fn wrong(&self) -> f64 {
        let wrong = self.too_low + self.too_high;
        100.0 * wrong as f64 / (self.claims() + self.too_short) as f64
    }

    pub(crate) fn half_width(&self) -> f64 {
        let mut widths = self.half_widths.clone();
        widths.sort_by(f64::total_cmp);
        widths.get(widths.len() / 2).map_or(f64::NAN, |w| 100.0 * w)
    }

    fn merge(&mut self, other: Self) {
        self.covered += other.covered;
        self.too_low += other.too_low;
        self.too_high += other.too_high;
        self.too_short += other.too_short;
        self.half_widths.extend(other.half_widths);
    }
}

impl Alarms {
    pub(crate) fn add(&mut self, drift: Drift, growth: Growth) {
        self.drift += u64::from(matches!(drift, Drift::Drifting { .. }));
        self.drift_too_short += u64::from(drift == Drift::TooShort);
        self.growth += u64::from(matches!(growth, Growth::Growing { .. }));
        self.growth_too_short += u64::from(growth == Growth::TooShort);
    }
}

impl Results {
    fn merge(&mut self, other: Self) {
        self.mean.merge(other.mean);
        self.p90.merge(other.p90);
        self.p99.merge(other.p99);
        self.alarms.drift += other.alarms.drift;
        self.alarms.drift_too_short += other.alarms.drift_too_short;
        self.alarms.growth += other.alarms.growth;
        self.alarms.growth_too_short += other.alarms.growth_too_short;
    }
}

/// How many ticks it takes until `requests` have arrived.
fn ticks_of(run: &Observed, requests: u64) -> usize {
    let mut seen = 0;
    let before = run.arrivals.iter().take_while(|&&arrived| {
        seen += arrived;
        seen < requests
    });
    (before.count() + 1).min(run.ticks.len())
}

fn in_two_threads(
    seeds: Range<u64>,
    lengths: usize,
    one: impl Fn(&mut Observed, u64, &mut [Results]) + Sync,
) -> Vec<Results> {
    let half = |odd: u64| {
        let mut run = Observed::default();
        let mut results = vec![Results::default(); lengths];
        seeds.clone().filter(|seed| seed % 2 == odd).for_each(|seed| one(&mut run, seed, &mut results));
        results
    };
    std::thread::scope(|scope| {
        let odd = scope.spawn(|| half(1));
        let mut results = half(0);
        let odd = odd.join().expect("no trial panics");
        results.iter_mut().zip(odd).for_each(|(even, odd)| even.merge(odd));
        results
    })
}

/// A run of `requests` through a server that slows down along a line, to `slowdown` times its service time.
pub(crate) fn slowing(scenario: Scenario, slowdown: f64, requests: u64, seed: u64) -> Vec<Histogram> {
    let mut queue = scenario.queue(seed);
    let mut ticks: Vec<Histogram> = Vec::new();
    let warm = (scenario.warmup_s() * scenario.arrival_rate()) as u64;
    let start = (0..warm).map(|_| queue.serve().departure_s).last().unwrap_or(0.0);
    for i in 0..requests {
        let slower = 1.0 + (slowdown - 1.0) * i as f64 / requests as f64;
        queue.set_service_rate(scenario.service_rate / slower);
        let request = queue.serve();
        let tick = ((request.departure_s - start) / scenario.tick_s) as usize;
        if tick >= ticks.len() {
            ticks.resize_with(tick + 1, Histogram::new);
        }
        ticks[tick].record(request.response_ns());
    }
    ticks
}
