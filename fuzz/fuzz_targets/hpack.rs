//! Any bytes as header blocks: no panic, bounded lists, and what was read is read again from what we encode of it.
//!
//! The first byte of each block is its length.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plimsoll_http::h2::hpack::{Decoder, Encoder, Field, Indexing};
use plimsoll_http::{HEAD_BYTES_MAX, HEADERS_MAX};

type List = Vec<(Vec<u8>, Vec<u8>)>;

fn read(decoder: &mut Decoder, block: &[u8]) -> Result<List, String> {
    let mut list = List::new();
    let excess = decoder.decode(block, |name, value| list.push((name.to_vec(), value.to_vec())));
    assert!(list.len() <= HEADERS_MAX);
    assert!(list.iter().map(|(name, value)| name.len() + value.len() + 32).sum::<usize>() <= HEAD_BYTES_MAX);
    excess.map(|_| list).map_err(|error| error.to_string())
}

fuzz_target!(|data: &[u8]| {
    let (mut ours, mut encoder, mut decoder) = (Decoder::new(), Encoder::new(), Decoder::new());
    let mut rest = data;
    while let Some((&length, tail)) = rest.split_first() {
        let (block, tail) = tail.split_at(tail.len().min(usize::from(length)));
        rest = tail;
        let Ok(list) = read(&mut decoder, block) else { return };
        let mut encoded = Vec::new();
        encoder.set_table_bytes(u32::from(length) * 32);
        let indexing = [Indexing::Added, Indexing::Plain, Indexing::Never][usize::from(length % 3)];
        encoder.encode(list.iter().map(|(name, value)| Field { name, value, indexing }), &mut encoded);
        assert_eq!(read(&mut ours, &encoded).as_ref(), Ok(&list));
    }
});
