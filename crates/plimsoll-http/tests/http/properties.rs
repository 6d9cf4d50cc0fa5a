//! Properties of answers however they arrive and whatever they hold.

use crate::outcome::{End, Outcome, read};
use plimsoll_http::{end_chunks, put_chunk};
use proptest::prelude::*;

/// Bytes that look like an answer often enough to reach the far corners of the parser.
fn almost_an_answer() -> impl Strategy<Value = Vec<u8>> {
    let scrap = prop_oneof![
        Just(&b"HTTP/1.1 200 OK\r\n"[..]),
        Just(&b"HTTP/1.0 200\r\n"[..]),
        Just(&b"HTTP/1.1 100 Continue\r\n\r\n"[..]),
        Just(&b"HTTP/1.1 204 No Content\n"[..]),
        Just(&b"Content-Length: 5\r\n"[..]),
        Just(&b"Content-Length: 99999999999999999999\r\n"[..]),
        Just(&b"Transfer-Encoding: chunked\r\n"[..]),
        Just(&b"Connection: close\r\n"[..]),
        Just(&b"A: b\r\n"[..]),
        Just(&b" folded\r\n"[..]),
        Just(&b"\r\n"[..]),
        Just(&b"\n"[..]),
        Just(&b"\r"[..]),
        Just(&b"5\r\nhello\r\n"[..]),
        Just(&b"0\r\n"[..]),
        Just(&b"f;x\r\n"[..]),
        Just(&b"\0"[..]),
    ];
    let noise = proptest::collection::vec(any::<u8>(), 0..6);
    let piece = prop_oneof![9 => scrap.prop_map(<[u8]>::to_vec), 1 => noise];
    let start = prop_oneof![9 => Just(b"HTTP/1.1 200 OK\r\n".to_vec()), 1 => Just(Vec::new())];
    (start, proptest::collection::vec(piece, 0..12)).prop_map(|(start, pieces)| [start, pieces.concat()].concat())
}

/// `input` cut at points given as fractions of its length.
fn split<'i>(input: &'i [u8], cuts: &[prop::sample::Index]) -> Vec<&'i [u8]> {
    let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(input.len() + 1)).collect();
    at.extend([0, input.len()]);
    at.sort_unstable();
    at.windows(2).map(|ends| &input[ends[0]..ends[1]]).collect()
}

/// A good answer, and what is to be read from it.
fn answer() -> impl Strategy<Value = (Vec<u8>, Vec<u8>, bool)> {
    let chunks = proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..40), 0..6);
    (chunks, 0..3_u8, 100..1000_u16, any::<bool>()).prop_map(|(chunks, framing, padding, close)| {
        let body = chunks.concat();
        let mut out = format!("HTTP/1.1 200 OK\r\nX: {padding}\r\n").into_bytes();
        if close {
            out.extend_from_slice(b"Connection: close\r\n");
        }
        match framing {
            0 => {
                out.extend_from_slice(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
                out.extend_from_slice(&body);
            }
            1 => {
                out.extend_from_slice(b"Transfer-Encoding: chunked\r\n\r\n");
                chunks.iter().for_each(|chunk| put_chunk(&mut out, chunk));
                end_chunks(&mut out);
            }
            _ => {
                out.extend_from_slice(b"\r\n");
                out.extend_from_slice(&body);
            }
        }
        (out, body, framing < 2 && !close)
    })
}

fn cuts() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    proptest::collection::vec(any::<prop::sample::Index>(), 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_encoded_is_read((bytes, body, keep_alive) in answer(), cuts in cuts()) {
        let outcome = read(false, split(&bytes, &cuts));
        prop_assert!(!matches!(outcome.end, End::Failed(_)), "{outcome:?}");
        prop_assert_eq!(outcome.body_bytes, body.len() as u64);
        prop_assert_eq!(outcome.kept.body, body);
        prop_assert_eq!(outcome.keep_alive, keep_alive);
    }

    #[test]
    fn how_it_is_split_changes_nothing(
        bytes in almost_an_answer(),
        cuts in cuts(),
        request_is_head: bool,
    ) {
        let whole = read(request_is_head, [&bytes[..]]);
        let pieces = read(request_is_head, split(&bytes, &cuts));
        prop_assert_eq!(pieces.without_quotes(), whole.without_quotes());
    }

    #[test]
    fn a_shortened_answer_is_never_complete((bytes, _, _) in answer(), cut: prop::sample::Index) {
        let whole = read(false, [&bytes[..]]);
        let short = read(false, [&bytes[..cut.index(bytes.len())]]);
        // Only the close itself can end a body that the close ends.
        if matches!(whole.end, End::Done { .. }) {
            prop_assert!(!matches!(short.end, End::Done { .. }), "{short:?}");
        }
    }

    #[test]
    fn any_bytes_do_no_harm(bytes: Vec<u8>, cuts in cuts()) {
        let Outcome { end, body_bytes, .. } = read(false, split(&bytes, &cuts));
        prop_assert!(body_bytes <= bytes.len() as u64);
        if let End::Failed(error) = end {
            prop_assert!(!error.to_string().contains(|c: char| c.is_control()));
        }
    }
}
