//! The plan's variables: secrets that the environment holds, and values that are written down.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The plan's variables, in the order in which they were first needed.
#[derive(Debug, Default)]
pub(super) struct Variables {
    all: Vec<(String, Held)>,
    /// The variable of each secret value.
    secrets: BTreeMap<String, String>,
    /// Those of the secrets that only stand for a variable until the draft is finished.
    stand_ins: BTreeSet<String>,
    /// The variable of each written value, under the name that was wanted for it.
    written: HashMap<(String, String), String>,
    /// How often each name was wanted, so that the next free one need not be searched for.
    wanted: HashMap<String, u32>,
}

/// What a variable is set from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Held {
    /// The environment variable of this name.
    Environment(String),
    /// What is written in the plan.
    Written(String),
}

/// The variable that holds the target's origin. Names of Hurl's functions have capital letters, which no name here has.
pub(super) const BASE_URL: &str = "base_url";

/// Secrets shorter than this are replaced only where they were found, not wherever the same letters stand.
pub(super) const TELLING_LENGTH: usize = 6;

impl Variables {
    /// The variable of a secret: the same for the same value, named after `wanted` at its first appearance.
    pub(super) fn secret(&mut self, wanted: &str, value: &str) -> String {
        if let Some(known) = self.secrets.get(value) {
            return known.clone();
        }
        let name = self.unset(wanted);
        self.secrets.insert(value.to_owned(), name.clone());
        name
    }

    /// A variable whose value only the environment knows.
    pub(super) fn unset(&mut self, wanted: &str) -> String {
        let name = self.free_name(wanted);
        let environment = environment_name(&name);
        self.all.push((name.clone(), Held::Environment(environment)));
        name
    }

    /// The environment's own variable, which `stand_in` is to become wherever it stands.
    pub(super) fn named(&mut self, environment: &str, stand_in: &str) {
        if !self.secrets.contains_key(stand_in) {
            let name = self.free_name(environment);
            self.all.push((name.clone(), Held::Environment(environment.to_owned())));
            self.stand_for(&name, stand_in);
        }
    }

    /// Whether something stands for a variable already.
    pub(super) fn stands(&self, stand_in: &str) -> bool {
        self.secrets.contains_key(stand_in)
    }

    /// A variable, or a function of Hurl's, that `stand_in` is to become wherever it stands.
    pub(super) fn stand_for(&mut self, name: &str, stand_in: &str) {
        self.stand_ins.insert(stand_in.to_owned());
        self.secrets.insert(stand_in.to_owned(), name.to_owned());
    }

    /// Whether something in a text stands for a variable.
    pub(super) fn stands_in(&self, text: &str) -> bool {
        self.stand_ins.iter().any(|stand_in| text.contains(stand_in.as_str()))
    }

    /// A value that has turned out to hold a secret is left to the environment.
    pub(super) fn unwrite(&mut self, holds_secret: impl Fn(&str) -> bool) {
        for (name, held) in &mut self.all {
            if matches!(held, Held::Written(value) if holds_secret(value)) {
                *held = Held::Environment(environment_name(name));
            }
        }
    }

    /// A variable whose value is written into the plan.
    pub(super) fn written(&mut self, wanted: &str, value: &str) -> String {
        let key = (clean(wanted), value.to_owned());
        if let Some(name) = self.written.get(&key) {
            return name.clone();
        }
        let name = self.free_name(wanted);
        self.all.push((name.clone(), Held::Written(value.to_owned())));
        self.written.insert(key, name.clone());
        name
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Held)> {
        self.all.iter().map(|(name, held)| (name.as_str(), held))
    }

    /// What must be set before a run.
    pub(super) fn environment(&self) -> Vec<String> {
        self.all
            .iter()
            .filter_map(|(_, held)| match held {
                Held::Environment(name) => Some(name.clone()),
                Held::Written(_) => None,
            })
            .collect()
    }

    /// Secret values that are long enough to be recognised anywhere, with their variables; the longest first.
    pub(super) fn telling_secrets(&self) -> Vec<(&str, &str)> {
        let mut telling: Vec<(&str, &str)> = self
            .secrets
            .iter()
            .filter(|(value, _)| value.len() >= TELLING_LENGTH)
            .map(|(value, name)| (value.as_str(), name.as_str()))
            .collect();
        telling.sort_by_key(|(value, _)| std::cmp::Reverse(value.len()));
        telling
    }

    fn free_name(&mut self, wanted: &str) -> String {
        let mut wanted = wanted.to_owned();
        for stand_in in
            self.stand_ins.iter().filter(|stand_in| wanted.contains(stand_in.as_str())).cloned().collect::<Vec<_>>()
        {
            let name = self.secrets.get(&stand_in).map_or("", String::as_str);
            wanted = wanted.replace(&stand_in, name);
        }
        let base = clean(&wanted);
        let first = if base == BASE_URL { 1 } else { 0 };
        loop {
            let times = self.wanted.entry(base.clone()).or_insert(first);
            *times += 1;
            let name = if *times == 1 { base.clone() } else { format!("{base}_{times}") };
            // `token_2` may have been wanted as such.
            if name == base || !self.wanted.contains_key(&name) {
                self.wanted.entry(name.clone()).or_insert(1);
                return name;
            }
        }
    }
}

/// `X-Api-Key` → `x_api_key`, `baseUrl` → `base_url`.
fn clean(wanted: &str) -> String {
    let mut name = String::new();
    let mut after_small = false;
    for c in wanted.chars().take(60) {
        let gap = !c.is_ascii_alphanumeric() || (c.is_ascii_uppercase() && after_small);
        if gap && !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
        if c.is_ascii_alphanumeric() {
            name.push(c.to_ascii_lowercase());
        }
        after_small = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    let name = name.trim_end_matches('_');
    match name.chars().next() {
        None => "value".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("v{name}"),
        Some(_) => name.to_owned(),
    }
}

fn environment_name(name: &str) -> String {
    name.to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(wanted: &str, expected: &str) {
        assert_eq!(Variables::default().unset(wanted), expected);
    }

    #[test]
    fn names_can_stand_in_a_hurl_file_and_in_a_shell() {
        check("X-Api-Key", "x_api_key");
        check("access token", "access_token");
        check("--", "value");
        check("2fa", "v2fa");
        check("base_url", "base_url_2");
        check("baseUrl", "base_url_2");
        check("newDate", "new_date");
        check("APIKey2Go", "apikey2_go");
        check("пароль", "value");
    }

    #[test]
    fn the_same_secret_is_the_same_variable() {
        let mut variables = Variables::default();
        assert_eq!(variables.secret("token", "abc"), "token");
        assert_eq!(variables.secret("other", "abc"), "token");
        assert_eq!(variables.secret("token", "def"), "token_2");
        assert_eq!(variables.secret("token_2", "ghi"), "token_2_2");
        assert_eq!(variables.secret("token_4", "jkl"), "token_4");
        assert_eq!(variables.secret("token", "mno"), "token_3");
        assert_eq!(variables.secret("token", "pqr"), "token_5");
        assert_eq!(variables.environment()[..2], ["TOKEN", "TOKEN_2"]);
        assert!(variables.telling_secrets().is_empty(), "too short to be replaced everywhere");
    }
}
