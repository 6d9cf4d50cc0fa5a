//! stub
use super::draft::Draft;
use super::source::Source;
use crate::Mistake;
pub(super) fn read(source: Source<'_>) -> Result<Draft, Mistake> {
    Err(source.whole("not yet", ""))
}
