//! URLs in pieces: where a request goes, and what it asks for there.

use url::{Host, Url};

/// A URL in pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    /// `http://host:port`, without the scheme's own port.
    pub(super) origin: String,
    /// Begins with `/`, escaped as it travels.
    pub(super) path: String,
    /// Without the `?`.
    pub(super) query: Option<String>,
    /// User and password, decoded.
    pub(super) credentials: Option<(String, String)>,
}

impl Address {
    /// Reads a URL; a fragment never leaves the browser and is dropped.
    ///
    /// # Errors
    /// In words that do not repeat the URL, since credentials may stand in it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let url = Url::parse(text.trim()).map_err(|error| format!("not a URL: {error}"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(format!("a URL of `http` or `https` is expected, not of `{}`", url.scheme()));
        }
        let Some(host) = url.host() else { return Err("not a URL: the host is missing".to_owned()) };
        let host = match host {
            Host::Domain(name) => name.to_owned(),
            Host::Ipv4(address) => address.to_string(),
            Host::Ipv6(address) => format!("[{address}]"),
        };
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let password = url.password().unwrap_or_default();
        let credentials =
            (!url.username().is_empty() || !password.is_empty()).then(|| (decoded(url.username()), decoded(password)));
        Ok(Self {
            origin: format!("{}://{host}{port}", url.scheme()),
            path: url.path().to_owned(),
            query: url.query().filter(|query| !query.is_empty()).map(str::to_owned),
            credentials,
        })
    }

    /// Host and port as a `Host` header says them.
    pub(super) fn authority(&self) -> &str {
        self.origin.split_once("://").map_or("", |(_, authority)| authority)
    }
}

/// The host of an origin.
pub(super) fn host_of(origin: &str) -> &str {
    let authority = origin.split_once("://").map_or(origin, |(_, authority)| authority);
    match authority.strip_prefix('[') {
        Some(_) => authority.split_inclusive(']').next().unwrap_or(authority),
        None => authority.split(':').next().unwrap_or(authority),
    }
}

/// Without percent escapes.
pub(super) fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// A value as a part of a path.
pub(super) fn path_segment(value: &str) -> String {
    const SEGMENT: &percent_encoding::AsciiSet = &percent_encoding::NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~')
        .remove(b':')
        .remove(b'@');
    percent_encoding::utf8_percent_encode(value, SEGMENT).to_string()
}

/// The name of a field in a query or a form. Brackets stay, for people and servers alike read them so.
pub(super) fn field_name(name: &str) -> String {
    const NAME: &percent_encoding::AsciiSet = &percent_encoding::NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~')
        .remove(b'[')
        .remove(b']')
        .remove(b'@')
        .remove(b'$');
    percent_encoding::utf8_percent_encode(name, NAME).to_string()
}

/// The pairs of a query or a form, decoded; none if putting them together again would give another text.
pub(super) fn pairs(text: &str) -> Option<Vec<(String, String)>> {
    let pairs: Vec<(String, String)> = url::form_urlencoded::parse(text.as_bytes()).into_owned().collect();
    let every_one_has_both = text.split('&').all(|pair| pair.find('=').is_some_and(|at| at > 0));
    // Bytes that are not UTF-8 would come back as another character.
    let readable = pairs.iter().all(|(name, value)| !name.contains('\u{fffd}') && !value.contains('\u{fffd}'));
    (every_one_has_both && readable).then_some(pairs)
}

/// A value as a part of a query or a form.
pub(super) fn form_value(value: &str) -> String {
    url::form_urlencoded::byte_serialize(value.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, origin: &str, path: &str, query: Option<&str>) {
        let address = Address::parse(url).expect("a URL");
        assert_eq!((address.origin.as_str(), address.path.as_str(), address.query.as_deref()), (origin, path, query));
    }

    #[test]
    fn urls_come_apart() {
        check("http://a.example", "http://a.example", "/", None);
        check("HTTPS://A.example:443/x y?q={1}#top", "https://a.example", "/x%20y", Some("q={1}"));
        check("http://[::1]:8080/?", "http://[::1]:8080", "/", None);
        let address = Address::parse("http://ann:p%40w@h:81/").expect("a URL");
        assert_eq!(address.credentials, Some(("ann".to_owned(), "p@w".to_owned())));
        assert_eq!(address.authority(), "h:81");
        assert_eq!(host_of("http://[::1]:8080"), "[::1]");
    }

    #[test]
    fn what_is_no_url_is_not_repeated() {
        for text in ["ftp://u:geheim@h/", "//geheim/x", "http://", "geheim"] {
            let error = Address::parse(text).expect_err("refused");
            assert!(!error.contains("geheim"), "{error}");
        }
    }

    #[test]
    fn pairs_are_given_only_where_nothing_is_lost() {
        assert_eq!(pairs("a=1&b=x+y%21"), Some(vec![("a".into(), "1".into()), ("b".into(), "x y!".into())]));
        assert_eq!(pairs("a=1&flag"), None);
        assert_eq!(pairs("=1"), None);
        assert_eq!(pairs("a=%ff"), None);
    }
}
