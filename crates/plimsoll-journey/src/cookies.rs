//! The cookies that a user carries (RFC 6265), in few bytes: ten thousand users have a jar each.
//!
//! What an HTTP client needs and no more: there are no scripts, no other sites and no list of public suffixes, so a
//! domain of one label is refused instead, as curl does. A jar knows neither clock nor socket: the moment is handed in.

mod parse;

use std::cmp::Reverse;

use chrono::{DateTime, Utc};

use parse::SetCookie;

/// RFC 6265, section 6.1: at least as many are kept for a domain; the oldest goes.
const COOKIES_PER_DOMAIN_MAX: usize = 50;

/// Name, value and attributes; a longer one is ignored.
const COOKIE_BYTES_MAX: usize = 4096;

/// Where a request goes, as far as cookies care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin<'a> {
    /// Without port and brackets.
    pub host: &'a str,
    /// The path without its query; it begins with a slash.
    pub path: &'a str,
    /// Over TLS.
    pub secure: bool,
}

/// The cookies of one user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Jar {
    // Those with longer paths first, the older first among equals: the order in which they are sent.
    cookies: Vec<Cookie>,
}

/// One allocation holds `name=value`, domain and path one behind the other.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cookie {
    bytes: Box<[u8]>,
    name_end: u16,
    pair_end: u16,
    domain_end: u16,
    host_only: bool,
    secure: bool,
    /// In seconds since 1970; at the end of the session if this is the last one there is.
    expires: i64,
}

impl<'a> Origin<'a> {
    /// Of a whole URL; none if it has no host.
    pub fn of(url: &'a str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let host = match host.strip_prefix('[') {
            Some(host) => host.split_once(']')?.0,
            None => host.split_once(':').map_or(host, |(host, _)| host),
        };
        let path = path.split(['?', '#']).next().filter(|path| !path.is_empty()).unwrap_or("/");
        (!host.is_empty()).then(|| Self { host, path, secure: scheme.eq_ignore_ascii_case("https") })
    }

    /// Nobody listens on the way to this very machine, so that tests without TLS see secure cookies, too.
    fn is_trusted(self) -> bool {
        self.secure
            || self.host.eq_ignore_ascii_case("localhost")
            || self.host == "::1"
            || self.host.starts_with("127.")
    }
}

impl Jar {
    /// Nothing in it.
    pub fn is_empty(&self) -> bool {
        self.cookies.is_empty()
    }

    /// Obeys a `Set-Cookie` header that came from `origin`, or ignores it.
    pub fn set(&mut self, origin: Origin<'_>, header: &[u8], now: DateTime<Utc>) {
        let now = now.timestamp();
        let cookie = SetCookie::parse(header).filter(|_| header.len() <= COOKIE_BYTES_MAX);
        let Some(cookie) = cookie.and_then(|cookie| cookie.accepted(origin, now)) else { return };
        let same = self.cookies.iter().position(|known| known.is_same(&cookie));
        match (same, cookie.expires > now) {
            // A new value takes the place of the old one, and its age.
            (Some(at), true) => self.cookies[at] = cookie,
            (Some(at), false) => drop(self.cookies.remove(at)),
            (None, true) => self.add(cookie, now),
            (None, false) => {}
        }
    }

    fn add(&mut self, cookie: Cookie, now: i64) {
        self.cookies.retain(|known| known.expires > now);
        let in_domain = self.cookies.iter().filter(|known| known.domain() == cookie.domain()).count();
        if in_domain >= COOKIES_PER_DOMAIN_MAX
            && let Some(at) = self.cookies.iter().position(|known| known.domain() == cookie.domain())
        {
            self.cookies.remove(at);
        }
        let at = self.cookies.partition_point(|known| Reverse(known.path().len()) <= Reverse(cookie.path().len()));
        self.cookies.insert(at, cookie);
    }

    /// Appends `a=1; b=2`, what a request to `origin` says in its `Cookie` header, to `out`; false if it says nothing.
    pub fn write_header(&self, origin: Origin<'_>, now: DateTime<Utc>, out: &mut Vec<u8>) -> bool {
        let mut is_first = true;
        for cookie in self.cookies.iter().filter(|cookie| cookie.goes_to(origin, now)) {
            if !is_first {
                out.extend_from_slice(b"; ");
            }
            is_first = false;
            out.extend_from_slice(cookie.pair());
        }
        !is_first
    }
}

impl Cookie {
    fn name(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.name_end)).unwrap_or_default()
    }

    fn pair(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.pair_end)).unwrap_or_default()
    }

    fn domain(&self) -> &[u8] {
        self.bytes.get(usize::from(self.pair_end)..usize::from(self.domain_end)).unwrap_or_default()
    }

    fn path(&self) -> &[u8] {
        self.bytes.get(usize::from(self.domain_end)..).unwrap_or_default()
    }

    /// A cookie for a host alone is not the one of its domain, as in browsers and in curl.
    fn is_same(&self, other: &Self) -> bool {
        self.host_only == other.host_only
            && self.name() == other.name()
            && self.domain() == other.domain()
            && self.path() == other.path()
    }

    fn goes_to(&self, origin: Origin<'_>, now: DateTime<Utc>) -> bool {
        let host = origin.host.as_bytes();
        let is_home =
            if self.host_only { host.eq_ignore_ascii_case(self.domain()) } else { domain_matches(host, self.domain()) };
        is_home
            && path_matches(origin.path.as_bytes(), self.path())
            && (!self.secure || origin.is_trusted())
            && (self.expires == i64::MAX || self.expires > now.timestamp())
    }
}

/// RFC 6265, section 5.1.3.
fn domain_matches(host: &[u8], domain: &[u8]) -> bool {
    let Some(above) = host.len().checked_sub(domain.len()) else { return false };
    let (below, end) = host.split_at(above);
    end.eq_ignore_ascii_case(domain) && (below.is_empty() || (below.ends_with(b".") && !is_address(host)))
}

/// An address has no domain above it.
fn is_address(host: &[u8]) -> bool {
    std::str::from_utf8(host).is_ok_and(|host| host.parse::<std::net::IpAddr>().is_ok())
}

/// RFC 6265, section 5.1.4.
fn path_matches(path: &[u8], wanted: &[u8]) -> bool {
    path.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || wanted.ends_with(b"/") || rest.starts_with(b"/"))
}

#[cfg(test)]
mod tests;
