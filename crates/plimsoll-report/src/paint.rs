//! How text may look: colours where they are wanted, and how wide a line may be.

/// What the place where the text goes can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether terminal colours are understood and wanted.
    pub colour: bool,
    /// Columns.
    pub width: usize,
}

/// Columns below which tables cannot be laid out; narrower places get lines that wrap by themselves.
const WIDTH_MIN: usize = 60;
/// Columns beyond which lines are hard to read.
const WIDTH_MAX: usize = 110;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Ink {
    Bold,
    Dim,
    Good,
    Bad,
    Odd,
    Bar,
}

impl Style {
    /// Columns to lay out for.
    pub(crate) fn columns(self) -> usize {
        self.width.clamp(WIDTH_MIN, WIDTH_MAX)
    }

    /// The text in that ink, or plain.
    pub(crate) fn paint(self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Bold => "1",
            Ink::Dim => "2",
            Ink::Good => "1;32",
            Ink::Bad => "1;31",
            Ink::Odd => "1;33",
            Ink::Bar => "36",
        };
        if self.colour && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
