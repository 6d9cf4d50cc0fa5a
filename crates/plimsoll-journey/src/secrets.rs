//! Which variables are secret, and texts without what they hold.

use crate::escape;
use crate::failure::Failure;
use crate::names::Slot;
use crate::program::Journey;
use crate::scope::Scope;

/// What takes a secret's place.
const REDACTED: &str = "[redacted]";

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
        let mut forms: Vec<String> = self.slots.iter().filter_map(|&slot| scope.get(slot)).flat_map(forms).collect();
        // A secret may be the beginning of another: the longer one goes first.
        forms.sort_unstable_by_key(|form| std::cmp::Reverse(form.len()));
        forms.iter().filter(|form| !form.is_empty()).fold(text.to_owned(), |text, form| text.replace(form, REDACTED))
    }

    /// A failure without secrets.
    pub fn redact_failure(&self, scope: &Scope, failure: Failure) -> Failure {
        let redact = |text: String| self.redact(scope, &text);
        let Failure { kind, place, source, expected, actual } = failure;
        Failure { kind, place, source: redact(source), expected: redact(expected), actual: redact(actual) }
    }
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
    }
}
