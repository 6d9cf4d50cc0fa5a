//! `-F name=value`, `-F name=@file;type=text/csv`.

use super::super::draft::{Content, Draft, Part};
use super::super::sensitive::is_secret;
use super::super::words::Words;

/// The parts of a multipart body.
pub(super) fn parts(fields: &[(String, bool)], draft: &mut Draft) -> Vec<Part> {
    fields.iter().filter_map(|(text, special)| part(text, *special, draft)).collect()
}

fn part(text: &str, special: bool, draft: &mut Draft) -> Option<Part> {
    let Some((name, value)) = text.split_once('=').filter(|(name, _)| !name.is_empty()) else {
        draft.notes.count("a field of a form without a name was left out", "{} fields without a name were left out");
        return None;
    };
    let content = match value.strip_prefix(['@', '<']) {
        Some(path) if special => file(path, draft)?,
        _ => {
            let value = if special { unquoted(value.split(";type=").next().unwrap_or(value)) } else { value };
            Content::Text(if is_secret(name) && !value.is_empty() {
                Words::variable(draft.variables.secret(name, value))
            } else {
                Words::from(value)
            })
        }
    };
    Some(Part { name: name.to_owned(), content })
}

fn file(path: &str, draft: &mut Draft) -> Option<Content> {
    let (path, details) = path.split_once(';').unwrap_or((path, ""));
    let path = unquoted(path);
    if path.is_empty() || path == "-" {
        draft.notes.say("a part from the standard input was left out: nobody types it under load");
        return None;
    }
    let content_type = details.split(';').find_map(|detail| detail.trim().strip_prefix("type=")).map(str::to_owned);
    if details.split(';').any(|detail| detail.trim().starts_with("filename=")) {
        draft.notes.say("`;filename=` was left out: a file is sent under its own name");
    }
    Some(Content::File { path: path.to_owned(), content_type })
}

fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}
