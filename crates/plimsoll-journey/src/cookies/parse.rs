//! A `Set-Cookie` header as a jar reads it (RFC 6265, section 5.2 and 5.3).

use chrono::NaiveDate;

use super::{Cookie, Origin, domain_matches};

/// The header's pieces; whether they are acceptable depends on where it came from.
#[derive(Debug, Default)]
pub(super) struct SetCookie<'a> {
    name: &'a [u8],
    value: &'a [u8],
    domain: Option<&'a [u8]>,
    path: Option<&'a [u8]>,
    max_age: Option<i64>,
    expires: Option<i64>,
    secure: bool,
}

impl<'a> SetCookie<'a> {
    /// None for what names nothing, or could end up as another header.
    pub(super) fn parse(header: &'a [u8]) -> Option<Self> {
        let mut pieces = header.split(|&byte| byte == b';');
        let (name, value) = split(pieces.next()?);
        let is_safe = header.iter().all(|byte| *byte >= b' ' && *byte != 0x7f || *byte == b'\t');
        let mut cookie = Self { name, value: value?, ..Self::default() };
        pieces.for_each(|piece| cookie.attribute(piece));
        (is_safe && !name.is_empty()).then_some(cookie)
    }

    /// The last one of a name counts.
    fn attribute(&mut self, piece: &'a [u8]) {
        let (name, value) = split(piece);
        let value = value.unwrap_or_default();
        if name.eq_ignore_ascii_case(b"domain") {
            let domain = value.strip_prefix(b".").unwrap_or(value);
            self.domain = (!domain.is_empty()).then_some(domain);
        } else if name.eq_ignore_ascii_case(b"path") {
            self.path = value.starts_with(b"/").then_some(value);
        } else if name.eq_ignore_ascii_case(b"max-age") {
            self.max_age = seconds(value).or(self.max_age);
        } else if name.eq_ignore_ascii_case(b"expires") {
            self.expires = date(value).or(self.expires);
        } else if name.eq_ignore_ascii_case(b"secure") {
            self.secure = true;
        }
    }

    /// The cookie that a jar keeps; none if `origin` may not set it.
    pub(super) fn accepted(&self, origin: Origin<'_>, now: i64) -> Option<Cookie> {
        let host = origin.host.as_bytes();
        // A whole top-level domain is not one site.
        let is_site = |domain: &[u8]| domain.len() == host.len() || domain.contains(&b'.');
        let is_ours = self.domain.is_none_or(|domain| is_site(domain) && domain_matches(host, domain));
        let path = self.path.unwrap_or_else(|| default_path(origin.path));
        if !is_ours || (self.secure && !origin.is_trusted()) || !self.keeps_promise(path) {
            return None;
        }
        let expires = match self.max_age {
            Some(age) if age <= 0 => i64::MIN,
            Some(age) => now.saturating_add(age),
            None => self.expires.unwrap_or(i64::MAX),
        };
        let domain = self.domain.unwrap_or(host).to_ascii_lowercase();
        self.packed(&domain, path, expires)
    }

    /// What the prefixes of a name promise (RFC 6265bis, section 4.1.3).
    fn keeps_promise(&self, path: &[u8]) -> bool {
        let has_prefix = |prefix: &[u8]| self.name.get(..prefix.len()).is_some_and(|p| p.eq_ignore_ascii_case(prefix));
        let is_of_host = self.secure && self.domain.is_none() && path == b"/";
        (!has_prefix(b"__Secure-") || self.secure) && (!has_prefix(b"__Host-") || is_of_host)
    }

    fn packed(&self, domain: &[u8], path: &[u8], expires: i64) -> Option<Cookie> {
        let bytes = [self.name, b"=", self.value, domain, path].concat().into_boxed_slice();
        let pair_end = self.name.len() + 1 + self.value.len();
        Some(Cookie {
            bytes,
            name_end: u16::try_from(self.name.len()).ok()?,
            pair_end: u16::try_from(pair_end).ok()?,
            domain_end: u16::try_from(pair_end + domain.len()).ok()?,
            host_only: self.domain.is_none(),
            secure: self.secure,
            expires,
        })
    }
}

/// `name=value`, both without the spaces around them.
fn split(piece: &[u8]) -> (&[u8], Option<&[u8]>) {
    match piece.iter().position(|&byte| byte == b'=') {
        Some(at) => (piece[..at].trim_ascii(), Some(piece[at + 1..].trim_ascii())),
        None => (piece.trim_ascii(), None),
    }
}

/// The path up to its last slash; a cookie without a path is for what lies beside the page that set it.
fn default_path(path: &str) -> &[u8] {
    match path.rfind('/') {
        None | Some(0) => b"/",
        Some(at) => &path.as_bytes()[..at],
    }
}

/// More digits than a number holds are a very long time.
fn seconds(value: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(value).ok()?;
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX - 1 }))
}

/// A date in any of the ways in which servers write it (RFC 6265, section 5.1.1), in seconds since 1970.
fn date(value: &[u8]) -> Option<i64> {
    let (mut time, mut day, mut month, mut year) = (None, None, None, None);
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b':';
    for token in value.split(|byte| !is_part(byte)).filter_map(|token| std::str::from_utf8(token).ok()) {
        if time.is_none() && token.contains(':') {
            time = clock(token);
        } else if day.is_none() && matches!(leading(token), Some((_, 1..=2))) {
            day = leading(token);
        } else if month.is_none() && month_of(token).is_some() {
            month = month_of(token);
        } else if year.is_none() && matches!(leading(token), Some((_, 2 | 4))) {
            year = leading(token);
        }
    }
    let year = match year?.0 {
        year @ 70..=99 => year + 1900,
        year @ 0..=69 => year + 2000,
        year => year,
    };
    let (hour, minute, second) = time?;
    let day = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month?, day?.0)?;
    (year >= 1601).then(|| day.and_hms_opt(hour, minute, second))?.map(|date| date.and_utc().timestamp())
}

/// The number that a token begins with, and how many digits it has.
fn leading(token: &str) -> Option<(u32, usize)> {
    let len = token.find(|c: char| !c.is_ascii_digit()).unwrap_or(token.len());
    token.get(..len)?.parse().ok().map(|number| (number, len))
}

fn clock(token: &str) -> Option<(u32, u32, u32)> {
    let mut parts = token.split(':').map(|part| leading(part).filter(|(_, len)| *len <= 2).map(|(number, _)| number));
    Some((parts.next()??, parts.next()??, parts.next()??))
}

fn month_of(token: &str) -> Option<u32> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let start = token.get(..3)?.to_ascii_lowercase();
    MONTHS.iter().position(|month| *month == start).map(|at| at as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_all_kinds() {
        for text in [
            "Wed, 13 Jan 2021 22:23:01 GMT",
            "Wed, 13-Jan-2021 22:23:01 GMT",
            "Wednesday, 13-Jan-21 22:23:01 GMT",
            "Wed Jan 13 22:23:01 2021",
            "22:23:01 2021 january 13",
        ] {
            assert_eq!(date(text.as_bytes()), Some(1_610_576_581), "{text}");
        }
        for text in [
            "",
            "tomorrow",
            "Wed, 13 Jan 2021",
            "Wed, 32 Jan 2021 22:23:01",
            "13 Jan 2021 25:00:00",
            "13 Jan 1500 00:00:00",
        ] {
            assert_eq!(date(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn ages() {
        assert_eq!(seconds(b"60"), Some(60));
        assert_eq!(seconds(b"-1"), Some(-1));
        assert_eq!(seconds(b"99999999999999999999"), Some(i64::MAX - 1));
        assert_eq!(seconds(b"1x"), None);
        assert_eq!(seconds(b""), None);
    }
}
