//! What is looked at in an answer beyond its end: only what somebody asked for.
//!
//! The usual run looks at nothing, and passes `()` to the parser instead.

use plimsoll_http::{Coding, Head, Inflate, Sink, printable};

use crate::journey::{Kept, Wants};
use crate::stream::Stream;

/// Reads an answer for redirects, compression and the server's name, and keeps of it what a journey asks about.
#[derive(Default)]
pub(crate) struct Look {
    decode: bool,
    /// Something is kept.
    keeps: bool,
    /// The server's name is of no interest any more.
    knows_server: bool,
    kept: Kept,
    location: Option<Vec<u8>>,
    server: Option<String>,
    inflate: Option<Inflate>,
    inflate_error: Option<String>,
    wants_https: bool,
    status: u16,
}

/// The longest `Server` header that is kept.
const SERVER_CHARS_MAX: usize = 80;

impl Look {
    /// `decode`: compressed bodies are decoded, and must be sound.
    pub(crate) fn new(decode: bool) -> Self {
        Self { decode, ..Self::default() }
    }

    /// Keeps what is asked for; bodies that somebody looks at are decoded.
    pub(crate) fn keep(&mut self, wants: Wants, knows_server: bool) {
        (self.decode, self.keeps, self.knows_server) = (wants.body, true, knows_server);
        self.kept.wants(wants);
        self.begin();
    }

    /// Forgets the answer before.
    pub(crate) fn begin(&mut self) {
        if self.keeps {
            self.kept.begin();
        }
        (self.location, self.server, self.inflate, self.inflate_error) = (None, None, None, None);
        (self.wants_https, self.status) = (false, 0);
    }

    /// The request at hand goes out on this connection.
    pub(crate) fn meet(&mut self, stream: &Stream) {
        if self.keeps {
            self.kept.meet(stream);
        }
    }

    /// What is kept of the answer at hand.
    pub(crate) fn kept(&self) -> &Kept {
        &self.kept
    }

    /// Where the answer redirects to.
    pub(crate) fn location(&self) -> Option<&[u8]> {
        self.location.as_deref()
    }

    /// What the server calls itself, safe to print.
    pub(crate) fn take_server(&mut self) -> Option<String> {
        self.server.take()
    }

    /// Whether the answer says that this port wants https.
    pub(crate) fn wants_https(&self) -> bool {
        self.wants_https
    }

    /// Why the body could not be decoded, once the answer has ended.
    pub(crate) fn decoding_error(&mut self) -> Option<String> {
        let ended_early =
            || self.inflate.as_ref().and_then(|inflate| inflate.finish().err()).map(|error| error.to_string());
        self.inflate_error.take().or_else(ended_early)
    }
}

/// What servers of TLS say to those who speak in the clear: nginx, then Go, then Apache.
const SAYINGS: [&[u8]; 3] =
    [b"sent to HTTPS port", b"HTTP request to an HTTPS server", b"plain HTTP to an SSL-enabled"];

fn says_https(text: &[u8]) -> bool {
    SAYINGS.iter().any(|saying| text.windows(saying.len()).any(|words| words == *saying))
}

impl Sink for Look {
    fn head(&mut self, head: &Head<'_>) {
        self.status = head.status();
        self.location = head.get("location").map(|header| header.value.to_vec());
        if !self.knows_server {
            self.server = head.get("server").map(|header| printable(header.value, SERVER_CHARS_MAX));
        }
        if self.decode {
            self.inflate =
                head.get("content-encoding").and_then(|header| Coding::named(header.value)).map(Inflate::new);
        }
        if self.keeps {
            self.kept.head(head);
        }
    }

    fn body(&mut self, bytes: &[u8]) {
        self.wants_https |= self.status == 400 && says_https(bytes);
        let (kept, keeps) = (&mut self.kept, self.keeps);
        if keeps {
            kept.raw(bytes);
        }
        let mut take = |bytes: &[u8]| {
            if keeps {
                kept.body(bytes);
            }
        };
        let Some(inflate) = &mut self.inflate else { return take(bytes) };
        if self.inflate_error.is_none()
            && let Err(error) = inflate.feed(bytes, &mut take)
        {
            self.inflate_error = Some(error.to_string());
        }
    }
}
