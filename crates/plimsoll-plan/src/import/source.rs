//! The text that is imported, and complaints about it.

use plimsoll_journey::Place;

use crate::Mistake;

/// The text that is imported, under the name people know it by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'t> {
    pub(super) name: &'t str,
    pub(super) text: &'t str,
    /// Whether a complaint may show the line: not where credentials are likely to stand in it.
    shown: bool,
}

/// Larger files are refused before they are parsed.
pub const SOURCE_BYTES_MAX: usize = 512 << 20;
/// Longer lines are not shown.
const LINE_CHARS_MAX: usize = 160;

impl<'t> Source<'t> {
    /// Bytes as text, without the mark that some editors put in front of it.
    pub(super) fn new(name: &'t str, bytes: &'t [u8], shown: bool) -> Result<Self, Mistake> {
        let source = Self { name, text: "", shown };
        if bytes.len() > SOURCE_BYTES_MAX {
            let message = format!("the file has {} bytes; {SOURCE_BYTES_MAX} are the most that is read", bytes.len());
            return Err(source.mistake(1, 1, message, ""));
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self { text: text.strip_prefix('\u{feff}').unwrap_or(text), ..source }),
            Err(error) => {
                let before = &bytes[..error.valid_up_to()];
                let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
                let hint = match bytes {
                    [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "it looks like UTF-16: save it as UTF-8",
                    _ => "save it as UTF-8",
                };
                Err(source.mistake(line, 1, "a byte that is not UTF-8", hint))
            }
        }
    }

    /// A complaint about a place; both counted from 1.
    pub(super) fn mistake(
        &self,
        line: usize,
        column: usize,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Mistake {
        let (line, column) = (line.max(1), column.max(1));
        let shown = self.shown.then(|| self.text.lines().nth(line - 1)).flatten();
        let shown = shown.filter(|text| text.chars().count() <= LINE_CHARS_MAX).unwrap_or_default();
        Mistake {
            place: Place { file: self.name.to_owned(), line, column },
            line: shown.to_owned(),
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// A complaint about the whole.
    pub(super) fn whole(&self, message: impl Into<String>, hint: impl Into<String>) -> Mistake {
        Self { shown: false, ..*self }.mistake(1, 1, message, hint)
    }

    /// A complaint about the byte at `offset`.
    pub(super) fn at(&self, offset: usize, message: impl Into<String>, hint: impl Into<String>) -> Mistake {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
        self.mistake(line, column, message, hint)
    }

    /// What serde_json found wrong.
    pub(super) fn json(&self, error: &serde_json::Error, hint: &str) -> Mistake {
        let (line, bytes) = (error.line().max(1), error.column());
        let text = self.text.lines().nth(line - 1).unwrap_or_default();
        let column = text.char_indices().take_while(|(index, _)| index + 1 < bytes).count() + 1;
        let message = error.to_string();
        // It says the place itself, counted in bytes.
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(before, _)| before);
        let message = if self.shown { message.to_owned() } else { without_text(message) };
        self.mistake(line, column, harmless(&message), hint)
    }
}

/// ``invalid type: string "…", expected a sequence``: what stands in the quotes may be a credential.
fn without_text(message: &str) -> String {
    match (message.find("string \""), message.rfind('"')) {
        (Some(start), Some(end)) if start + 8 <= end => format!("{}string \"…{}", &message[..start], &message[end..]),
        _ => message.to_owned(),
    }
}

/// Words that may repeat a piece of the source: cut, and without control characters.
pub(super) fn harmless(text: &str) -> String {
    let short: String = text.chars().take(200).collect();
    short.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_counted_in_characters() {
        let source = Source::new("x", "ä\nöü!".as_bytes(), true).expect("text");
        let mistake = source.at("ä\nöü".len(), "wrong", "");
        assert_eq!((mistake.place.line, mistake.place.column, mistake.line.as_str()), (2, 3, "öü!"));
        let error = serde_json::from_str::<u8>("\n \"ä\" ").expect_err("not a number");
        let mistake = Source::new("x", "\n \"ä\" ".as_bytes(), true).expect("text").json(&error, "");
        assert_eq!((mistake.place.line, mistake.place.column), (2, 4));
    }

    #[test]
    fn a_complaint_repeats_no_credential() {
        let text = "\"Bearer a\\\"b\"";
        let error = serde_json::from_str::<u8>(text).expect_err("not a number");
        let mistake = |shown| Source::new("x", text.as_bytes(), shown).expect("text").json(&error, "").message;
        assert_eq!(mistake(false), "invalid type: string \"…\", expected u8");
        assert!(mistake(true).contains("Bearer"));
    }

    #[test]
    fn bytes_that_are_not_text_are_placed() {
        let mistake = Source::new("x", b"a\nb\xff", true).expect_err("not UTF-8");
        assert_eq!(mistake.to_string(), "x:2:1: a byte that is not UTF-8");
        let mistake = Source::new("x", b"\xff\xfeG\0", true).expect_err("UTF-16");
        assert_eq!(mistake.hint, "it looks like UTF-16: save it as UTF-8");
    }
}
