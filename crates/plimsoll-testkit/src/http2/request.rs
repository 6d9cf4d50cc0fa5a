//! Requests as they come in HTTP/2: the fields of a head, whether they are what RFC 9113 wants, and the body.

use crate::behaviour::Redirect;
use crate::intake::KEPT_MAX;
use crate::routes::{Route, Scripted};
use std::rc::Rc;

/// The head that was read last. Its memory is used again.
#[derive(Debug, Default)]
pub(crate) struct Head {
    pub(crate) method: Vec<u8>,
    pub(crate) target: Vec<u8>,
    authority: Vec<u8>,
    // The other fields, as lines with their ends.
    lines: Vec<u8>,
    has_scheme: bool,
    length: Option<u64>,
    pub(crate) expects_continue: bool,
    // Why it is no request.
    flaw: Option<&'static str>,
}

/// A request that is arriving.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) route: Rc<Route>,
    /// HEAD wants no body.
    pub(crate) head_only: bool,
    /// As it came; kept only where the answer repeats it.
    pub(crate) target: Option<String>,
    /// What an echo says; `None` where nobody wants it.
    pub(crate) echo: Option<Vec<u8>>,
    /// Answered before its body has arrived.
    pub(crate) early: bool,
    // What is still to come of the body, if it was said.
    left: Option<u64>,
}

impl Head {
    /// Forgets the last one.
    pub(crate) fn clear(&mut self) {
        self.method.clear();
        self.target.clear();
        self.authority.clear();
        self.lines.clear();
        *self = Self {
            method: std::mem::take(&mut self.method),
            target: std::mem::take(&mut self.target),
            authority: std::mem::take(&mut self.authority),
            lines: std::mem::take(&mut self.lines),
            ..Self::default()
        };
    }

    /// Takes one field.
    pub(crate) fn take(&mut self, name: &[u8], value: &[u8]) {
        if name.first() == Some(&b':') {
            return self.take_pseudo(name, value);
        }
        if let Some(flaw) = flaw(name, value) {
            self.flaw = Some(flaw);
        }
        match name {
            b"content-length" => match std::str::from_utf8(value).ok().and_then(|text| text.parse().ok()) {
                Some(length) if self.length.is_none_or(|other| other == length) => self.length = Some(length),
                _ => self.flaw = Some("a content-length that is none"),
            },
            b"expect" => self.expects_continue = value.eq_ignore_ascii_case(b"100-continue"),
            _ => {}
        }
        self.lines.extend_from_slice(name);
        self.lines.extend_from_slice(b": ");
        self.lines.extend_from_slice(value);
        self.lines.extend_from_slice(b"\r\n");
    }

    fn take_pseudo(&mut self, name: &[u8], value: &[u8]) {
        if !self.lines.is_empty() {
            self.flaw = Some("a pseudo-field after a field");
        }
        let known = match name {
            b":method" => &mut self.method,
            b":path" => &mut self.target,
            b":authority" => &mut self.authority,
            b":scheme" => {
                if std::mem::replace(&mut self.has_scheme, true) {
                    self.flaw = Some("a pseudo-field twice");
                }
                return;
            }
            _ => {
                self.flaw = Some("a pseudo-field that requests do not have");
                return;
            }
        };
        if !known.is_empty() {
            self.flaw = Some("a pseudo-field twice");
        }
        known.extend_from_slice(value);
    }

    /// Why it is no request, if it is none.
    pub(crate) fn flaw(&self) -> Option<&'static str> {
        let lacks = self.method.is_empty() || self.target.is_empty() || !self.has_scheme;
        self.flaw.or(lacks.then_some("a request without method, scheme or path"))
    }

    /// Why these are no trailers, if they are none.
    pub(crate) fn flaw_of_trailers(&self) -> Option<&'static str> {
        let has_pseudo = !(self.method.is_empty() && self.target.is_empty() && self.authority.is_empty());
        self.flaw.or((has_pseudo || self.has_scheme).then_some("trailers with a pseudo-field"))
    }

    /// The request of this head, which goes to `route`.
    pub(crate) fn request(&self, route: Rc<Route>) -> Request {
        let (mut target, mut echo, mut early) = (None, None, false);
        if let Route::Behaviour(Scripted { behaviour, early: is_early, .. }) = &*route {
            echo = behaviour.spec.echoes().then(|| self.text());
            let repeats = behaviour.spec.redirect == Some(Redirect::Itself);
            target = repeats.then(|| String::from_utf8_lossy(&self.target).into_owned());
            early = *is_early;
        }
        Request { route, head_only: self.method == b"HEAD", target, echo, early, left: self.length }
    }

    /// In the words of HTTP/1.1, which people can read.
    fn text(&self) -> Vec<u8> {
        let mut text = [&self.method, b" ".as_slice(), &self.target, b" HTTP/2\r\n"].concat();
        if !self.authority.is_empty() {
            text.extend([b"host: ", self.authority.as_slice(), b"\r\n"].concat());
        }
        text.extend_from_slice(&self.lines);
        text.extend_from_slice(b"\r\n");
        text
    }
}

impl Request {
    /// Takes some of the body; what is wrong with it is a status, or 0 where it is more than was announced.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<(), u16> {
        if let Some(left) = &mut self.left {
            *left = left.checked_sub(bytes.len() as u64).ok_or(0_u16)?;
        }
        if let Some(echo) = &mut self.echo {
            if echo.len() + bytes.len() > KEPT_MAX {
                return Err(413);
            }
            echo.extend_from_slice(bytes);
        }
        Ok(())
    }

    /// Whether the body has the length that was announced.
    pub(crate) fn is_whole(&self) -> bool {
        self.left.unwrap_or(0) == 0
    }
}

/// What RFC 9113, 8.2 has against a field.
fn flaw(name: &[u8], value: &[u8]) -> Option<&'static str> {
    let is_name = |byte: &u8| byte.is_ascii_graphic() && !byte.is_ascii_uppercase() && *byte != b':';
    if name.is_empty() || !name.iter().all(is_name) {
        return Some("a name that is none in HTTP/2");
    }
    if value.iter().any(|byte| b"\0\r\n".contains(byte)) {
        return Some("a value with a line end or a NUL");
    }
    match name {
        b"connection" | b"keep-alive" | b"proxy-connection" | b"transfer-encoding" | b"upgrade" => {
            Some("a field about the connection")
        }
        b"te" if value != b"trailers" => Some("a `te` that says more than `trailers`"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fields: &[(&str, &str)], flaw: Option<&str>) {
        let mut head = Head::default();
        for (name, value) in fields {
            head.take(name.as_bytes(), value.as_bytes());
        }
        assert_eq!(head.flaw(), flaw, "{fields:?}");
    }

    #[test]
    fn heads_are_judged() {
        let whole = [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "x")];
        let with = |more: &[(&'static str, &'static str)]| [&whole[..], more].concat();
        check(&whole, None);
        check(&with(&[("te", "trailers"), ("content-length", "3"), ("content-length", "3")]), None);
        check(&whole[..2], Some("a request without method, scheme or path"));
        check(&with(&[("a", "b"), (":method", "GET")]), Some("a pseudo-field twice"));
        check(&[("a", "b"), (":method", "GET")], Some("a pseudo-field after a field"));
        check(&with(&[(":status", "200")]), Some("a pseudo-field that requests do not have"));
        check(&with(&[("X-Upper", "b")]), Some("a name that is none in HTTP/2"));
        check(&with(&[("connection", "close")]), Some("a field about the connection"));
        check(&with(&[("te", "gzip")]), Some("a `te` that says more than `trailers`"));
        check(&with(&[("a", "b\r\nc")]), Some("a value with a line end or a NUL"));
        check(&with(&[("content-length", "3"), ("content-length", "4")]), Some("a content-length that is none"));
    }
}
