//! A FIFO queue with c servers in virtual time: departures are computed when a request arrives, nothing spins, and
//! the truth is known. It knows neither what the work is nor who waits for it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

/// When a server is free again. All times are counted from the server's start.
#[derive(Debug, Clone)]
pub struct Station {
    // `None`: as many servers as requests, so nobody waits.
    servers: Option<usize>,
    // At most `servers` of them; the earliest on top.
    free_at: BinaryHeap<Reverse<Duration>>,
}

impl Station {
    /// A station of `servers`, or one that never queues.
    pub fn new(servers: Option<usize>) -> Self {
        Self { servers, free_at: BinaryHeap::new() }
    }

    /// Takes a request that arrives `now` and returns when it departs; `finish` says when work that starts at the
    /// given time ends.
    pub fn depart(&mut self, now: Duration, finish: impl FnOnce(Duration) -> Duration) -> Duration {
        let Some(servers) = self.servers else {
            return finish(now);
        };
        let start = if self.free_at.len() < servers {
            now
        } else {
            self.free_at.pop().map_or(now, |Reverse(free)| free.max(now))
        };
        let departure = finish(start);
        self.free_at.push(Reverse(departure));
        departure
    }
}

/// Who is in the system: those whose answers are not released yet.
#[derive(Debug, Clone, Default)]
pub struct Presence {
    leaving: BinaryHeap<Reverse<Duration>>,
}

impl Presence {
    /// How many are in the system `now`.
    pub fn count(&mut self, now: Duration) -> usize {
        while self.leaving.peek().is_some_and(|&Reverse(at)| at <= now) {
            self.leaving.pop();
        }
        self.leaving.len()
    }

    /// Somebody came who leaves at `at`.
    pub fn add(&mut self, at: Duration) {
        self.leaving.push(Reverse(at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[track_caller]
    fn check(servers: Option<usize>, arrivals: &[(u64, u64)], departures: &[u64]) {
        let mut station = Station::new(servers);
        let got: Vec<Duration> =
            arrivals.iter().map(|&(at, work)| station.depart(ms(at), |start| start + ms(work))).collect();
        let want: Vec<Duration> = departures.iter().map(|&at| ms(at)).collect();
        assert_eq!(got, want);
    }

    #[test]
    fn departures_are_those_of_a_queue() {
        check(Some(1), &[(0, 10), (1, 10), (50, 10)], &[10, 20, 60]);
        check(Some(2), &[(0, 10), (1, 10), (2, 10), (3, 1)], &[10, 11, 20, 12]);
        check(None, &[(0, 10), (1, 10), (2, 10)], &[10, 11, 12]);
    }

    #[test]
    fn presence_counts_until_the_release() {
        let mut presence = Presence::default();
        presence.add(ms(10));
        presence.add(ms(5));
        assert_eq!(presence.count(ms(4)), 2);
        assert_eq!(presence.count(ms(5)), 1);
        assert_eq!(presence.count(ms(10)), 0);
    }
}
