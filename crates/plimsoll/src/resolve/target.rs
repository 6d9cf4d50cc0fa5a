//! The URL: where requests go, and credentials that must not stay in it.

use percent_encoding::percent_decode_str;
use plimsoll_model::{Scheme, Target};
use url::{Host, Url};

use crate::redact;
use crate::usage::Usage;

const EXAMPLE: &str = "a URL looks like `http://127.0.0.1:8080/path`";

/// The target, and `user:password` if the URL had them.
pub(super) fn resolve(text: &str) -> Result<(Target, Option<String>), Usage> {
    let mut url = parse("URL", text)?;
    let credentials = take_credentials(&mut url)?;
    url.set_fragment(None);
    let (host, port) = host_and_port("URL", &url)?;
    let path = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    let scheme = if url.scheme() == "https" { Scheme::Https } else { Scheme::Http };
    Ok((Target { url: redact::url(url.as_str()), scheme, host, port, path }, credentials))
}

/// An `http` or `https` URL; the scheme may be left out. `flag` is named in complaints.
pub(super) fn parse(flag: &str, text: &str) -> Result<Url, Usage> {
    let text = text.trim();
    refuse_empty(text)?;
    refuse_other_schemes(flag, text)?;
    let with_scheme = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    Url::parse(&with_scheme)
        .map_err(|error| Usage::new(format!("{}: {error}", named(flag, &without_user(text))), EXAMPLE))
}

/// Removes `user:password` from a URL and returns it decoded.
pub(super) fn take_credentials(url: &mut Url) -> Result<Option<String>, Usage> {
    if url.username().is_empty() && url.password().is_none() {
        return Ok(None);
    }
    let decode = |text: &str| {
        percent_decode_str(text).decode_utf8().map(|text| text.into_owned()).map_err(|_| {
            Usage::new("the credentials in the URL are not UTF-8 when decoded", "give them with `-u user:password`")
        })
    };
    let credentials = format!("{}:{}", decode(url.username())?, decode(url.password().unwrap_or(""))?);
    // Both only fail for URLs that cannot have credentials, and then there are none to remove.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    Ok(Some(credentials))
}

/// Host without brackets, and the port to connect to.
pub(super) fn host_and_port(flag: &str, url: &Url) -> Result<(String, u16), Usage> {
    let host = match url.host() {
        Some(Host::Domain(name)) => name.to_owned(),
        Some(Host::Ipv4(address)) => address.to_string(),
        Some(Host::Ipv6(address)) => address.to_string(),
        None => return Err(Usage::new(format!("{}: it has no host", named(flag, url.as_str())), EXAMPLE)),
    };
    match url.port_or_known_default() {
        Some(0) | None => {
            Err(Usage::new(format!("{}: port 0 cannot be connected to", named(flag, url.as_str())), EXAMPLE))
        }
        Some(port) => Ok((host, port)),
    }
}

fn refuse_other_schemes(flag: &str, text: &str) -> Result<(), Usage> {
    let Some((scheme, _)) = text.split_once("://") else { return Ok(()) };
    match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" => Ok(()),
        _ => Err(Usage::new(
            format!("{}: `{scheme}` is not a scheme that is understood", named(flag, &without_user(text))),
            "write `http://` or `https://`",
        )),
    }
}

fn refuse_empty(text: &str) -> Result<(), Usage> {
    if text.is_empty() {
        return Err(Usage::new("the URL is empty", EXAMPLE));
    }
    Ok(())
}

/// A complaint shows the URL, never its password.
pub(super) fn without_user(text: &str) -> String {
    let (scheme, rest) = text.split_once("://").map_or(("", text), |(scheme, rest)| (scheme, rest));
    let authority_end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let shown = match rest[..authority_end].rfind('@') {
        Some(at) => &rest[at + 1..],
        None => rest,
    };
    if scheme.is_empty() { shown.to_owned() } else { format!("{scheme}://{shown}") }
}

fn named(flag: &str, text: &str) -> String {
    if flag == "URL" { format!("`{text}`") } else { format!("`{flag} {text}`") }
}
