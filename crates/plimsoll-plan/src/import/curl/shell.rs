//! The words of a command line, as a POSIX shell or bash would take them apart. Nothing is ever executed.

use super::super::draft::Draft;
use super::super::source::Source;
use crate::Mistake;

/// A word, and where it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) offset: usize,
}

/// What stands in for `$NAME` until the draft is finished: letters that no escaping changes.
const STAND_IN: &str = "plimsollshellvariable";

/// Whether a variable stands in a text.
pub(super) fn is_stand_in(text: &str) -> bool {
    text.contains(STAND_IN)
}

/// The curl commands of a script, each without the word `curl`.
pub(super) fn commands(source: Source<'_>, draft: &mut Draft) -> Result<Vec<Vec<Word>>, Mistake> {
    refuse_other_shells(&source)?;
    let mut reader = Reader { source, at: 0, names: Vec::new() };
    let mut commands = Vec::new();
    while let Some(mut words) = reader.command(draft)? {
        // People copy the prompt too.
        if words.first().is_some_and(|word| matches!(word.text.as_str(), "$" | "%" | ">")) {
            words.remove(0);
        }
        let name = words.first().map(|word| word.text.rsplit('/').next().unwrap_or_default().to_owned());
        match name.as_deref() {
            None => (),
            Some("curl" | "curl.exe") => {
                words.remove(0);
                commands.push(words);
            }
            Some(_) => draft
                .notes
                .count("a command that is not curl was left out", "{} commands that are not curl were left out"),
        }
    }
    Ok(commands)
}

fn refuse_other_shells(source: &Source<'_>) -> Result<(), Mistake> {
    let hint = "copy it again with `Copy as cURL (bash)`";
    let cmd = ["^\"", "^\r\n", "^\n"].iter().filter_map(|mark| source.text.find(mark)).min();
    if let Some(offset) = cmd {
        return Err(source.at(offset, "this is quoted for the Windows command prompt (`^`)", hint));
    }
    match source
        .text
        .find("Invoke-WebRequest")
        .or_else(|| source.text.find("`\n"))
        .or_else(|| source.text.find("`\r\n"))
    {
        Some(offset) => Err(source.at(offset, "this is written for PowerShell", hint)),
        None => Ok(()),
    }
}

struct Reader<'t> {
    source: Source<'t>,
    /// In bytes.
    at: usize,
    /// Names of variables; their number is in the stand-in.
    names: Vec<String>,
}

impl Reader<'_> {
    /// The words up to the end of a command; none at the end of the text.
    fn command(&mut self, draft: &mut Draft) -> Result<Option<Vec<Word>>, Mistake> {
        let mut words = Vec::new();
        loop {
            self.skip_spaces();
            let offset = self.at;
            match self.peek() {
                None => return Ok((!words.is_empty()).then_some(words)),
                Some('\n' | ';' | '&') => {
                    self.next();
                    if !words.is_empty() {
                        return Ok(Some(words));
                    }
                }
                Some('|' | '>' | '<') => {
                    draft.notes.say("what follows `|`, `>` or `<` was left out: answers stay in the load generator");
                    self.skip_while(|c| !matches!(c, '\n' | ';'));
                }
                Some('#') => self.skip_while(|c| c != '\n'),
                Some(_) => {
                    let text = self.word(draft)?;
                    words.push(Word { text, offset });
                }
            }
        }
    }

    fn word(&mut self, draft: &mut Draft) -> Result<String, Mistake> {
        let mut word = String::new();
        while let Some(c) = self.peek() {
            let start = self.at;
            match c {
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '<' | '>' => break,
                '\'' => {
                    self.next();
                    word.push_str(self.until_quote(start)?);
                }
                '"' => {
                    self.next();
                    self.double_quoted(start, &mut word, draft)?;
                }
                '\\' => {
                    self.next();
                    match self.next() {
                        Some('\n') | None => (),
                        Some('\r') if self.peek() == Some('\n') => {
                            self.next();
                        }
                        Some(c) => word.push(c),
                    }
                }
                '`' => return Err(self.source.at(start, "a command inside the command line", "put its output there")),
                '$' => self.dollar(start, true, &mut word, draft)?,
                c => {
                    self.next();
                    word.push(c);
                }
            }
        }
        Ok(word)
    }

    fn until_quote(&mut self, start: usize) -> Result<&str, Mistake> {
        let source = self.source;
        let rest = source.text.get(self.at..).unwrap_or_default();
        let Some(length) = rest.find('\'') else { return Err(unclosed(&source, start)) };
        self.at += length + 1;
        // `self.source` is a copy of a reference, so what it points to outlives this borrow.
        Ok(&rest[..length])
    }

    fn double_quoted(&mut self, start: usize, word: &mut String, draft: &mut Draft) -> Result<(), Mistake> {
        loop {
            let at = self.at;
            match self.peek() {
                None => return Err(unclosed(&self.source, start)),
                Some('"') => {
                    self.next();
                    return Ok(());
                }
                Some('\\') => {
                    self.next();
                    match self.next() {
                        Some(c @ ('"' | '\\' | '$' | '`')) => word.push(c),
                        Some('\n') | None => (),
                        Some(c) => word.extend(['\\', c]),
                    }
                }
                Some('`') => {
                    return Err(self.source.at(at, "a command inside the command line", "put its output there"));
                }
                Some('$') => self.dollar(at, false, word, draft)?,
                Some(c) => {
                    self.next();
                    word.push(c);
                }
            }
        }
    }

    /// `$NAME`, `${NAME}`, `$'…'`, or a dollar.
    fn dollar(&mut self, start: usize, quotes: bool, word: &mut String, draft: &mut Draft) -> Result<(), Mistake> {
        self.next();
        match self.peek() {
            Some('\'') if quotes => {
                self.next();
                self.ansi(start, word)
            }
            Some('(') => Err(self.source.at(start, "a command inside the command line", "put its output there")),
            Some('{') => {
                self.next();
                let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_').to_owned();
                if name.is_empty() || self.next() != Some('}') {
                    let hint = "only `$NAME` and `${NAME}` become variables";
                    return Err(self.source.at(start, "an expansion that only a shell can make", hint));
                }
                self.variable(&name, word, draft);
                Ok(())
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_').to_owned();
                self.variable(&name, word, draft);
                Ok(())
            }
            _ => {
                word.push('$');
                Ok(())
            }
        }
    }

    fn variable(&mut self, name: &str, word: &mut String, draft: &mut Draft) {
        let index = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        let stand_in = format!("{STAND_IN}{index}x");
        draft.variables.named(name, &stand_in);
        word.push_str(&stand_in);
    }

    /// `$'…'`: the escapes of C.
    fn ansi(&mut self, start: usize, word: &mut String) -> Result<(), Mistake> {
        loop {
            match self.next() {
                None => return Err(unclosed(&self.source, start)),
                Some('\'') => return Ok(()),
                Some('\\') => {
                    let Some(c) = self.next() else { return Err(unclosed(&self.source, start)) };
                    self.ansi_escape(start, c, word)?;
                }
                Some(c) => word.push(c),
            }
        }
    }

    fn ansi_escape(&mut self, start: usize, c: char, word: &mut String) -> Result<(), Mistake> {
        let plain = match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'a' => '\x07',
            'b' => '\x08',
            'e' | 'E' => '\x1b',
            'f' => '\x0c',
            'v' => '\x0b',
            '\\' | '\'' | '"' | '?' => c,
            'x' => return self.bytes(start, 16, 2, word),
            'u' => self.number(16, 4).and_then(char::from_u32).unwrap_or('\u{fffd}'),
            'U' => self.number(16, 8).and_then(char::from_u32).unwrap_or('\u{fffd}'),
            '0'..='7' => {
                self.at -= 1;
                return self.bytes(start, 8, 3, word);
            }
            other => {
                word.push('\\');
                other
            }
        };
        word.push(plain);
        Ok(())
    }

    /// Bytes by number; several in a row may be one character.
    fn bytes(&mut self, start: usize, radix: u32, digits: usize, word: &mut String) -> Result<(), Mistake> {
        let mut bytes = Vec::new();
        loop {
            bytes.push(self.number(radix, digits).unwrap_or(0) as u8);
            let rest = self.source.text.get(self.at..).unwrap_or_default();
            let more = if radix == 16 { rest.starts_with("\\x") } else { false };
            if !more {
                break;
            }
            self.at += 2;
        }
        match String::from_utf8(bytes) {
            Ok(text) => word.push_str(&text),
            Err(_) => {
                let hint = "save the body to a file and use `--data-binary @file`";
                return Err(self.source.at(start, "bytes that are not UTF-8 inside `$'…'`", hint));
            }
        }
        Ok(())
    }

    fn number(&mut self, radix: u32, digits_max: usize) -> Option<u32> {
        let rest = self.source.text.get(self.at..).unwrap_or_default();
        let digits = rest.chars().take(digits_max).take_while(|c| c.is_digit(radix)).count();
        let number = u32::from_str_radix(&rest[..digits], radix).ok();
        self.at += digits;
        number
    }

    fn peek(&self) -> Option<char> {
        self.source.text.get(self.at..).and_then(|rest| rest.chars().next())
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &str {
        let start = self.at;
        self.skip_while(wanted);
        self.source.text.get(start..self.at).unwrap_or_default()
    }

    fn skip_while(&mut self, wanted: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.next();
        }
    }

    /// Spaces, and lines that go on.
    fn skip_spaces(&mut self) {
        loop {
            self.skip_while(|c| matches!(c, ' ' | '\t' | '\r'));
            let rest = self.source.text.get(self.at..).unwrap_or_default();
            match ["\\\n", "\\\r\n"].iter().find(|mark| rest.starts_with(**mark)) {
                Some(mark) => self.at += mark.len(),
                None => return,
            }
        }
    }
}

fn unclosed(source: &Source<'_>, start: usize) -> Mistake {
    source.at(start, "a quote that is never closed", "was all of the command copied?")
}
