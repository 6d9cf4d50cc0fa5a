//! Sessions without sockets: the same bytes in, however they are cut, give the same bytes out; and nothing that
//! comes in makes one panic.

use super::{Next, Session};
use crate::behaviour::Spec;
use crate::routes::{Desk, World};
use crate::script::FULL;
use proptest::prelude::*;
use std::sync::Arc;
use std::time::Duration;

fn desk() -> Desk {
    Desk::new(&Arc::new(World::new(Spec::default(), false, Some(100), 1)), 0)
}

/// Feeds the pieces one after the other; time jumps to whatever is waited for. Returns what was said, and how it
/// ended.
fn converse(pieces: &[&[u8]]) -> (Vec<u8>, Next) {
    let (mut session, mut desk) = (Session::new(), desk());
    let (mut now, mut said, mut out, mut kept) = (Duration::ZERO, Vec::new(), Vec::new(), Vec::new());
    let mut next = Next::Read;
    for piece in pieces {
        kept.extend_from_slice(piece);
        loop {
            let mut input = kept.as_slice();
            next = session.advance(now, &mut input, &mut out, &mut desk);
            kept = input.to_vec();
            assert!(out.len() < FULL + 1024);
            said.append(&mut out);
            match next {
                Next::Wait(due) => now = due,
                Next::Flush if said.len() < 1 << 20 => {}
                Next::Read => break,
                _ => return (said, next),
            }
        }
    }
    (said, next)
}

#[test]
fn answers_wait_for_their_time() {
    let (mut session, mut desk, mut out) = (Session::new(), desk(), Vec::new());
    let mut input = b"GET /?service=3ms&body=a HTTP/1.1\r\n\r\nGET /?body=b HTTP/1.1\r\n\r\n".as_slice();
    let ms = Duration::from_millis;
    assert_eq!(session.advance(ms(5), &mut input, &mut out, &mut desk), Next::Wait(ms(8)));
    assert!(out.is_empty() && !input.is_empty());
    assert_eq!(session.advance(ms(8), &mut input, &mut out, &mut desk), Next::Read);
    assert!(out.ends_with(b"\r\n\r\nb") && input.is_empty());
}

#[test]
fn a_full_output_stops_an_endless_answer() {
    let (said, next) = converse(&[b"GET /bad/endless-body HTTP/1.1\r\n\r\n"]);
    assert_eq!(next, Next::Flush);
    assert!(said.ends_with(b"hello ") || said.len() >= 1 << 20);
}

#[test]
fn a_frozen_behaviour_answers_all_at_the_thaw() {
    let mut desk = desk();
    let s = Duration::from_secs;
    let request = b"GET /?freeze=1s/5s HTTP/1.1\r\n\r\n".as_slice();
    let mut ask = |now| Session::new().advance(now, &mut { request }, &mut Vec::new(), &mut desk);
    assert_eq!(ask(s(100)), Next::Read);
    assert_eq!(ask(s(104)), Next::Wait(s(105)));
    assert_eq!(ask(s(104) + s(1) / 2), Next::Wait(s(105)));
    assert_eq!(ask(s(105)), Next::Read);
}

const CONVERSATION: &[u8] = b"GET /?body=a HTTP/1.1\r\n\r\n\
    POST /echo HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello\
    POST /?size=40000&framing=chunked HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n\
    HEAD /?service=1ms HTTP/1.1\r\n\r\n\
    GET /bad/byte-at-a-time HTTP/1.1\r\n\r\n\
    GET /?redirect=self HTTP/1.1\r\nConnection: close\r\n\r\n";

#[test]
fn a_pace_beyond_every_network_does_not_overflow() {
    let (said, _) = converse(&[b"GET /?pace=2000000000000B/s HTTP/1.1\r\n\r\n"]);
    assert!(said.ends_with(b"0123456789abcdef"));
}

proptest! {
    #[test]
    fn cuts_do_not_matter(cuts in prop::collection::vec(0..CONVERSATION.len(), 0..8)) {
        let mut cuts = cuts;
        cuts.extend([0, CONVERSATION.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&[u8]> = cuts.windows(2).map(|cut| &CONVERSATION[cut[0]..cut[1]]).collect();
        prop_assert_eq!(converse(&pieces), converse(&[CONVERSATION]));
    }

    #[test]
    fn nothing_makes_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        converse(&[&bytes]);
    }

    #[test]
    fn no_target_makes_it_panic(target in "/(bad/|echo)?[!-~]{0,60}", key in "[a-z_]{0,12}", value in "[!-~]{0,20}") {
        converse(&[format!("GET {target}?{key}={value} HTTP/1.1\r\n\r\n").as_bytes()]);
    }

    #[test]
    fn no_value_of_a_key_makes_it_panic(
        key in prop::sample::select(vec![
            "service", "bands", "freeze", "thief", "limit", "size", "pace", "chunk", "close_after", "error", "interim",
        ]),
        value in "(exp:|bimodal:)?[0-9]{1,20}(\\.[0-9]{1,3})?(ns|us|ms|s|h|B|GiB|/s|B/s|:[0-9]ms|,rude)?(/[0-9]{1,9}(ms|s))?",
    ) {
        converse(&[format!("GET /?{key}={value}&at_most=9 HTTP/1.1\r\n\r\n").as_bytes()]);
    }
}
