//! A scripted server, and everything a connection led to as text that can be compared.

use std::sync::Arc;

use plimsoll_http::h2::frame::{
    FrameHeader, Kind, put_data, put_goaway, put_headers, put_ping, put_rst_stream, put_settings, put_window_update,
};
use plimsoll_http::h2::hpack::{Decoder, Encoder, Field, Indexing};
use plimsoll_http::h2::{Client, Events, H2Error, Request, StreamFailure, StreamId, frame};
use plimsoll_http::{HEAD_BYTES_MAX, Head, Request as Http1};

/// What a client may keep of what has not come whole: a frame and a block, in buffers that grow by doubling.
pub(crate) const KEPT_BYTES_MAX: usize = 4 * HEAD_BYTES_MAX;

pub(crate) fn get() -> Arc<Request> {
    request("GET", b"")
}

pub(crate) fn request(method: &str, body: &[u8]) -> Arc<Request> {
    let builder = Http1::builder(method, "/").host("h").body(body);
    Arc::new(builder.build_h2("http").expect("a good request"))
}

pub(crate) fn id(number: u32) -> StreamId {
    StreamId::new(number)
}

/// Bytes a server sends; each method adds some.
#[derive(Default)]
pub(crate) struct Script {
    pub(crate) bytes: Vec<u8>,
    encoder: Encoder,
}

impl Script {
    /// Starts as a server must.
    pub(crate) fn new() -> Self {
        Self::default().settings(&[])
    }

    pub(crate) fn settings(mut self, settings: &[(u16, u32)]) -> Self {
        put_settings(&mut self.bytes, settings);
        self
    }

    /// Fields as `name: value` in lines that end with `|`.
    pub(crate) fn head(mut self, stream: u32, fields: &str, ends: bool) -> Self {
        let block = self.block(fields);
        put_headers(&mut self.bytes, id(stream), &block, ends, 16_384);
        self
    }

    pub(crate) fn block(&mut self, fields: &str) -> Vec<u8> {
        let mut block = Vec::new();
        let fields = fields.split_terminator('|').map(|field| {
            let (name, value) = field.split_once(": ").expect("a field");
            Field { name: name.as_bytes(), value: value.as_bytes(), indexing: Indexing::Added }
        });
        self.encoder.encode(fields, &mut block);
        block
    }

    pub(crate) fn ok(self, stream: u32) -> Self {
        self.head(stream, ":status: 200|", false)
    }

    pub(crate) fn data(mut self, stream: u32, body: &[u8], ends: bool) -> Self {
        put_data(&mut self.bytes, id(stream), body, ends);
        self
    }

    pub(crate) fn reset(mut self, stream: u32, code: u32) -> Self {
        put_rst_stream(&mut self.bytes, id(stream), frame::ErrorCode(code));
        self
    }

    pub(crate) fn widen(mut self, stream: u32, increment: u32) -> Self {
        put_window_update(&mut self.bytes, id(stream), increment);
        self
    }

    pub(crate) fn ping(mut self) -> Self {
        put_ping(&mut self.bytes, false, *b"12345678");
        self
    }

    pub(crate) fn goaway(mut self, last: u32, code: u32) -> Self {
        put_goaway(&mut self.bytes, id(last), frame::ErrorCode(code), b"");
        self
    }

    /// Any frame.
    pub(crate) fn frame(mut self, kind: Kind, flags: u8, stream: u32, payload: &[u8]) -> Self {
        let length = payload.len() as u32;
        FrameHeader { length, kind, flags, stream: id(stream) }.put(&mut self.bytes);
        self.bytes.extend_from_slice(payload);
        self
    }

    pub(crate) fn raw(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self
    }
}

/// Events as lines; pieces of one body that follow each other are one line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Log {
    pub(crate) lines: Vec<String>,
    /// The stream whose body the last line is.
    body: Option<StreamId>,
}

impl Log {
    fn line(&mut self, line: String) {
        self.lines.push(line);
        self.body = None;
    }

    pub(crate) fn text(&self) -> String {
        self.lines.join(", ")
    }
}

fn fields(head: &Head<'_>) -> String {
    assert_eq!(head.major_version(), 2);
    assert!(head.raw().starts_with(b"HTTP/2 ") && head.raw().ends_with(b"\r\n\r\n"));
    head.headers().map(|h| format!(" {}={}", h.name, h.text())).collect()
}

impl Events for Log {
    fn interim(&mut self, id: StreamId, head: &Head<'_>) {
        self.line(format!("{id} interim {}{}", head.status(), fields(head)));
    }
    fn head(&mut self, id: StreamId, head: &Head<'_>) {
        self.line(format!("{id} head {}{}", head.status(), fields(head)));
    }
    fn body(&mut self, id: StreamId, bytes: &[u8]) {
        assert!(!bytes.is_empty(), "an empty piece of body is no piece");
        if self.body != Some(id) {
            self.line(format!("{id} body "));
            self.body = Some(id);
        }
        let line = self.lines.last_mut().expect("a line of this body");
        // Byte by byte, as a piece may end in the middle of a character.
        line.extend(bytes.iter().map(|&byte| char::from(byte)));
    }
    fn trailer(&mut self, id: StreamId, name: &str, value: &[u8]) {
        self.line(format!("{id} trailer {name}={}", String::from_utf8_lossy(value)));
    }
    fn done(&mut self, id: StreamId) {
        self.line(format!("{id} done"));
    }
    fn failed(&mut self, id: StreamId, failure: StreamFailure) {
        assert!(!failure.to_string().contains(|c: char| c.is_control()));
        let shown = match failure {
            StreamFailure::Reset { code } => format!("reset {}", code.name()),
            StreamFailure::Refused => "refused".to_owned(),
            StreamFailure::Violation(error) => error.kind().to_owned(),
            StreamFailure::Closed { answered } => format!("closed answered={answered}"),
        };
        self.line(format!("{id} failed {shown}"));
    }
}

/// What the client sent, as lines.
pub(crate) fn sent(out: &[u8]) -> String {
    let mut rest = out.strip_prefix(frame::PREFACE).unwrap_or(out);
    let (mut lines, mut decoder) = (Vec::new(), Decoder::new());
    while let Some((header, payload)) = rest.split_first_chunk() {
        let header = FrameHeader::parse(header);
        let (payload, after) = payload.split_at(header.length as usize);
        rest = after;
        let number = || payload.first_chunk().map_or(0, |&b| u32::from_be_bytes(b));
        let shown = match header.kind {
            Kind::Headers => {
                let mut path = String::new();
                let each = |name: &[u8], value: &[u8]| {
                    if matches!(name, b":method" | b":path") {
                        path += &format!(" {}", String::from_utf8_lossy(value));
                    }
                };
                assert_eq!(decoder.decode(payload, each), Ok(None));
                path
            }
            Kind::WindowUpdate => format!(" +{}", number()),
            Kind::RstStream => format!(" {}", frame::ErrorCode(number()).name()),
            Kind::Goaway => format!(" {}", String::from_utf8_lossy(&payload[8..])),
            Kind::Data => format!(" {}", payload.len()),
            _ => String::new(),
        };
        lines.push(format!("{} {} f{}{shown}", header.stream, header.kind, header.flags));
    }
    assert!(rest.is_empty(), "the client sends whole frames");
    lines.join(", ")
}

/// A client with so many streams open (`GET`), whose first bytes have been sent.
pub(crate) fn client(streams: usize) -> Client {
    let mut out = Vec::new();
    let mut client = Client::new(&mut out);
    let request = get();
    for _ in 0..streams {
        assert!(client.open(&request, &mut out).is_some());
    }
    client
}

/// Feeds a client in pieces, writing all it wants to send between them; then the server closes.
pub(crate) fn run<'i>(
    mut client: Client,
    pieces: impl IntoIterator<Item = &'i [u8]>,
) -> (Log, Vec<u8>, Result<(), H2Error>) {
    let (mut log, mut sent, mut result) = (Log::default(), Vec::new(), Ok(()));
    for piece in pieces {
        let mut out = Vec::new();
        result = client.feed(piece, &mut out, &mut log);
        sent.extend_from_slice(&out);
        assert!(client.kept_bytes() <= KEPT_BYTES_MAX);
        if result.is_err() {
            assert_eq!((client.streams(), client.is_closing()), (0, true));
            break;
        }
    }
    client.close(&mut log);
    assert_eq!(client.streams(), 0);
    (log, sent, result)
}
