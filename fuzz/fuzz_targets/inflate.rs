//! Any bytes as a compressed body: no panic, small pieces, and the same verdict however split.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plimsoll_http::{Coding, Inflate, InflateError};

/// Decoded length, or the kind of error; the bytes themselves would make bombs slow to compare.
fn read<'i>(coding: Coding, pieces: impl Iterator<Item = &'i [u8]>) -> Result<u64, &'static str> {
    let kind = |error: InflateError| error.kind();
    let (mut inflate, mut decoded) = (Inflate::new(coding), 0);
    for piece in pieces {
        let fed = inflate.feed(piece, &mut |bytes| {
            assert!(!bytes.is_empty() && bytes.len() <= 8192);
            decoded += bytes.len() as u64;
        });
        fed.map_err(kind)?;
    }
    inflate.finish().map_err(kind)?;
    assert_eq!(decoded, inflate.decoded_bytes());
    Ok(decoded)
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, body)) = data.split_first() else { return };
    let coding = if choice & 1 == 1 { Coding::Gzip } else { Coding::Deflate };
    let whole = read(coding, [body].into_iter());
    assert_eq!(read(coding, body.chunks(usize::from(choice >> 1) + 1)), whole);
});
