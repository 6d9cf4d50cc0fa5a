//! A URL, cut into the place that a connection leads to and what is asked for there.
//!
//! Every request is cut anew, and nearly all URLs need nothing but that. Those with anything unusual in them go
//! through the `url` crate, which follows the same rules as browsers.

use std::borrow::Cow;

use url::Url;

/// A URL, cut in two.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address<'u> {
    /// `http://host:port`
    pub(super) origin: Cow<'u, str>,
    /// Path and query, beginning with `/`.
    pub(super) path: Cow<'u, str>,
    /// `user` and `password`, where the URL has them.
    pub(super) user: Option<(String, String)>,
}

impl<'u> Address<'u> {
    /// Cuts a URL; a reason in words if it is none that can be asked for.
    pub(super) fn of(url: &'u str) -> Result<Self, String> {
        Self::of_usual(url).map_or_else(|| Self::of_any(url), Ok)
    }

    fn of_usual(url: &'u str) -> Option<Self> {
        let host_at = if url.starts_with("http://") {
            7
        } else if url.starts_with("https://") {
            8
        } else {
            return None;
        };
        let path_at = url[host_at..].find('/')? + host_at;
        let (origin, path) = url.split_at(path_at);
        let plain_host = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'-' | b':');
        let plain_path = |b: u8| {
            b.is_ascii_graphic() && !matches!(b, b'#' | b'"' | b'<' | b'>' | b'`' | b'{' | b'}' | b'\\' | b'^' | b'|')
        };
        let usual = origin.len() > host_at
            && origin.bytes().skip(host_at).all(plain_host)
            && path.bytes().all(plain_path)
            && !path.contains("/.");
        usual.then_some(Self { origin: Cow::Borrowed(origin), path: Cow::Borrowed(path), user: None })
    }

    fn of_any(url: &str) -> Result<Self, String> {
        let parsed = Url::parse(url).map_err(|error| format!("`{}` is no URL: {error}", shown(url)))?;
        if !matches!(parsed.scheme(), "http" | "https") || parsed.host_str().is_none_or(str::is_empty) {
            return Err(format!("`{}` is no URL with http:// or https://", shown(url)));
        }
        let path = match parsed.query() {
            Some(query) => format!("{}?{query}", parsed.path()),
            None => parsed.path().to_owned(),
        };
        let user = (!parsed.username().is_empty()).then(|| {
            let decoded = |text: &str| percent_decoded(text);
            (decoded(parsed.username()), decoded(parsed.password().unwrap_or_default()))
        });
        Ok(Self { origin: Cow::Owned(parsed.origin().ascii_serialization()), path: Cow::Owned(path), user })
    }
}

fn percent_decoded(text: &str) -> String {
    let pair = format!("x={}", text.replace('+', "%2B"));
    url::form_urlencoded::parse(pair.as_bytes()).next().map_or_else(String::new, |(_, value)| value.into_owned())
}

fn shown(url: &str) -> String {
    plimsoll_http::printable(url.as_bytes(), 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, origin: &str, path: &str) {
        let address = Address::of(url).expect("a URL");
        assert_eq!((&*address.origin, &*address.path), (origin, path), "{url}");
    }

    #[test]
    fn urls_are_cut() {
        check("http://127.0.0.1:8080/a?b=c", "http://127.0.0.1:8080", "/a?b=c");
        check("http://api.example", "http://api.example", "/");
        check("http://api.example?x=1", "http://api.example", "/?x=1");
        check("https://API.example:443/a#top", "https://api.example", "/a");
        check("http://api.example/a/../b", "http://api.example", "/b");
        check("http://api.example/a b?q=ä", "http://api.example", "/a%20b?q=%C3%A4");
        check("http://[::1]:8080/x", "http://[::1]:8080", "/x");
    }

    #[test]
    fn a_user_in_the_url_is_taken_out() {
        let address = Address::of("http://me:p%40ss@api.example/").expect("a URL");
        assert_eq!(address.user, Some(("me".to_owned(), "p@ss".to_owned())));
        assert_eq!(address.origin, "http://api.example");
    }

    #[test]
    fn what_is_no_url_says_so() {
        for url in ["", "api.example/x", "ftp://api.example/", "http://a b/", "https://"] {
            assert!(Address::of(url).is_err(), "{url}");
        }
    }
}
