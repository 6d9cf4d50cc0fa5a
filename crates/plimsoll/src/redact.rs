//! The request as it may be shown: exact, except for credentials.

use plimsoll_model::redact;
use plimsoll_report::harmless;

/// Bytes of a body that are shown.
const BODY_SHOWN: usize = 1024;
/// What takes a secret's place.
const REDACTED: &str = "[redacted]";
/// A field whose name contains one of these is a credential.
const SECRET_NAMES: [&str; 6] = ["password", "passwd", "secret", "token", "api_key", "apikey"];

/// The lines of a request, head and body, safe to print.
pub(crate) fn request_lines(request: &[u8]) -> Vec<String> {
    let head_end = request.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or(request.len());
    let (head, rest) = request.split_at(head_end);
    let mut lines: Vec<String> =
        String::from_utf8_lossy(head).split("\r\n").enumerate().map(|(index, line)| head_line(index, line)).collect();
    lines.push(String::new());
    lines.extend(body_lines(rest.get(4..).unwrap_or_default()));
    lines
}

fn head_line(index: usize, line: &str) -> String {
    if index == 0 {
        return harmless(&request_line(line));
    }
    match line.split_once(':') {
        Some((name, value)) => harmless(&format!("{name}: {}", redact(name, value.trim()))),
        None => harmless(line),
    }
}

/// A URL without the secrets that its query may carry.
pub(crate) fn url(url: &str) -> String {
    match url.split_once('?') {
        Some((path, query)) => format!("{path}?{}", form(query)),
        None => url.to_owned(),
    }
}

/// A query may carry a token.
fn request_line(line: &str) -> String {
    let Some((path, rest)) = line.split_once('?') else { return line.to_owned() };
    let (query, version) = rest.rsplit_once(' ').unwrap_or((rest, ""));
    format!("{path}?{} {version}", form(query))
}

fn body_lines(body: &[u8]) -> Vec<String> {
    if body.is_empty() {
        return Vec::new();
    }
    let Ok(text) = std::str::from_utf8(body) else { return vec![format!("({} bytes that are not text)", body.len())] };
    if is_secretive_json(text) {
        return vec![format!("({} bytes of JSON with a credential in it)", body.len())];
    }
    let shown: String = form(text).chars().take(BODY_SHOWN).collect();
    let mut lines: Vec<String> = shown.lines().map(harmless).collect();
    if text.len() > BODY_SHOWN {
        lines.push(format!("… ({} bytes in all)", body.len()));
    }
    lines
}

/// `name=value` pairs without the secret values.
fn form(text: &str) -> String {
    let pair = |pair: &str| match pair.split_once('=') {
        Some((name, _)) if is_secret(name) => format!("{name}={REDACTED}"),
        _ => pair.to_owned(),
    };
    text.split('&').map(pair).collect::<Vec<_>>().join("&")
}

fn is_secretive_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[']) && is_secret(text)
}

/// Whether something of this name is a credential.
pub(crate) fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_NAMES.iter().any(|secret| name.contains(secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(request: &str, expected: &str) {
        assert_eq!(request_lines(request.as_bytes()).join("\n"), expected);
    }

    #[test]
    fn credentials_are_not_shown() {
        check("GET / HTTP/1.1\r\nAuthorization: Basic eDp5\r\n\r\n", "GET / HTTP/1.1\nAuthorization: [redacted]\n");
        check("GET /?a=1&token=x HTTP/1.1\r\n\r\n", "GET /?a=1&token=[redacted] HTTP/1.1\n");
        check("POST / HTTP/1.1\r\n\r\nuser=a&password=b", "POST / HTTP/1.1\n\nuser=a&password=[redacted]");
        check(
            "POST / HTTP/1.1\r\n\r\n{\"password\":\"b\"}",
            "POST / HTTP/1.1\n\n(16 bytes of JSON with a credential in it)",
        );
    }

    #[test]
    fn a_body_does_no_harm() {
        check("POST / HTTP/1.1\r\n\r\n\x1b[2J", "POST / HTTP/1.1\n\n\\x1b[2J");
        let mut request = b"POST / HTTP/1.1\r\n\r\n".to_vec();
        request.extend([0xff, 0xfe]);
        assert_eq!(request_lines(&request).last().map(String::as_str), Some("(2 bytes that are not text)"));
    }
}
