//! What a compressed header block can do wrong, in words.

use super::TABLE_BYTES_MAX;

/// How a block broke RFC 7541. The tables of both sides are out of step then, so the connection is of no further use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HpackError {
    /// The block ended in the middle of a field.
    #[error("expected the rest of a compressed field, saw the end of the header block")]
    Truncated,
    /// An integer of more than 28 bits, or with more bytes than that takes.
    #[error("expected an integer below 2^28 in a compressed field, saw a larger one")]
    Integer,
    /// An index beyond both tables, or 0.
    #[error("expected an index in [1, {last}] in a compressed field, saw {index}")]
    Index {
        /// The index.
        index: usize,
        /// The last one that stands for a field.
        last: usize,
    },
    /// The table was to become larger than we allow.
    #[error("expected a dynamic table of at most {TABLE_BYTES_MAX} bytes, saw an update to {size}")]
    TableSize {
        /// The size.
        size: usize,
    },
    /// The size of the table changed after a field.
    #[error("expected the update of the dynamic table's size before the first field, saw it after one")]
    LateUpdate,
    /// A Huffman-coded string ended with something else than up to seven 1 bits.
    #[error("expected a Huffman-coded string to be padded with up to seven 1 bits, saw other padding")]
    Padding,
    /// A Huffman-coded string held the symbol that means its end.
    #[error("expected a Huffman-coded string without the end-of-string symbol, saw it")]
    EndOfString,
}

impl HpackError {
    /// A short name that never changes, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Truncated => "hpack-truncated",
            Self::Integer => "hpack-integer",
            Self::Index { .. } => "hpack-index",
            Self::TableSize { .. } => "hpack-table-size",
            Self::LateUpdate => "hpack-late-update",
            Self::Padding => "hpack-padding",
            Self::EndOfString => "hpack-end-of-string",
        }
    }
}
