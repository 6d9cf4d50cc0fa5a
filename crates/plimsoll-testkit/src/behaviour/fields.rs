//! Values of the grammar that are about answers rather than about time: header fields, interim statuses, shares with
//! a status or a name.

use super::values::{self, Unreadable};
use clap::ValueEnum;
use std::str::FromStr;

/// A header field that cannot break out of its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    // A token of RFC 9110.
    name: String,
    // Without control characters.
    value: String,
}

impl Field {
    /// The field as a line of a head.
    pub fn line(&self) -> String {
        format!("{}: {}\r\n", self.name, self.value)
    }
}

impl FromStr for Field {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let unreadable = || Unreadable::new("a header such as `X-Name:value`", text);
        let (name, value) = text.split_once(':').ok_or_else(unreadable)?;
        let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        if name.is_empty() || !name.chars().all(is_token) || !is_field_value(value) {
            return Err(unreadable());
        }
        Ok(Self { name: name.to_owned(), value: value.trim().to_owned() })
    }
}

/// Whether a text may stand in a header line.
pub fn is_field_value(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

/// How a body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Framing {
    /// Content-Length.
    Length,
    /// Transfer-Encoding: chunked.
    Chunked,
    /// At the end of the connection.
    Close,
}

/// Interim statuses in the order they are sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interim(Vec<u16>);

impl Interim {
    /// The statuses, each in [100, 199] and none of them 101.
    pub fn statuses(&self) -> &[u16] {
        &self.0
    }
}

impl FromStr for Interim {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let statuses = text
            .split(',')
            .map(|status| status.parse().ok())
            .map(|status| status.filter(|&status| (100..200).contains(&status) && status != 101))
            .collect::<Option<Vec<u16>>>();
        statuses.map(Self).ok_or_else(|| Unreadable::new("interim statuses such as `100,103`", text))
    }
}

/// Where a redirect leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Redirect {
    /// To the target that was asked for: an endless loop.
    Itself,
    /// To this target.
    To(String),
}

impl FromStr for Redirect {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        match text {
            "self" => Ok(Self::Itself),
            _ if !text.is_empty() && is_field_value(text) => Ok(Self::To(text.to_owned())),
            _ => Err(Unreadable::new("a target such as `/x`, or `self`", text)),
        }
    }
}

/// A share of failures: `0.1` or `0.1:503`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorShare {
    /// How many of all, in [0, 1].
    pub share: f64,
    /// What they get.
    pub status: u16,
}

impl FromStr for ErrorShare {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let (share, status) = text.split_once(':').unwrap_or((text, "500"));
        Ok(Self { share: values::share(share)?, status: values::status(status)? })
    }
}

/// A share of malformed answers: `truncated-body` or `truncated-body:0.1`.
#[derive(Debug, Clone, PartialEq)]
pub struct BadShare {
    /// A name of the catalogue.
    pub name: &'static str,
    /// How many of all, in [0, 1].
    pub share: f64,
}

impl FromStr for BadShare {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let (name, share) = text.split_once(':').unwrap_or((text, "1"));
        let entry =
            crate::bad::find(name).ok_or_else(|| Unreadable::new("a name that `--list` or `GET /bad` shows", name))?;
        Ok(Self { name: entry.name, share: values::share(share)? })
    }
}

/// When a kept-alive connection is closed: `10` or `10,rude`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CloseAfter {
    /// With the answer of this number, from 1.
    pub answers: u32,
    /// Without telling.
    pub rude: bool,
}

impl FromStr for CloseAfter {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let unreadable = || Unreadable::new("a number of answers such as `10` or `10,rude`", text);
        let (answers, rude) = match text.split_once(',') {
            None => (text, false),
            Some((answers, "rude")) => (answers, true),
            Some(_) => return Err(unreadable()),
        };
        let answers = answers.parse().ok().filter(|&n| n > 0);
        Ok(Self { answers: answers.ok_or_else(unreadable)?, rude })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_cannot_break_out_of_its_line() {
        let field: Field = "X-A: b:c ".parse().expect("readable");
        assert_eq!(field.line(), "X-A: b:c\r\n");
        for text in ["", "X-A", ":v", "X A:v", "X:a\r\nY:b", "X:a\0", "X\n:a"] {
            assert!(text.parse::<Field>().is_err(), "{text:?}");
        }
        assert!("/x\r\nY: b".parse::<Redirect>().is_err());
    }

    #[test]
    fn shares_and_counts() {
        assert_eq!("0.1".parse(), Ok(ErrorShare { share: 0.1, status: 500 }));
        assert_eq!("0.1:503".parse(), Ok(ErrorShare { share: 0.1, status: 503 }));
        assert_eq!("3,rude".parse(), Ok(CloseAfter { answers: 3, rude: true }));
        for text in ["0", "x", "3,polite", "-1"] {
            assert!(text.parse::<CloseAfter>().is_err(), "{text}");
        }
        for text in ["99", "101", "200", "100,", ""] {
            assert!(text.parse::<Interim>().is_err(), "{text}");
        }
        assert!("no-such-name".parse::<BadShare>().is_err());
        assert!("truncated-body:0.5".parse::<BadShare>().is_ok());
    }
}
