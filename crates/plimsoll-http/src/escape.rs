//! Hostile text made harmless.
//!
//! What a server says may hold terminal escapes, text that reads backwards, or no text at all. Everything that
//! is quoted in an error goes through here once, at the moment it is quoted.

use std::fmt::Write as _;

/// Text that is safe to print: control characters, invisible and direction-changing characters and invalid
/// UTF-8 become `\…` escapes, a backslash is doubled, and after `chars_max` characters the rest becomes `…`.
pub fn printable(bytes: &[u8], chars_max: usize) -> String {
    let mut out = Out { text: String::new(), room: chars_max };
    // A character is at most four bytes, so text beyond this cannot fit, however long the input is.
    let cut = bytes.len().min(chars_max.saturating_mul(4).saturating_add(4));
    for piece in bytes[..cut].utf8_chunks() {
        let valid = piece.valid().chars().all(|c| out.push_char(c));
        if !valid || !piece.invalid().iter().all(|&b| out.push_byte(b)) {
            out.text.push('…');
            return out.text;
        }
    }
    out.text
}

struct Out {
    text: String,
    room: usize,
}

impl Out {
    /// False when the character does not fit any more.
    fn push_char(&mut self, c: char) -> bool {
        match c {
            '\\' => self.push_escape("\\\\"),
            '\r' => self.push_escape("\\r"),
            '\n' => self.push_escape("\\n"),
            '\t' => self.push_escape("\\t"),
            '\0'..='\x1f' | '\x7f' => self.push_byte(c as u8),
            _ if is_deceptive(c) => self.push_escape(&format!("\\u{{{:x}}}", u32::from(c))),
            _ => self.push_plain(c),
        }
    }

    fn push_byte(&mut self, byte: u8) -> bool {
        let mut escape = String::new();
        // Writing to a String cannot fail.
        let _ = write!(escape, "\\x{byte:02x}");
        self.push_escape(&escape)
    }

    fn push_plain(&mut self, c: char) -> bool {
        self.room > 0 && {
            self.room -= 1;
            self.text.push(c);
            true
        }
    }

    fn push_escape(&mut self, escape: &str) -> bool {
        self.room >= escape.len() && {
            self.room -= escape.len();
            self.text.push_str(escape);
            true
        }
    }
}

/// C1 controls (some terminals obey them), marks that change direction, and characters that do not show.
fn is_deceptive(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{9f}'
        | '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(input: &[u8], chars_max: usize, expected: &str) {
        assert_eq!(printable(input, chars_max), expected);
    }

    #[test]
    fn hostile_text_is_shown_and_does_nothing() {
        check(b"plain text", 60, "plain text");
        check("gr\u{fc}n \u{1f6a2}".as_bytes(), 60, "gr\u{fc}n \u{1f6a2}");
        check(b"\x1b[2Jgone", 60, "\\x1b[2Jgone");
        check(b"a\r\nb\tc\0", 60, "a\\r\\nb\\tc\\x00");
        check(b"back\\slash", 60, "back\\\\slash");
        check(b"\xff\xfe", 60, "\\xff\\xfe");
        check("\u{9b}31m".as_bytes(), 60, "\\u{9b}31m");
        check("\u{202e}txt.exe".as_bytes(), 60, "\\u{202e}txt.exe");
        check(b"", 60, "");
    }

    #[test]
    fn a_cut_never_splits_an_escape() {
        check(b"abcdef", 3, "abc…");
        check(b"ab\x1b", 5, "ab…");
        check(b"ab\x1b", 6, "ab\\x1b");
        check(b"abc", 3, "abc");
        check(b"abc", 0, "…");
    }

    proptest! {
        #[test]
        fn output_is_short_and_harmless(bytes: Vec<u8>, chars_max in 0_usize..80) {
            let text = printable(&bytes, chars_max);
            prop_assert!(text.chars().count() <= chars_max + 1);
            prop_assert!(!text.chars().any(|c| c.is_control() || is_deceptive(c)));
        }
    }
}
