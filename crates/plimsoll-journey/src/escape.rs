//! How values are written into JSON, URLs and forms.

use crate::wrong::Wrong;

/// Inside the quotes of a JSON string.
pub(crate) fn json_text(text: &str, out: &mut Vec<u8>) {
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.extend_from_slice(&text.as_bytes()[plain..at]);
        json_byte(byte, out);
        plain = at + 1;
    }
    out.extend_from_slice(&text.as_bytes()[plain..]);
}

fn json_byte(byte: u8, out: &mut Vec<u8>) {
    let short = match byte {
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        b'"' | b'\\' => byte,
        _ => {
            out.extend_from_slice(format!("\\u{byte:04x}").as_bytes());
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

/// A JSON value of its own.
///
/// Hurl looks at no more than the beginning (`12abc` passes for a number there), which makes bodies that nobody can
/// read; here the whole must be a value.
pub(crate) fn json_value(text: &str, out: &mut Vec<u8>) -> Result<(), Wrong> {
    if !matches!(text, "true" | "false" | "null") && !is_json_number(text) {
        return Err(Wrong::new("a number, a boolean or null: JSON without quotes", format!("`{text}`")));
    }
    out.extend_from_slice(text.as_bytes());
    Ok(())
}

/// The grammar of RFC 8259, section 6.
fn is_json_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (integer, fraction) = match mantissa.split_once('.') {
        Some((integer, fraction)) => (integer, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(integer)
        && (integer == "0" || !integer.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|text| digits(text.strip_prefix(['+', '-']).unwrap_or(text)))
}

/// A value of a query or a form: all but RFC 3986's unreserved characters become `%XX`.
pub(crate) fn form(bytes: &[u8], out: &mut Vec<u8>) {
    percent(bytes, out, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~'));
}

/// A name of a query: written as it stands, as Hurl does, but for what cannot stand in a request line.
pub(crate) fn query_name(bytes: &[u8], out: &mut Vec<u8>) {
    percent(bytes, out, |byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'#' | b'<' | b'>'));
}

fn percent(bytes: &[u8], out: &mut Vec<u8>, stays: impl Fn(u8) -> bool) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for &byte in bytes {
        if stays(byte) {
            out.push(byte);
        } else {
            out.extend_from_slice(&[b'%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(write: impl Fn(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn what_may_stand_without_quotes() {
        for good in ["0", "-0", "12", "-1.5", "1e9", "1.5E-3", "true", "false", "null"] {
            assert_eq!(json_value(good, &mut Vec::new()), Ok(()), "{good}");
        }
        for bad in ["", "-", "01", "1.", ".5", "1e", "12abc", "abc", "\"a\"", "[]", "+1", "NaN", "True"] {
            assert!(json_value(bad, &mut Vec::new()).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_and_values_of_queries() {
        assert_eq!(written(|out| form("a b&c=d/ü~".as_bytes(), out)), "a%20b%26c%3Dd%2F%C3%BC~");
        assert_eq!(written(|out| query_name("filter[a] b#".as_bytes(), out)), "filter[a]%20b%23");
    }

    proptest! {
        #[test]
        fn json_text_reads_back(text: String) {
            let json = written(|out| { out.push(b'"'); json_text(&text, out); out.push(b'"') });
            prop_assert_eq!(serde_json::from_str::<String>(&json).ok(), Some(text));
        }

        #[test]
        fn form_text_reads_back(text: String) {
            let escaped = written(|out| form(text.as_bytes(), out));
            prop_assert!(escaped.bytes().all(|byte| byte.is_ascii_graphic()));
            let read = percent_encoding::percent_decode_str(&escaped).decode_utf8();
            prop_assert!(read.is_ok_and(|read| read == text));
        }

        #[test]
        fn json_values_are_json(text in "[-+0-9.eEtruefalsn]{0,8}") {
            let is_scalar = serde_json::from_str::<serde_json::Value>(&text).is_ok() ||
                // A number beyond what a float holds is JSON, though not for everyone.
                is_json_number(&text);
            prop_assert_eq!(json_value(&text, &mut Vec::new()).is_ok(), is_scalar);
        }
    }
}
