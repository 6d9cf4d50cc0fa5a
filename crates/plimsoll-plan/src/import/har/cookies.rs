//! Cookies of a recording: those that its own answers set come by themselves again, the others are secrets.

use std::collections::BTreeSet;

use super::super::draft::{Draft, Exchange};
use super::super::words::Words;
use super::shape::{Entry, Pair};

/// Names of cookies that answers have set so far.
#[derive(Default)]
pub(super) struct Jar {
    names: BTreeSet<String>,
}

impl Jar {
    /// Puts the cookies of a request into its exchange that no answer has set.
    pub(super) fn put(&self, exchange: &mut Exchange, headers: &[Pair], draft: &mut Draft) {
        for header in headers.iter().filter(|header| header.name.eq_ignore_ascii_case("cookie")) {
            for pair in header.value.split(';') {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                let (name, value) = (name.trim(), value.trim());
                if name.is_empty() {
                    continue;
                }
                if self.names.contains(name) {
                    draft.notes.count(
                        "a cookie was left out that an earlier answer sets",
                        "{} cookies were left out that earlier answers set",
                    );
                    continue;
                }
                let words = match value {
                    "" => Words::default(),
                    _ => Words::variable(draft.variables.secret(&format!("cookie_{name}"), value)),
                };
                exchange.cookies.push((name.to_owned(), words));
            }
        }
    }

    /// Notes what an answer sets.
    pub(super) fn keep(&mut self, entry: &Entry) {
        for header in entry.response.headers.iter().filter(|header| header.name.eq_ignore_ascii_case("set-cookie")) {
            // Browsers put several into one header, a line each.
            for cookie in header.value.lines() {
                let name = cookie.split('=').next().unwrap_or_default().trim();
                if !name.is_empty() {
                    self.names.insert(name.to_owned());
                }
            }
        }
    }
}
