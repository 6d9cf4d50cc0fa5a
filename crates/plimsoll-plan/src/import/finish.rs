//! The last step of every import: from a draft to texts.

use std::collections::BTreeSet;

use super::Imported;
use super::draft::{Body, Content, Draft, Exchange, Route};
use super::hurl_text;
use super::notes::Notes;
use super::plan_text::{self, Listed, NOWHERE};

/// The plan, the files and the notes of a draft.
pub(super) fn finish(mut draft: Draft) -> Imported {
    scrub(&mut draft);
    let files_wanted = draft.routes.iter().flat_map(|route| &route.exchanges).flat_map(files_of);
    let files_wanted: BTreeSet<String> = files_wanted.map(str::to_owned).collect();
    let (listed, files) = files(&draft.routes);
    if draft.target.is_none() {
        draft.notes.say(format!(
            "nothing says where the requests go: set `target.url` and `base_url` in the plan (now {NOWHERE})"
        ));
    }
    for file in files_wanted {
        draft.notes.say(format!("put the file `{file}` beside the Hurl files (in `journeys/`): its content is sent"));
    }
    let environment = draft.variables.environment();
    say_environment(&environment, &mut draft.notes);
    let target = draft.target.as_deref().unwrap_or(NOWHERE);
    let plan = plan_text::write(&draft.name, target, &draft.variables, &listed);
    Imported { plan, files, notes: draft.notes.lines(), environment }
}

/// A secret that was recognised in one place is not written down in another.
fn scrub(draft: &mut Draft) {
    let telling = draft.variables.telling_secrets();
    for exchange in draft.routes.iter_mut().flat_map(|route| &mut route.exchanges) {
        for words in exchange.words_mut() {
            telling.iter().for_each(|(value, variable)| words.replace(value, variable));
        }
        for (value, variable) in &telling {
            exchange.label = exchange.label.replace(value, &format!("{{{{{variable}}}}}"));
        }
    }
}

fn say_environment(environment: &[String], notes: &mut Notes) {
    if !environment.is_empty() {
        let names = environment.join(", ");
        notes.say(format!("secrets were left out: set these environment variables before a run: {names}"));
    }
}

fn files(routes: &[Route]) -> (Vec<Listed>, Vec<(String, String)>) {
    let mut taken = BTreeSet::new();
    let with_names = routes.iter().map(|route| (free_file(&route.name, &mut taken), route));
    with_names
        .map(|(file, route)| {
            let listed = Listed { file: file.clone(), weight: route.weight.max(1) };
            (listed, (file, hurl_text::write(&route.exchanges)))
        })
        .unzip()
}

/// A path below the plan, whatever the source calls its journeys.
fn free_file(name: &str, taken: &mut BTreeSet<String>) -> String {
    let stem = stem(name);
    let file = |number: usize| match number {
        1 => format!("journeys/{stem}.hurl"),
        _ => format!("journeys/{stem}-{number}.hurl"),
    };
    let free = (1..).map(file).find(|file| !taken.contains(file)).unwrap_or_else(|| file(1));
    taken.insert(free.clone());
    free
}

/// Letters, digits and dashes.
fn stem(name: &str) -> String {
    let mut stem = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        if c.is_ascii_alphanumeric() || c == '_' {
            stem.push(c);
        } else if !stem.is_empty() && !stem.ends_with('-') {
            stem.push('-');
        }
        if stem.len() >= 60 {
            break;
        }
    }
    match stem.trim_end_matches('-') {
        "" => "journey".to_owned(),
        stem => stem.to_owned(),
    }
}

fn files_of(exchange: &Exchange) -> Vec<&str> {
    match &exchange.body {
        Body::File(path) => vec![path],
        Body::Multipart(parts) => parts
            .iter()
            .filter_map(|part| match &part.content {
                Content::File { path, .. } => Some(path.as_str()),
                Content::Text(_) => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_harmless_names_of_their_own() {
        let mut taken = BTreeSet::new();
        let names = ["Log in", "log in", "../../etc/passwd", "/", "Überblick"];
        let files = names.map(|name| free_file(name, &mut taken));
        let expected = ["log-in", "log-in-2", "etc-passwd", "journey", "berblick"];
        assert_eq!(files, expected.map(|stem| format!("journeys/{stem}.hurl")));
    }
}
