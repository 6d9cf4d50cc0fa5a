//! The Huffman code of header strings (RFC 7541 section 5.2 and appendix B).
//!
//! The code is canonical: codes of one length are consecutive numbers in the order of their symbols, and follow on
//! from the shorter ones. So the lengths say all, and every table here is made from them when this is compiled.

use super::HpackError;

const SYMBOLS: usize = 257;
/// The symbol that means the end of a string and is never sent.
const END: usize = 256;
const SHORTEST: usize = 5;
const LONGEST: usize = 30;
/// Codes of up to this many bits are decoded with one look; all letters and digits are among them.
const QUICK_BITS: u32 = 9;

/// The length of each symbol's code in bits.
#[rustfmt::skip]
const LENGTHS: [u8; SYMBOLS] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
    28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
    5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
    13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
    15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
    6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
    20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
    24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
    22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
    21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
    19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
    20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
    30,
];

/// The code of each symbol, in the low bits.
const CODES: [u32; SYMBOLS] = CODE.codes;
/// What the next [`QUICK_BITS`] bits begin with: symbol and length, or length 0 if a longer code.
const QUICK: [(u8, u8); 1 << QUICK_BITS] = quick();
const CODE: Code = code();

struct Code {
    codes: [u32; SYMBOLS],
    /// Symbols in the order of their codes.
    order: [u16; SYMBOLS],
    /// For each length, the first 32-bit window that begins with a longer code.
    limit: [u64; LONGEST + 1],
    /// For each length, its first code, and where in `order` its symbol is.
    first: [(u32, u16); LONGEST + 1],
}

/// How many bytes `text` takes when coded.
pub(super) fn coded_len(text: &[u8]) -> usize {
    let bits: usize = text.iter().map(|&b| usize::from(LENGTHS[usize::from(b)])).sum();
    bits.div_ceil(8)
}

/// Appends `text`, coded.
pub(super) fn encode(text: &[u8], out: &mut Vec<u8>) {
    let (mut bits, mut count) = (0_u64, 0);
    for &byte in text {
        let symbol = usize::from(byte);
        bits = bits << LENGTHS[symbol] | u64::from(CODES[symbol]);
        count += u32::from(LENGTHS[symbol]);
        while count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    if count > 0 {
        // The padding is the start of the end-of-string code, which is all ones.
        out.push((bits << (8 - count)) as u8 | (0xff >> count));
    }
}

/// Appends what `coded` stands for.
pub(super) fn decode(coded: &[u8], out: &mut Vec<u8>) -> Result<(), HpackError> {
    let mut input = coded.iter();
    // The next `count` bits of the input are the low bits of `bits`.
    let (mut bits, mut count) = (0_u64, 0_u32);
    loop {
        while count <= 56 - 8 {
            let Some(&byte) = input.next() else { break };
            bits = bits << 8 | u64::from(byte);
            count += 8;
        }
        // Ones beyond the end make the padding whole, so that it looks like the start of a longer code.
        let window = window(bits, count);
        let (symbol, length) = match QUICK[(window >> (32 - QUICK_BITS)) as usize] {
            (_, 0) => slow(window),
            (symbol, length) => (usize::from(symbol), u32::from(length)),
        };
        if length > count {
            return if count < 8 && window == u32::MAX { Ok(()) } else { Err(HpackError::Padding) };
        }
        if symbol == END {
            return Err(HpackError::EndOfString);
        }
        out.push(symbol as u8);
        count -= length;
    }
}

/// The next 32 bits, with ones where there are fewer.
#[inline]
fn window(bits: u64, count: u32) -> u32 {
    if count >= 32 { (bits >> (count - 32)) as u32 } else { ((bits << 32 | 0xffff_ffff) >> count) as u32 }
}

/// Finds a code of any length at the start of `window`: the first length whose codes are not all below it.
fn slow(window: u32) -> (usize, u32) {
    let mut length = SHORTEST;
    while u64::from(window) >= CODE.limit[length] {
        length += 1;
    }
    let (first, at) = CODE.first[length];
    let nth = (window >> (32 - length)) - first;
    (usize::from(CODE.order[usize::from(at) + nth as usize]), length as u32)
}

const fn code() -> Code {
    let mut made =
        Code { codes: [0; SYMBOLS], order: [0; SYMBOLS], limit: [0; LONGEST + 1], first: [(0, 0); LONGEST + 1] };
    let (mut next, mut at, mut length) = (0_u32, 0, 1);
    while length <= LONGEST {
        next <<= 1;
        made.first[length] = (next, at as u16);
        let mut symbol = 0;
        while symbol < SYMBOLS {
            if LENGTHS[symbol] as usize == length {
                made.codes[symbol] = next;
                made.order[at] = symbol as u16;
                next += 1;
                at += 1;
            }
            symbol += 1;
        }
        made.limit[length] = (next as u64) << (32 - length);
        length += 1;
    }
    made
}

const fn quick() -> [(u8, u8); 1 << QUICK_BITS] {
    let mut quick = [(0, 0); 1 << QUICK_BITS];
    let mut symbol = 0;
    while symbol < END {
        let length = LENGTHS[symbol] as u32;
        if length <= QUICK_BITS {
            let spare = QUICK_BITS - length;
            let start = (CODE.codes[symbol] as usize) << spare;
            let mut at = start;
            while at < start + (1 << spare) {
                quick[at] = (symbol as u8, length as u8);
                at += 1;
            }
        }
        symbol += 1;
    }
    quick
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(coded: &[u8], expected: Result<&[u8], HpackError>) {
        let mut out = Vec::new();
        let decoded = decode(coded, &mut out).map(|()| &out[..]);
        assert_eq!(decoded, expected);
    }

    #[test]
    fn strings() {
        check(b"", Ok(b""));
        // RFC 7541 appendix C.4.1.
        let coded = [0xf1, 0xe3, 0xc2, 0xe5, 0xf2, 0x3a, 0x6b, 0xa0, 0xab, 0x90, 0xf4, 0xff];
        check(&coded, Ok(b"www.example.com"));
        // `0` is 00000; then three bits of padding.
        check(&[0b0000_0111], Ok(b"0"));
        check(&[0b0000_0000], Err(HpackError::Padding));
        check(&[0b0000_0110], Err(HpackError::Padding));
        // A whole byte of padding, after a symbol of eight bits (`&`) and alone.
        check(&[0b1111_1000, 0xff], Err(HpackError::Padding));
        check(&[0xff], Err(HpackError::Padding));
        check(&[0xff; 3], Err(HpackError::Padding));
        check(&[0xff, 0xff, 0xff, 0xff], Err(HpackError::EndOfString));
        check(&[0xff, 0xff, 0xff, 0xfc], Err(HpackError::EndOfString));
    }

    #[test]
    fn the_lengths_make_a_whole_code() {
        let sum: u64 = LENGTHS.iter().map(|&length| 1 << (LONGEST - usize::from(length))).sum();
        assert_eq!(sum, 1 << LONGEST);
        assert_eq!(CODES[END], 0x3fff_ffff);
        // The last of each group in appendix B.
        assert_eq!((CODES[usize::from(b't')], CODES[usize::from(b'z')], CODES[22]), (0x9, 0x7b, 0x3fff_fffe));
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(text: Vec<u8>) {
            let mut coded = Vec::new();
            encode(&text, &mut coded);
            prop_assert_eq!(coded.len(), coded_len(&text));
            let mut out = Vec::new();
            prop_assert_eq!(decode(&coded, &mut out), Ok(()));
            prop_assert_eq!(out, text);
        }

        #[test]
        fn what_is_decoded_is_encoded(coded: Vec<u8>) {
            let mut text = Vec::new();
            if decode(&coded, &mut text).is_ok() {
                let mut again = Vec::new();
                encode(&text, &mut again);
                prop_assert_eq!(again, coded);
            }
        }
    }
}
