//! Requests in which nothing ever changes, made ready once by each thread.

use std::cell::RefCell;
use std::rc::Rc;

use plimsoll_journey::Rendered;

use super::exchange::{self, Wish};
use super::plot::Plot;
use super::way::Way;
use crate::compile::Ask;
use crate::fault::Fault;
use crate::worker::Worker;

/// The requests that are ready, by step.
#[derive(Default)]
pub(crate) struct Ready {
    known: RefCell<Vec<Option<Made>>>,
}

/// A way, and the bytes that go along it.
pub(super) type Made = (Rc<Way>, Rc<Ask>);

impl Ready {
    /// The step's request: made now if it was not yet.
    pub(super) async fn of(
        &self,
        worker: &Worker,
        plot: &Plot,
        rendered: &Rendered,
        wish: Wish<'_>,
    ) -> Result<Made, Fault> {
        if let Some(Some(made)) = self.known.borrow().get(plot.step) {
            return Ok(made.clone());
        }
        let made = exchange::prepared(worker, rendered, wish).await?;
        let mut known = self.known.borrow_mut();
        if known.len() <= plot.step {
            known.resize(plot.step + 1, None);
        }
        known[plot.step] = Some(made.clone());
        Ok(made)
    }
}
