//! Against an oracle: an RFC 9112 section 6.3 reading of httparse's own output, written as plainly as can be.

use crate::outcome::{End, read};
use proptest::prelude::*;

/// Status and body of a whole answer, or `None` where the oracle has no opinion or sees an error.
fn oracle(bytes: &[u8]) -> Option<(u16, Vec<u8>)> {
    let mut fields = [httparse::EMPTY_HEADER; 64];
    let mut parsed = httparse::Response::new(&mut fields);
    let httparse::Status::Complete(head_bytes) = parsed.parse(bytes).ok()? else {
        return None;
    };
    let rest = &bytes[head_bytes..];
    let value = |name: &str| {
        let mut found = parsed.headers.iter().filter(|h| h.name.eq_ignore_ascii_case(name));
        found.next().map(|h| String::from_utf8_lossy(h.value).into_owned())
    };
    let body = match (parsed.code?, value("Transfer-Encoding"), value("Content-Length")) {
        (204 | 304, ..) => Vec::new(),
        (_, Some(_), Some(_)) => return None,
        (_, Some(_), None) => unchunk(rest)?,
        (_, None, Some(length)) => rest.get(..length.parse().ok()?)?.to_vec(),
        (_, None, None) => rest.to_vec(),
    };
    Some((parsed.code?, body))
}

fn unchunk(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let httparse::Status::Complete((at, size)) = httparse::parse_chunk_size(rest).ok()? else {
            return None;
        };
        let size = usize::try_from(size).ok()?;
        let data = &rest[at..];
        if size == 0 {
            return data.starts_with(b"\r\n").then_some(body);
        }
        body.extend_from_slice(data.get(..size)?);
        rest = data.get(size..)?.strip_prefix(b"\r\n")?;
    }
}

prop_compose! {
    fn answer()(
        status in prop_oneof![Just(200), Just(204), Just(304), Just(404), 200..600_u16],
        reason in "( [ -~]{0,12})?",
        fields in proptest::collection::vec("[A-Za-z-]{1,18}: ?[ -~]{0,20}", 0..6),
        framing in prop_oneof![
            Just("Content-Length: 5"), Just("content-length:3"), Just("Content-Length: 400"),
            Just("Transfer-Encoding: chunked"), Just("X: y"),
        ],
        line_end in prop_oneof![Just("\r\n"), Just("\n")],
        body in prop_oneof![
            "[ -~]{0,12}",
            Just("5\r\nhello\r\n0\r\n\r\n".to_owned()),
            Just("1;e=f\r\nx\r\n0\r\n\r\nrest".to_owned()),
        ],
    ) -> Vec<u8> {
        let fields = fields.iter().map(String::as_str).chain([framing]);
        let head: Vec<&str> = fields.flat_map(|field| [field, line_end]).collect();
        format!("HTTP/1.1 {status}{reason}{line_end}{}{line_end}{body}", head.concat()).into_bytes()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn both_read_the_same(bytes in answer()) {
        let outcome = read(false, [&bytes[..]]);
        if let Some((status, body)) = oracle(&bytes) {
            prop_assert!(!matches!(outcome.end, End::Failed(_)), "{outcome:?}");
            prop_assert_eq!((outcome.status, outcome.kept.body), (status, body));
        } else {
            prop_assert!(matches!(outcome.end, End::Failed(_)), "{outcome:?}");
        }
    }
}
