//! Which journey it is each time, and which turn of that journey.
//!
//! Journeys are drawn by weight, by arrival in the open model and by (user, iteration) in the closed one. The turns of
//! a journey are numbered without gaps, so that unique rows are not used up by iterations that took another journey.

use std::sync::Arc;

use crate::chance::{Purpose, Stream};
use crate::data::Turn;

/// How often each journey is taken.
#[derive(Debug, Clone)]
pub struct Mix {
    weights: Arc<[f64]>, // they sum to something
    seed: u64,
    is_in_order: bool,
}

/// A journey that is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// Its index among the weights.
    pub journey: usize,
    /// Which turn of it this is.
    pub turn: Turn,
}

impl Mix {
    /// None if the weights sum to nothing.
    pub fn new(weights: &[f64], seed: u64) -> Option<Self> {
        let mix = Self { weights: weights.into(), seed, is_in_order: false };
        mix.draw(0, 0).map(|_| mix)
    }

    /// One after the other, each as often as any other.
    #[must_use]
    pub fn in_order(self) -> Self {
        Self { is_in_order: true, ..self }
    }

    /// For the arrivals of the open model. Each slice of a run counts for itself, and comes to the same.
    pub fn arrivals(&self) -> ArrivalMix {
        ArrivalMix { mix: self.clone(), next: 0, before: vec![0; self.weights.len()].into() }
    }

    /// For a user among so many of the closed model; `users` is the most that there will ever be, over all threads.
    pub fn user(&self, user: u64, users: u64) -> UserMix {
        UserMix { mix: self.clone(), user, users, iteration: 0, before: vec![0; self.weights.len()].into() }
    }

    fn draw(&self, a: u64, b: u64) -> Option<usize> {
        match self.weights.len() {
            // Either is the number of an arrival or that of an iteration; the other is 0, or shifts where a user begins.
            several if self.is_in_order => Some((a.wrapping_add(b) % several as u64) as usize),
            1 => (self.weights[0] > 0.0).then_some(0),
            _ => Stream::new(self.seed, Purpose::Mix, a, b).choose(&self.weights),
        }
    }

    /// There is one, or the mix would not be.
    fn drawn(&self, a: u64, b: u64) -> usize {
        self.draw(a, b).unwrap_or(0)
    }
}

/// The journeys of arrivals, asked for in their order.
#[derive(Debug, Clone)]
pub struct ArrivalMix {
    mix: Mix,
    next: u64,
    /// How many arrivals before `next` took each journey.
    before: Box<[u64]>,
}

impl ArrivalMix {
    /// The journey of an arrival. Those between it and the last one asked for belong to other slices; they are drawn
    /// too, since only so is it known how many of them took which journey.
    pub fn take(&mut self, arrival: u64) -> Taken {
        if let [before] = &mut *self.before {
            // With one journey there is nothing to draw, and every arrival is a turn.
            *before = arrival;
            self.next = arrival;
        }
        while self.next < arrival {
            self.before[self.mix.drawn(self.next, 0)] += 1;
            self.next += 1;
        }
        let journey = self.mix.drawn(arrival, 0);
        Taken { journey, turn: Turn::of_arrival(arrival, self.before[journey]) }
    }
}

/// The journeys of a user, one iteration after the other.
#[derive(Debug, Clone)]
pub struct UserMix {
    mix: Mix,
    user: u64,
    users: u64,
    iteration: u64,
    /// How often this user took each journey.
    before: Box<[u64]>,
}

impl UserMix {
    /// The journey of the next iteration.
    pub fn take(&mut self) -> Taken {
        let iteration = self.iteration;
        self.iteration += 1;
        let journey = self.mix.drawn(self.user, iteration);
        let before = self.before[journey];
        self.before[journey] += 1;
        Taken { journey, turn: Turn::of_user(self.user, self.users, iteration, before) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::data::{AtEnd, Order, Pick};

    fn mix(weights: &[f64]) -> Mix {
        Mix::new(weights, 7).expect("they sum to something")
    }

    fn unique(rows: usize) -> Pick {
        Pick::new(Order::Unique(AtEnd::Stop), rows, 7, 0)
    }

    #[test]
    fn slices_take_what_the_whole_takes() {
        for weights in [&[1.0][..], &[3.0, 1.0], &[0.2, 0.0, 0.5]] {
            let mut whole = mix(weights).arrivals();
            let whole: Vec<Taken> = (0..300).map(|arrival| whole.take(arrival)).collect();
            for slice in 0..3 {
                let mut part = mix(weights).arrivals();
                for arrival in (slice..300).step_by(3) {
                    assert_eq!(part.take(arrival as u64), whole[arrival], "{weights:?}");
                }
            }
        }
    }

    #[test]
    fn each_journey_uses_up_all_unique_rows_and_none_twice() {
        let mut arrivals = mix(&[3.0, 1.0]).arrivals();
        let taken: Vec<Taken> = (0..1000).map(|arrival| arrivals.take(arrival)).collect();
        for journey in 0..2 {
            let turns: Vec<Turn> =
                taken.iter().filter(|taken| taken.journey == journey).map(|taken| taken.turn).collect();
            let rows = turns.iter().filter_map(|turn| unique(turns.len()).row(*turn).ok());
            assert_eq!(rows.collect::<Vec<_>>(), (0..turns.len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn users_take_what_they_took_before_and_share_no_row() {
        let take = |user| {
            let mut user = mix(&[1.0, 1.0]).user(user, 5);
            (0..50).map(|_| user.take()).collect::<Vec<_>>()
        };
        assert_eq!(take(2), take(2));
        assert_ne!(take(2).iter().map(|taken| taken.journey).collect::<Vec<_>>(), vec![0; 50]);
        let taken: Vec<Taken> = (0..5).flat_map(take).filter(|taken| taken.journey == 1).collect();
        let rows: BTreeSet<usize> = taken.iter().filter_map(|taken| unique(1000).row(taken.turn).ok()).collect();
        assert_eq!(rows.len(), taken.len());
    }

    #[test]
    fn weights_that_sum_to_nothing_are_no_mix() {
        for weights in [&[][..], &[0.0], &[0.0, 0.0], &[-1.0], &[f64::NAN]] {
            assert!(Mix::new(weights, 1).is_none(), "{weights:?}");
        }
    }
}
