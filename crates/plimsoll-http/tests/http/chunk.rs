//! Chunked bodies on their own, as the testkit reads them.

use crate::outcome::Kept;
use plimsoll_http::{CHUNK_LINE_MAX, ChunkDecoder, Fed, HEAD_BYTES_MAX, HEADERS_MAX};

fn read<'i>(pieces: impl IntoIterator<Item = &'i [u8]>) -> (String, Kept) {
    let (mut decoder, mut kept) = (ChunkDecoder::new(), Kept::default());
    let mut end = "more".to_owned();
    for piece in pieces {
        match decoder.feed(piece, &mut kept) {
            Ok(Fed::More) => {}
            Ok(Fed::Done { consumed }) => {
                end = format!("done `{}`", String::from_utf8_lossy(&kept.body));
                assert!(decoder.is_done() && consumed <= piece.len());
                break;
            }
            Err(error) => {
                end = error.kind().to_owned();
                break;
            }
        }
    }
    (end, kept)
}

#[track_caller]
fn check(body: impl AsRef<[u8]>, expected: &str) {
    let whole = read([body.as_ref()]);
    assert_eq!(whole.0, expected);
    assert_eq!(read(body.as_ref().chunks(1)).0, expected, "byte by byte");
}

#[test]
fn sizes() {
    check("a\r\n0123456789\r\n0\r\n\r\n", "done `0123456789`");
    check("A\r\n0123456789\r\n00\r\n\r\n", "done `0123456789`");
    check("0000000000000000000002\r\nhi\r\n0\r\n\r\n", "done `hi`");
    check("2 \t\r\nhi\r\n0 \r\n\r\n", "done `hi`");
    check("ffffffffffffffff\r\n", "more");
    check("10000000000000000\r\n", "chunk-size-overflow");
    check("\r\n", "chunk-size");
    check(" 2\r\n", "chunk-size");
    check("-2\r\n", "chunk-size");
    check("0x2\r\n", "chunk-size");
    check("2 2\r\n", "chunk-size");
    check("2\nhi", "chunk-size");
    check("2\r\r", "chunk-line-end");
    check("2\r\nhi\n0\r\n\r\n", "chunk-line-end");
    check("2\r\nhi\r\r", "chunk-line-end");
    check("2\r\nhigh", "chunk-line-end");
}

#[test]
fn extensions() {
    check("2;a\r\nhi\r\n0;b=c\r\n\r\n", "done `hi`");
    check("2 ; a=\"b;c\"\r\nhi\r\n0\r\n\r\n", "done `hi`");
    check("2;a\nhi", "chunk-extension");
    check("2;a\0\r\n", "chunk-extension");
    // A lone CR is where two decoders may disagree.
    check("2;a\rb\r\n", "chunk-line-end");
    let fits = "x".repeat(CHUNK_LINE_MAX as usize - 4);
    check(format!("2;{fits}\r\nhi\r\n0\r\n\r\n"), "done `hi`");
    check(format!("2;{fits}x\r\nhi"), "chunk-line-too-long");
    check("0".repeat(CHUNK_LINE_MAX as usize + 1), "chunk-line-too-long");
}

#[test]
fn trailers() {
    check("0\r\nA: b\r\nC: d\r\n\r\n", "done ``");
    check("0\r\nA: b\r\n", "more");
    check("0\r\n\n", "trailer-field");
    check("0\r\nA: b\n\r\n", "trailer-field");
    check("0\r\nno colon\r\n", "trailer-field");
    check("0\r\n folded\r\n", "trailer-field");
    check("0\r\nA: b\rc\r\n", "trailer-field");
    check(format!("0\r\n{}\r\n", "a: b\r\n".repeat(HEADERS_MAX)), "done ``");
    check(format!("0\r\n{}\r\n", "a: b\r\n".repeat(HEADERS_MAX + 1)), "too-many-trailers");
    let long = |bytes: usize| format!("0\r\na: {}\r\n\r\n", "x".repeat(bytes - "a: \r\n\r\n".len()));
    check(long(HEAD_BYTES_MAX), "done ``");
    check(long(HEAD_BYTES_MAX + 1), "trailers-too-large");
    check(&long(HEAD_BYTES_MAX + 9)[..HEAD_BYTES_MAX + 5], "trailers-too-large");
}

#[test]
fn a_decoder_stops_at_the_end() {
    let mut decoder = ChunkDecoder::new();
    let input = b"1\r\nx\r\n0\r\n\r\nGET /";
    assert_eq!(decoder.feed(input, &mut ()), Ok(Fed::Done { consumed: 11 }));
    assert_eq!(decoder.feed(b"GET /", &mut ()), Ok(Fed::Done { consumed: 0 }));
}
