//! Hurl text and what becomes of it, in tables.

mod accepted;
mod refused;
mod summary;
mod unset;

use std::path::Path;

use plimsoll_journey::Names;

use super::{Reading, read_with_variables};
use crate::mistake::Mistake;

/// As if the file were `tests/hurl/test.hurl` of this crate, whose folder has files to send.
fn reading(text: &str, names: &mut Names) -> Result<Reading, Vec<Mistake>> {
    read_with_variables(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hurl/test.hurl"), text, names)
}
