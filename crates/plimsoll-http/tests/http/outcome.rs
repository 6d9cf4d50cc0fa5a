//! Everything one answer led to, as a value that can be compared.

use plimsoll_http::{Closed, Fed, Head, ProtocolError, ResponseParser, Sink};

/// A sink that keeps all it is given.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) interim: Vec<u16>,
    pub(crate) heads: Vec<u16>,
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) reason: Vec<u8>,
    pub(crate) body: Vec<u8>,
    pub(crate) trailers: Vec<(String, Vec<u8>)>,
}

impl Sink for Kept {
    fn interim(&mut self, head: &Head<'_>) {
        self.interim.push(head.status());
    }
    fn head(&mut self, head: &Head<'_>) {
        self.heads.push(head.status());
        self.reason = head.reason().to_vec();
        let headers = head.headers();
        self.headers = headers.map(|h| (h.name.to_owned(), h.value.to_vec())).collect();
    }
    fn body(&mut self, bytes: &[u8]) {
        assert!(!bytes.is_empty(), "an empty piece of body is no piece");
        self.body.extend_from_slice(bytes);
    }
    fn trailer(&mut self, name: &str, value: &[u8]) {
        self.trailers.push((name.to_owned(), value.to_vec()));
    }
}

/// How an answer ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// Complete, with so many bytes of the input not belonging to it.
    Done {
        left: usize,
    },
    /// Complete because the peer closed, or closed before anything came.
    Closed(Closed),
    Failed(ProtocolError),
}

/// An answer read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) end: End,
    pub(crate) status: u16,
    pub(crate) keep_alive: bool,
    pub(crate) body_bytes: u64,
    pub(crate) kept: Kept,
}

/// Reads the pieces, then closes.
pub(crate) fn read<'i>(request_is_head: bool, pieces: impl IntoIterator<Item = &'i [u8]>) -> Outcome {
    let mut parser = ResponseParser::new();
    let mut kept = Kept::default();
    parser.begin(request_is_head);
    let mut left = 0;
    let mut end = None;
    for piece in pieces {
        if end.is_some() {
            left += piece.len();
            continue;
        }
        match parser.feed(piece, &mut kept) {
            Ok(Fed::More) => {}
            Ok(Fed::Done { consumed }) => {
                left = piece.len() - consumed;
                end = Some(None);
            }
            Err(error) => end = Some(Some(error)),
        }
        assert!(parser.kept_bytes() <= 2 * plimsoll_http::HEAD_BYTES_MAX);
    }
    let keep_alive = parser.keep_alive();
    let end = match end {
        Some(None) => End::Done { left },
        Some(Some(error)) => End::Failed(error),
        None => parser.close().map_or_else(End::Failed, End::Closed),
    };
    assert_eq!(parser.kept_bytes(), 0, "memory is given back at the end");
    Outcome {
        keep_alive: keep_alive && matches!(end, End::Done { .. }),
        end,
        status: parser.status(),
        body_bytes: parser.body_bytes(),
        kept,
    }
}

impl Outcome {
    /// This outcome, with the error's kind in place of the error: what an error can quote depends on how much had
    /// come when it was noticed, and nothing else may.
    pub(crate) fn without_quotes(&self) -> (Result<&End, &'static str>, u16, bool, u64, &Kept) {
        let end = match &self.end {
            End::Failed(error) => Err(error.kind()),
            end => Ok(end),
        };
        (end, self.status, self.keep_alive, self.body_bytes, &self.kept)
    }
}

/// The outcome in one line, for tables.
pub(crate) fn summary(outcome: &Outcome) -> String {
    let end = match &outcome.end {
        End::Failed(error) => return error.kind().to_owned(),
        End::Closed(Closed::BeforeAnswer) => return "before answer".to_owned(),
        End::Closed(Closed::Complete) => " until close".to_owned(),
        End::Done { left: 0 } => String::new(),
        End::Done { left } => format!(" left={left}"),
    };
    let keep = if outcome.keep_alive { "keep" } else { "close" };
    let body = String::from_utf8_lossy(&outcome.kept.body);
    format!("{} {keep} `{body}`{end}", outcome.status)
}
