//! The arrival rate over the last second, in a hundred buckets, so that its memory does not grow with the rate.

use std::time::Duration;

const BUCKETS: usize = 100;
const BUCKET_MS: u128 = 10;

/// Counts arrivals of the last second, which begins with a bucket and so is up to 10 ms short. In the first second it
/// has not seen a whole one, and reads low.
#[derive(Debug, Clone)]
pub struct Meter {
    buckets: [u32; BUCKETS],
    // The number of the bucket written last, counted from the server's start.
    newest: u128,
    // The sum of `buckets`.
    total: u64,
}

impl Meter {
    /// A meter that has seen nothing.
    pub fn new() -> Self {
        Self { buckets: [0; BUCKETS], newest: 0, total: 0 }
    }

    /// Counts an arrival `now` and returns the arrivals of the last second, this one included.
    pub fn arrive(&mut self, now: Duration) -> u64 {
        let bucket = (now.as_millis() / BUCKET_MS).max(self.newest);
        let passed = (bucket - self.newest).min(BUCKETS as u128);
        for step in 1..=passed {
            let slot = slot(self.newest + step);
            self.total -= u64::from(self.buckets[slot]);
            self.buckets[slot] = 0;
        }
        // After a long pause the loop above has cleared every slot, whichever it started from.
        self.newest = bucket;
        self.buckets[slot(bucket)] += 1;
        self.total += 1;
        self.total
    }
}

impl Default for Meter {
    fn default() -> Self {
        Self::new()
    }
}

fn slot(bucket: u128) -> usize {
    (bucket % BUCKETS as u128) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_rate_of_the_last_second() {
        let mut meter = Meter::new();
        let at = |ms| Duration::from_millis(ms);
        let last = (0..3000).step_by(5).map(|ms| meter.arrive(at(ms))).last();
        assert_eq!(last, Some(200));
        // 98 came in [2.51 s, 3 s).
        assert_eq!(meter.arrive(at(3500)), 99);
        assert_eq!(meter.arrive(at(60_000)), 1);
        // A clock read before the lock was taken may be a little behind.
        assert_eq!(meter.arrive(at(59_000)), 2);
    }
}
