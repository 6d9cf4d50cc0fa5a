//! Proper answers: from what they say (status, headers, body) to a [`Script`]. What is malformed is built in
//! [`bad`](crate::bad) instead.

mod framed;

use crate::behaviour::{Encoding, Framing, Redirect, Spec, Standing, is_field_value};
use crate::script::{End, Flow, Pace, Script, Step};
use flate2::{Compression, write::GzEncoder};
use std::io::Write as _;
use std::time::Duration;

/// How the request and its connection shape the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    /// What is said about the connection.
    pub(crate) persistence: Persistence,
    /// HEAD: the head of the answer alone.
    pub(crate) head_only: bool,
}

/// Whether the connection is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Persistence {
    /// As HTTP/1.1 does, unsaid.
    Keep,
    /// As HTTP/1.0 does when asked to.
    KeepOld,
    /// Closed after this answer.
    Close,
}

impl Frame {
    /// How many different frames there are.
    pub(crate) const COUNT: usize = 6;

    /// A number of its own, below [`COUNT`](Self::COUNT).
    pub(crate) fn index(self) -> usize {
        self.persistence as usize * 2 + usize::from(self.head_only)
    }
}

/// What an answer says.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    status: u16,
    interim: Vec<u16>,
    // Lines with their ends.
    headers: String,
    body: Body,
    framing: Framing,
    chunk: u64,
    // Lines with their ends.
    trailers: String,
    pace: Option<Pace>,
}

#[derive(Debug, Clone)]
struct Body {
    block: Vec<u8>,
    size: u64,
}

impl Reply {
    /// A short text.
    pub(crate) fn text(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self::of_type(status, "text/plain", body.into())
    }

    /// A JSON document.
    pub(crate) fn json(body: String) -> Self {
        Self::of_type(200, "application/json", body.into_bytes())
    }

    /// What `spec` asks for; `target` is what was requested, `echo` the request itself where that is the body.
    pub(crate) fn of(spec: &Spec, target: &str, echo: Option<Vec<u8>>) -> Self {
        let content_type = spec.content_type.as_deref().unwrap_or("text/plain");
        let mut reply = Self::of_type(spec.status.unwrap_or(200), content_type, Vec::new());
        reply.body = body_of(spec, echo);
        if spec.encoding == Some(Encoding::Gzip) {
            reply.body = reply.body.compressed();
            reply.headers.push_str("Content-Encoding: gzip\r\n");
        }
        if let Some(redirect) = &spec.redirect {
            reply.status = spec.status.unwrap_or(302);
            let location = match redirect {
                Redirect::Itself => target,
                Redirect::To(target) => target,
            };
            reply.headers.push_str(&format!("Location: {location}\r\n"));
        }
        for field in &spec.header {
            reply.headers.push_str(&field.line());
        }
        for field in &spec.trailer {
            reply.trailers.push_str(&field.line());
        }
        reply.interim = spec.interim.iter().flat_map(|interim| interim.statuses()).copied().collect();
        reply.framing = spec.framing.unwrap_or(Framing::Length);
        reply.chunk = spec.chunk.unwrap_or(reply.chunk);
        reply.pace = spec.pace.map(pace_of);
        reply
    }

    /// The same with another status.
    pub(crate) fn with_status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    /// The same with one header more, if it can be one.
    pub(crate) fn with_header(mut self, name: &str, value: &str) -> Self {
        if is_field_value(value) {
            self.headers.push_str(&format!("{name}: {value}\r\n"));
        }
        self
    }

    /// Says where the client stands under its limit.
    pub(crate) fn standing(mut self, standing: Option<Standing>) -> Self {
        if let Some(standing) = standing {
            self.headers.push_str(&format!(
                "RateLimit-Limit: {}\r\nRateLimit-Remaining: {}\r\nRateLimit-Reset: {}\r\n",
                standing.limit,
                standing.remaining,
                standing.reset_s()
            ));
        }
        self
    }

    /// Asks to come back after so many seconds.
    pub(crate) fn retry_after(mut self, seconds: u64) -> Self {
        self.headers.push_str(&format!("Retry-After: {seconds}\r\n"));
        self
    }

    /// The plan of sending it.
    pub(crate) fn script(&self, frame: Frame) -> Script {
        let bodiless = frame.head_only || matches!(self.status, 204 | 304);
        let delimited = self.framing != Framing::Close || bodiless;
        let closes = frame.persistence == Persistence::Close || !delimited;
        let mut steps = Vec::new();
        let mut head = self.head(frame, closes).into_bytes();
        match self.framing {
            _ if bodiless => {}
            Framing::Length | Framing::Close => self.plain(&mut head, &mut steps),
            Framing::Chunked => self.chunks(&mut head, &mut steps),
        }
        steps.insert(0, Step::Flow(Flow::once(head)));
        Script { status: self.status, steps, end: if closes { End::Close } else { End::Keep } }
    }

    fn of_type(status: u16, content_type: &str, body: Vec<u8>) -> Self {
        Self {
            status,
            interim: Vec::new(),
            headers: format!("Content-Type: {content_type}\r\n"),
            body: Body::once(body),
            framing: Framing::Length,
            chunk: 16 << 10,
            trailers: String::new(),
            pace: None,
        }
    }

    fn head(&self, frame: Frame, closes: bool) -> String {
        let mut head = String::new();
        for &status in &self.interim {
            head.push_str(&format!("HTTP/1.1 {status} {}\r\n\r\n", reason(status)));
        }
        head.push_str(&format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status)));
        head.push_str(&self.headers);
        match self.framing {
            // RFC 9110, 8.6: a 204 has no Content-Length.
            _ if self.status == 204 => {}
            Framing::Length => head.push_str(&format!("Content-Length: {}\r\n", self.body.size)),
            Framing::Chunked => head.push_str("Transfer-Encoding: chunked\r\n"),
            Framing::Close => {}
        }
        match frame.persistence {
            _ if closes => head.push_str("Connection: close\r\n"),
            Persistence::KeepOld => head.push_str("Connection: keep-alive\r\n"),
            _ => {}
        }
        head.push_str("\r\n");
        head
    }

    fn plain(&self, head: &mut Vec<u8>, steps: &mut Vec<Step>) {
        if self.body.is_small() && self.pace.is_none() {
            // One write for head and body.
            head.extend(self.body.bytes());
        } else {
            let flow = Flow::repeated(self.body.block.as_slice(), self.body.size);
            steps.push(Step::Flow(flow.paced(self.pace)));
        }
    }

    fn chunks(&self, head: &mut Vec<u8>, steps: &mut Vec<Step>) {
        let last = format!("0\r\n{}\r\n", self.trailers);
        if self.body.is_small() && self.pace.is_none() {
            for chunk in self.body.bytes().chunks(self.chunk as usize) {
                head.extend(chunked(chunk));
            }
            head.extend(last.into_bytes());
            return;
        }
        let whole = chunked(&self.body.prefix(self.chunk));
        let repeats = self.body.size / self.chunk;
        // In range: a chunk is at most 1 MiB and grows by less than its half and ten bytes.
        let total = repeats.saturating_mul(whole.len() as u64);
        steps.push(Step::Flow(Flow::repeated(whole, total).paced(self.pace)));
        let mut rest = Vec::new();
        if !self.body.size.is_multiple_of(self.chunk) {
            rest = chunked(&self.body.prefix(self.body.size % self.chunk));
        }
        rest.extend(last.into_bytes());
        steps.push(Step::Flow(Flow::once(rest).paced(self.pace)));
    }
}

impl Body {
    // Up to here head and body are one block, sent by one write.
    const SMALL: u64 = 32 << 10;

    fn once(block: Vec<u8>) -> Self {
        Self { size: block.len() as u64, block }
    }

    fn is_small(&self) -> bool {
        self.size <= Self::SMALL
    }

    fn bytes(&self) -> Vec<u8> {
        self.prefix(self.size)
    }

    fn prefix(&self, size: u64) -> Vec<u8> {
        self.block.iter().copied().cycle().take(size as usize).collect()
    }

    fn compressed(&self) -> Self {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        let whole = self.bytes();
        // Writing into memory does not fail.
        let packed = encoder.write_all(&whole).and_then(|()| encoder.finish());
        Self::once(packed.unwrap_or_default())
    }
}

fn body_of(spec: &Spec, echo: Option<Vec<u8>>) -> Body {
    match (echo, &spec.body) {
        (Some(request), _) => Body::once(request),
        (None, Some(text)) => Body::once(text.clone().into_bytes()),
        (None, None) => Body { block: pattern(), size: spec.size.unwrap_or(16) },
    }
}

/// Digits in lines of sixty-four, whole lines to a block: a client can tell what is missing.
fn pattern() -> Vec<u8> {
    let line = b"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde\n";
    line.repeat(64)
}

fn chunked(bytes: &[u8]) -> Vec<u8> {
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend(bytes);
    chunk.extend(b"\r\n");
    chunk
}

/// A hundred pieces a second where that makes whole bytes, else a byte at a time.
fn pace_of(bytes_per_second: u64) -> Pace {
    if bytes_per_second >= 100 {
        let piece = bytes_per_second / 100;
        Pace { piece, every: Duration::from_secs_f64(piece as f64 / bytes_per_second as f64) }
    } else {
        Pace { piece: 1, every: Duration::from_secs(1) / bytes_per_second as u32 }
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        100 => "Continue",
        102 => "Processing",
        103 => "Early Hints",
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        413 => "Content Too Large",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Status",
    }
}
