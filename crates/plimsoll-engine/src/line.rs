//! What requests to one place travel on: a connection of one's own, or streams of shared ones.

use std::rc::Rc;

use plimsoll_model::Outcome;

use crate::compile::Ask;
use crate::dial::Dialler;
use crate::fault::Fault;
use crate::hand::Hand;
use crate::one::One;
use crate::two::{Pool, Two};

/// What requests to one place travel on.
pub(crate) enum Line {
    One(One),
    Two(Two),
}

impl Line {
    /// On the connections of a pool, else on one's own.
    pub(crate) fn on(pool: Option<&Rc<Pool>>) -> Self {
        match pool {
            None => Self::One(One::default()),
            Some(pool) => Self::Two(Two::new(Rc::clone(pool))),
        }
    }

    /// For one exchange with one place.
    pub(crate) fn for_once(request: &Ask) -> Self {
        match request {
            Ask::One(_) => Self::One(One::default()),
            Ask::Two(_) => Self::Two(Two::new(Pool::of_one())),
        }
    }

    /// One request and its answer.
    pub(crate) async fn attempt(&mut self, hand: &mut Hand, request: &Ask, dialler: &Dialler) -> Result<(), Fault> {
        match (self, request) {
            (Self::One(one), Ask::One(request)) => one.attempt(hand, request, dialler).await,
            (Self::Two(two), Ask::Two(request)) => two.attempt(hand, request, dialler).await,
            _ => Err(Fault::new(Outcome::Protocol, "the request is of another HTTP version".to_owned())),
        }
    }
}
