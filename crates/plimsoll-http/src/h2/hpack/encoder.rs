//! Fields to header blocks.
//!
//! A load generator sends the same fields over and over, so the table is filled once and then left alone: a field is
//! added while there is room, and none ever has to leave for another. From then on equal fields make equal blocks,
//! and whoever keeps a block may send it again for as long as [`Encoder::version`] stays the same.

use super::integer;
use super::table::Table;
use super::{TABLE_BYTES_MAX, huffman};

/// The sending side of one connection's header compression.
#[derive(Debug)]
pub struct Encoder {
    table: Table,
    /// The smallest size the table had since the last block, if its size changed.
    smallest: Option<usize>,
    version: u32,
}

/// What may be remembered of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Indexing {
    /// It goes into the table if there is room: the next time it is a byte or two.
    Added,
    /// It is written out each time, as its value will hardly come again.
    Plain,
    /// It is written out, and nobody on the way may put it into a table either (RFC 7541 section 7.1.3).
    Never,
}

/// A field to encode. HTTP/2 wants names in lower case; nothing here checks it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// The name.
    pub name: &'a [u8],
    /// The value.
    pub value: &'a [u8],
    /// What may be remembered of it.
    pub indexing: Indexing,
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder {
    /// An encoder with an empty table of [`TABLE_BYTES_MAX`].
    pub fn new() -> Self {
        Self { table: Table::new(), smallest: None, version: 0 }
    }

    /// The other side's `SETTINGS_HEADER_TABLE_SIZE`. The next block tells it what we make of it.
    pub fn set_table_bytes(&mut self, bytes: u32) {
        let size = usize::try_from(bytes).unwrap_or(usize::MAX).min(TABLE_BYTES_MAX);
        if size == self.table.max() {
            return;
        }
        self.smallest = Some(self.smallest.map_or(size, |smallest| smallest.min(size)));
        self.table.resize(size);
        self.version = self.version.wrapping_add(1);
    }

    /// Changes whenever a block encoded earlier would not mean the same, or not be the best, any more.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Appends a whole block.
    pub fn encode<'a>(&mut self, fields: impl IntoIterator<Item = Field<'a>>, out: &mut Vec<u8>) {
        if let Some(smallest) = self.smallest.take() {
            self.put_sizes(smallest, out);
        }
        for field in fields {
            self.put_field(&field, out);
        }
    }

    /// RFC 7541 section 4.2: the smallest size in between is told too, as it made fields leave.
    fn put_sizes(&mut self, smallest: usize, out: &mut Vec<u8>) {
        if smallest < self.table.max() {
            integer::put(out, 0x20, 5, smallest);
        }
        integer::put(out, 0x20, 5, self.table.max());
        // A block with updates in it is not to be sent twice.
        self.version = self.version.wrapping_add(1);
    }

    fn put_field(&mut self, field: &Field<'_>, out: &mut Vec<u8>) {
        let found = self.table.find(field.name, field.value);
        if let Some((index, true)) = found
            && field.indexing != Indexing::Never
        {
            return integer::put(out, 0x80, 7, index);
        }
        let is_added = field.indexing == Indexing::Added && self.table.has_room(field.name.len() + field.value.len());
        let (pattern, prefix_bits) = match field.indexing {
            Indexing::Added if is_added => (0x40, 6),
            Indexing::Never => (0x10, 4),
            _ => (0, 4),
        };
        integer::put(out, pattern, prefix_bits, found.map_or(0, |(index, _)| index));
        if found.is_none() {
            put_string(field.name, out);
        }
        put_string(field.value, out);
        if is_added {
            self.table.insert(field.name, field.value);
            self.version = self.version.wrapping_add(1);
        }
    }
}

fn put_string(text: &[u8], out: &mut Vec<u8>) {
    let coded = huffman::coded_len(text);
    if coded < text.len() {
        integer::put(out, 0x80, 7, coded);
        huffman::encode(text, out);
    } else {
        integer::put(out, 0, 7, text.len());
        out.extend_from_slice(text);
    }
}
