//! What the figures mean, in words: which results can be believed, and what spoils them. Pure.

mod believe;
mod spoilers;

pub(crate) use believe::believe;
pub(crate) use spoilers::{debug_build, spoilers};
