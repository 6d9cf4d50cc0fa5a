//! Header compression against the examples of RFC 7541 appendix C, and against itself.

use plimsoll_http::h2::hpack::{Decoder, Encoder, Excess, Field, HpackError, Indexing};
use proptest::prelude::*;

/// Bytes from hexadecimal digits, blanks between them ignored.
fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|c| c.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

fn read(decoder: &mut Decoder, block: &[u8]) -> Result<String, HpackError> {
    let mut shown = String::new();
    let excess = decoder.decode(block, |name, value| {
        shown += &format!("{}: {}|", String::from_utf8_lossy(name), String::from_utf8_lossy(value));
    })?;
    assert_eq!(excess, None);
    Ok(shown)
}

/// Blocks that follow each other on one connection, and the fields of each.
#[track_caller]
fn check(blocks: &[(&str, &str)]) {
    let mut decoder = Decoder::new();
    for (block, expected) in blocks {
        assert_eq!(read(&mut decoder, &bytes(block)).as_deref(), Ok(*expected));
    }
}

#[track_caller]
fn check_error(block: &str, expected: &str) {
    let error = read(&mut Decoder::new(), &bytes(block)).expect_err("a bad block");
    assert_eq!(error.kind(), expected);
}

const FIRST: &str = ":method: GET|:scheme: http|:path: /|:authority: www.example.com|";
const SECOND: &str = ":method: GET|:scheme: http|:path: /|:authority: www.example.com|cache-control: no-cache|";
const THIRD: &str =
    ":method: GET|:scheme: https|:path: /index.html|:authority: www.example.com|custom-key: custom-value|";

#[test]
fn single_fields() {
    // Appendix C.2.
    check(&[("400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572", "custom-key: custom-header|")]);
    check(&[("040c 2f73 616d 706c 652f 7061 7468", ":path: /sample/path|")]);
    check(&[("1008 7061 7373 776f 7264 0673 6563 7265 74", "password: secret|")]);
    check(&[("82", ":method: GET|")]);
    check(&[("", "")]);
}

#[test]
fn requests() {
    // Appendix C.3, plain, and C.4, with Huffman coding.
    check(&[
        ("8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d", FIRST),
        ("8286 84be 5808 6e6f 2d63 6163 6865", SECOND),
        ("8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65", THIRD),
    ]);
    check(&[
        ("8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff", FIRST),
        ("8286 84be 5886 a8eb 1064 9cbf", SECOND),
        ("8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf", THIRD),
    ]);
}

#[test]
fn responses_in_a_small_table() {
    // Appendix C.6; the table of 256 bytes is set by an update, which the appendix leaves out.
    let first =
        ":status: 302|cache-control: private|date: Mon, 21 Oct 2013 20:13:21 GMT|location: https://www.example.com|";
    let second = first.replace("302", "307");
    let third = ":status: 200|cache-control: private|date: Mon, 21 Oct 2013 20:13:22 GMT|location: https://www.example.com|\
        content-encoding: gzip|set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1|";
    check(&[
        (
            "3fe1 01 4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad \
             1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
            first,
        ),
        ("4883 640e ffc1 c0bf", &second),
        (
            "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 \
             dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07",
            third,
        ),
    ]);
}

#[test]
fn requests_are_encoded_as_in_the_appendix() {
    // C.4: the same choices are made here, so the bytes are the same.
    let mut encoder = Encoder::new();
    let mut check = |fields: &str, expected: &str| {
        let mut block = Vec::new();
        let fields = fields.split_terminator('|').map(|field| {
            let (name, value) = field.split_once(": ").expect("a field");
            Field { name: name.as_bytes(), value: value.as_bytes(), indexing: Indexing::Added }
        });
        encoder.encode(fields, &mut block);
        assert_eq!(block, bytes(expected));
    };
    check(FIRST, "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff");
    check(SECOND, "8286 84be 5886 a8eb 1064 9cbf");
    check(THIRD, "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf");
}

#[test]
fn bad_blocks() {
    check_error("80", "hpack-index");
    check_error("be", "hpack-index");
    check_error("7f 00 01 61", "hpack-index");
    check_error("ff ff ff ff ff 00", "hpack-integer");
    check_error("ff", "hpack-truncated");
    check_error("40", "hpack-truncated");
    check_error("40 01 61", "hpack-truncated");
    check_error("40 01 61 05 62", "hpack-truncated");
    check_error("40 7f ff ff ff 7f 61", "hpack-truncated");
    check_error("3f e2 1f", "hpack-table-size");
    check_error("82 20", "hpack-late-update");
    check_error("00 81 ff 00", "hpack-padding");
    check_error("00 84 ff ff ff ff 00", "hpack-end-of-string");
}

#[test]
fn updates_before_the_first_field() {
    check(&[("40 01 61 01 62", "a: b|"), ("be", "a: b|"), ("20 3f e1 1f 82", ":method: GET|")]);
    let mut decoder = Decoder::new();
    assert!(read(&mut decoder, &bytes("40 01 61 01 62")).is_ok());
    assert_eq!(read(&mut decoder, &bytes("20 be")), Err(HpackError::Index { index: 62, last: 61 }));
}

#[test]
fn a_list_that_is_too_long_is_cut_and_the_next_one_is_read() {
    let mut decoder = Decoder::new();
    let mut count = 0;
    // 129 fields, then the largest field that the table can hold, again and again for one byte each.
    assert_eq!(decoder.decode(&[0x82; 129], |_, _| count += 1), Ok(Some(Excess::Fields)));
    assert_eq!(count, 128);
    let mut bomb = bytes("40 01 61 7f e0 1e");
    bomb.resize(bomb.len() + 4063, b'x');
    bomb.resize(bomb.len() + 60, 0xbe);
    let mut seen = 0;
    let excess = decoder.decode(&bomb, |name, value| seen += name.len() + value.len());
    assert_eq!(excess, Ok(Some(Excess::Bytes)));
    assert_eq!(seen, 16 * 4064);
    assert_eq!(read(&mut decoder, &[0x82]).as_deref(), Ok(":method: GET|"));
}

/// The block of these fields.
fn encode(encoder: &mut Encoder, fields: &[(&str, Indexing)]) -> Vec<u8> {
    let mut block = Vec::new();
    let fields =
        fields.iter().map(|(name, indexing)| Field { name: name.as_bytes(), value: b"v", indexing: *indexing });
    encoder.encode(fields, &mut block);
    block
}

#[test]
fn what_is_remembered_of_a_field() {
    let mut encoder = Encoder::new();
    for (indexing, first, second) in [
        (Indexing::Added, "40 01 61 01 76", "be"),
        (Indexing::Plain, "be", "be"),
        (Indexing::Never, "1f 2f 01 76", "1f 2f 01 76"),
    ] {
        assert_eq!(encode(&mut encoder, &[("a", indexing)]), bytes(first));
        assert_eq!(encode(&mut encoder, &[("a", indexing)]), bytes(second));
    }
    assert_eq!(encode(&mut encoder, &[("b", Indexing::Plain)]), bytes("00 01 62 01 76"));
    assert_eq!(encode(&mut encoder, &[("b", Indexing::Never)]), bytes("10 01 62 01 76"));
}

#[test]
fn a_full_table_stays_as_it_is() {
    let mut encoder = Encoder::new();
    let names: Vec<String> = (0..200).map(|n| format!("name-{n}")).collect();
    let fields: Vec<(&str, Indexing)> = names.iter().map(|n| (n.as_str(), Indexing::Added)).collect();
    encode(&mut encoder, &fields);
    let version = encoder.version();
    let second = encode(&mut encoder, &fields);
    assert_eq!(encoder.version(), version);
    assert_eq!(encode(&mut encoder, &fields), second);
    assert!(second.starts_with(&encode(&mut encoder, &fields[..90])), "the first fields are in the table");
}

#[test]
fn the_other_side_sets_the_size_of_the_table() {
    let mut encoder = Encoder::new();
    encode(&mut encoder, &[("a", Indexing::Added)]);
    let version = encoder.version();
    encoder.set_table_bytes(1 << 20);
    assert_eq!((encoder.version(), encode(&mut encoder, &[("a", Indexing::Added)])), (version, bytes("be")));
    encoder.set_table_bytes(0);
    assert_ne!(encoder.version(), version);
    assert_eq!(encode(&mut encoder, &[("a", Indexing::Added)]), bytes("20 00 01 61 01 76"));
    assert_eq!(encode(&mut encoder, &[("a", Indexing::Added)]), bytes("00 01 61 01 76"));
    encoder.set_table_bytes(100);
    encoder.set_table_bytes(50);
    encoder.set_table_bytes(70);
    assert_eq!(encode(&mut encoder, &[("a", Indexing::Added)]), bytes("3f 13 3f 27 40 01 61 01 76"));
}

fn fields() -> impl Strategy<Value = Vec<(Vec<u8>, Vec<u8>, Indexing)>> {
    let name = prop_oneof![
        Just(b":status".to_vec()),
        Just(b"date".to_vec()),
        "[a-z-]{1,20}".prop_map(String::into_bytes),
        proptest::collection::vec(any::<u8>(), 0..30),
    ];
    let value = prop_oneof![Just(b"200".to_vec()), proptest::collection::vec(any::<u8>(), 0..400)];
    let indexing = prop_oneof![Just(Indexing::Added), Just(Indexing::Plain), Just(Indexing::Never)];
    proptest::collection::vec((name, value, indexing), 0..20)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_is_encoded_is_decoded(
        lists in proptest::collection::vec((fields(), proptest::option::of(0_u32..6000)), 1..12),
    ) {
        let (mut encoder, mut decoder) = (Encoder::new(), Decoder::new());
        for (list, table_bytes) in lists {
            if let Some(table_bytes) = table_bytes {
                encoder.set_table_bytes(table_bytes);
            }
            let mut block = Vec::new();
            let given = list.iter().map(|(name, value, indexing)| Field { name, value, indexing: *indexing });
            encoder.encode(given, &mut block);
            let mut seen = Vec::new();
            let excess = decoder.decode(&block, |name, value| seen.push((name.to_vec(), value.to_vec())));
            prop_assert_eq!(excess, Ok(None));
            let expected: Vec<_> = list.into_iter().map(|(name, value, _)| (name, value)).collect();
            prop_assert_eq!(seen, expected);
        }
    }

    #[test]
    fn any_bytes_do_no_harm(blocks in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..300), 1..5)) {
        let mut decoder = Decoder::new();
        for block in blocks {
            let mut seen = 0;
            let decoded = decoder.decode(&block, |name, value| seen += name.len() + value.len() + 32);
            prop_assert!(seen <= plimsoll_http::HEAD_BYTES_MAX);
            if let Err(error) = decoded {
                prop_assert!(error.kind().starts_with("hpack-"));
                break;
            }
        }
    }
}
