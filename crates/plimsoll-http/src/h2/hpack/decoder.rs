//! Header blocks to fields.

use super::integer;
use super::table::{FIELD_OVERHEAD, Table};
use super::{HpackError, TABLE_BYTES_MAX, huffman};
use crate::{HEAD_BYTES_MAX, HEADERS_MAX};

/// The receiving side of one connection's header compression.
#[derive(Debug)]
pub struct Decoder {
    table: Table,
    /// The field that is being read: name, then value. Kept so that its memory is used again.
    text: Vec<u8>,
}

/// Which limit a list of fields exceeded. The tables are still in step: the next block can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excess {
    /// More than [`HEADERS_MAX`] fields.
    Fields,
    /// More than [`HEAD_BYTES_MAX`], each field counted as its bytes and 32.
    Bytes,
}

/// What has been delivered of a block.
#[derive(Default)]
struct Tally {
    fields: usize,
    bytes: usize,
    excess: Option<Excess>,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// A decoder with an empty table of [`TABLE_BYTES_MAX`].
    pub fn new() -> Self {
        Self { table: Table::new(), text: Vec::new() }
    }

    /// Reads a whole block, passing name and value of each field to `each` in order. A list that is too long is read
    /// to its end, so that the next can be, but nothing is passed from where it exceeded the limit.
    ///
    /// # Errors
    /// When the block breaks the format.
    pub fn decode(&mut self, block: &[u8], mut each: impl FnMut(&[u8], &[u8])) -> Result<Option<Excess>, HpackError> {
        let mut rest = block;
        let mut tally = Tally::default();
        let mut updates_allowed = true;
        while let Some((&first, tail)) = rest.split_first() {
            rest = tail;
            if first & 0xe0 == 0x20 {
                if !updates_allowed {
                    return Err(HpackError::LateUpdate);
                }
                self.resize(integer::take(first, 5, &mut rest)?)?;
                continue;
            }
            updates_allowed = false;
            let (name, value) = self.field(first, &mut rest)?;
            if tally.admits(name.len() + value.len()) {
                each(name, value);
            }
        }
        Ok(tally.excess)
    }

    fn resize(&mut self, size: usize) -> Result<(), HpackError> {
        if size > TABLE_BYTES_MAX {
            return Err(HpackError::TableSize { size });
        }
        self.table.resize(size);
        Ok(())
    }

    #[inline]
    fn field(&mut self, first: u8, rest: &mut &[u8]) -> Result<(&[u8], &[u8]), HpackError> {
        if first & 0x80 != 0 {
            let index = integer::take(first, 7, rest)?;
            return indexed(&self.table, index);
        }
        let is_added = first & 0x40 != 0;
        let index = integer::take(first, if is_added { 6 } else { 4 }, rest)?;
        self.text.clear();
        if index == 0 {
            take_string(rest, &mut self.text)?;
        } else {
            self.text.extend_from_slice(indexed(&self.table, index)?.0);
        }
        let name = self.text.len();
        take_string(rest, &mut self.text)?;
        let (name, value) = self.text.split_at(name);
        if is_added {
            self.table.insert(name, value);
        }
        Ok((name, value))
    }
}

impl Tally {
    /// Counts a field; false when it is beyond a limit.
    fn admits(&mut self, bytes: usize) -> bool {
        self.fields = self.fields.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes + FIELD_OVERHEAD);
        if self.excess.is_none() {
            let too_many = (self.fields > HEADERS_MAX).then_some(Excess::Fields);
            self.excess = too_many.or((self.bytes > HEAD_BYTES_MAX).then_some(Excess::Bytes));
        }
        self.excess.is_none()
    }
}

fn indexed(table: &Table, index: usize) -> Result<(&[u8], &[u8]), HpackError> {
    table.get(index).ok_or_else(|| HpackError::Index { index, last: table.last() })
}

fn take_string(rest: &mut &[u8], out: &mut Vec<u8>) -> Result<(), HpackError> {
    let (&first, tail) = rest.split_first().ok_or(HpackError::Truncated)?;
    *rest = tail;
    let length = integer::take(first, 7, rest)?;
    let (text, tail) = rest.split_at_checked(length).ok_or(HpackError::Truncated)?;
    *rest = tail;
    if first & 0x80 != 0 {
        return huffman::decode(text, out);
    }
    out.extend_from_slice(text);
    Ok(())
}
