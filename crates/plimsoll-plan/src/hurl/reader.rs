//! What is carried through one file: the text for messages, the names, and all mistakes so far.

use std::path::Path;
use std::sync::Arc;

use hurl_core::ast::{Entry, HurlFile};
use hurl_core::reader::Pos;
use plimsoll_journey::{Journey, Names, Needs, Place, Slot, Step, XPath};

use super::Reading;
use super::variables::{Mention, Use, Variables};
use super::xpath::LibXml;
use crate::mistake::Mistake;

/// Reads one file; its methods are in the modules of what they read.
pub(super) struct Reader<'a> {
    pub(super) names: &'a mut Names,
    pub(super) xpath: Arc<dyn XPath>,
    /// Where files that are named are looked for.
    pub(super) folder: &'a Path,
    path: &'a Path,
    lines: Vec<&'a str>,
    steps: Vec<Step>,
    mentions: Vec<Mention>,
    mistakes: Vec<Mistake>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(path: &'a Path, text: &'a str, names: &'a mut Names) -> Self {
        Self {
            names,
            xpath: Arc::new(LibXml),
            folder: path.parent().unwrap_or(Path::new("")),
            path,
            lines: text.lines().collect(),
            steps: Vec::new(),
            mentions: Vec::new(),
            mistakes: Vec::new(),
        }
    }

    /// Reads the steps; a request alone, with no answer described, is a step that nothing is wanted of.
    pub(super) fn journey(&mut self, file: &HurlFile) {
        for entry in &file.entries {
            let step = self.step(entry);
            self.steps.push(step);
        }
        if self.steps.is_empty() {
            self.mistake(
                Pos::new(1, 1),
                "no request in this file",
                "a step begins with a method and a URL: `GET http://…`",
            );
        }
    }

    /// In the order in which an exchange goes: what is read before it is set is found by that.
    fn step(&mut self, entry: &Entry) -> Step {
        let at = entry.request.space0.source_info.end;
        let options = self.options(entry.request.options());
        let request = self.request(&entry.request);
        let expected = entry.response.as_ref().map(|response| self.expected(response)).unwrap_or_default();
        let needs = Needs::of(&expected, &options);
        self.experimental_comments(&entry.request);
        Step { label: self.label(&entry.request), place: self.place(at), request, options, expected, needs }
    }

    /// All that was read, or all that is wrong with it.
    pub(super) fn finish(mut self) -> Result<Reading, Vec<Mistake>> {
        if !self.mistakes.is_empty() {
            // Parts of a step are read in the order in which they act, which need not be that of the file.
            self.mistakes.sort_by_key(|mistake| (mistake.place.line, mistake.place.column));
            return Err(self.mistakes);
        }
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Reading { journey: Journey { name, steps: self.steps }, variables: Variables::new(self.mentions) })
    }

    pub(super) fn place(&self, at: Pos) -> Place {
        Place { file: self.path.display().to_string(), line: at.line, column: at.column }
    }

    /// The line as it was written.
    pub(super) fn line(&self, at: Pos) -> &'a str {
        at.line.checked_sub(1).and_then(|index| self.lines.get(index)).copied().unwrap_or_default()
    }

    pub(super) fn mistake(&mut self, at: Pos, message: impl Into<String>, hint: impl Into<String>) {
        let (place, line) = (self.place(at), self.line(at).to_owned());
        self.mistakes.push(Mistake { place, line, message: message.into(), hint: hint.into() });
    }

    /// A variable's slot, and a note of who wants it.
    pub(super) fn mention(&mut self, name: &str, at: Pos, how: Use) -> Slot {
        let slot = self.names.slot(name);
        let (place, line) = (self.place(at), self.line(at).to_owned());
        self.mentions.push(Mention { slot, how, place, line });
        slot
    }
}
