//! What an exchange draws from outside: random numbers, and the moment.
//!
//! Both are handed in, so that the same seed repeats the same requests whatever the number of threads. The numbers are
//! keyed by what is drawn for, an arrival or a user's iteration, not by who drew before.

use chrono::{DateTime, Utc};

/// The golden ratio's fraction in 64 bits: the step of SplitMix64.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The random stream and the moment of one iteration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draw {
    state: u64,
    now: DateTime<Utc>,
}

impl Draw {
    /// The stream of an arrival of the open model.
    pub fn for_arrival(seed: u64, arrival: u64, now: DateTime<Utc>) -> Self {
        Self { state: key(mix(seed), arrival), now }
    }

    /// The stream of a user's iteration in the closed model.
    pub fn for_iteration(seed: u64, user: u64, iteration: u64, now: DateTime<Utc>) -> Self {
        // The seed is turned once more, so that no user's stream is an arrival's.
        Self { state: key(key(mix(mix(seed)), user), iteration), now }
    }

    /// The moment.
    pub fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// Time went by; the random stream goes on.
    pub fn set_now(&mut self, now: DateTime<Utc>) {
        self.now = now;
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        let bits = mix(self.state);
        self.state = self.state.wrapping_add(STEP);
        bits
    }

    /// The next number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        // 53 bits are what a float holds exactly.
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The next UUID, version 4 (RFC 9562), in its 36 characters.
    pub fn uuid(&mut self) -> String {
        let high = self.bits() & 0xffff_ffff_ffff_0fff | 0x4000;
        let low = self.bits() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000;
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

fn key(state: u64, by: u64) -> u64 {
    mix(state.wrapping_add(by.wrapping_mul(STEP)))
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit of the result depends on every bit given.
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(STEP);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_stream_depends_on_its_key_alone() {
        let now = DateTime::UNIX_EPOCH;
        assert_eq!(Draw::for_arrival(1, 7, now).uuid(), Draw::for_arrival(1, 7, now).uuid());
        let mut seen = HashSet::new();
        for seed in 0..10 {
            for a in 0..10 {
                assert!(seen.insert(Draw::for_arrival(seed, a, now).bits()));
                assert!((0..10).all(|b| seen.insert(Draw::for_iteration(seed, a, b, now).bits())));
            }
        }
    }

    #[test]
    fn a_uuid_says_its_version_and_variant() {
        let mut draw = Draw::for_arrival(3, 4, DateTime::UNIX_EPOCH);
        for _ in 0..100 {
            let uuid = draw.uuid();
            assert_eq!((uuid.len(), &uuid[14..15]), (36, "4"), "{uuid}");
            assert!(matches!(&uuid[19..20], "8" | "9" | "a" | "b"), "{uuid}");
            assert!((0.0..1.0).contains(&draw.unit()));
        }
    }
}
