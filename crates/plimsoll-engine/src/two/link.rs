//! One connection and the task that drives it.
//!
//! Lanes put their requests into the link's outgoing bytes. The task writes them, many at once where many lanes
//! were answered at once, and hands what comes to their slots. Where a stream is alone on its connection there is
//! nothing to gather, and the lane writes by itself.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use plimsoll_http::Head;
use plimsoll_http::h2::{Client, Events, Request, StreamFailure, StreamId};
use plimsoll_model::Outcome;

use super::pool::Pool;
use super::slot::Slot;
use crate::clock::Moment;
use crate::fault::{Broken, Fault, plain};
use crate::look::Look;
use crate::sentry::Sentry;
use crate::stream::Stream;
use crate::tls;
use crate::worker::Worker;

/// A connection that lanes share.
pub(super) struct Link {
    wire: RefCell<Wire>,
    /// The driver's.
    waker: RefCell<Option<Waker>>,
    open: Cell<bool>,
    settled: Cell<bool>,
    pool: Rc<Pool>,
}

struct Wire {
    stream: Stream,
    client: Client,
    /// To be sent.
    out: Vec<u8>,
    slots: Slots,
}

/// Who waits for which stream.
#[derive(Default)]
struct Slots {
    waiting: Vec<(StreamId, Rc<Slot>)>,
}

impl Link {
    /// Starts the driver of a connection that stands.
    pub(super) fn start(stream: Stream, worker: &Rc<Worker>, pool: Rc<Pool>) -> Rc<Self> {
        let mut out = Vec::new();
        let client = Client::new(&mut out);
        let wire = Wire { stream, client, out, slots: Slots::default() };
        let link = Rc::new(Self {
            wire: RefCell::new(wire),
            waker: RefCell::default(),
            open: Cell::new(true),
            settled: Cell::new(false),
            pool,
        });
        let (driven, worker, sentry) = (Rc::clone(&link), Rc::clone(worker), Sentry::over(worker));
        tokio::task::spawn_local(async move {
            let _sentry = sentry;
            poll_fn(|cx| driven.poll_drive(cx, &worker)).await;
            driven.over();
        });
        link
    }

    /// Whether streams will ever be opened here again.
    pub(super) fn is_open(&self) -> bool {
        self.open.get()
    }

    /// Whether a stream may be opened now.
    pub(super) fn has_room(&self) -> bool {
        self.is_open() && self.wire.borrow().client.has_room()
    }

    /// Tells whoever asks who is at the other end.
    pub(super) fn meet(&self, look: &mut Look) {
        look.meet(&self.wire.borrow().stream);
    }

    /// Opens a stream whose answer goes to the slot; none where that is not possible any more.
    pub(super) fn open(&self, request: &Arc<Request>, slot: &Rc<Slot>) -> Option<StreamId> {
        if !self.is_open() {
            return None;
        }
        let wire = &mut *self.wire.borrow_mut();
        let id = wire.client.open(request, &mut wire.out)?;
        wire.slots.waiting.push((id, Rc::clone(slot)));
        self.attend(wire);
        Some(id)
    }

    /// Nobody waits for the stream any more.
    pub(super) fn cancel(&self, id: StreamId) {
        let wire = &mut *self.wire.borrow_mut();
        wire.slots.take(id);
        wire.client.cancel(id, &mut wire.out);
        self.wake();
    }

    /// The connection has served its purpose.
    pub(super) fn end(&self) {
        self.open.set(false);
        self.wake();
    }

    /// Sees to it that what is to be sent is sent.
    fn attend(&self, wire: &mut Wire) {
        if self.pool.is_single() && self.settled.get() {
            // Whatever the socket does not take wakes the driver when it does.
            let mut waker = self.waker.borrow_mut();
            let Some(driver) = &mut *waker else { return };
            if let Poll::Ready(Ok(())) = wire.poll_send(&mut Context::from_waker(driver)) {
                return;
            }
            driver.wake_by_ref();
        } else {
            self.wake();
        }
    }

    fn wake(&self) {
        if let Some(waker) = &*self.waker.borrow() {
            waker.wake_by_ref();
        }
    }

    /// Writes and reads until there is nothing to do; ready when the connection is over.
    fn poll_drive(self: &Rc<Self>, cx: &mut Context<'_>, worker: &Worker) -> Poll<()> {
        let mut waker = self.waker.borrow_mut();
        if !waker.as_ref().is_some_and(|known| known.will_wake(cx.waker())) {
            *waker = Some(cx.waker().clone());
        }
        drop(waker);
        let wire = &mut *self.wire.borrow_mut();
        loop {
            // An error shows in reading too, after what the server still had to say.
            let _ = wire.poll_send(cx);
            if !self.is_open() && wire.slots.waiting.is_empty() {
                wire.client.leave(&mut wire.out);
                let _ = wire.poll_send(cx);
                return Poll::Ready(());
            }
            match wire.poll_receive(cx, worker) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Ok(())) => self.settle(wire),
                Poll::Ready(Err(())) => {
                    self.open.set(false);
                    let _ = wire.poll_send(cx);
                    return Poll::Ready(());
                }
            }
        }
    }

    /// What the last bytes changed for the pool.
    fn settle(self: &Rc<Self>, wire: &Wire) {
        if !self.settled.get()
            && let Some(allowed) = wire.client.streams_allowed()
        {
            self.settled.set(true);
            self.pool.settled(self, allowed);
        }
        if wire.client.is_closing() {
            self.open.set(false);
        }
    }

    /// The driver has ended.
    fn over(&self) {
        self.open.set(false);
        self.pool.ended(self.settled.get());
    }
}

impl Wire {
    fn poll_send(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            let mut sent = 0;
            let blocked = loop {
                if sent == self.out.len() {
                    break None;
                }
                match self.stream.poll_write(cx, &self.out[sent..]) {
                    Poll::Ready(Ok(0)) => break Some(Poll::Ready(Err(io::ErrorKind::WriteZero.into()))),
                    Poll::Ready(Ok(count)) => sent += count,
                    Poll::Ready(Err(error)) => break Some(Poll::Ready(Err(error))),
                    Poll::Pending => break Some(Poll::Pending),
                }
            };
            self.out.drain(..sent);
            if let Some(blocked) = blocked {
                return blocked;
            }
            // Bodies that wait for windows come piece by piece.
            self.client.resume(&mut self.out);
            if self.out.is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
    }

    /// Reads once and tells the slots; an error when the connection is over, and then they all know.
    fn poll_receive(&mut self, cx: &mut Context<'_>, worker: &Worker) -> Poll<Result<(), ()>> {
        let mut buffer = worker.buffer();
        let came = match self.stream.poll_read(cx, &mut buffer) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(Ok(came)) if !came.bytes.is_empty() => came,
            Poll::Ready(Ok(_)) => return Poll::Ready(self.lost(worker, None)),
            Poll::Ready(Err(error)) => return Poll::Ready(self.lost(worker, Some(&error))),
        };
        let mut delivery = Delivery { slots: &mut self.slots, at: worker.now().saturating_sub(came.age) };
        Poll::Ready(match self.client.feed(came.bytes, &mut self.out, &mut delivery) {
            Ok(()) => Ok(()),
            Err(error) => {
                let fault = || Broken::Fault(Fault::new(Outcome::Protocol, error.to_string()));
                self.slots.fail_all(worker.now(), fault);
                Err(())
            }
        })
    }

    fn lost(&mut self, worker: &Worker, error: Option<&io::Error>) -> Result<(), ()> {
        let at = worker.now();
        if let Some(reason) = error.and_then(tls::of_io) {
            self.slots.fail_all(at, || Broken::Fault(Fault::new(Outcome::Tls, reason.clone())));
        }
        self.client.close(&mut Delivery { slots: &mut self.slots, at });
        let reason = error.map_or("closed without an answer".to_owned(), plain);
        self.slots.fail_all(at, || Broken::Unanswered(reason.clone()));
        Err(())
    }
}

impl Slots {
    fn get(&self, id: StreamId) -> Option<&Rc<Slot>> {
        self.waiting.iter().find(|(waiting, _)| *waiting == id).map(|(_, slot)| slot)
    }

    fn take(&mut self, id: StreamId) -> Option<Rc<Slot>> {
        let index = self.waiting.iter().position(|(waiting, _)| *waiting == id)?;
        Some(self.waiting.swap_remove(index).1)
    }

    fn fail_all(&mut self, at: Moment, broken: impl Fn() -> Broken) {
        for (_, slot) in self.waiting.drain(..) {
            slot.finish(at, Err(broken()));
        }
    }
}

/// Brings what came at one moment to the slots.
struct Delivery<'s> {
    slots: &'s mut Slots,
    at: Moment,
}

impl Events for Delivery<'_> {
    fn head(&mut self, id: StreamId, head: &Head<'_>) {
        if let Some(slot) = self.slots.get(id) {
            slot.head(self.at, head);
        }
    }

    fn body(&mut self, id: StreamId, bytes: &[u8]) {
        if let Some(slot) = self.slots.get(id) {
            slot.body(self.at, bytes);
        }
    }

    fn done(&mut self, id: StreamId) {
        if let Some(slot) = self.slots.take(id) {
            slot.finish(self.at, Ok(()));
        }
    }

    fn failed(&mut self, id: StreamId, failure: StreamFailure) {
        let Some(slot) = self.slots.take(id) else { return };
        let reason = failure.to_string();
        slot.finish(
            self.at,
            Err(match failure {
                StreamFailure::Refused => Broken::Refused(reason),
                StreamFailure::Closed { answered: false } => Broken::Unanswered(reason),
                StreamFailure::Violation(_) => Broken::Fault(Fault::new(Outcome::Protocol, reason)),
                StreamFailure::Reset { .. } | StreamFailure::Closed { .. } => {
                    Broken::Fault(Fault::new(Outcome::Reset, reason))
                }
            }),
        );
    }
}
