//! What somebody meant to type.

/// The known word that is nearest to a mistyped one, if any is near.
pub(crate) fn nearest<'k>(typed: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let typed = typed.to_lowercase();
    known
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(&typed, &word.to_lowercase()), word))
        .filter(|(distance, word)| *distance <= far(&typed, word))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// A third of the longer word may be wrong; of a short word one letter.
fn far(typed: &str, word: &str) -> usize {
    (typed.chars().count().max(word.chars().count()) / 3).max(1)
}

/// A hint that names the nearest word, or else all of them.
pub(crate) fn hint(typed: &str, known: &[&str]) -> String {
    match nearest(typed, known.iter().copied()) {
        Some(word) => format!("did you mean `{word}`?"),
        None => format!("known here: {}", list(known)),
    }
}

/// `a`, `b` or `c`, each in backticks.
pub(crate) fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: &str, expected: Option<&str>) {
        assert_eq!(nearest(typed, ["weight", "file", "think", "url"]), expected, "{typed}");
    }

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        check("weigth", Some("weight"));
        check("Weight", Some("weight"));
        check("thnk", Some("think"));
        check("uri", Some("url"));
        check("data", None);
        check("", None);
    }

    #[test]
    fn a_hint_names_the_nearest_or_all() {
        assert_eq!(hint("fil", &["file", "url"]), "did you mean `file`?");
        assert_eq!(hint("colour", &["file", "url", "name"]), "known here: `file`, `url` or `name`");
    }
}
