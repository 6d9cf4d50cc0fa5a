//! A simulated run as a load test sees it: the warm-up left out, requests cut into ticks by completion time.

use super::Queue;
use crate::histogram::Histogram;

/// What a load test would have kept of a run, one entry a tick.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// The response times of the requests that completed in the tick.
    pub ticks: Vec<Histogram>,
    /// How many requests arrived in the tick.
    pub arrivals: Vec<u64>,
    /// How many requests were in flight at the tick's end.
    pub in_flight: Vec<u64>,
}

/// Runs `queue` for `warmup_s` seconds unseen, then until `requests` more have arrived, in ticks of `tick_s`.
/// Whole ticks only: what completes after the last arrival's tick is left out.
pub fn observe(queue: Queue, warmup_s: f64, requests: u64, tick_s: f64) -> Observed {
    let mut observed = Observed::default();
    observed.observe(queue, warmup_s, requests, tick_s);
    observed
}

impl Observed {
    /// As [`observe`], in the memory of an earlier run: thousands of simulations spend half their time on fresh memory.
    pub fn observe(&mut self, mut queue: Queue, warmup_s: f64, requests: u64, tick_s: f64) {
        self.ticks.iter_mut().for_each(Histogram::clear);
        let mut flows = Flows {
            warmup_s,
            ticks_per_s: 1.0 / tick_s,
            completed: std::mem::take(&mut self.ticks),
            ..Flows::default()
        };
        while flows.seen < requests {
            flows.add(queue.serve());
        }
        *self = flows.finish();
    }
}

#[derive(Default)]
struct Flows {
    warmup_s: f64,
    ticks_per_s: f64,
    before: i64, // in flight when the first tick begins
    arrived: Vec<u64>,
    completed: Vec<Histogram>,
    tick: usize,
    current: Histogram, // of `tick`: one that stays in the cache while all of them would not
    seen: u64,
}

impl Flows {
    #[inline]
    fn add(&mut self, request: super::Request) {
        let (arrival, departure) = (self.tick_of(request.arrival_s), self.tick_of(request.departure_s));
        match arrival {
            Some(tick) => {
                *at(&mut self.arrived, tick) += 1;
                self.seen += 1;
            }
            None if departure.is_some() => self.before += 1,
            None => {}
        }
        if let Some(tick) = departure {
            if tick != self.tick {
                self.close_tick();
                self.tick = tick;
            }
            self.current.record(request.response_ns());
        }
    }

    fn close_tick(&mut self) {
        at(&mut self.completed, self.tick).merge(&self.current);
        self.current.clear();
    }

    #[inline]
    fn tick_of(&self, at_s: f64) -> Option<usize> {
        let since = at_s - self.warmup_s;
        (since >= 0.0).then_some((since * self.ticks_per_s) as usize)
    }

    /// The last tick's arrivals are not all there, so it goes.
    fn finish(mut self) -> Observed {
        self.close_tick();
        self.arrived.pop();
        self.completed.resize_with(self.arrived.len(), Histogram::new);
        let mut in_flight = self.before;
        let in_flight = self
            .arrived
            .iter()
            .zip(&self.completed)
            .map(|(&arrived, completed)| {
                in_flight += arrived as i64 - completed.len() as i64;
                in_flight.max(0) as u64
            })
            .collect();
        Observed { ticks: self.completed, arrivals: self.arrived, in_flight }
    }
}

#[inline]
fn at<T: Default>(list: &mut Vec<T>, index: usize) -> &mut T {
    if index >= list.len() {
        list.resize_with(index + 1, T::default);
    }
    &mut list[index]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_s_law_holds() {
        // L = λW: the requests in flight are the arrival rate times the response time.
        let observed = observe(Queue::mm1(800.0, 1_000.0, 1), 10.0, 400_000, 0.1);
        let ticks = observed.in_flight.len() as f64;
        let in_flight = observed.in_flight.iter().sum::<u64>() as f64 / ticks;
        assert!((in_flight - 4.0).abs() < 0.3, "{in_flight} in flight");
        assert_eq!(observed.ticks.len(), observed.arrivals.len());
        let arrivals = observed.arrivals.iter().sum::<u64>() as f64 / (ticks * 0.1);
        assert!((arrivals - 800.0).abs() < 8.0, "{arrivals} arrivals a second");
    }
}
