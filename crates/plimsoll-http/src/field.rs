//! The grammar of a single field line and its parts (RFC 9110 sections 5.5 and 5.6.2).
//!
//! Shared by the request builder, the trailer section, and the search for the line a bad head failed at.

/// Whether every byte is one a token may hold, and there is one.
pub(crate) fn is_token(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().all(|&b| is_token_byte(b))
}

/// Whether a field value holds no control characters but tab. Bytes above ASCII are obsolete and allowed.
pub(crate) fn is_value(bytes: &[u8]) -> bool {
    bytes.iter().all(|&b| b == b'\t' || (b >= b' ' && b != 0x7f))
}

/// Splits `name: value`; `None` when the line is no field line.
pub(crate) fn split(line: &[u8]) -> Option<(&str, &[u8])> {
    let colon = line.iter().position(|&b| b == b':')?;
    let (name, value) = (&line[..colon], &line[colon + 1..]);
    if !is_token(name) || !is_value(value) {
        return None;
    }
    Some((std::str::from_utf8(name).ok()?, trim(value)))
}

/// Without the whitespace around it. Line breaks count as whitespace because a folded value holds them.
pub(crate) fn trim(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii()
}

/// The elements of a comma-separated list, trimmed; empty elements are left out (RFC 9110 section 5.6.1.2).
pub(crate) fn elements(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|&b| b == b',').map(trim).filter(|element| !element.is_empty())
}

pub(crate) const fn is_token_byte(b: u8) -> bool {
    matches!(b, b'!' | b'#' | b'$' | b'%' | b'&' | b'\'' | b'*' | b'+' | b'-' | b'.' | b'^' | b'_' | b'`' | b'|' | b'~')
        || b.is_ascii_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &[u8], expected: Option<(&str, &[u8])>) {
        assert_eq!(split(line), expected);
    }

    #[test]
    fn field_lines() {
        check(b"Name: value", Some(("Name", b"value")));
        check(b"Name:\tvalue \t", Some(("Name", b"value")));
        check(b"Name:", Some(("Name", b"")));
        check(b"Name: a:b", Some(("Name", b"a:b")));
        check(b"Name: \xff", Some(("Name", b"\xff")));
        check(b"Name : value", None);
        check(b" Name: value", None);
        check(b": value", None);
        check(b"Name", None);
        check(b"Name: a\rb", None);
        check(b"Name: a\0", None);
    }

    #[test]
    fn lists() {
        let all: Vec<&[u8]> = elements(b", a ,,b\r\n c,").collect();
        assert_eq!(all, [&b"a"[..], b"b\r\n c"]);
    }
}
