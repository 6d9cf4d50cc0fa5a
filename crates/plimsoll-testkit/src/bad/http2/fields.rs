//! Header blocks that are too much, cannot be read, or say what they must not.

use super::{Entry, Misdeed, endless, frame, head, headers, hello, kept};
use crate::http2::Block;
use plimsoll_http::h2::frame::{Kind, StreamId, flag, put_headers};

pub(in crate::bad) const ENTRIES: &[Entry] = &[
    Entry::http2("h2-header-bomb", "16 KiB of header block that unpack to 50 MB", |stream| {
        // A field of 4000 bytes goes into the table, and then a byte each says it again.
        let name_and_length = b"\x40\x06x-bomb\x7f\xa1\x1e";
        let block = Block::answer(200).raw(name_and_length).raw(&[b'b'; 4000]).raw(&[0xbe; 12_300]);
        kept(&[headers(stream, block, flag::END_STREAM)])
    }),
    Entry::http2("h2-header-huge", "a field of 1 MiB, in frames of the size that is allowed", |stream| {
        split(stream, Block::answer(200).field("x-huge", "h".repeat(1 << 20)))
    }),
    Entry::http2("h2-many-headers", "ten thousand fields", |stream| {
        split(stream, (0..10_000).fold(Block::answer(200), |block, _| block.field("x-many", "yes")))
    }),
    Entry::http2("h2-endless-continuation", "a header block without end", |stream| {
        let again = Block::default().field("x-endless", "yes").done();
        endless(&[frame(Kind::Headers, 0, stream, &[0x88])], &frame(Kind::Continuation, 0, stream, &again))
    }),
    Entry::http2("h2-endless-empty-continuation", "a header block without end, in frames without bytes", |stream| {
        endless(&[frame(Kind::Headers, 0, stream, &[0x88])], &frame(Kind::Continuation, 0, stream, b""))
    }),
    Entry::http2("h2-hpack-index", "an index beyond both tables", |stream| block(stream, b"\x88\xff\x64")),
    Entry::http2("h2-hpack-index-zero", "index 0", |stream| block(stream, b"\x88\x80")),
    Entry::http2("h2-hpack-huffman", "a coded string with more padding than is allowed", |stream| {
        block(stream, b"\x88\x00\x01x\x82\xff\xff")
    }),
    Entry::http2("h2-hpack-eos", "a coded string with the symbol that ends strings", |stream| {
        block(stream, b"\x88\x00\x01x\x84\xff\xff\xff\xff")
    }),
    Entry::http2("h2-hpack-truncated", "a field that is cut off by the end of its block", |stream| {
        block(stream, b"\x88\x00\x06x-cut")
    }),
    Entry::http2("h2-hpack-integer", "a length beyond all bounds", |stream| {
        block(stream, b"\x88\x00\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
    }),
    Entry::http2("h2-hpack-table-size", "a table larger than the client allows", |stream| {
        block(stream, b"\x3f\xe1\xff\xff\x01\x88")
    }),
    Entry::http2("h2-hpack-late-resize", "a change of the table after the first field", |stream| {
        block(stream, b"\x88\x20")
    }),
    Entry::http2("h2-no-status", "an answer without `:status`", |stream| {
        answer(stream, Block::default().field("content-length", "5"))
    }),
    Entry::http2("h2-status-twice", "`:status` twice", |stream| answer(stream, Block::answer(200).raw(&[0x8d]))),
    Entry::http2("h2-status-word", "a `:status` that is no number", |stream| {
        answer(stream, Block::default().field(":status", "OK"))
    }),
    Entry::http2("h2-status-1000", "a `:status` of four digits", |stream| {
        answer(stream, Block::default().field(":status", "1000"))
    }),
    Entry::http2("h2-status-101", "a change of protocol, which HTTP/2 does not have", |stream| {
        answer(stream, Block::answer(101))
    }),
    Entry::http2("h2-status-late", "`:status` after another field", |stream| {
        answer(stream, Block::default().field("x-first", "yes").raw(&[0x88]))
    }),
    Entry::http2("h2-request-field", "an answer with a `:path`", |stream| {
        answer(stream, Block::answer(200).field(":path", "/"))
    }),
    Entry::http2("h2-unknown-pseudo", "an answer with a pseudo-field that nobody knows", |stream| {
        answer(stream, Block::answer(200).field(":unknown", "yes"))
    }),
    Entry::http2("h2-upper-case", "a name in upper case", |stream| {
        answer(stream, Block::answer(200).field("X-Upper", "yes"))
    }),
    Entry::http2("h2-empty-name", "a field without a name", |stream| {
        answer(stream, Block::answer(200).field("", "nameless"))
    }),
    Entry::http2("h2-nul-in-value", "a NUL in a value", |stream| {
        answer(stream, Block::answer(200).field("x-nul", "a\0b"))
    }),
    Entry::http2("h2-line-in-value", "a line end in a value", |stream| {
        answer(stream, Block::answer(200).field("x-line", "a\r\nx-injected: b"))
    }),
    Entry::http2("h2-connection-header", "a field about the connection", |stream| {
        answer(stream, Block::answer(200).field("connection", "keep-alive"))
    }),
    Entry::http2("h2-transfer-encoding", "a transfer coding, which HTTP/2 does not have", |stream| {
        answer(stream, Block::answer(200).field("transfer-encoding", "chunked"))
    }),
    Entry::http2("h2-length-too-long", "a content-length of ten, and five bytes", |stream| {
        answer(stream, Block::answer(200).field("content-length", "10"))
    }),
    Entry::http2("h2-length-too-short", "a content-length of two, and five bytes", |stream| {
        answer(stream, Block::answer(200).field("content-length", "2"))
    }),
    Entry::http2("h2-two-lengths", "two content-lengths that differ", |stream| {
        answer(stream, Block::answer(200).field("content-length", "5").field("content-length", "6"))
    }),
    Entry::http2("h2-length-word", "a content-length that is no number", |stream| {
        answer(stream, Block::answer(200).field("content-length", "five"))
    }),
    Entry::http2("h2-interim-ends", "an interim answer that ends the stream", |stream| {
        kept(&[headers(stream, Block::answer(103), flag::END_STREAM)])
    }),
    Entry::http2("h2-endless-interim", "interim answers without end", |stream| {
        endless(&[], &headers(stream, Block::answer(103), 0))
    }),
    Entry::http2("h2-answer-twice", "a second head where trailers could be", |stream| {
        kept(&[head(stream), head(stream), hello(stream)])
    }),
    Entry::http2("h2-trailer-pseudo", "trailers with a `:status`", |stream| {
        let body = frame(Kind::Data, 0, stream, b"hello");
        kept(&[head(stream), body, headers(stream, Block::answer(200), flag::END_STREAM)])
    }),
];

/// A head that is wrong in itself, and a body of five bytes.
fn answer(stream: StreamId, block: Block) -> Misdeed {
    kept(&[headers(stream, block, 0), hello(stream)])
}

/// These bytes as a header block that ends the stream.
fn block(stream: StreamId, bytes: &[u8]) -> Misdeed {
    kept(&[headers(stream, Block::default().raw(bytes), flag::END_STREAM)])
}

fn split(stream: StreamId, block: Block) -> Misdeed {
    let mut bytes = Vec::new();
    put_headers(&mut bytes, stream, &block.done(), true, 16_384);
    kept(&[bytes])
}
