//! What became of a request.

use std::ops::{Index, IndexMut};

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

/// How one request ended. Every request that was due ends in exactly one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Outcome {
    /// An answer below 400.
    Ok,
    /// 429: a rate limit refused it.
    Limited,
    /// Any other 4xx.
    ClientError,
    /// 5xx, or a status outside 1xx–5xx.
    ServerError,
    /// No whole answer within the time allowed.
    Timeout,
    /// No connection could be made.
    Connect,
    /// The TLS handshake failed.
    Tls,
    /// The connection was reset or closed before the whole answer had come.
    Reset,
    /// What came was not a valid answer.
    Protocol,
    /// The answer was valid but not the one the journey wanted.
    Assertion,
    /// The cap on requests in flight refused it: it was due, and never sent.
    Dropped,
}

impl Outcome {
    /// How many outcomes there are.
    pub const COUNT: usize = 11;

    /// All of them, in the order in which they are reported.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Ok,
        Self::Limited,
        Self::ClientError,
        Self::ServerError,
        Self::Timeout,
        Self::Connect,
        Self::Tls,
        Self::Reset,
        Self::Protocol,
        Self::Assertion,
        Self::Dropped,
    ];

    /// The outcome of a whole and valid answer.
    pub fn of_status(status: u16) -> Self {
        match status {
            100..=399 => Self::Ok,
            429 => Self::Limited,
            400..=499 => Self::ClientError,
            _ => Self::ServerError,
        }
    }

    /// The name in JSON and everywhere else.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Limited => "limited",
            Self::ClientError => "client_error",
            Self::ServerError => "server_error",
            Self::Timeout => "timeout",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Reset => "reset",
            Self::Protocol => "protocol",
            Self::Assertion => "assertion",
            Self::Dropped => "dropped",
        }
    }

    /// Whether a status line came with it.
    pub fn is_answer(self) -> bool {
        matches!(self, Self::Ok | Self::Limited | Self::ClientError | Self::ServerError | Self::Assertion)
    }
}

/// A count for each outcome; JSON shows all of them, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutcomeCounts([u64; Outcome::COUNT]);

impl OutcomeCounts {
    /// The sum over all outcomes.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Each outcome with its count, zeros included.
    pub fn iter(&self) -> impl Iterator<Item = (Outcome, u64)> + '_ {
        Outcome::ALL.into_iter().map(|outcome| (outcome, self[outcome]))
    }
}

impl Index<Outcome> for OutcomeCounts {
    type Output = u64;
    fn index(&self, outcome: Outcome) -> &u64 {
        &self.0[outcome as usize]
    }
}

impl IndexMut<Outcome> for OutcomeCounts {
    fn index_mut(&mut self, outcome: Outcome) -> &mut u64 {
        &mut self.0[outcome as usize]
    }
}

impl Serialize for OutcomeCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Outcome::COUNT))?;
        for (outcome, count) in self.iter() {
            map.serialize_entry(outcome.name(), &count)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_fall_into_their_outcome() {
        for (status, outcome) in [
            (101, Outcome::Ok),
            (200, Outcome::Ok),
            (304, Outcome::Ok),
            (404, Outcome::ClientError),
            (429, Outcome::Limited),
            (503, Outcome::ServerError),
            (999, Outcome::ServerError),
        ] {
            assert_eq!(Outcome::of_status(status), outcome, "{status}");
        }
    }

    #[test]
    fn all_lists_each_outcome_at_its_own_index() {
        for (index, outcome) in Outcome::ALL.into_iter().enumerate() {
            assert_eq!(outcome as usize, index);
        }
    }
}
