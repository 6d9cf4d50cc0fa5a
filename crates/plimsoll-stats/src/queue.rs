//! Queues whose truth is known: simulated in virtual time, and in closed form.
//!
//! The oracle for this crate's tests and for the capacity search. Poisson arrivals, c servers, first come first
//! served, exponential or fixed service times: M/M/c and M/D/c. It knows no clock; time is a number of seconds.

mod closed_form;
mod random;
mod ticks;

pub use closed_form::{erlang_c, md1_mean, mm1_mean, mm1_quantile, mm1_relaxation, mmc_mean, mmc_quantile};
pub use random::Random;
pub use ticks::{Observed, observe};

/// How long the servers take for one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Exponentially distributed.
    Exponential,
    /// Always the same.
    Fixed,
}

/// A queue with Poisson arrivals, empty at first; as an iterator, its requests in order of arrival.
#[derive(Clone, Debug)]
pub struct Queue {
    random: Random,
    service: Service,
    arrival_mean_s: f64,
    service_mean_s: f64,
    now_s: f64,
    free_s: Vec<f64>, // when each server becomes free
}

/// One request of a simulated queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// When it arrived, in seconds.
    pub arrival_s: f64,
    /// When it was served, in seconds.
    pub departure_s: f64,
}

impl Queue {
    /// A queue in front of `servers` servers, each serving `service_rate` a second, with `arrival_rate` arrivals a
    /// second.
    pub fn new(service: Service, servers: usize, arrival_rate: f64, service_rate: f64, seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            service,
            arrival_mean_s: 1.0 / arrival_rate,
            service_mean_s: 1.0 / service_rate,
            now_s: 0.0,
            free_s: vec![0.0; servers.max(1)],
        }
    }

    /// The queue of one server with exponential service times.
    pub fn mm1(arrival_rate: f64, service_rate: f64, seed: u64) -> Self {
        Self::new(Service::Exponential, 1, arrival_rate, service_rate, seed)
    }

    /// Lets every server serve `service_rate` a second from now on.
    pub fn set_service_rate(&mut self, service_rate: f64) {
        self.service_mean_s = 1.0 / service_rate;
    }

    /// The next request. A server takes whoever came first once it is free (Lindley 1952 for one server, Kiefer and
    /// Wolfowitz 1955 for several): departure = max(arrival, earliest free server) + service time.
    #[inline]
    pub fn serve(&mut self) -> Request {
        self.now_s += self.random.exponential(self.arrival_mean_s);
        let service_s = match self.service {
            Service::Exponential => self.random.exponential(self.service_mean_s),
            Service::Fixed => self.service_mean_s,
        };
        let server = self.earliest_free();
        let departure_s = self.free_s[server].max(self.now_s) + service_s;
        self.free_s[server] = departure_s;
        Request { arrival_s: self.now_s, departure_s }
    }

    #[inline]
    fn earliest_free(&self) -> usize {
        let mut earliest = 0;
        for server in 1..self.free_s.len() {
            if self.free_s[server] < self.free_s[earliest] {
                earliest = server;
            }
        }
        earliest
    }
}

impl Iterator for Queue {
    type Item = Request;

    fn next(&mut self) -> Option<Request> {
        Some(self.serve())
    }
}

impl Request {
    /// The response time in nanoseconds.
    #[inline]
    pub fn response_ns(self) -> u64 {
        ((self.departure_s - self.arrival_s) * 1e9) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Histogram, Quantile};

    fn responses(queue: Queue) -> Histogram {
        let mut histogram = Histogram::new();
        for request in queue.skip(20_000).take(1_000_000) {
            histogram.record(request.response_ns());
        }
        histogram
    }

    #[track_caller]
    fn check(value_ns: f64, truth_s: f64) {
        let ratio = value_ns / 1e9 / truth_s;
        assert!((ratio - 1.0).abs() < 0.02, "{ratio} times the closed form");
    }

    #[test]
    fn simulated_queues_agree_with_their_closed_forms() {
        let mean = |queue| responses(queue).mean().expect("requests were served");
        check(mean(Queue::mm1(500.0, 1_000.0, 1)), mm1_mean(500.0, 1_000.0));
        check(mean(Queue::new(Service::Fixed, 1, 700.0, 1_000.0, 2)), md1_mean(700.0, 1_000.0));
        check(mean(Queue::new(Service::Exponential, 4, 2_800.0, 1_000.0, 3)), mmc_mean(4, 2_800.0, 1_000.0));
    }

    #[test]
    fn simulated_quantiles_agree_with_their_closed_forms() {
        let p90 = |queue| {
            let value = responses(queue).quantile(Quantile::P90);
            value.expect("requests were served") as f64
        };
        check(p90(Queue::mm1(500.0, 1_000.0, 4)), mm1_quantile(500.0, 1_000.0, Quantile::P90));
        check(
            p90(Queue::new(Service::Exponential, 4, 2_800.0, 1_000.0, 5)),
            mmc_quantile(4, 2_800.0, 1_000.0, Quantile::P90),
        );
    }
}
