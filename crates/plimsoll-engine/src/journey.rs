//! Journeys on the wire: a user goes from step to step, and every exchange is rendered, sent, kept and checked.
//!
//! What a step sends and how an answer is judged is `plimsoll-journey`'s; when and on which connection is decided
//! here. One traveller serves the closed model (a user), the open one (an arrival), and what comes before and after.

mod address;
mod ask;
mod exchange;
mod flow;
mod kept;
mod outcome;
mod plot;
mod ready;
mod sampled;
mod stage;
mod traveller;
mod way;
mod wishes;

pub(crate) use kept::{Kept, Wants};
pub(crate) use plot::{Manner, Plots};
pub(crate) use ready::Ready;
pub(crate) use stage::{Stage, play};
pub(crate) use traveller::{Key, Traveller, Trip};
pub(crate) use way::Ways;
