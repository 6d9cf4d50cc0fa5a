//! The dynamic table (RFC 7541 sections 2.3.2 and 4).
//!
//! All text is in one buffer, oldest first, and the fields are spans of it. A field that comes and goes, such as a
//! server's `date`, therefore costs a copy of its bytes and no memory of its own.

use std::collections::VecDeque;

use super::TABLE_BYTES_MAX;
use super::names::NAMES;

/// What a field counts beyond its bytes (RFC 7541 section 4.1).
pub(super) const FIELD_OVERHEAD: usize = 32;

#[derive(Debug)]
pub(super) struct Table {
    text: Vec<u8>,
    /// Newest first, as they are numbered.
    spans: VecDeque<Span>,
    /// What the fields count, in [0, max].
    size: usize,
    /// In [0, TABLE_BYTES_MAX].
    max: usize,
}

/// Where a field is in the text: its name, then its value. All are below `2 * TABLE_BYTES_MAX`.
#[derive(Debug, Clone, Copy)]
struct Span {
    at: u16,
    name: u16,
    value: u16,
}

impl Table {
    pub(super) fn new() -> Self {
        Self { text: Vec::new(), spans: VecDeque::new(), size: 0, max: TABLE_BYTES_MAX }
    }

    pub(super) fn max(&self) -> usize {
        self.max
    }

    /// The last index that stands for a field, the static table counted.
    pub(super) fn last(&self) -> usize {
        NAMES.len() + self.spans.len()
    }

    /// The field of this index in both tables; `None` when there is none.
    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<(&[u8], &[u8])> {
        let index = index.checked_sub(1)?;
        if let Some((name, value)) = NAMES.get(index) {
            return Some((name.as_bytes(), value.as_bytes()));
        }
        self.spans.get(index - NAMES.len()).map(|span| self.field(span))
    }

    /// The index of this field and whether its value is the same too, or else of its name.
    pub(super) fn find(&self, name: &[u8], value: &[u8]) -> Option<(usize, bool)> {
        let fixed = NAMES.iter().map(|(n, v)| (n.as_bytes(), v.as_bytes()));
        let dynamic = self.spans.iter().map(|span| self.field(span));
        let mut same_name = None;
        for (at, field) in fixed.chain(dynamic).enumerate() {
            if field.0 == name {
                if field.1 == value {
                    return Some((at + 1, true));
                }
                same_name = same_name.or(Some((at + 1, false)));
            }
        }
        same_name
    }

    /// Whether a field of so many bytes fits without another leaving.
    pub(super) fn has_room(&self, bytes: usize) -> bool {
        self.size + bytes + FIELD_OVERHEAD <= self.max
    }

    /// Adds a field; the oldest leave until it fits. One that is larger than the table only empties it.
    pub(super) fn insert(&mut self, name: &[u8], value: &[u8]) {
        let bytes = name.len() + value.len();
        self.shrink_to(self.max.saturating_sub(bytes + FIELD_OVERHEAD));
        if !self.has_room(bytes) {
            return;
        }
        self.make_room(bytes);
        // `has_room` bounds them all by the table's size.
        let span = Span { at: self.text.len() as u16, name: name.len() as u16, value: value.len() as u16 };
        self.text.extend_from_slice(name);
        self.text.extend_from_slice(value);
        self.spans.push_front(span);
        self.size += span.size();
    }

    /// Changes the most the fields may count; `max` is at most [`TABLE_BYTES_MAX`].
    pub(super) fn resize(&mut self, max: usize) {
        self.max = max.min(TABLE_BYTES_MAX);
        self.shrink_to(self.max);
    }

    fn shrink_to(&mut self, size: usize) {
        while self.size > size
            && let Some(oldest) = self.spans.pop_back()
        {
            self.size -= oldest.size();
        }
    }

    /// Moves the text to the front of the buffer when it would grow beyond twice the table: each byte is moved once
    /// for each that is added, and the buffer is bounded.
    fn make_room(&mut self, bytes: usize) {
        if self.text.len() + bytes <= 2 * TABLE_BYTES_MAX {
            return;
        }
        let start = self.spans.back().map_or(self.text.len(), |oldest| usize::from(oldest.at));
        self.text.drain(..start);
        for span in &mut self.spans {
            span.at -= start as u16;
        }
    }

    #[inline]
    fn field(&self, span: &Span) -> (&[u8], &[u8]) {
        let start = usize::from(span.at);
        let text = &self.text[start..start + usize::from(span.name) + usize::from(span.value)];
        text.split_at(usize::from(span.name))
    }
}

impl Span {
    fn size(self) -> usize {
        usize::from(self.name) + usize::from(self.value) + FIELD_OVERHEAD
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The table against one that is obviously right.
        #[test]
        fn same_as_a_list(steps in proptest::collection::vec((0_usize..1500, 0_usize..1500, any::<bool>()), 0..60)) {
            let mut table = Table::new();
            let mut list: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
            let mut max = TABLE_BYTES_MAX;
            for (at, (name, value, resize)) in steps.into_iter().enumerate() {
                if resize && at % 7 == 0 {
                    max = 2 * value;
                    table.resize(max);
                    max = max.min(TABLE_BYTES_MAX);
                } else {
                    let field = (vec![at as u8; name], vec![at as u8 + 1; value]);
                    table.insert(&field.0, &field.1);
                    list.insert(0, field);
                }
                let size = |list: &[(Vec<u8>, Vec<u8>)]| list.iter().map(|f| f.0.len() + f.1.len() + 32).sum::<usize>();
                while size(&list) > max {
                    list.pop();
                }
                prop_assert_eq!(table.last(), NAMES.len() + list.len());
                for (nth, field) in list.iter().enumerate() {
                    let seen = table.get(NAMES.len() + 1 + nth);
                    prop_assert_eq!(seen, Some((&field.0[..], &field.1[..])));
                }
                prop_assert!(table.text.capacity() <= 4 * TABLE_BYTES_MAX);
            }
        }
    }
}
