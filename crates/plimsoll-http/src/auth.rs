//! Basic credentials (RFC 7617), and the base64 they need: too little to take a dependency for.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The value of an `Authorization` field for `user:password`; without a colon the password is empty.
pub fn basic_auth(credentials: &str) -> String {
    let mut bytes = credentials.as_bytes().to_vec();
    if !bytes.contains(&b':') {
        bytes.push(b':');
    }
    format!("Basic {}", base64(&bytes))
}

fn base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let sextet = (bits >> (18 - 6 * at)) & 63;
            // n bytes make n + 1 characters; the rest of the group of four is padding.
            let has_bits = at <= group.len();
            out.push(if has_bits { char::from(ALPHABET[sextet as usize]) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(credentials: &str, expected: &str) {
        assert_eq!(basic_auth(credentials), expected);
    }

    #[test]
    fn credentials() {
        // RFC 7617 section 2.
        check("Aladdin:open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        check("user", "Basic dXNlcjo=");
        check(":", "Basic Og==");
        check("a:b", "Basic YTpi");
        check("a:\u{fc}?>", "Basic YTrDvD8+");
    }
}
