//! What an exchange draws from outside: random numbers, and the moment.
//!
//! Both are handed in, so that the same seed repeats the same requests whatever the number of threads. The numbers are
//! those of [`Stream`]: keyed by what is drawn for, an arrival or a user's iteration, not by who drew before.

use chrono::{DateTime, Utc};

use crate::chance::{Purpose, Stream};

/// The random stream and the moment of one iteration.
#[derive(Debug, Clone)]
pub struct Draw {
    stream: Stream,
    now: DateTime<Utc>,
}

impl Draw {
    /// The stream of an arrival of the open model.
    pub fn for_arrival(seed: u64, arrival: u64, now: DateTime<Utc>) -> Self {
        Self { stream: Stream::new(seed, Purpose::Value, arrival, 0), now }
    }

    /// The stream of a user's iteration in the closed model.
    pub fn for_iteration(seed: u64, user: u64, iteration: u64, now: DateTime<Utc>) -> Self {
        Self { stream: Stream::new(seed, Purpose::Value, user, iteration), now }
    }

    /// The moment.
    pub fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// Time went by; the random stream goes on.
    pub fn set_now(&mut self, now: DateTime<Utc>) {
        self.now = now;
    }

    /// The next UUID, version 4 (RFC 9562), in its 36 characters.
    pub fn uuid(&mut self) -> String {
        let high = self.stream.bits() & 0xffff_ffff_ffff_0fff | 0x4000;
        let low = self.stream.bits() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000;
        format!(
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            high >> 32,
            high >> 16 & 0xffff,
            high & 0xffff,
            low >> 48,
            low & 0xffff_ffff_ffff
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn what_is_drawn_depends_on_its_key_alone() {
        let now = DateTime::UNIX_EPOCH;
        let later = DateTime::UNIX_EPOCH + chrono::TimeDelta::days(1);
        assert_eq!(Draw::for_arrival(1, 7, now).uuid(), Draw::for_arrival(1, 7, later).uuid());
        let (mut of_arrivals, mut of_iterations) = (HashSet::new(), HashSet::new());
        for seed in 0..10 {
            for a in 0..10 {
                assert!(of_arrivals.insert(Draw::for_arrival(seed, a, now).uuid()));
                assert!((0..10).all(|b| of_iterations.insert(Draw::for_iteration(seed, a, b, now).uuid())));
            }
        }
    }

    #[test]
    fn made_up_values_are_pinned() {
        // A change here changes every run that anybody wants to repeat.
        let mut draw = Draw::for_iteration(7, 1, 2, DateTime::UNIX_EPOCH);
        assert_eq!(
            [draw.uuid(), draw.uuid()],
            ["dcd682b3-eed7-41da-a261-feca0f24bfc8", "61b2fa0b-2c38-4dc2-9bdd-588595c384ee"]
        );
    }

    #[test]
    fn a_uuid_says_its_version_and_variant() {
        let mut draw = Draw::for_arrival(3, 4, DateTime::UNIX_EPOCH);
        for _ in 0..100 {
            let uuid = draw.uuid();
            assert_eq!((uuid.len(), &uuid[14..15]), (36, "4"), "{uuid}");
            assert!(matches!(&uuid[19..20], "8" | "9" | "a" | "b"), "{uuid}");
        }
    }
}
