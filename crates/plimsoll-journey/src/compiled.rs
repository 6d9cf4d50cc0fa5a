//! Regular expressions and JSONPaths, compiled once per thread.
//!
//! They are found again by their text: a look-up costs some tens of nanoseconds, compiling costs microseconds, and a text
//! with gaps can be compiled only when the gaps are filled. Each thread has its own, so that none waits for another.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use regex::Regex;

use crate::json_path::JsonPath;
use crate::wrong::Wrong;

/// When so many texts were made of gaps, all of them are forgotten: a compiled expression may take a megabyte.
const MADE_MAX: usize = 32;

thread_local! {
    static REGEXES: RefCell<Kept<Regex>> = RefCell::default();
    static JSON_PATHS: RefCell<Kept<JsonPath>> = RefCell::default();
}

/// What was compiled, by its text.
struct Kept<T> {
    /// Texts without gaps: the plan has no more of them than it has.
    constant: HashMap<Box<str>, Rc<T>>,
    /// Texts with filled gaps: there may be any number.
    made: HashMap<Box<str>, Rc<T>>,
}

/// The regular expression that a text is; a borrowed text has no gaps.
pub(crate) fn regex(text: Cow<'_, str>) -> Result<Rc<Regex>, Wrong> {
    let compile = |text: &str| Regex::new(text).ok();
    let found = REGEXES.with_borrow_mut(|kept| kept.find(&text, matches!(text, Cow::Borrowed(_)), compile));
    found.ok_or_else(|| Wrong::new("a regular expression", text))
}

/// The JSONPath that a text is; a borrowed text has no gaps.
pub(crate) fn json_path(text: Cow<'_, str>) -> Result<Rc<JsonPath>, Wrong> {
    let found = JSON_PATHS.with_borrow_mut(|kept| kept.find(&text, matches!(text, Cow::Borrowed(_)), JsonPath::parse));
    found.ok_or_else(|| Wrong::new("a JSONPath (RFC 9535)", text))
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { constant: HashMap::new(), made: HashMap::new() }
    }
}

impl<T> Kept<T> {
    fn find(&mut self, text: &str, constant: bool, compile: impl FnOnce(&str) -> Option<T>) -> Option<Rc<T>> {
        let (kept, max) = if constant { (&mut self.constant, usize::MAX) } else { (&mut self.made, MADE_MAX) };
        if let Some(found) = kept.get(text) {
            return Some(Rc::clone(found));
        }
        let compiled = Rc::new(compile(text)?);
        if kept.len() >= max {
            kept.clear();
        }
        kept.insert(text.into(), Rc::clone(&compiled));
        Some(compiled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_compiled_once_and_memory_is_bounded() {
        assert!(matches!((regex("a+".into()), regex("a+".into())), (Ok(a), Ok(b)) if Rc::ptr_eq(&a, &b)));
        for number in 0..2 * MADE_MAX {
            assert!(regex(format!("a{{{number}}}").into()).is_ok());
        }
        assert!(REGEXES.with_borrow(|kept| kept.made.len() <= MADE_MAX && kept.constant.len() == 1));
        assert!(regex("(".into()).is_err());
        assert!(json_path("store".into()).is_err());
    }
}
