//! Text from outside, made harmless for terminals.

use plimsoll_http::printable;

/// Longer texts are cut: a server must not push the result off the screen.
const CHARS_MAX: usize = 1000;

/// The text with control, invisible and direction-changing characters as `\…` escapes.
///
/// Other than [`printable`] this leaves backslashes single, because much of what comes here was escaped where it
/// was quoted, and escapes must not be escaped again.
pub fn harmless(text: &str) -> String {
    printable(text.as_bytes(), CHARS_MAX).replace("\\\\", "\\")
}

/// The same, cut after fewer characters.
pub(crate) fn harmless_short(text: &str, chars_max: usize) -> String {
    printable(text.as_bytes(), chars_max).replace("\\\\", "\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_not_escaped_again() {
        assert_eq!(harmless("\x1b[31mred"), "\\x1b[31mred");
        assert_eq!(harmless("\\x1b[31mred"), "\\x1b[31mred");
    }

    proptest::proptest! {
        #[test]
        fn no_control_character_survives(text: String) {
            proptest::prop_assert!(!harmless(&text).chars().any(char::is_control));
        }
    }
}
