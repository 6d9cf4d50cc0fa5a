//! Frames that are wrong, or come where they must not.

use super::{Entry, Misdeed, ending, endless, frame, good, head, headers, hello, kept};
use crate::http2::Block;
use crate::script::{End, Script};
use plimsoll_http::h2::frame::{
    ErrorCode, Kind, StreamId, WINDOW_MAX, flag, put_goaway, put_ping, put_settings, put_settings_ack,
    put_window_update, setting,
};

pub(in crate::bad) const ENTRIES: &[Entry] = &[
    Entry::http2("h2-no-settings", "an answer before SETTINGS (with the first request of a connection)", |stream| {
        Misdeed::Unannounced(Script::bytes(0, [head(stream), hello(stream)].concat(), End::Keep))
    }),
    Entry::http2("h2-http1-answer", "an answer in HTTP/1.1, before SETTINGS where the request comes early", |_| {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";
        Misdeed::Unannounced(Script::bytes(0, answer.as_slice(), End::Close))
    }),
    Entry::http2("h2-garbage", "bytes that are no frames", |_| {
        ending(&[b"\xff\xfe this is no frame, and what follows is none either\r\n\r\n".repeat(8)], End::Close)
    }),
    Entry::http2("h2-data-first", "a body before its fields", |stream| {
        kept(&[frame(Kind::Data, 0, stream, b"hello"), headers(stream, Block::answer(200), flag::END_STREAM)])
    }),
    Entry::http2("h2-data-after-end", "more of a body that has ended", |stream| {
        kept(&[head(stream), hello(stream), hello(stream)])
    }),
    Entry::http2("h2-headers-after-end", "a second answer on a stream that has ended", |stream| {
        kept(&[head(stream), hello(stream), head(stream), hello(stream)])
    }),
    Entry::http2("h2-lone-continuation", "a CONTINUATION that continues nothing", |stream| {
        kept(&[frame(Kind::Continuation, flag::END_HEADERS, stream, &[0x88])])
    }),
    Entry::http2("h2-headers-in-block", "a HEADERS frame within a header block", |stream| {
        kept(&[frame(Kind::Headers, 0, stream, &[0x88]), head(stream), hello(stream)])
    }),
    Entry::http2("h2-data-in-block", "a DATA frame within a header block", |stream| {
        kept(&[frame(Kind::Headers, 0, stream, &[0x88]), hello(stream)])
    }),
    Entry::http2("h2-other-continuation", "a header block that goes on on another stream", |stream| {
        let other = StreamId::new(stream.get() + 2);
        kept(&[
            frame(Kind::Headers, 0, stream, &[0x88]),
            frame(Kind::Continuation, flag::END_HEADERS | flag::END_STREAM, other, &[]),
        ])
    }),
    Entry::http2("h2-frame-too-large", "a frame of 1 MiB, which the client has not allowed", |stream| {
        let body = vec![b'x'; 1 << 20];
        kept(&[headers(stream, Block::answer(200), 0), frame(Kind::Data, flag::END_STREAM, stream, &body)])
    }),
    Entry::http2("h2-headers-too-large", "a HEADERS frame of 1 MiB", |stream| {
        kept(&[headers(stream, Block::answer(200).field("x-huge", "h".repeat(1 << 20)), flag::END_STREAM)])
    }),
    Entry::http2("h2-bad-padding", "more padding than the frame is long", |stream| {
        kept(&[head(stream), frame(Kind::Data, flag::PADDED | flag::END_STREAM, stream, b"\xc8hello")])
    }),
    Entry::http2("h2-all-padding", "an answer whose frames are padded to the full (which is allowed)", |stream| {
        let padded = [b"\xffhello".as_slice(), &[0; 255]].concat();
        good(&[head(stream), frame(Kind::Data, flag::PADDED | flag::END_STREAM, stream, &padded)])
    }),
    Entry::http2("h2-stream-zero", "an answer on stream 0", |_| kept(&[head(StreamId::CONNECTION)])),
    Entry::http2("h2-even-stream", "an answer on a stream that only a server could open", |_| {
        kept(&[head(StreamId::new(2)), hello(StreamId::new(2))])
    }),
    Entry::http2("h2-idle-stream", "an answer on a stream that nobody has opened", |stream| {
        let idle = StreamId::new(stream.get() + 1000);
        kept(&[head(idle), hello(idle)])
    }),
    Entry::http2("h2-push-promise", "a push, which the client has not allowed", |stream| {
        let promise = [&2_u32.to_be_bytes()[..], b"\x82\x86\x84"].concat();
        kept(&[frame(Kind::PushPromise, flag::END_HEADERS, stream, &promise), head(stream), hello(stream)])
    }),
    Entry::http2("h2-unknown-frame", "a frame of unknown kind before a good answer (which is allowed)", |stream| {
        good(&[frame(Kind::Unknown(0xfa), 0xff, stream, b"what is this?"), head(stream), hello(stream)])
    }),
    Entry::http2("h2-settings-length", "a SETTINGS frame of five bytes", |_| {
        kept(&[frame(Kind::Settings, 0, StreamId::CONNECTION, &[0; 5])])
    }),
    Entry::http2("h2-settings-stream", "a SETTINGS frame on a stream", |stream| {
        kept(&[frame(Kind::Settings, 0, stream, &[])])
    }),
    Entry::http2("h2-settings-window", "a setting of the window beyond 31 bits", |_| {
        settings(&[(setting::INITIAL_WINDOW_SIZE, WINDOW_MAX + 1)])
    }),
    Entry::http2("h2-settings-frame-size", "a setting of the frame size below what is allowed", |_| {
        settings(&[(setting::MAX_FRAME_SIZE, 1)])
    }),
    Entry::http2("h2-settings-push", "a setting about pushes that is neither 0 nor 1", |_| {
        settings(&[(setting::ENABLE_PUSH, 7)])
    }),
    Entry::http2("h2-settings-ack-length", "an acknowledgement of settings that says more", |_| {
        kept(&[frame(Kind::Settings, flag::ACK, StreamId::CONNECTION, &[0; 6])])
    }),
    Entry::http2("h2-ping-length", "a PING of seven bytes", |_| {
        kept(&[frame(Kind::Ping, 0, StreamId::CONNECTION, &[0; 7])])
    }),
    Entry::http2("h2-reset-length", "a RST_STREAM of three bytes", |stream| {
        kept(&[frame(Kind::RstStream, 0, stream, &[0; 3])])
    }),
    Entry::http2("h2-reset-idle", "a RST_STREAM for a stream that nobody has opened", |stream| {
        kept(&[frame(Kind::RstStream, 0, StreamId::new(stream.get() + 1000), &[0, 0, 0, 8])])
    }),
    Entry::http2("h2-goaway-length", "a GOAWAY of four bytes", |_| {
        kept(&[frame(Kind::Goaway, 0, StreamId::CONNECTION, &[0; 4])])
    }),
    Entry::http2("h2-goaway-rising", "a second GOAWAY that promises more than the first", |stream| {
        let goaway = |last| put(|out| put_goaway(out, last, ErrorCode::NO_ERROR, b""));
        kept(&[goaway(StreamId::CONNECTION), goaway(stream)])
    }),
    Entry::http2("h2-window-zero", "a WINDOW_UPDATE of nothing on the stream", |stream| {
        kept(&[put(|out| put_window_update(out, stream, 0))])
    }),
    Entry::http2("h2-window-zero-all", "a WINDOW_UPDATE of nothing on the connection", |_| {
        kept(&[put(|out| put_window_update(out, StreamId::CONNECTION, 0))])
    }),
    Entry::http2("h2-window-overflow", "a window of the stream beyond 31 bits", |stream| {
        kept(&[put(|out| put_window_update(out, stream, WINDOW_MAX))])
    }),
    Entry::http2("h2-window-overflow-all", "a window of the connection beyond 31 bits", |_| {
        kept(&[put(|out| put_window_update(out, StreamId::CONNECTION, WINDOW_MAX))])
    }),
    Entry::http2("h2-ping-flood", "PINGs without end", |_| {
        endless(&[], &put(|out| put_ping(out, false, *b"flooding")))
    }),
    Entry::http2("h2-settings-flood", "SETTINGS without end", |_| endless(&[], &put(|out| put_settings(out, &[])))),
    Entry::http2("h2-settings-ack-flood", "acknowledgements of settings without end", |_| {
        endless(&[], &put(put_settings_ack))
    }),
    Entry::http2("h2-empty-data-flood", "DATA frames without bytes, without end", |stream| {
        endless(&[headers(stream, Block::answer(200), 0)], &frame(Kind::Data, 0, stream, b""))
    }),
    Entry::http2("h2-window-flood", "WINDOW_UPDATEs of one byte without end", |stream| {
        endless(&[], &put(|out| put_window_update(out, stream, 1)))
    }),
    Entry::http2("h2-unknown-flood", "frames of unknown kind without end", |stream| {
        endless(&[], &frame(Kind::Unknown(0xfa), 0, stream, b""))
    }),
];

fn put(put: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    put(&mut bytes);
    bytes
}

fn settings(settings: &[(u16, u32)]) -> Misdeed {
    kept(&[put(|out| put_settings(out, settings))])
}
