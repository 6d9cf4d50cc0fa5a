//! HTTP/2: many lanes share a connection, each with a stream of its own for one exchange.
//!
//! A [`Link`](link::Link) is a connection with a task that reads it and writes to it; a lane takes a seat on one
//! from the [`Pool`], opens a stream, and waits at its [`Slot`](slot::Slot) until the link has told it everything.

mod link;
mod pool;
mod slot;

use std::future::poll_fn;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;

use plimsoll_http::h2::Request;

use self::link::Link;
use self::slot::Slot;
use crate::dial::Dialler;
use crate::fault::{Broken, Fault};
use crate::hand::Hand;

pub(crate) use self::pool::Pool;

/// A lane's side of HTTP/2.
pub(crate) struct Two {
    pool: Rc<Pool>,
    slot: Rc<Slot>,
}

/// A place on a connection.
struct Seat {
    link: Rc<Link>,
    /// The connection was there before, and may have gone while nobody looked.
    used: bool,
}

impl Two {
    pub(crate) fn new(pool: Rc<Pool>) -> Self {
        Self { pool, slot: Rc::default() }
    }

    /// One request to one place; once more where the first connection turns out to be closed, or the server says
    /// that it did nothing.
    pub(crate) async fn attempt(
        &mut self,
        hand: &mut Hand,
        request: &Arc<Request>,
        dialler: &Dialler,
    ) -> Result<(), Fault> {
        let seat = self.seat(hand, dialler).await?;
        let used = seat.used;
        match self.talk(hand, request, seat).await {
            Ok(()) => return Ok(()),
            Err(Broken::Unanswered(_)) if used && request.is_idempotent() => {}
            Err(Broken::Refused(_)) => {}
            Err(broken) => return Err(broken.into_fault()),
        }
        hand.reconnects();
        let seat = self.seat(hand, dialler).await?;
        self.talk(hand, request, seat).await.map_err(Broken::into_fault)
    }

    /// A free seat: one that there is, one of a connection that is being made, or one of a new connection.
    async fn seat(&self, hand: &mut Hand, dialler: &Dialler) -> Result<Seat, Fault> {
        loop {
            if let Some(link) = self.pool.take() {
                return Ok(Seat { link, used: true });
            }
            if self.pool.wants_another() {
                let dialling = self.pool.begin();
                let stream = hand.connect(dialler).await?;
                if let Some(link) = dialling.linked(stream, &hand.worker) {
                    return Ok(Seat { link, used: false });
                }
            }
            if hand.watched(self.pool.changed()).await.is_none() {
                return Err(Fault::timeout("no room on a connection within the time-out"));
            }
        }
    }

    /// Opens a stream and awaits its end.
    async fn talk(&self, hand: &mut Hand, request: &Arc<Request>, seat: Seat) -> Result<(), Broken> {
        hand.begin();
        if let Some(look) = &mut hand.look {
            seat.link.meet(look);
        }
        self.slot.begin(hand.look.take());
        let result = match seat.link.open(request, &self.slot) {
            None => Err(Broken::Refused("the connection takes no more requests".to_owned())),
            Some(id) => {
                hand.sent_whole();
                let result = self.answer(hand).await;
                if result.is_none() {
                    seat.link.cancel(id);
                }
                result.unwrap_or_else(|| Err(Broken::Fault(hand.missing())))
            }
        };
        hand.look = self.slot.end(&mut hand.answer);
        self.pool.give_back(seat.link);
        result?;
        hand.spans.answered(hand.asked, hand.answer.first, hand.answer.last);
        Ok(())
    }

    /// How the stream ended; none if time is up before.
    async fn answer(&self, hand: &mut Hand) -> Option<Result<(), Broken>> {
        poll_fn(|cx| {
            hand.watch(cx);
            if let Some(result) = self.slot.poll_end(cx) {
                return Poll::Ready(Some(result));
            }
            if hand.expired() && !self.slot.has_begun_in_time(hand) {
                return Poll::Ready(None);
            }
            Poll::Pending
        })
        .await
    }
}
