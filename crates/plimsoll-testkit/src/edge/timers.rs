//! Who wants to be woken when. Nothing is ever taken out early: a connection that is gone, or was woken otherwise, is
//! recognised by its key when its time comes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

/// Wake-ups by their time; those of the same time in the order they were asked for.
#[derive(Debug)]
pub(super) struct Timers<K> {
    heap: BinaryHeap<Reverse<(Duration, u64, K)>>,
    asked: u64,
}

impl<K: Ord> Timers<K> {
    pub(super) fn new() -> Self {
        Self { heap: BinaryHeap::new(), asked: 0 }
    }

    /// Wakes `key` at `due`.
    pub(super) fn wake(&mut self, due: Duration, key: K) {
        self.heap.push(Reverse((due, self.asked, key)));
        self.asked += 1;
    }

    /// The next time somebody is to be woken.
    pub(super) fn next_due(&self) -> Option<Duration> {
        self.heap.peek().map(|Reverse((due, ..))| *due)
    }

    /// Somebody whose time has come.
    pub(super) fn pop_due(&mut self, now: Duration) -> Option<K> {
        if self.next_due()? > now {
            return None;
        }
        self.heap.pop().map(|Reverse((.., key))| key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_order_of_time_and_then_of_asking() {
        let ms = Duration::from_millis;
        let mut timers = Timers::new();
        for (due, key) in [(5, 'c'), (3, 'b'), (5, 'a'), (1, 'z')] {
            timers.wake(ms(due), key);
        }
        assert_eq!(timers.next_due(), Some(ms(1)));
        let woken: String = std::iter::from_fn(|| timers.pop_due(ms(5))).collect();
        assert_eq!(woken, "zbca");
        timers.wake(ms(9), 'x');
        assert_eq!(timers.pop_due(ms(8)), None);
    }
}
