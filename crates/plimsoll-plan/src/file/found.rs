//! What was found wrong, collected until the whole plan was looked at, and then placed.

use std::cell::RefCell;

use plimsoll_journey::Place;
use plimsoll_model::redact;

use super::lines::is_secretive;
use super::node::Origin;
use super::text::REDACTED;
use crate::Mistake;

/// Something wrong, by origin.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    origin: Origin,
    message: String,
    hint: String,
}

/// All that was found wrong so far. Readers of neighbouring keys share it, so it is added to through a shared borrow.
#[derive(Debug, Default)]
pub(super) struct Mistakes(RefCell<Vec<Found>>);

/// The texts that a plan was made of.
#[derive(Debug, Clone, Default)]
pub(super) struct Source {
    /// As it was named.
    pub(super) file: String,
    /// The whole file.
    pub(super) text: String,
    /// The key of each `--set`. Its value is not kept: it may be a secret.
    pub(super) sets: Vec<String>,
    /// Keys whose values are not shown, beside those that look like it.
    pub(super) secrets: Vec<String>,
}

impl Found {
    pub(super) fn new(origin: Origin, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { origin, message: message.into(), hint: hint.into() }
    }

    /// The same, said of a variant of the plan.
    fn within(mut self, variant: &str) -> Self {
        self.message += &format!(" ({variant})");
        self
    }
}

impl Mistakes {
    pub(super) fn add(&self, found: Found) {
        self.0.borrow_mut().push(found);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// Adds what a variant of the plan has wrong, except where something is wrong already.
    pub(super) fn add_of_variant(&self, variant: &str, others: &Self) {
        let mut known = self.0.borrow_mut();
        let told: Vec<Origin> = known.iter().map(|found| found.origin).collect();
        let news = others.0.take().into_iter().filter(|found| !told.contains(&found.origin));
        known.extend(news.map(|found| found.within(variant)));
    }

    /// All of them with their places, in the order in which they stand in the file.
    pub(super) fn placed(self, source: &Source) -> Vec<Mistake> {
        let mut all = self.0.into_inner();
        all.sort();
        all.dedup();
        all.into_iter().map(|found| source.place(found)).collect()
    }
}

impl Source {
    fn place(&self, Found { origin, message, hint }: Found) -> Mistake {
        match origin {
            Origin::Whole => self.mistake(self.file.clone(), message, hint),
            Origin::Set(index) => {
                let key = self.sets.get(index).map_or("", String::as_str);
                self.mistake(format!("--set {key}"), message, hint)
            }
            Origin::At(offset) => {
                let (place, line) = self.locate(offset);
                Mistake { place, line, message, hint }
            }
        }
    }

    /// A mistake that stands on no line.
    fn mistake(&self, file: String, message: String, hint: String) -> Mistake {
        Mistake { place: Place { file, line: 0, column: 0 }, line: String::new(), message, hint }
    }

    fn locate(&self, offset: usize) -> (Place, String) {
        let offset = (0..=offset.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0);
        let before = &self.text[..offset];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text[start..].lines().next().unwrap_or_default().to_owned();
        let column = before[start..].chars().count() + 1;
        (Place { file: self.file.clone(), line: before.matches('\n').count() + 1, column }, self.without_secrets(line))
    }

    /// A line is cut short before the value of a key that holds a credential.
    fn without_secrets(&self, mut line: String) -> String {
        let mut ends = line.match_indices('=').map(|(at, _)| at);
        let Some(end) = ends.find(|end| self.is_secret(last_word(&line[..*end]))) else { return line };
        line.truncate(end + 1);
        line + " " + REDACTED
    }

    fn is_secret(&self, key: &str) -> bool {
        key == "user"
            || key != "secrets" && is_secretive(key)
            || redact(key, "") == REDACTED
            || self.secrets.iter().any(|name| name == key)
    }
}

/// The key before an equals sign, without its quotes.
fn last_word(text: &str) -> &str {
    let text = text.trim_end().trim_end_matches(['"', '\'']);
    let start = text.rfind([' ', ',', '{', '.', '"', '\'', '\t']).map_or(0, |before| before + 1);
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_a_credential_is_cut_short() {
        let source = Source { secrets: vec!["pin".to_owned()], ..Source::default() };
        let shown = |line: &str| source.without_secrets(line.to_owned());
        assert_eq!(shown("user = \"swordfish\""), "user = [redacted]");
        assert_eq!(shown("a = { x = 1, pin= 2 }"), "a = { x = 1, pin= [redacted]");
        assert_eq!(shown("headers = { \"Authorization\" = 1 }"), "headers = { \"Authorization\" = [redacted]");
        assert_eq!(shown("api_token = 'x'"), "api_token = [redacted]");
        assert_eq!(shown("secrets = ['pin']"), "secrets = ['pin']");
        assert_eq!(shown("users = 5"), "users = 5");
    }

    #[track_caller]
    fn check(text: &str, offset: usize, expected: (usize, usize, &str)) {
        let source = Source { file: "p.toml".to_owned(), text: text.to_owned(), ..Source::default() };
        let (place, line) = source.locate(offset);
        assert_eq!((place.line, place.column, line.as_str()), expected);
    }

    #[test]
    fn an_offset_is_a_line_and_a_column_in_characters() {
        check("", 0, (1, 1, ""));
        check("a = 1", 4, (1, 5, "a = 1"));
        check("a = 1\r\nb = 2\r\n", 7, (2, 1, "b = 2"));
        check("é = 1", 1, (1, 1, "é = 1"));
        check("é = 1", 3, (1, 3, "é = 1"));
        check("a\n", 99, (2, 1, ""));
    }
}
