//! The last step of every import: from a draft to texts.

use std::collections::{BTreeSet, HashMap};

use super::Imported;
use super::draft::{Body, Draft, Exchange, Route};
use super::hurl_text;
use super::notes::Notes;
use super::plan_text::{self, Listed, NOWHERE};
use super::variables::TELLING_LENGTH;

/// Environment variables that a note names.
const NAMES_SHOWN: usize = 30;
/// More secrets than a person has: tokens that change from request to request.
const MANY: usize = 10;

/// The plan, the files and the notes of a draft.
pub(super) fn finish(mut draft: Draft) -> Imported {
    scrub(&mut draft);
    place_files(&mut draft);
    let exchanges = draft.routes.iter_mut().flat_map(|route| &mut route.exchanges);
    let files_wanted: BTreeSet<String> =
        exchanges.flat_map(Exchange::files_mut).map(|(path, _)| path.clone()).collect();
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
    let mut notes = draft.notes.lines();
    let telling = Telling::new(draft.variables.telling_secrets());
    notes.iter_mut().for_each(|note| telling.name(note));
    Imported { plan, files, notes, environment }
}

/// A secret that was recognised in one place is not written down in another.
fn scrub(draft: &mut Draft) {
    drop_variable_names(draft);
    let telling = Telling::new(draft.variables.telling_secrets());
    for route in &mut draft.routes {
        telling.name(&mut route.name);
        for exchange in &mut route.exchanges {
            for words in exchange.words_mut() {
                for (value, variable) in telling.within(&words.with(|_| "\n".to_owned())) {
                    words.replace(value, variable);
                }
            }
            for (value, variable) in telling.within(&exchange.label) {
                exchange.label = exchange.label.replace(value, &format!("{{{{{variable}}}}}"));
            }
            for (path, content_type) in exchange.files_mut() {
                telling.name(path);
                content_type.into_iter().for_each(|content_type| telling.name(content_type));
            }
        }
    }
    let values: Vec<String> = telling.all.iter().map(|(value, _)| (*value).to_owned()).collect();
    // A plan would take `env:NAME` for an order to read the environment; only we may give it.
    let orders = |text: &str| text.trim_start().starts_with("env:");
    draft.variables.unwrite(|text| orders(text) || values.iter().any(|value| text.contains(value.as_str())));
    while orders(&draft.name) {
        draft.name = draft.name.replacen("env:", "", 1);
    }
}

/// Names of headers and fields are what requests are recognised by; those that only a variable knows are left out.
fn drop_variable_names(draft: &mut Draft) {
    let (variables, notes) = (&draft.variables, &mut draft.notes);
    let mut keep = |name: &str| {
        let keeps = !variables.stands_in(name);
        if !keeps {
            notes.count(
                "a header or field was left out whose name is a variable",
                "{} headers or fields were left out whose names are variables",
            );
        }
        keeps
    };
    for exchange in draft.routes.iter_mut().flat_map(|route| &mut route.exchanges) {
        for pairs in [&mut exchange.headers, &mut exchange.query, &mut exchange.cookies] {
            pairs.retain(|(name, _)| keep(name));
        }
        match &mut exchange.body {
            Body::Form(pairs) => pairs.retain(|(name, _)| keep(name)),
            Body::Multipart(parts) => parts.retain(|part| keep(&part.name)),
            _ => (),
        }
    }
}

/// Files are read from the folder of the Hurl files and from nowhere else.
fn place_files(draft: &mut Draft) {
    let exchanges = draft.routes.iter_mut().flat_map(|route| &mut route.exchanges);
    for (path, _) in exchanges.flat_map(Exchange::files_mut) {
        let outside = path.starts_with(['/', '\\', '~'])
            || path.contains(':')
            || path.split(['/', '\\']).any(|part| part == "..");
        if outside {
            let name = path.rsplit(['/', '\\', ':']).find(|part| !part.is_empty() && *part != "..").unwrap_or("body");
            *path = name.to_owned();
        }
    }
}

/// Secrets by their first bytes: looking for each of them in each text would take hours in a long recording.
struct Telling<'v> {
    /// Values and variables, the longest first.
    all: Vec<(&'v str, &'v str)>,
    by_start: HashMap<&'v [u8], Vec<usize>>,
}

impl<'v> Telling<'v> {
    fn new(all: Vec<(&'v str, &'v str)>) -> Self {
        let mut by_start: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (index, (value, _)) in all.iter().enumerate() {
            by_start.entry(&value.as_bytes()[..TELLING_LENGTH]).or_default().push(index);
        }
        Self { all, by_start }
    }

    /// A name of something in the plan or on a disk, with the name of a variable for its value.
    fn name(&self, text: &mut String) {
        for (value, variable) in self.within(text) {
            *text = text.replace(value, variable);
        }
    }

    /// Those whose first bytes stand in a text, the longest first.
    fn within(&self, text: &str) -> Vec<(&'v str, &'v str)> {
        let starts = text.as_bytes().windows(TELLING_LENGTH).filter_map(|start| self.by_start.get(start));
        let found: BTreeSet<usize> = starts.flatten().copied().collect();
        found.into_iter().map(|index| self.all[index]).collect()
    }
}

fn say_environment(environment: &[String], notes: &mut Notes) {
    let shown = &environment[..environment.len().min(NAMES_SHOWN)];
    let more = match environment.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more, which are in the plan"),
    };
    if !shown.is_empty() {
        let names = shown.join(", ");
        notes.say(format!("secrets were left out: set these environment variables before a run: {names}{more}"));
    }
    if environment.len() > MANY {
        notes.say(
            "many secrets: what an earlier answer hands out is better captured there (`[Captures]`) than set before",
        );
    }
}

fn files(routes: &[Route]) -> (Vec<Listed>, Vec<(String, String)>) {
    let mut taken = HashMap::new();
    let with_names = routes.iter().map(|route| (free_file(&route.name, &mut taken), route));
    with_names
        .map(|(file, route)| {
            let listed = Listed { file: file.clone(), weight: route.weight.max(1) };
            (listed, (file, hurl_text::write(&route.exchanges)))
        })
        .unzip()
}

/// A path below the plan, whatever the source calls its journeys; `taken` counts how often each was wanted.
fn free_file(name: &str, taken: &mut HashMap<String, usize>) -> String {
    let stem = stem(name);
    loop {
        let times = taken.entry(stem.clone()).or_insert(0);
        *times += 1;
        let free = if *times == 1 { stem.clone() } else { format!("{stem}-{times}") };
        if free == stem || !taken.contains_key(&free) {
            taken.entry(free.clone()).or_insert(1);
            return format!("journeys/{free}.hurl");
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_does_not_name_a_thousand_secrets() {
        let all: Vec<String> = (0..1000).map(|number| format!("TOKEN_{number}")).collect();
        let mut notes = Notes::default();
        say_environment(&all, &mut notes);
        let lines = notes.lines();
        assert!(lines[0].ends_with("TOKEN_29 and 970 more, which are in the plan"), "{lines:?}");
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn files_have_harmless_names_of_their_own() {
        let mut taken = HashMap::new();
        let names = ["Log in", "log in", "../../etc/passwd", "/", "Überblick"];
        let files = names.map(|name| free_file(name, &mut taken));
        let expected = ["log-in", "log-in-2", "etc-passwd", "journey", "berblick"];
        assert_eq!(files, expected.map(|stem| format!("journeys/{stem}.hurl")));
    }
}
