//! Reads what people write: plans, Hurl files, and what other tools left behind.
//!
//! Text becomes values here, and every complaint names file, line and column, shows the text and says what was
//! expected. Nothing is sent.

pub mod file;
pub mod hurl;
pub mod import;
mod mistake;

pub use mistake::Mistake;
