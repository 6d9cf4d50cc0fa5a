//! The body of a command, which several flags may build together.

use super::super::address::form_value;
use super::super::notes::Notes;
use super::flags::Piece;

/// What the flags have built so far.
#[derive(Debug, Default)]
pub(super) struct Collected {
    texts: Vec<String>,
    file: Option<String>,
    upload: bool,
    /// `--json` was among them.
    pub(super) json: bool,
    /// `-F`, with whether `@` and `;` mean something in it.
    pub(super) parts: Vec<(String, bool)>,
}

impl Collected {
    pub(super) fn add(&mut self, piece: &Piece, notes: &mut Notes) {
        match piece {
            Piece::Data(text) | Piece::Json(text) if text.starts_with('@') => self.read(&text[1..], notes),
            Piece::Data(text) | Piece::Raw(text) | Piece::Json(text) => self.texts.push(text.clone()),
            Piece::Encoded(text) => match encoded(text) {
                Some(text) => self.texts.push(text),
                None => notes.say("`--data-urlencode` from a file was left out: it would have to be encoded first"),
            },
            Piece::Part(text) => self.parts.push((text.clone(), true)),
            Piece::PartText(text) => self.parts.push((text.clone(), false)),
            Piece::Upload(path) => {
                self.upload = true;
                self.read(path, notes);
            }
        }
        self.json |= matches!(piece, Piece::Json(_));
    }

    fn read(&mut self, path: &str, notes: &mut Notes) {
        match path {
            "-" | "" => notes.say("a body from the standard input was left out: nobody types it under load"),
            _ if self.file.is_some() || !self.texts.is_empty() => {
                notes.say("a file that is only a part of the body was left out");
            }
            _ => self.file = Some(path.to_owned()),
        }
    }

    /// The file that is the whole body.
    pub(super) fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    pub(super) fn is_upload(&self) -> bool {
        self.upload
    }

    /// The text of all pieces.
    pub(super) fn text(&self) -> Option<String> {
        let glue = if self.json { "" } else { "&" };
        (!self.texts.is_empty()).then(|| self.texts.join(glue))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.file.is_none() && self.parts.is_empty()
    }
}

/// `content`, `=content`, `name=content`; the name is encoded already.
fn encoded(text: &str) -> Option<String> {
    match text.find(['=', '@']) {
        None => Some(form_value(text)),
        Some(at) if text.as_bytes()[at] == b'@' => None,
        Some(0) => Some(form_value(&text[1..])),
        Some(at) => Some(format!("{}={}", &text[..at], form_value(&text[at + 1..]))),
    }
}
