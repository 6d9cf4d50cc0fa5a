//! Text in which variables may stand: what drafts are made of.
//!
//! Nothing here is escaped. How a piece is written in a Hurl file depends on where it stands, and only the writer
//! knows that.

/// Text in which variables may stand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Words {
    pieces: Vec<Piece>,
}

/// A piece of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// As it is; never empty.
    Literal(String),
    /// A variable's name.
    Variable(String),
}

impl Words {
    /// A variable and nothing else.
    pub(super) fn variable(name: impl Into<String>) -> Self {
        Self { pieces: vec![Piece::Variable(name.into())] }
    }

    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The text, if no variable stands in it.
    pub(super) fn plain(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The text with `stand_in` for each variable.
    pub(super) fn with(&self, stand_in: impl Fn(&str) -> String) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Literal(text) => text.clone(),
            Piece::Variable(name) => stand_in(name),
        };
        self.pieces.iter().map(piece).collect()
    }

    pub(super) fn push(&mut self, piece: Piece) {
        match (self.pieces.last_mut(), piece) {
            (_, Piece::Literal(text)) if text.is_empty() => (),
            (Some(Piece::Literal(before)), Piece::Literal(text)) => before.push_str(&text),
            (_, piece) => self.pieces.push(piece),
        }
    }

    pub(super) fn push_str(&mut self, text: &str) {
        self.push(Piece::Literal(text.to_owned()));
    }

    pub(super) fn push_variable(&mut self, name: &str) {
        self.push(Piece::Variable(name.to_owned()));
    }

    pub(super) fn append(&mut self, more: Words) {
        more.pieces.into_iter().for_each(|piece| self.push(piece));
    }

    /// The same with a variable wherever `value` stood.
    pub(super) fn replace(&mut self, value: &str, variable: &str) {
        let holds = |piece: &Piece| matches!(piece, Piece::Literal(text) if text.contains(value));
        if value.is_empty() || !self.pieces.iter().any(holds) {
            return;
        }
        for piece in std::mem::take(&mut self.pieces) {
            match piece {
                Piece::Literal(text) => self.push_replaced(&text, value, variable),
                variable => self.push(variable),
            }
        }
    }

    fn push_replaced(&mut self, text: &str, value: &str, variable: &str) {
        for (index, between) in text.split(value).enumerate() {
            if index > 0 {
                self.push_variable(variable);
            }
            self.push_str(between);
        }
    }
}

impl<T: AsRef<str>> From<T> for Words {
    fn from(text: T) -> Self {
        let mut words = Self::default();
        words.push_str(text.as_ref());
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_gives_way_to_a_variable_wherever_it_stands() {
        let mut words = Words::from("a=s3cret&b=s3cret");
        words.replace("s3cret", "token");
        assert_eq!(words.with(|name| format!("<{name}>")), "a=<token>&b=<token>");
        words.replace("", "nothing");
        assert_eq!(words.pieces().len(), 4);
    }

    #[test]
    fn neighbouring_literals_are_one() {
        let mut words = Words::from("a");
        words.push_str("");
        words.push_str("b");
        assert_eq!(words.plain(), Some("ab"));
        assert_eq!(Words::from("").plain(), Some(""));
        assert_eq!(Words::variable("x").plain(), None);
    }
}
