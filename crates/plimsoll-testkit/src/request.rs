//! Reading a request's head: what the server must know of it, without copying it.

use crate::answer::Persistence;
use plimsoll_http::h2::frame::PREFACE;

/// What the head of a request says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head<'a> {
    /// As it stood in the request line.
    pub(crate) target: &'a [u8],
    /// All of it, with its empty line.
    pub(crate) raw: &'a [u8],
    /// HEAD wants no body.
    pub(crate) head_only: bool,
    /// What the client wishes for its connection.
    pub(crate) persistence: Persistence,
    /// What follows the head.
    pub(crate) body: Framing,
    /// The client waits for 100 before it sends the body.
    pub(crate) expects_continue: bool,
}

/// How the body of a request ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// After so many bytes, perhaps none.
    Length(u64),
    /// After its last chunk.
    Chunked,
}

/// What stands at the beginning of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parsed<'a> {
    /// A whole head.
    Head(Head<'a>),
    /// The beginning of one.
    Partial,
    /// What connections of HTTP/2 begin with.
    Preface,
    /// Nothing that could become one: answered with this status, and closed.
    Refused(u16),
}

/// A head that is longer is refused.
pub(crate) const HEAD_MAX: usize = 64 << 10;
const FIELDS_MAX: usize = 128;

/// Reads the head at the beginning of `input`.
pub(crate) fn parse(input: &[u8]) -> Parsed<'_> {
    let mut fields = [const { std::mem::MaybeUninit::uninit() }; FIELDS_MAX];
    let mut request = httparse::Request::new(&mut []);
    match request.parse_with_uninit_headers(input, &mut fields) {
        Ok(httparse::Status::Complete(length)) if length <= HEAD_MAX => describe(&request, &input[..length]),
        Ok(httparse::Status::Partial) if input.len() < HEAD_MAX => Parsed::Partial,
        Ok(_) | Err(httparse::Error::TooManyHeaders) => Parsed::Refused(431),
        // HTTP/2 begins with what was made to be no request of HTTP/1.1, so that this costs requests nothing.
        Err(_) if input.starts_with(PREFACE) => Parsed::Preface,
        Err(_) if PREFACE.starts_with(input) => Parsed::Partial,
        Err(_) => Parsed::Refused(400),
    }
}

fn describe<'a>(request: &httparse::Request<'_, 'a>, raw: &'a [u8]) -> Parsed<'a> {
    let (Some(method), Some(target), Some(version)) = (request.method, request.path, request.version) else {
        return Parsed::Refused(400);
    };
    let mut notes = Notes::default();
    for field in request.headers.iter() {
        if notes.take(field.name, field.value).is_none() {
            return Parsed::Refused(400);
        }
    }
    let body = match (notes.chunked, notes.length) {
        // Both together are how requests are smuggled.
        (true, Some(_)) => return Parsed::Refused(400),
        (true, None) => Framing::Chunked,
        (false, length) => Framing::Length(length.unwrap_or(0)),
    };
    Parsed::Head(Head {
        target: target.as_bytes(),
        raw,
        head_only: method == "HEAD",
        persistence: match version {
            1 if notes.close => Persistence::Close,
            1 => Persistence::Keep,
            _ if notes.keep => Persistence::KeepOld,
            _ => Persistence::Close,
        },
        body,
        expects_continue: notes.expects_continue && version == 1,
    })
}

#[derive(Default)]
struct Notes {
    length: Option<u64>,
    chunked: bool,
    close: bool,
    keep: bool,
    expects_continue: bool,
}

impl Notes {
    /// Notes what a field says about the message; `None` where it contradicts itself.
    fn take(&mut self, name: &str, value: &[u8]) -> Option<()> {
        // The length tells most fields apart from those that matter, before any comparison.
        match name.len() {
            14 if name.eq_ignore_ascii_case("content-length") => {
                let length = digits(value)?;
                if self.length.replace(length).is_some_and(|other| other != length) {
                    return None;
                }
            }
            17 if name.eq_ignore_ascii_case("transfer-encoding") => {
                if self.chunked || !value.eq_ignore_ascii_case(b"chunked") {
                    return None;
                }
                self.chunked = true;
            }
            10 if name.eq_ignore_ascii_case("connection") => {
                for option in value.split(|&byte| byte == b',') {
                    self.close |= option.trim_ascii().eq_ignore_ascii_case(b"close");
                    self.keep |= option.trim_ascii().eq_ignore_ascii_case(b"keep-alive");
                }
            }
            6 if name.eq_ignore_ascii_case("expect") => {
                self.expects_continue = value.eq_ignore_ascii_case(b"100-continue");
            }
            _ => {}
        }
        Some(())
    }
}

fn digits(value: &[u8]) -> Option<u64> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(value).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(input: &[u8]) -> Head<'_> {
        match parse(input) {
            Parsed::Head(head) => head,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_head_is_described() {
        let input = b"HEAD /a?b=c HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc";
        let head = head(input);
        assert_eq!(head.target, b"/a?b=c");
        assert_eq!(head.raw.len(), input.len() - 3);
        assert!(head.head_only && head.expects_continue);
        assert_eq!(head.body, Framing::Length(3));
        assert_eq!(head.persistence, Persistence::Keep);
    }

    #[test]
    fn the_connection_is_kept_as_asked() {
        for (input, persistence) in [
            ("GET / HTTP/1.1\r\nConnection: x, Close\r\n\r\n", Persistence::Close),
            ("GET / HTTP/1.0\r\n\r\n", Persistence::Close),
            ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", Persistence::KeepOld),
        ] {
            assert_eq!(head(input.as_bytes()).persistence, persistence, "{input}");
        }
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for input in [
            "\0\0\0\0",
            "GET\r\n\r\n",
            "GET / HTTP/2.0\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        ] {
            assert_eq!(parse(input.as_bytes()), Parsed::Refused(400), "{input:?}");
        }
        let long = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(HEAD_MAX));
        assert_eq!(parse(long.as_bytes()), Parsed::Refused(431));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(FIELDS_MAX + 1));
        assert_eq!(parse(many.as_bytes()), Parsed::Refused(431));
        assert_eq!(parse(b"GET / HTTP/1.1\r\nHost:"), Parsed::Partial);
    }

    #[test]
    fn the_preface_is_known_however_it_is_cut() {
        for cut in 0..PREFACE.len() {
            assert_eq!(parse(&PREFACE[..cut]), Parsed::Partial, "{cut}");
        }
        assert_eq!(parse(PREFACE), Parsed::Preface);
        assert_eq!(parse(b"PRI * HTTP/2.0\r\n\r\nSX\r\n\r\n"), Parsed::Refused(400));
    }
}
