//! What is kept of an answer for the asserts of a journey, and for people who look at one that failed.
//!
//! The buffers are handed from exchange to exchange, so that thousands of users who think share a few.

use std::rc::Rc;

use plimsoll_http::{Head, Header};
use plimsoll_journey::Certificate;

use crate::stream::Stream;

/// Of bodies that no assert looks at, so much is kept for people.
const SHOWN_BYTES: usize = 1024;
/// A body that asserts look at is kept up to here: beyond it, the generator's memory would be the server's to fill.
const BODY_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Room for so many headers is kept for the next answer.
const HEADERS_MAX: usize = 32;
/// A buffer that grew beyond this is not kept for the next answer.
const BUFFER_BYTES_MAX: usize = 256 * 1024;

/// What somebody looks at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Wants {
    pub(crate) headers: bool,
    pub(crate) body: bool,
    pub(crate) raw_body: bool,
    pub(crate) certificate: bool,
    pub(crate) ip: bool,
}

/// What is kept of an answer.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(super) wants: Wants,
    pub(super) version: &'static str,
    /// The whole head as it came.
    pub(super) head: Vec<u8>,
    /// The first of them are this answer's; the rest is room.
    headers: Vec<(String, Vec<u8>)>,
    header_count: usize,
    pub(super) cookies: Vec<Vec<u8>>,
    /// Decoded.
    pub(super) body: Vec<u8>,
    pub(super) raw_body: Vec<u8>,
    /// The body was longer than what may be kept.
    pub(super) cut: bool,
    /// The coding that the body has and that cannot be decoded.
    pub(super) coding: Option<String>,
    /// Of who is at the other end of the connection.
    pub(super) certificate: Option<Rc<Certificate>>,
    /// Its address; empty for a unix socket.
    pub(super) ip: String,
}

impl Kept {
    /// What the answers to come are kept for.
    pub(crate) fn wants(&mut self, wants: Wants) {
        self.wants = wants;
    }

    /// Forgets the answer before, and keeps its room.
    pub(crate) fn begin(&mut self) {
        (self.version, self.cut, self.coding) = ("", false, None);
        self.certificate = None;
        self.ip.clear();
        self.headers.truncate(HEADERS_MAX);
        self.header_count = 0;
        self.cookies.clear();
        for buffer in [&mut self.head, &mut self.body, &mut self.raw_body] {
            buffer.clear();
            buffer.shrink_to(BUFFER_BYTES_MAX);
        }
    }

    /// Who is asked.
    pub(crate) fn meet(&mut self, stream: &Stream) {
        if self.wants.certificate {
            self.certificate = stream.certificate();
        }
        if self.wants.ip {
            self.ip = stream.peer().map(|address| address.to_string()).unwrap_or_default();
        }
    }

    /// The answer's headers, if somebody wants them.
    pub(super) fn headers(&self) -> &[(String, Vec<u8>)] {
        &self.headers[..self.header_count]
    }

    pub(crate) fn head(&mut self, head: &Head<'_>) {
        self.version = match (head.major_version(), head.minor_version()) {
            (2, _) => "2",
            (_, 0) => "1.0",
            _ => "1.1",
        };
        self.head.extend_from_slice(head.raw());
        for header in head.headers() {
            if header.name.eq_ignore_ascii_case("set-cookie") {
                self.cookies.push(header.value.to_vec());
            } else if self.wants.body && header.name.eq_ignore_ascii_case("content-encoding") {
                self.coding = unknown_coding(header.value);
            }
            if self.wants.headers {
                self.header(header);
            }
        }
    }

    fn header(&mut self, header: Header<'_>) {
        if self.header_count == self.headers.len() {
            self.headers.push(Default::default());
        }
        let (name, value) = &mut self.headers[self.header_count];
        name.clear();
        name.push_str(header.name);
        value.clear();
        value.extend_from_slice(header.text().as_bytes());
        self.header_count += 1;
    }

    /// Some of the body as it came.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        if self.wants.raw_body {
            self.cut |= !keep(&mut self.raw_body, bytes, BODY_BYTES_MAX);
        }
    }

    /// Some of the body, decoded.
    pub(crate) fn body(&mut self, bytes: &[u8]) {
        let max = if self.wants.body { BODY_BYTES_MAX } else { SHOWN_BYTES };
        let whole = keep(&mut self.body, bytes, max);
        self.cut |= self.wants.body && !whole;
    }
}

/// Adds what there is room for; whether that was all.
fn keep(buffer: &mut Vec<u8>, bytes: &[u8], max: usize) -> bool {
    let room = max.saturating_sub(buffer.len()).min(bytes.len());
    buffer.extend_from_slice(&bytes[..room]);
    room == bytes.len()
}

fn unknown_coding(value: &[u8]) -> Option<String> {
    let known = plimsoll_http::Coding::named(value).is_some() || value.eq_ignore_ascii_case(b"identity");
    (!known).then(|| plimsoll_http::printable(value, 40))
}
