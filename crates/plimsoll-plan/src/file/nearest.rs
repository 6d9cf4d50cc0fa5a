//! What somebody meant to type.

/// The known word that is nearest to a mistyped one, if any is near.
pub(crate) fn nearest<'k>(typed: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    known
        .into_iter()
        .map(|word| (distance(typed, word), word))
        .filter(|(distance, word)| *distance <= far(typed, word))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// Letters that are wrong. The order of parts counts little: `max_in_flight` is `in_flight_max`.
fn distance(typed: &str, word: &str) -> usize {
    let (typed, word) = (typed.to_lowercase(), word.to_lowercase());
    let sorted = strsim::damerau_levenshtein(&in_order(&typed), &in_order(&word));
    strsim::damerau_levenshtein(&typed, &word).min(sorted.saturating_add(1))
}

fn in_order(text: &str) -> String {
    let mut parts: Vec<&str> = text.split(['_', '-', ' ']).collect();
    parts.sort_unstable();
    parts.concat()
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
        assert_eq!(nearest(typed, ["weight", "file", "think", "url", "in_flight_max"]), expected, "{typed}");
    }

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        check("weigth", Some("weight"));
        check("Weight", Some("weight"));
        check("thnk", Some("think"));
        check("uri", Some("url"));
        check("max-in-flight", Some("in_flight_max"));
        check("data", None);
        check("", None);
    }

    #[test]
    fn a_hint_names_the_nearest_or_all() {
        assert_eq!(hint("fil", &["file", "url"]), "did you mean `file`?");
        assert_eq!(hint("colour", &["file", "url", "name"]), "known here: `file`, `url` or `name`");
    }
}
