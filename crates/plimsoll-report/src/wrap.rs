//! Lines that fit.

/// Units stay on the line of their number.
const UNITS: [&str; 8] = ["µs", "ms", "s", "min", "h", "%", "kB", "MB"];

/// Words filled into lines of at most `width` columns, each beginning with `indent` blanks.
/// A word that is longer than a line stays whole: URLs are for copying.
pub(crate) fn wrap(text: &str, width: usize, indent: usize) -> String {
    let margin = " ".repeat(indent);
    let mut out = margin.clone();
    let mut column = indent;
    for word in words(text) {
        let length = word.chars().count();
        if column > indent && column + 1 + length > width {
            out.push('\n');
            out.push_str(&margin);
            column = indent;
        } else if column > indent {
            out.push(' ');
            column += 1;
        }
        out.push_str(&word);
        column += length;
    }
    out
}

/// A paragraph beside a mark: `! text`, its further lines beneath the text.
pub fn marked(mark: &str, text: &str, width: usize) -> String {
    let indent = mark.chars().count() + 1;
    let lines = wrap(text, width, indent);
    format!("{mark} {}", lines.trim_start())
}

fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let is_unit = UNITS.contains(&word.trim_end_matches([',', '.', ';', ':', ')']));
        match words.last_mut().filter(|_| is_unit) {
            Some(last) => *last += &format!(" {word}"),
            None => words.push(word.to_owned()),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_filled_into_lines() {
        assert_eq!(wrap("one two three four", 9, 2), "  one two\n  three\n  four");
        assert_eq!(wrap("averyveryverylongword x", 9, 0), "averyveryverylongword\nx");
        assert_eq!(wrap("about 12 ms.", 9, 0), "about\n12 ms.");
        assert_eq!(marked("  !", "one two three", 12), "  ! one two\n    three");
    }
}
