//! How many arrivals took which journey: known without asking anybody, because the choice is a function of the seed.

use plimsoll_journey::Script;

use super::traveller::Key;

/// Counts the arrivals of the open model by journey, those of other threads too.
pub(crate) struct Census {
    seed: u64,
    next: u64,
    taken: Vec<u64>,
}

impl Census {
    pub(crate) fn new(script: &Script, seed: u64) -> Self {
        Self { seed, next: 0, taken: vec![0; script.acts.len()] }
    }

    /// The key of an arrival; they are asked for in their order.
    pub(crate) fn key(&mut self, script: &Script, number: u64) -> Key {
        while self.next < number {
            let nth = Key::Arrival { number: self.next, before: 0 }.journey(script, self.seed);
            self.taken[nth] += 1;
            self.next += 1;
        }
        let nth = Key::Arrival { number, before: 0 }.journey(script, self.seed);
        Key::Arrival { number, before: self.taken[nth] }
    }
}
