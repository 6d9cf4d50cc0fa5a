//! Properties of connections however the bytes arrive and whatever they hold.

use super::model::{KEPT_BYTES_MAX, Log, Script, get, id, request, run};
use plimsoll_http::h2::Client;
use plimsoll_http::h2::frame::{Kind, flag, setting};
use proptest::prelude::*;

/// One thing a server does, on a stream that may exist.
#[derive(Debug, Clone)]
struct Step {
    what: u8,
    stream: u32,
    flags: u8,
    payload: Vec<u8>,
}

/// How many things [`Step::add`] does as a good server does them, before those that are odd.
const GOOD: u8 = 9;

impl Step {
    fn add(&self, script: Script) -> Script {
        let (stream, flags, payload) = (self.stream, self.flags, &self.payload[..]);
        let ends = flags & 1 == 1;
        match self.what {
            0..=2 => script.head(stream, ":status: 200|server: s|", ends),
            3..=5 => script.data(stream, payload, ends),
            6 => script.head(stream, ":status: 100|", false),
            7 => script.head(stream, "grpc-status: 0|", true),
            8 => script.widen(stream, payload.len() as u32),
            9 => script.reset(stream, u32::from(flags)),
            10 => script.goaway(stream, u32::from(flags)),
            11 => script.settings(&[(setting::INITIAL_WINDOW_SIZE, u32::from(flags) << 8)]),
            12 => script.ping(),
            13 => script.frame(Kind::Headers, flags, stream, payload),
            14 => script.frame(Kind::Data, flags | flag::PADDED, stream, payload),
            15 => script.frame(Kind::Continuation, flags, stream, payload),
            16 => script.frame(Kind::Unknown(flags), 0, stream, payload),
            _ => script.raw(payload),
        }
    }
}

fn step() -> impl Strategy<Value = Step> {
    let what = prop_oneof![12 => 0..GOOD, 1 => GOOD..18];
    let stream = prop_oneof![8 => (0_u32..4).prop_map(|n| 2 * n + 1), 1 => 0_u32..12];
    let payload = proptest::collection::vec(any::<u8>(), 0..40);
    let parts = (what, stream, any::<u8>(), payload);
    parts.prop_map(|(what, stream, flags, payload)| Step { what, stream, flags, payload })
}

fn script() -> impl Strategy<Value = Vec<u8>> {
    let greeting = prop_oneof![19 => Just(true), 1 => Just(false)];
    (greeting, proptest::collection::vec(step(), 0..20)).prop_map(|(greets, steps)| {
        let start = if greets { Script::new() } else { Script::default() };
        steps.iter().fold(start, |script, step| step.add(script)).bytes
    })
}

/// Four streams, one with a body that does not fit into the windows.
fn client() -> Client {
    let mut out = Vec::new();
    let mut client = Client::new(&mut out);
    for request in [get(), get(), request("POST", &[b'x'; 100_000]), request("HEAD", b"")] {
        assert!(client.open(&request, &mut out).is_some());
    }
    client
}

/// `input` cut at points given as fractions of its length.
fn split<'i>(input: &'i [u8], cuts: &[prop::sample::Index]) -> Vec<&'i [u8]> {
    let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(input.len() + 1)).collect();
    at.extend([0, input.len()]);
    at.sort_unstable();
    at.windows(2).map(|ends| &input[ends[0]..ends[1]]).collect()
}

/// Streams must end once, and be silent then.
fn check_ends(log: &Log) {
    for stream in [1, 3, 5, 7] {
        let of_it = |line: &&String| line.starts_with(&format!("{stream} "));
        let lines: Vec<&String> = log.lines.iter().filter(of_it).collect();
        let ends = |line: &&&String| line.contains(" done") || line.contains(" failed ");
        assert_eq!(lines.iter().filter(ends).count(), 1, "{log:?}");
        assert!(lines.last().is_some_and(|line| ends(&line)), "{log:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn how_it_is_split_changes_nothing(
        bytes in script(),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let kind = |(log, sent, result): (Log, Vec<u8>, Result<(), plimsoll_http::h2::H2Error>)| {
            (log.lines, sent, result.map_err(|error| error.kind()))
        };
        let whole = run(client(), [&bytes[..]]);
        check_ends(&whole.0);
        let pieces = kind(run(client(), split(&bytes, &cuts)));
        let whole = kind(whole);
        prop_assert_eq!(&pieces.0, &whole.0);
        prop_assert_eq!(&pieces.2, &whole.2);
    }

    #[test]
    fn any_bytes_do_no_harm(
        bytes: Vec<u8>,
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let mut input = Script::new().bytes;
        input.extend_from_slice(&bytes);
        check_ends(&run(client(), split(&input, &cuts)).0);
        check_ends(&run(client(), split(&bytes, &cuts)).0);
    }

    #[test]
    fn streams_come_and_go(steps in proptest::collection::vec((0_u8..4, 0_u32..40), 0..60)) {
        let (mut out, mut log, mut open) = (Vec::new(), Log::default(), 0);
        let mut client = Client::new(&mut out);
        let mut script = Script::new();
        for (what, stream) in steps {
            let stream = 2 * stream + 1;
            match what {
                0 | 1 => open += u32::from(client.open(&get(), &mut out).is_some()),
                2 => client.cancel(id(stream), &mut out),
                _ if stream < 2 * open => script = script.head(stream, ":status: 200|x: y|", true),
                _ => {}
            }
            let result = client.feed(&std::mem::take(&mut script.bytes), &mut out, &mut log);
            // Answering twice is the one thing this server does wrong.
            if let Err(error) = result {
                prop_assert_eq!(error.kind(), "stream-closed");
                return Ok(());
            }
            prop_assert!(client.streams() <= open as usize && client.kept_bytes() <= KEPT_BYTES_MAX);
        }
    }
}
