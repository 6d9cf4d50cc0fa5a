//! How a minder is started.

use std::path::PathBuf;

/// How a minder is started: this very program, most likely, and the words that make it one.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its file.
    pub path: PathBuf,
    /// What comes before the minder's own words.
    pub words: Vec<String>,
}
