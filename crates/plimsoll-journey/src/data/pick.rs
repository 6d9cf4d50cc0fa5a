//! Which row it is: a pure function of the seed and of the turn, whatever the threads.
//!
//! Turns are numbered over the whole run, so that slices of it never meet at a row. In the open model a turn's number
//! is how many arrivals took the same journey before it. In the closed model nobody knows who comes first, for that is
//! up to the target. There, the n-th time that user u of U takes the journey is turn n × U + u: every user has rows of
//! its own, every U-th from its own number on, and a user who is slow leaves rows unused rather than somebody else's.

use std::fmt;
use std::str::FromStr;

use plimsoll_model::ParseError;

use super::zipf::Zipf;
use crate::chance::{Purpose, Stream};

/// In which order rows are used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Order {
    /// One after the other, and from the first again.
    Sequential,
    /// Any, each as likely as any other.
    Random,
    /// One after the other, each once.
    Unique(AtEnd),
    /// Any, the n-th in proportion to 1/nˢ: the first rows are the popular ones.
    Zipf {
        /// s; in [0, 10].
        exponent: f64,
    },
}

/// What happens when every row has been used once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AtEnd {
    /// The journey ends: for all in the open model, for this user in the closed one.
    #[default]
    Stop,
    /// The iteration fails before its first request.
    Fail,
    /// Rows are used again, from the first.
    Recycle,
}

/// When a row is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    number: u64,
    key: (u64, u64),
}

impl Turn {
    /// Of the open model: the arrival, and how many arrivals took the same journey before it.
    pub fn of_arrival(arrival: u64, before: u64) -> Self {
        Self { number: before, key: (arrival, 0) }
    }

    /// Of the closed model: the user among so many, the iteration, and how often this user took the same journey
    /// before it. `users` is the most that there will ever be, over all threads. Iteration 0, and nothing before it, is
    /// the turn for a row that a user keeps for good.
    pub fn of_user(user: u64, users: u64, iteration: u64, before: u64) -> Self {
        Self { number: before.saturating_mul(users).saturating_add(user), key: (user, iteration) }
    }
}

/// All rows have been used once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spent {
    /// It is the end of the journey, not of this iteration alone.
    pub stop: bool,
}

/// Picks rows of one data file.
#[derive(Debug, Clone)]
pub struct Pick {
    rows: u64, // at least 1
    seed: u64,
    file: u32,
    order: Order,
    zipf: Option<Zipf>,
}

impl Pick {
    /// Of so many rows of the plan's n-th data file.
    pub fn new(order: Order, rows: usize, seed: u64, file: u32) -> Self {
        let rows = (rows as u64).max(1);
        let zipf = match order {
            Order::Zipf { exponent } => Zipf::new(rows, exponent),
            _ => None,
        };
        Self { rows, seed, file, order, zipf }
    }

    /// The row of a turn.
    ///
    /// # Errors
    /// When rows are used once, and all have been.
    pub fn row(&self, turn: Turn) -> Result<usize, Spent> {
        let row = match self.order {
            Order::Sequential | Order::Unique(AtEnd::Recycle) => turn.number % self.rows,
            Order::Unique(at_end) if turn.number >= self.rows => return Err(Spent { stop: at_end == AtEnd::Stop }),
            Order::Unique(_) => turn.number,
            Order::Random | Order::Zipf { .. } => self.drawn(turn),
        };
        Ok(row as usize)
    }

    fn drawn(&self, turn: Turn) -> u64 {
        let mut stream = Stream::new(self.seed, Purpose::Row(self.file), turn.key.0, turn.key.1);
        match &self.zipf {
            Some(zipf) => zipf.sample(&mut stream) - 1,
            None => stream.below(self.rows),
        }
    }
}

impl FromStr for AtEnd {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.trim() {
            "stop" => Ok(Self::Stop),
            "fail" => Ok(Self::Fail),
            "recycle" => Ok(Self::Recycle),
            _ => Err(ParseError::new(text, "what to do when all rows are used: `stop`, `fail` or `recycle`")),
        }
    }
}

impl FromStr for Order {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let exponent = |inside: &str| {
            let exponent: f64 = inside.trim().parse().ok()?;
            (0.0..=Zipf::EXPONENT_MAX).contains(&exponent).then_some(Self::Zipf { exponent })
        };
        let read = match text.trim() {
            "sequential" => Some(Self::Sequential),
            "random" => Some(Self::Random),
            "unique" => Some(Self::Unique(AtEnd::default())),
            "zipf" => Some(Self::Zipf { exponent: 1.0 }),
            other => other.strip_prefix("zipf(").and_then(|rest| rest.strip_suffix(')')).and_then(exponent),
        };
        let expected =
            "a way to pick rows: `sequential`, `random`, `unique`, or `zipf(1.1)` with an exponent from 0 to 10";
        read.ok_or_else(|| ParseError::new(text, expected))
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sequential => f.write_str("sequential"),
            Self::Random => f.write_str("random"),
            Self::Unique(_) => f.write_str("unique"),
            Self::Zipf { exponent } => write!(f, "zipf({exponent})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const ZIPF: Order = Order::Zipf { exponent: 1.1 };

    #[track_caller]
    fn check(order: Order, turns: &[u64], expected: &[Result<usize, Spent>]) {
        let pick = Pick::new(order, 3, 7, 0);
        let rows: Vec<_> = turns.iter().map(|number| pick.row(Turn::of_arrival(*number, *number))).collect();
        assert_eq!(rows, expected, "{order:?}");
    }

    #[test]
    fn rows_come_in_their_order_and_end_as_asked() {
        let turns = [0, 1, 2, 3, 7];
        check(Order::Sequential, &turns, &[Ok(0), Ok(1), Ok(2), Ok(0), Ok(1)]);
        check(Order::Unique(AtEnd::Recycle), &turns, &[Ok(0), Ok(1), Ok(2), Ok(0), Ok(1)]);
        for (at_end, stop) in [(AtEnd::Stop, true), (AtEnd::Fail, false)] {
            let spent = Err(Spent { stop });
            check(Order::Unique(at_end), &turns, &[Ok(0), Ok(1), Ok(2), spent, spent]);
        }
    }

    #[test]
    fn users_never_share_a_unique_row() {
        let pick = Pick::new(Order::Unique(AtEnd::Stop), 100, 7, 0);
        let mut used = HashSet::new();
        for user in 0..7 {
            let rows = (0..).map_while(|before| pick.row(Turn::of_user(user, 7, before, before)).ok());
            rows.for_each(|row| assert!(used.insert(row), "row {row} of user {user} is somebody else's"));
        }
        assert_eq!(used.len(), 100);
    }

    #[test]
    fn drawn_rows_are_keyed_by_seed_file_and_turn() {
        for order in [Order::Random, ZIPF] {
            let rows = |seed, file| {
                let pick = Pick::new(order, 1000, seed, file);
                (0..200).map(|turn| pick.row(Turn::of_user(turn % 10, 10, turn / 10, 0))).collect::<Vec<_>>()
            };
            assert_eq!(rows(1, 0), rows(1, 0));
            assert_ne!(rows(1, 0), rows(2, 0));
            assert_ne!(rows(1, 0), rows(1, 1), "two files would be read in step");
        }
    }

    #[test]
    fn no_turn_is_out_of_range() {
        let turns = [Turn::of_arrival(u64::MAX, u64::MAX), Turn::of_user(u64::MAX, u64::MAX, u64::MAX, u64::MAX)];
        for order in [Order::Sequential, Order::Random, Order::Unique(AtEnd::Recycle), ZIPF] {
            for rows in [0, 1, 5] {
                let pick = Pick::new(order, rows, 1, 0);
                assert!(turns.iter().all(|turn| pick.row(*turn).is_ok_and(|row| row < rows.max(1))));
            }
        }
    }

    #[test]
    fn orders_are_read_and_written_as_they_are_typed() {
        for text in ["sequential", "random", "unique", "zipf(0.99)"] {
            assert_eq!(text.parse::<Order>().expect("valid").to_string(), text);
        }
        for text in ["", "zip", "zipf(x)", "zipf(11)", "zipf(NaN)", "zipf(1"] {
            assert!(text.parse::<Order>().is_err(), "{text}");
        }
        assert_eq!("recycle".parse(), Ok(AtEnd::Recycle));
        assert!("again".parse::<AtEnd>().is_err());
    }
}
