//! Well-formed frames that take a wrong course: resets, farewells, silence, windows that never open or are not kept
//! to.

use super::{Answer, Entry, ending, ending_soon, endless, frame, head, headers, kept};
use crate::http2::Block;
use crate::script::End;
use plimsoll_http::h2::frame::{ErrorCode, Kind, StreamId, put_goaway, put_rst_stream, put_settings, setting};

/// A reset at once, with this code.
macro_rules! reset {
    ($name:literal, $code:expr) => {
        Entry::http2($name, "the stream is reset at once, with this code", |stream| kept(&[rst(stream, $code)]))
    };
}

pub(in crate::bad) const ENTRIES: &[Entry] = &[
    reset!("h2-reset-no-error", ErrorCode::NO_ERROR),
    reset!("h2-reset-protocol-error", ErrorCode::PROTOCOL_ERROR),
    reset!("h2-reset-internal-error", ErrorCode::INTERNAL_ERROR),
    reset!("h2-reset-flow-control-error", ErrorCode::FLOW_CONTROL_ERROR),
    reset!("h2-reset-settings-timeout", ErrorCode::SETTINGS_TIMEOUT),
    reset!("h2-reset-stream-closed", ErrorCode::STREAM_CLOSED),
    reset!("h2-reset-frame-size-error", ErrorCode::FRAME_SIZE_ERROR),
    reset!("h2-reset-refused-stream", ErrorCode::REFUSED_STREAM),
    reset!("h2-reset-cancel", ErrorCode::CANCEL),
    reset!("h2-reset-compression-error", ErrorCode::COMPRESSION_ERROR),
    reset!("h2-reset-connect-error", ErrorCode::CONNECT_ERROR),
    reset!("h2-reset-enhance-your-calm", ErrorCode::ENHANCE_YOUR_CALM),
    reset!("h2-reset-inadequate-security", ErrorCode::INADEQUATE_SECURITY),
    reset!("h2-reset-http11-required", ErrorCode::HTTP_1_1_REQUIRED),
    reset!("h2-reset-unknown", ErrorCode(0xdead_beef)),
    Entry::http2("h2-reset-mid-body", "the stream is reset in the middle of the body", |stream| {
        kept(&[head(stream), frame(Kind::Data, 0, stream, b"hel"), rst(stream, ErrorCode::INTERNAL_ERROR)])
    }),
    Entry::http2("h2-reset-storm", "every stream so far is reset, over and over, without end", |stream| {
        let last = stream.get();
        let resets = (1..=last).rev().step_by(2).take(100);
        endless(&[], &resets.flat_map(|id| rst(StreamId::new(id), ErrorCode::CANCEL)).collect::<Vec<u8>>())
    }),
    Entry::http2("h2-goaway", "a GOAWAY that promises nothing, and a close a moment later", |_| {
        ending_soon(&[goaway(StreamId::CONNECTION, ErrorCode::NO_ERROR)], End::Close)
    }),
    Entry::http2("h2-goaway-error", "a GOAWAY that complains, and a close a moment later", |stream| {
        ending_soon(&[goaway(stream, ErrorCode::ENHANCE_YOUR_CALM)], End::Close)
    }),
    Entry::http2("h2-goaway-silence", "a GOAWAY that promises this answer, and then nothing", |stream| {
        ending(&[goaway(stream, ErrorCode::NO_ERROR)], End::Silence)
    }),
    Entry::http2("h2-goaway-close", "a GOAWAY that promises this answer, and a close", |stream| {
        ending_soon(&[goaway(stream, ErrorCode::NO_ERROR)], End::Close)
    }),
    Entry {
        early: true,
        ..Entry::http2("h2-no-window", "the window for the request's body is closed and never opened", |_| {
            let mut bytes = Vec::new();
            put_settings(&mut bytes, &[(setting::INITIAL_WINDOW_SIZE, 0)]);
            kept(&[bytes])
        })
    },
    Entry::http2("h2-window-overrun", "a body without end that does not care for the client's windows", |stream| {
        endless(&[headers(stream, Block::answer(200), 0)], &frame(Kind::Data, 0, stream, &[b'x'; 4087]))
    }),
    Entry::http2("h2-silence-after-headers", "a head, and then nothing on its stream", |_| Answer::new(200).open()),
    Entry::http2("h2-stall", "a head, and then nothing on the whole connection", |stream| {
        ending(&[head(stream)], End::Silence)
    }),
    Entry::http2("h2-half-frame", "half a frame, and a close", |stream| {
        ending(&[head(stream), frame(Kind::Data, 0, stream, b"hello")[..11].to_vec()], End::Close)
    }),
    Entry::http2("h2-half-frame-silence", "half a frame, and then nothing", |stream| {
        ending(&[head(stream), frame(Kind::Data, 0, stream, b"hello")[..11].to_vec()], End::Silence)
    }),
];

fn rst(stream: StreamId, code: ErrorCode) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_rst_stream(&mut bytes, stream, code);
    bytes
}

fn goaway(last: StreamId, code: ErrorCode) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_goaway(&mut bytes, last, code, b"this is said by the catalogue");
    bytes
}
