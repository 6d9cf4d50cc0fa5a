//! Header compression (RFC 7541), both directions.
//!
//! A [`Decoder`] and an [`Encoder`] belong to one connection each, since their dynamic tables are its history. They
//! know bytes, not meaning: whether a name may be upper-case or a pseudo-field late is for the reader to judge.

mod decoder;
mod encoder;
mod error;
mod huffman;
mod integer;
mod names;
mod table;

pub use decoder::{Decoder, Excess};
pub use encoder::{Encoder, Field, Indexing};
pub use error::HpackError;

/// The size of the dynamic table in both directions: what a connection begins with, and the most we use or allow.
pub const TABLE_BYTES_MAX: usize = 4096;
