//! Any bytes as a chunked body: no panic, bounded memory, the same reading however split, and what was read
//! encodes to something that reads the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plimsoll_http::{ChunkDecoder, Fed, HEAD_BYTES_MAX, Sink, end_chunks, put_chunk};

#[derive(Default, PartialEq, Debug)]
struct Kept {
    body: Vec<u8>,
    trailers: Vec<(String, Vec<u8>)>,
}

impl Sink for Kept {
    fn body(&mut self, bytes: &[u8]) {
        self.body.extend_from_slice(bytes);
    }
    fn trailer(&mut self, name: &str, value: &[u8]) {
        self.trailers.push((name.to_owned(), value.to_vec()));
    }
}

fn read<'i>(pieces: impl Iterator<Item = &'i [u8]>) -> (Result<Option<usize>, &'static str>, Kept) {
    let (mut decoder, mut kept) = (ChunkDecoder::new(), Kept::default());
    let mut eaten = 0;
    for piece in pieces {
        match decoder.feed(piece, &mut kept) {
            Ok(Fed::More) => eaten += piece.len(),
            Ok(Fed::Done { consumed }) => return (Ok(Some(eaten + consumed)), kept),
            Err(error) => {
                assert!(!error.to_string().contains(|c: char| c.is_control()));
                return (Err(error.kind()), kept);
            }
        }
        assert!(decoder.kept_bytes() <= 2 * HEAD_BYTES_MAX);
    }
    (Ok(None), kept)
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, body)) = data.split_first() else { return };
    let whole = read([body].into_iter());
    assert_eq!(read(body.chunks(usize::from(choice) + 1)), whole);
    assert_eq!(read(body.chunks(1)), whole);

    let mut encoded = Vec::new();
    for piece in body.chunks(usize::from(choice) + 1) {
        put_chunk(&mut encoded, piece);
    }
    end_chunks(&mut encoded);
    let (end, kept) = read([&encoded[..]].into_iter());
    assert_eq!((end, &kept.body[..]), (Ok(Some(encoded.len())), body));
});
