//! What is wrong with a text, and where.

use std::fmt;

use plimsoll_journey::Place;

/// What is wrong with a text, and where. Shown with the line it is about and a mark under the column.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Mistake {
    /// Where; on line 0 if it stands on none, as what was typed after a flag.
    pub place: Place,
    /// The line as it was written.
    pub line: String,
    /// What is wrong, in lower case and without a full stop: ``unknown key `weigth` ``.
    pub message: String,
    /// What to try; empty where there is nothing to say.
    pub hint: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { file, line, column } = &self.place;
        if *line == 0 {
            return write!(f, "{file}: {}", self.message);
        }
        write!(f, "{file}:{line}:{column}: {}", self.message)?;
        if self.line.is_empty() {
            return Ok(());
        }
        let gutter = line.to_string();
        let margin = " ".repeat(gutter.len());
        // Tabs stay tabs, so that the mark stands below what it is about.
        let before: String =
            self.line.chars().take(column.saturating_sub(1)).map(|c| if c == '\t' { c } else { ' ' }).collect();
        write!(f, "\n {gutter} | {}\n {margin} | {before}^", self.line)
    }
}
