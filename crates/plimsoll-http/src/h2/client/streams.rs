//! The streams that are open, found by number.
//!
//! A client's numbers are consecutive, so the number itself is the hash: streams opened one after another lie side by
//! side in a table of slots, and one that stays open for long is in nobody's way. The table grows to the most that
//! were ever open at once.

use std::sync::Arc;

use crate::h2::frame::StreamId;
use crate::h2::request::Request;

/// What is known of an open stream.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) id: StreamId,
    /// What of the body is still to be sent, if anything.
    pub(super) unsent: Option<Unsent>,
    /// What the server lets us send; below 0 after it took some back (RFC 9113 section 6.9.2).
    pub(super) send_window: i64,
    /// What the server may still send.
    pub(super) receive_window: u32,
    /// The length the body must have, once known.
    pub(super) expected: Option<u64>,
    /// Body bytes that came, or are announced by the frame that is being read.
    pub(super) got: u64,
    pub(super) interim: u8,
    /// Whether a byte of the answer has come.
    pub(super) answered: bool,
    /// Whether the final head has come.
    pub(super) has_head: bool,
    pub(super) request_is_head: bool,
}

/// A body on its way: shared with the request, not copied from it.
#[derive(Debug)]
pub(super) struct Unsent {
    pub(super) request: Arc<Request>,
    /// How much was sent; below the length of the body.
    pub(super) sent: usize,
}

#[derive(Debug, Default)]
pub(super) struct Streams {
    /// A power of two, or none; less than half of them are taken, so that a search soon meets an empty one.
    slots: Vec<Option<Stream>>,
    open: usize,
}

impl Streams {
    pub(super) fn len(&self) -> usize {
        self.open
    }

    #[inline]
    pub(super) fn get_mut(&mut self, id: StreamId) -> Option<&mut Stream> {
        let at = self.find(id)?;
        self.slots[at].as_mut()
    }

    /// Adds a stream whose number is not there yet.
    pub(super) fn insert(&mut self, stream: Stream) {
        if 2 * (self.open + 1) > self.slots.len() {
            self.grow();
        }
        self.open += 1;
        self.place(stream);
    }

    #[inline]
    pub(super) fn remove(&mut self, id: StreamId) -> Option<Stream> {
        let mut hole = self.find(id)?;
        let removed = self.slots[hole].take();
        self.open -= 1;
        // Whatever a search passed the hole to reach moves up, so that searches may stop at an empty slot.
        let mut at = self.after(hole);
        while let Some(stream) = &self.slots[at] {
            let home = self.home(stream.id);
            if self.distance(home, at) >= self.distance(hole, at) {
                self.slots.swap(hole, at);
                hole = at;
            }
            at = self.after(at);
        }
        removed
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Stream> {
        self.slots.iter_mut().flatten()
    }

    /// The numbers of all streams, in order.
    pub(super) fn ids(&self) -> Vec<StreamId> {
        let mut ids: Vec<StreamId> = self.slots.iter().flatten().map(|stream| stream.id).collect();
        ids.sort_unstable();
        ids
    }

    #[inline]
    fn find(&self, id: StreamId) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let mut at = self.home(id);
        loop {
            if self.slots[at].as_ref()?.id == id {
                return Some(at);
            }
            at = self.after(at);
        }
    }

    fn place(&mut self, stream: Stream) {
        let mut at = self.home(stream.id);
        while self.slots[at].is_some() {
            at = self.after(at);
        }
        self.slots[at] = Some(stream);
    }

    #[cold]
    fn grow(&mut self) {
        let slots = (2 * self.slots.len()).max(4);
        let old = std::mem::replace(&mut self.slots, (0..slots).map(|_| None).collect());
        old.into_iter().flatten().for_each(|stream| self.place(stream));
    }

    #[inline]
    fn home(&self, id: StreamId) -> usize {
        (id.get() >> 1) as usize & (self.slots.len() - 1)
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }

    /// How many steps a search takes from one slot to another.
    fn distance(&self, from: usize, to: usize) -> usize {
        to.wrapping_sub(from) & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn stream(id: StreamId) -> Stream {
        Stream {
            id,
            unsent: None,
            send_window: 0,
            receive_window: 0,
            expected: None,
            got: 0,
            interim: 0,
            answered: false,
            has_head: false,
            request_is_head: false,
        }
    }

    proptest! {
        #[test]
        fn same_as_a_set(steps in proptest::collection::vec((any::<bool>(), 0_u32..40), 0..300)) {
            let (mut streams, mut set, mut next) = (Streams::default(), BTreeSet::new(), 1);
            for (is_open, back) in steps {
                if is_open {
                    // Some numbers are skipped, so that searches collide.
                    next += 2 * (1 + back % 3);
                    streams.insert(stream(StreamId::new(next)));
                    set.insert(StreamId::new(next));
                } else {
                    let id = StreamId::new(next.saturating_sub(2 * back));
                    prop_assert_eq!(streams.remove(id).map(|s| s.id), set.take(&id));
                }
                prop_assert_eq!(streams.len(), set.len());
                prop_assert_eq!(streams.ids(), set.iter().copied().collect::<Vec<_>>());
                prop_assert!(set.iter().all(|&id| streams.get_mut(id).is_some_and(|s| s.id == id)));
            }
            prop_assert!(streams.slots.len() <= 1024);
        }
    }
}
