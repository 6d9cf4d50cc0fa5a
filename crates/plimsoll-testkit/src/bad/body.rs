//! Bodies that are malformed, cut off, or never end.

use super::http2::{Answer, ending, half};
use super::{CHUNKED_HEAD, Entry, closed, endless, head, kept};
use crate::script::End;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("bad-chunk-size", "a chunk size that is no number", || chunks("xyz\r\nhello\r\n0\r\n\r\n")),
    Entry::new("negative-chunk-size", "a chunk size below zero", || chunks("-5\r\nhello\r\n0\r\n\r\n")),
    Entry::new("empty-chunk-size", "a chunk without a size", || chunks("\r\nhello\r\n0\r\n\r\n")),
    Entry::new("chunk-size-overflow", "a chunk size beyond 64 bits", || {
        chunks("fffffffffffffffff\r\nhello\r\n0\r\n\r\n")
    }),
    Entry::new("chunk-without-crlf", "a chunk that its CRLF does not follow", || chunks("5\r\nhello0\r\n\r\n")),
    Entry::new("chunk-too-long", "a chunk with more bytes than its size", || chunks("5\r\nhello, world\r\n0\r\n\r\n")),
    Entry::new("bad-trailer", "a trailer without a colon", || chunks("5\r\nhello\r\n0\r\nthis is no trailer\r\n\r\n")),
    Entry::new("endless-chunk-extension", "a chunk extension without end", || {
        endless(format!("{CHUNKED_HEAD}5;x="), b"x")
    }),
    Entry::new("endless-chunk-size", "leading zeros of a chunk size without end", || endless(CHUNKED_HEAD, b"0")),
    Entry::new("endless-trailers", "trailers without end", || {
        endless(format!("{CHUNKED_HEAD}5\r\nhello\r\n0\r\n"), b"X-Endless: yes\r\n")
    }),
    Entry::new("endless-chunks", "chunks without end", || endless(CHUNKED_HEAD, b"5\r\nhello\r\n")),
    Entry::new("endless-body", "a body without end, delimited by a close that never comes", || {
        endless("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", b"hello ")
    })
    .or(|_| Answer::new(200).endless(b"hello ")),
    Entry::new("truncated-body", "closed in the middle of the body", || closed(head(10) + "hello"))
        .or(|stream| ending(&[half(stream)], End::Close)),
    Entry::new("truncated-chunk", "closed in the middle of a chunk", || closed(format!("{CHUNKED_HEAD}a\r\nhello"))),
    Entry::new("truncated-chunk-size", "closed in the middle of a chunk size", || {
        closed(format!("{CHUNKED_HEAD}5\r\nhello\r\n1"))
    }),
    Entry::new("no-last-chunk", "closed before the last chunk", || closed(format!("{CHUNKED_HEAD}5\r\nhello\r\n"))),
    Entry::new("bad-gzip", "a body that says it is gzip and is not", || {
        kept("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 17\r\n\r\nthis is not gzip\n")
    })
    .or(|_| Answer::of(17).field("content-encoding", "gzip").body("this is not gzip\n")),
    Entry::new("truncated-gzip", "a gzip body that ends after its header, of the length it says", || {
        let mut bytes = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 10\r\n\r\n".to_vec();
        bytes.extend(GZIP_HEADER);
        kept(bytes)
    })
    .or(|_| Answer::of(10).field("content-encoding", "gzip").body(GZIP_HEADER)),
    Entry::new("gzip-bomb", "64 MiB of zeros in a gzip body of 64 KiB", gzip_bomb).or(|_| {
        let packed = packed_zeros();
        Answer::of(packed.len() as u64).field("content-encoding", "gzip").body(packed)
    }),
    Entry::new("unknown-encoding", "a content coding that nobody knows", || {
        kept("HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 5\r\n\r\nuryyb")
    })
    .or(|_| Answer::of(5).field("content-encoding", "rot13").body("uryyb")),
];

const GZIP_HEADER: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03";

fn chunks(body: &str) -> crate::script::Script {
    kept(format!("{CHUNKED_HEAD}{body}"))
}

fn gzip_bomb() -> crate::script::Script {
    let packed = packed_zeros();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", packed.len());
    kept([head.into_bytes(), packed].concat())
}

fn packed_zeros() -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let zeros = vec![0; 1 << 20];
    // Writing into memory does not fail.
    let written: std::io::Result<()> = (0..64).try_for_each(|_| encoder.write_all(&zeros));
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}
