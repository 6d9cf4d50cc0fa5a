//! Any bytes as an answer: no panic, bounded memory, harmless messages, and the same reading however split.
//!
//! The first byte says what was asked and how the rest is cut.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plimsoll_http::{Closed, Fed, HEAD_BYTES_MAX, Head, ResponseParser, Sink};

#[derive(Default, PartialEq, Debug)]
struct Kept {
    heads: Vec<Vec<u8>>,
    body: Vec<u8>,
    trailers: Vec<(String, Vec<u8>)>,
}

impl Sink for Kept {
    fn interim(&mut self, head: &Head<'_>) {
        self.heads.push(head.raw().to_vec());
    }
    fn head(&mut self, head: &Head<'_>) {
        self.heads.push(head.raw().to_vec());
        assert!((200..1000).contains(&head.status()));
        let _ = (head.reason(), head.headers().map(|h| h.text().len()).sum::<usize>());
    }
    fn body(&mut self, bytes: &[u8]) {
        assert!(!bytes.is_empty());
        self.body.extend_from_slice(bytes);
    }
    fn trailer(&mut self, name: &str, value: &[u8]) {
        self.trailers.push((name.to_owned(), value.to_vec()));
    }
}

/// How it ended: bytes consumed, how the close was taken, or the kind of error.
type Read = (Result<(usize, Option<Closed>), &'static str>, u16, bool, u64, Kept);

fn read<'i>(is_head: bool, pieces: impl Iterator<Item = &'i [u8]>) -> Read {
    let (mut parser, mut kept) = (ResponseParser::new(), Kept::default());
    parser.begin(is_head);
    let end = drive(&mut parser, pieces, &mut kept);
    assert_eq!(parser.kept_bytes(), 0);
    (end, parser.status(), parser.keep_alive(), parser.body_bytes(), kept)
}

fn drive<'i>(
    parser: &mut ResponseParser,
    pieces: impl Iterator<Item = &'i [u8]>,
    kept: &mut Kept,
) -> Result<(usize, Option<Closed>), &'static str> {
    let kind = |error: plimsoll_http::ProtocolError| {
        assert!(!error.to_string().contains(|c: char| c.is_control()));
        error.kind()
    };
    let mut eaten = 0;
    for piece in pieces {
        if let Fed::Done { consumed } = parser.feed(piece, kept).map_err(kind)? {
            return Ok((eaten + consumed, None));
        }
        eaten += piece.len();
        assert!(parser.kept_bytes() <= 2 * HEAD_BYTES_MAX);
    }
    let closed = parser.close().map_err(kind)?;
    Ok((eaten, Some(closed)))
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, answer)) = data.split_first() else { return };
    let is_head = choice & 1 == 1;
    let piece_bytes = usize::from(choice >> 1) + 1;
    let whole = read(is_head, [answer].into_iter());
    assert_eq!(read(is_head, answer.chunks(piece_bytes)), whole);
    assert_eq!(read(is_head, answer.chunks(1)), whole);
});
