//! A client of HTTP/2 that shows what comes, frame by frame.

use crate::support::{Server, Wire};
use plimsoll_http::h2::frame::{
    FrameHeader, Kind, PREFACE, StreamId, WINDOW_MAX, flag, put_data, put_headers, put_ping, put_settings,
    put_settings_ack, put_window_update, setting,
};
use plimsoll_http::h2::hpack::{Decoder, Encoder, Field, Indexing};
use std::io::{BufReader, Read as _, Write as _};

/// A connection.
pub(crate) struct Framed {
    wire: BufReader<Box<dyn Wire>>,
    encoder: Encoder,
    decoder: Decoder,
    // What is not sent yet: as in a client, the first request leaves together with the preface.
    unsent: Vec<u8>,
    next: u32,
}

/// What came, acknowledgements and windows left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    Head {
        stream: u32,
        fields: Vec<(String, String)>,
        last: bool,
    },
    Body {
        stream: u32,
        bytes: Vec<u8>,
        last: bool,
    },
    Reset {
        stream: u32,
        code: u32,
    },
    Goaway {
        last: u32,
        code: u32,
    },
    Pong,
    Other(Kind),
    /// The server closed, or reset the connection.
    Closed,
}

/// An exchange that is over.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Exchange {
    pub(crate) interim: Vec<String>,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) trailers: Vec<(String, String)>,
}

impl Framed {
    /// A client that lets the server send as much as it wants.
    pub(crate) fn open(server: &Server) -> Self {
        Self::on(server.connect(), WINDOW_MAX)
    }

    /// A client on this wire whose streams have this window; the connection's is open wide.
    pub(crate) fn on(wire: impl Wire + 'static, window: u32) -> Self {
        let wire = BufReader::new(Box::new(wire) as Box<dyn Wire>);
        let mut unsent = PREFACE.to_vec();
        put_settings(&mut unsent, &[(setting::ENABLE_PUSH, 0), (setting::INITIAL_WINDOW_SIZE, window)]);
        put_window_update(&mut unsent, StreamId::CONNECTION, WINDOW_MAX - 65_535);
        Self { wire, encoder: Encoder::new(), decoder: Decoder::new(), unsent, next: 1 }
    }

    /// Sends a request without a body, and returns its stream.
    pub(crate) fn ask(&mut self, target: &str) -> u32 {
        let stream = self.head("GET", target, true);
        self.flush();
        stream
    }

    /// Writes the head of a request; it leaves with the next flush.
    pub(crate) fn head(&mut self, method: &str, target: &str, last: bool) -> u32 {
        let field = |name: &'static str, value| {
            let (name, indexing) = (name.as_bytes(), Indexing::Added);
            Field { name, value, indexing }
        };
        let fields = [
            field(":method", method.as_bytes()),
            field(":scheme", b"http"),
            field(":authority", b"test"),
            field(":path", target.as_bytes()),
        ];
        let mut block = Vec::new();
        self.encoder.encode(fields, &mut block);
        let stream = self.next;
        self.next += 2;
        put_headers(&mut self.unsent, StreamId::new(stream), &block, last, 16_384);
        stream
    }

    pub(crate) fn body(&mut self, stream: u32, bytes: &[u8], last: bool) {
        put_data(&mut self.unsent, StreamId::new(stream), bytes, last);
    }

    pub(crate) fn ping(&mut self) {
        put_ping(&mut self.unsent, false, *b"pingpong");
        self.flush();
    }

    pub(crate) fn open_window(&mut self, stream: u32, by: u32) {
        put_window_update(&mut self.unsent, StreamId::new(stream), by);
        self.flush();
    }

    pub(crate) fn flush(&mut self) {
        // A server that has closed already is noticed by what comes.
        let _ = self.wire.get_mut().write_all(&self.unsent).and_then(|()| self.wire.get_mut().flush());
        self.unsent.clear();
    }

    /// The next frame that says something.
    pub(crate) fn event(&mut self) -> Event {
        loop {
            let mut header = [0; FrameHeader::BYTES];
            if self.wire.read_exact(&mut header).is_err() {
                return Event::Closed;
            }
            let header = FrameHeader::parse(&header);
            let mut payload = vec![0; header.length as usize];
            if self.wire.read_exact(&mut payload).is_err() {
                return Event::Closed;
            }
            if let Some(event) = self.understand(&header, payload) {
                return event;
            }
        }
    }

    fn understand(&mut self, header: &FrameHeader, payload: Vec<u8>) -> Option<Event> {
        let (stream, last) = (header.stream.get(), header.has(flag::END_STREAM));
        let word =
            |at: usize| payload.get(at..at + 4).map_or(0, |word| u32::from_be_bytes(word.try_into().expect("4")));
        Some(match header.kind {
            Kind::Settings if header.has(flag::ACK) => return None,
            Kind::Settings => {
                put_settings_ack(&mut self.unsent);
                self.flush();
                return None;
            }
            Kind::WindowUpdate => return None,
            Kind::Headers if header.has(flag::END_HEADERS) => {
                Event::Head { stream, fields: self.fields(&payload)?, last }
            }
            Kind::Data => Event::Body { stream, bytes: payload, last },
            Kind::RstStream => Event::Reset { stream, code: word(0) },
            Kind::Goaway => Event::Goaway { last: word(0), code: word(4) },
            Kind::Ping if header.has(flag::ACK) => Event::Pong,
            kind => Event::Other(kind),
        })
    }

    fn fields(&mut self, block: &[u8]) -> Option<Vec<(String, String)>> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut fields = Vec::new();
        self.decoder.decode(block, |name, value| fields.push((text(name), text(value)))).ok()?;
        Some(fields)
    }

    /// The exchange on this stream, while nothing else comes.
    pub(crate) fn exchange(&mut self, stream: u32) -> Exchange {
        let mut exchange = Exchange::default();
        loop {
            match self.event() {
                Event::Head { stream: of, fields, last } if of == stream => {
                    match fields.first() {
                        Some((name, status)) if name == ":status" && status.starts_with('1') => {
                            exchange.interim.push(status.clone());
                        }
                        _ if exchange.fields.is_empty() => exchange.fields = fields,
                        _ => exchange.trailers = fields,
                    }
                    if last {
                        return exchange;
                    }
                }
                Event::Body { stream: of, bytes, last } if of == stream => {
                    exchange.body.extend(bytes);
                    if last {
                        return exchange;
                    }
                }
                other => panic!("on stream {stream}: {other:?} after {exchange:?}"),
            }
        }
    }

    pub(crate) fn get(&mut self, target: &str) -> Exchange {
        let stream = self.ask(target);
        self.exchange(stream)
    }
}

impl Exchange {
    pub(crate) fn status(&self) -> u16 {
        self.field(":status").and_then(|status| status.parse().ok()).expect("a status")
    }

    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}
