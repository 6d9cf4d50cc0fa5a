//! Which variables are secret, and texts without what they hold.

use crate::escape;
use crate::failure::Failure;
use crate::names::Slot;
use crate::program::Journey;
use crate::scope::Scope;

/// What takes a secret's place.
const REDACTED: &str = "[redacted]";
/// Less than that of a secret is hardly one, and may stand at the end of a text by chance.
const CUT_BYTES_MIN: usize = 4;

/// The variables that are never shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Secrets {
    slots: Vec<Slot>,
}

impl Secrets {
    /// Those that the plan calls secret, and those into which the journeys capture secrets.
    pub fn of<'a>(journeys: impl IntoIterator<Item = &'a Journey>, given: impl IntoIterator<Item = Slot>) -> Self {
        let captures = journeys.into_iter().flat_map(|journey| &journey.steps).flat_map(|step| &step.expected.captures);
        let captured = captures.filter(|capture| capture.secret).map(|capture| capture.slot);
        let mut slots: Vec<Slot> = captured.chain(given).collect();
        slots.sort_unstable();
        slots.dedup();
        Self { slots }
    }

    /// Whether a variable is one of them.
    pub fn contains(&self, slot: Slot) -> bool {
        self.slots.binary_search(&slot).is_ok()
    }

    /// A text without what the secret variables of a scope hold, as it is and as it stands in JSON, URLs and forms.
    pub fn redact(&self, scope: &Scope, text: &str) -> String {
        let values = || self.slots.iter().filter_map(|&slot| scope.get(slot));
        let mut forms: Vec<String> = values().flat_map(forms).collect();
        // A secret may be the beginning of another: the longer one goes first.
        forms.sort_unstable_by_key(|form| std::cmp::Reverse(form.len()));
        forms.retain(|form| !form.is_empty());
        let text = forms.iter().fold(text.to_owned(), |text, form| text.replace(form, REDACTED));
        without_cut(without_percents(text, &forms), &forms)
    }

    /// A failure without secrets.
    pub fn redact_failure(&self, scope: &Scope, failure: Failure) -> Failure {
        let redact = |text: String| self.redact(scope, &text);
        let Failure { kind, place, source, expected, actual } = failure;
        Failure { kind, place, source: redact(source), expected: redact(expected), actual: redact(actual) }
    }
}

/// URLs differ in what they escape: any byte of a secret may be one of theirs.
fn without_percents(text: String, forms: &[String]) -> String {
    if !text.contains('%') {
        return text;
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text.as_str());
    while let Some(first) = rest.chars().next() {
        match forms.iter().filter_map(|form| escaped_at_front(rest, form)).max() {
            Some(length) => {
                out += REDACTED;
                rest = &rest[length..];
            }
            None => {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    out
}

/// How much of the text a secret takes that stands at its front, with some of its bytes as `%20` or a blank as `+`.
fn escaped_at_front(text: &str, secret: &str) -> Option<usize> {
    let mut rest = text.as_bytes();
    for &byte in secret.as_bytes() {
        let hex = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
        rest = match rest {
            [b'%', digits @ ..] if digits.len() >= 2 && hex(&digits[..2]) == Some(byte) => &digits[2..],
            [b'+', more @ ..] if byte == b' ' => more,
            [same, more @ ..] if *same == byte => more,
            _ => return None,
        };
    }
    Some(text.len() - rest.len())
}

/// The beginning of a secret where a text was cut off tells too much of it.
fn without_cut(mut text: String, forms: &[String]) -> String {
    let rest = text.trim_end_matches(['…', '.', '"', '`']);
    let starts = |form: &String| {
        let cuts = form.char_indices().map(|(at, _)| at).filter(|&at| at >= CUT_BYTES_MIN);
        cuts.filter(|&at| rest.ends_with(&form[..at])).max()
    };
    if let Some(longest) = forms.iter().filter_map(starts).max() {
        let from = rest.len() - longest;
        let end = text.split_off(rest.len());
        text.truncate(from);
        text = format!("{text}{REDACTED}{end}");
    }
    text
}

/// How a value may stand in a text.
fn forms(value: &crate::value::Value) -> Vec<String> {
    let Some(text) = value.rendered() else { return vec![value.to_string()] };
    let (mut json, mut form) = (Vec::new(), Vec::new());
    escape::json_text(&text, &mut json);
    escape::form(text.as_bytes(), &mut form);
    let mut forms: Vec<String> = [json, form].into_iter().filter_map(|bytes| String::from_utf8(bytes).ok()).collect();
    forms.push(text.into_owned());
    forms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Names;
    use crate::value::Value;

    #[test]
    fn secrets_are_not_shown_in_any_form() {
        let mut names = Names::default();
        let (token, longer, open) = (names.slot("token"), names.slot("longer"), names.slot("open"));
        let mut scope = Scope::of(names.into());
        let secrets = Secrets::of([], [longer, token, token]);
        assert_eq!(secrets.redact(&scope, "s3 cret\""), "s3 cret\"");
        scope.set(token, Value::text("s3 cret\""));
        scope.set(longer, Value::text("s3 cret\"!"));
        scope.set(open, Value::text("open"));
        let text = "s3 cret\" s3 cret\"! {\"t\": \"s3 cret\\\"\"} t=s3%20cret%22 open";
        let expected = "[redacted] [redacted] {\"t\": \"[redacted]\"} t=[redacted] open";
        assert_eq!(secrets.redact(&scope, text), expected);
        assert!(secrets.contains(token) && !secrets.contains(open));
        assert_eq!(secrets.redact(&scope, "/a?t=s3+cret%22&100%=ü%2"), "/a?t=[redacted]&100%=ü%2");
        assert_eq!(secrets.redact(&scope, "/a%20s3%20cret\"/b"), "/a%20[redacted]/b");
    }

    #[test]
    fn a_secret_that_was_cut_off_is_not_shown() {
        let mut names = Names::default();
        let token = names.slot("token");
        let mut scope = Scope::of(names.into());
        scope.set(token, Value::text("s3cret-token"));
        let secrets = Secrets::of([], [token]);
        for (text, expected) in [
            ("so: s3cret-tok", "so: [redacted]"),
            ("string <s3cret-…", "string <[redacted]…"),
            ("so: s3cret-token", "so: [redacted]"),
            ("so: s3c", "so: s3c"),
            ("s3cre and more", "s3cre and more"),
        ] {
            assert_eq!(secrets.redact(&scope, text), expected);
        }
    }
}
