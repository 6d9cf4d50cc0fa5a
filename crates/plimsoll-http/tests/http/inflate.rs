//! Compressed bodies, made by flate2 and broken by hand.

use std::io::Write as _;

use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use flate2::{Compression, GzBuilder};
use plimsoll_http::{Coding, Inflate, InflateError};
use proptest::prelude::*;

const TEXT: &[u8] = b"the load line, the load line, the load line";

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(data).and_then(|()| encoder.finish()).expect("memory takes all")
}

fn gzip_with_everything(data: &[u8]) -> Vec<u8> {
    let header = GzBuilder::new().extra(vec![0; 300]).filename("name").comment("comment");
    let mut encoder = header.write(Vec::new(), Compression::best());
    encoder.write_all(data).and_then(|()| encoder.finish()).expect("memory takes all")
}

fn zlib(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(data).and_then(|()| encoder.finish()).expect("memory takes all")
}

fn bare(data: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(data).and_then(|()| encoder.finish()).expect("memory takes all")
}

fn decode(coding: Coding, input: &[u8], piece_bytes: usize) -> Result<Vec<u8>, InflateError> {
    let (mut inflate, mut out) = (Inflate::new(coding), Vec::new());
    for piece in input.chunks(piece_bytes) {
        inflate.feed(piece, &mut |bytes| out.extend_from_slice(bytes))?;
    }
    inflate.finish()?;
    assert_eq!(inflate.decoded_bytes(), out.len() as u64);
    Ok(out)
}

#[track_caller]
fn check(coding: Coding, input: &[u8], expected: Result<&[u8], &str>) {
    let shown = decode(coding, input, usize::MAX).map_err(|error| error.kind());
    assert_eq!(shown, expected.map(<[u8]>::to_vec));
    let split = decode(coding, input, 1).map_err(|error| error.kind());
    assert_eq!(split, shown, "byte by byte");
}

#[test]
fn good_bodies() {
    check(Coding::Gzip, &gzip(TEXT), Ok(TEXT));
    check(Coding::Gzip, &gzip(b""), Ok(b""));
    check(Coding::Gzip, &gzip_with_everything(TEXT), Ok(TEXT));
    check(Coding::Gzip, &[gzip(TEXT), gzip(b"!")].concat(), Ok(&[TEXT, b"!"].concat()));
    check(Coding::Gzip, &[gzip(TEXT), vec![0; 9]].concat(), Ok(TEXT));
    check(Coding::Gzip, b"", Ok(b""));
    check(Coding::Deflate, &zlib(TEXT), Ok(TEXT));
    check(Coding::Deflate, &bare(TEXT), Ok(TEXT));
    check(Coding::Deflate, b"", Ok(b""));
}

/// FLG.FHCRC, which flate2 does not write.
#[test]
fn gzip_with_a_header_checksum() {
    let mut input = gzip(TEXT);
    input[3] |= 2;
    input.splice(10..10, [0, 0]);
    check(Coding::Gzip, &input, Ok(TEXT));
}

#[test]
fn bad_bodies() {
    check(Coding::Gzip, b"<html>", Err("inflate-header"));
    check(Coding::Gzip, &zlib(TEXT), Err("inflate-header"));
    check(Coding::Gzip, &[&gzip(TEXT)[..], b"tail"].concat(), Err("inflate-header"));
    check(Coding::Gzip, &[&gzip(TEXT)[..], b"\0x"].concat(), Err("inflate-header"));
    check(Coding::Deflate, b"<html>", Err("inflate-corrupt"));
    let mut corrupt = gzip(TEXT);
    corrupt[10] = 0xff;
    check(Coding::Gzip, &corrupt, Err("inflate-corrupt"));
    let (mut checksum, last) = (gzip(TEXT), gzip(TEXT).len() - 1);
    checksum[last] ^= 1;
    check(Coding::Gzip, &checksum, Err("inflate-checksum"));
    let (mut adler, last) = (zlib(TEXT), zlib(TEXT).len() - 1);
    adler[last] ^= 1;
    check(Coding::Deflate, &adler, Err("inflate-corrupt"));
}

#[test]
fn every_truncation_is_told() {
    for (coding, whole) in [
        (Coding::Gzip, gzip(TEXT)),
        (Coding::Gzip, gzip_with_everything(TEXT)),
        (Coding::Deflate, zlib(TEXT)),
        (Coding::Deflate, bare(TEXT)),
    ] {
        for end in 1..whole.len() {
            check(coding, &whole[..end], Err("inflate-truncated"));
        }
    }
}

#[test]
fn a_body_that_explodes_comes_in_small_pieces() {
    let bomb = gzip(&vec![0; 50_000_000]);
    let (mut inflate, mut largest) = (Inflate::new(Coding::Gzip), 0);
    let fed = inflate.feed(&bomb, &mut |piece| largest = largest.max(piece.len()));
    assert_eq!(fed.and_then(|()| inflate.finish()), Ok(()));
    assert_eq!(inflate.decoded_bytes(), 50_000_000);
    assert!(largest <= 8192, "{largest}");
}

#[test]
fn a_reset_decoder_is_a_new_one() {
    let mut inflate = Inflate::new(Coding::Gzip);
    for (coding, body) in
        [(Coding::Gzip, b"<html>".to_vec()), (Coding::Deflate, zlib(TEXT)), (Coding::Gzip, gzip(TEXT))]
    {
        inflate.reset(coding);
        let mut out = Vec::new();
        let fed = inflate.feed(&body, &mut |bytes| out.extend_from_slice(bytes));
        assert!(fed.is_err() || (inflate.finish().is_ok() && out == TEXT));
    }
    assert_eq!(inflate.decoded_bytes(), TEXT.len() as u64);
}

#[test]
fn codings_by_name() {
    assert_eq!(Coding::named(b" X-Gzip "), Some(Coding::Gzip));
    assert_eq!(Coding::named(b"deflate"), Some(Coding::Deflate));
    assert_eq!(Coding::named(b"br"), None);
    assert_eq!(Coding::named(b"gzip, gzip"), None);
}

proptest! {
    #[test]
    fn round_trip(data: Vec<u8>, repeats in 1_usize..200, piece_bytes in 1_usize..300) {
        let data = data.repeat(repeats);
        for (coding, body) in [(Coding::Gzip, gzip(&data)), (Coding::Deflate, zlib(&data))] {
            prop_assert_eq!(decode(coding, &body, piece_bytes), Ok(data.clone()));
        }
    }

    #[test]
    fn any_bytes_do_no_harm(data: Vec<u8>, piece_bytes in 1_usize..9, magic: bool) {
        let data = [if magic { &b"\x1f\x8b\x08"[..] } else { b"" }, &data].concat();
        for coding in [Coding::Gzip, Coding::Deflate] {
            let whole = decode(coding, &data, usize::MAX);
            prop_assert_eq!(decode(coding, &data, piece_bytes).is_ok(), whole.is_ok());
        }
    }
}
