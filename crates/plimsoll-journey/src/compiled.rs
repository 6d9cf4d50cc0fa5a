//! Regular expressions and JSONPaths, compiled once per thread.
//!
//! They are found again by their text: a look-up costs some tens of nanoseconds, compiling costs microseconds, and a text
//! with gaps can be compiled only when the gaps are filled. Each thread has its own, so that none waits for another.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use regex::Regex;

use crate::json_path::JsonPath;
use crate::wrong::Wrong;

/// When a thread has seen so many different texts they come from gaps, and all are forgotten.
const KEPT_MAX: usize = 512;

thread_local! {
    static REGEXES: RefCell<Kept<Regex>> = RefCell::default();
    static JSON_PATHS: RefCell<Kept<JsonPath>> = RefCell::default();
}

type Kept<T> = HashMap<Box<str>, Rc<T>>;

/// The regular expression that a text is.
pub(crate) fn regex(text: &str) -> Result<Rc<Regex>, Wrong> {
    let compile = |text: &str| Regex::new(text).ok();
    REGEXES.with_borrow_mut(|kept| find(kept, text, compile)).ok_or_else(|| Wrong::new("a regular expression", text))
}

/// The JSONPath that a text is.
pub(crate) fn json_path(text: &str) -> Result<Rc<JsonPath>, Wrong> {
    let found = JSON_PATHS.with_borrow_mut(|kept| find(kept, text, JsonPath::parse));
    found.ok_or_else(|| Wrong::new("a JSONPath (RFC 9535)", text))
}

fn find<T>(kept: &mut Kept<T>, text: &str, compile: impl FnOnce(&str) -> Option<T>) -> Option<Rc<T>> {
    if let Some(found) = kept.get(text) {
        return Some(Rc::clone(found));
    }
    let made = Rc::new(compile(text)?);
    if kept.len() >= KEPT_MAX {
        kept.clear();
    }
    kept.insert(text.into(), Rc::clone(&made));
    Some(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_compiled_once_and_memory_is_bounded() {
        let (first, second) = (regex("a+"), regex("a+"));
        assert!(matches!((first, second), (Ok(a), Ok(b)) if Rc::ptr_eq(&a, &b)));
        for number in 0..2 * KEPT_MAX {
            assert!(regex(&format!("a{{{number}}}")).is_ok());
        }
        assert!(REGEXES.with_borrow(HashMap::len) <= KEPT_MAX);
        assert!(regex("(").is_err());
        assert!(json_path("store").is_err());
    }
}
