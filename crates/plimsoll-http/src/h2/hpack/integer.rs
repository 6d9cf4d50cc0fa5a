//! Integers with a prefix (RFC 7541 section 5.1).

use super::HpackError;

/// Takes an integer whose first byte is `first`, of which the low `prefix_bits` count, and goes on in `rest`.
#[inline]
pub(super) fn take(first: u8, prefix_bits: u32, rest: &mut &[u8]) -> Result<usize, HpackError> {
    let prefix_max = prefix_max(prefix_bits);
    let prefix = usize::from(first) & prefix_max;
    if prefix < prefix_max {
        return Ok(prefix);
    }
    take_rest(prefix, rest)
}

/// Four bytes of seven bits are more than anything here may be, so a longer integer is an error even if its further
/// bits are 0.
fn take_rest(prefix: usize, rest: &mut &[u8]) -> Result<usize, HpackError> {
    let mut value = prefix;
    for shift in [0, 7, 14, 21] {
        let (&byte, tail) = rest.split_first().ok_or(HpackError::Truncated)?;
        *rest = tail;
        value += usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(HpackError::Integer)
}

/// Appends an integer; the high bits of the first byte are `pattern`.
#[inline]
pub(super) fn put(out: &mut Vec<u8>, pattern: u8, prefix_bits: u32, value: usize) {
    let prefix_max = prefix_max(prefix_bits);
    if value < prefix_max {
        // Below 255, as the prefix has at most 8 bits.
        out.push(pattern | value as u8);
        return;
    }
    out.push(pattern | prefix_max as u8);
    let mut left = value - prefix_max;
    while left >= 0x80 {
        out.push(0x80 | (left & 0x7f) as u8);
        left >>= 7;
    }
    out.push(left as u8);
}

const fn prefix_max(prefix_bits: u32) -> usize {
    (1 << prefix_bits) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(bytes: &[u8], prefix_bits: u32, expected: Result<(usize, usize), HpackError>) {
        let mut rest = &bytes[1..];
        let taken = take(bytes[0], prefix_bits, &mut rest);
        assert_eq!(taken.map(|value| (value, rest.len())), expected);
    }

    #[test]
    fn integers() {
        // RFC 7541 appendix C.1.
        check(&[0b1110_1010], 5, Ok((10, 0)));
        check(&[0b1111_1111, 0b1001_1010, 0b0000_1010], 5, Ok((1337, 0)));
        check(&[42], 8, Ok((42, 0)));
        check(&[0x1f, 0, 9], 5, Ok((31, 1)));
        check(&[0x1f], 5, Err(HpackError::Truncated));
        check(&[0x1f, 0x80], 5, Err(HpackError::Truncated));
        check(&[0x1f, 0xff, 0xff, 0xff, 0x7f], 5, Ok(((1 << 28) - 1 + 31, 0)));
        check(&[0x1f, 0x80, 0x80, 0x80, 0x80, 0], 5, Err(HpackError::Integer));
        check(&[0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 5, Err(HpackError::Integer));
    }

    proptest! {
        #[test]
        fn what_is_put_is_taken(value in 0_usize..1 << 28, prefix_bits in 1_u32..=8) {
            let mut out = Vec::new();
            put(&mut out, 0, prefix_bits, value);
            let mut rest = &out[1..];
            prop_assert_eq!(take(out[0], prefix_bits, &mut rest), Ok(value));
            prop_assert!(rest.is_empty());
        }
    }
}
