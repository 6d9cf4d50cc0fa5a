//! The connections of one thread, as seats that lanes take and give back.
//!
//! Seats are given out in turn, so that load spreads over the connections there are. A connection brings its
//! seats when the server has said how many streams it allows; until then only the lane that made it uses it.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use tokio::sync::Notify;

use super::link::Link;
use crate::stream::Stream;
use crate::worker::Worker;

/// The connections of one thread.
pub(crate) struct Pool {
    /// Requests at once on one connection.
    streams_max: u32,
    links_max: u32,
    /// Each connection is used once.
    fresh: bool,
    links: Cell<u32>,
    /// Connections on the way, or whose server has not said yet how many streams it allows.
    coming: Cell<u32>,
    waiting: Cell<u32>,
    seats: RefCell<VecDeque<Rc<Link>>>,
    change: Notify,
}

/// A connection on the way; whoever gives up on it makes room for another.
pub(super) struct Dialling {
    /// None once the connection stands.
    pool: Option<Rc<Pool>>,
}

impl Pool {
    pub(crate) fn new(streams_max: u32, links_max: Option<u32>, fresh: bool) -> Rc<Self> {
        Rc::new(Self {
            streams_max: if fresh { 1 } else { streams_max },
            links_max: if fresh { u32::MAX } else { links_max.unwrap_or(u32::MAX) },
            fresh,
            links: Cell::new(0),
            coming: Cell::new(0),
            waiting: Cell::new(0),
            seats: RefCell::default(),
            change: Notify::new(),
        })
    }

    /// For one exchange with one place.
    pub(crate) fn of_one() -> Rc<Self> {
        Self::new(1, None, true)
    }

    /// Whether a stream is alone on its connection.
    pub(super) fn is_single(&self) -> bool {
        self.streams_max == 1
    }

    /// A seat on a connection that can be used now.
    pub(super) fn take(&self) -> Option<Rc<Link>> {
        let mut seats = self.seats.borrow_mut();
        for _ in 0..seats.len() {
            let link = seats.pop_front()?;
            if link.has_room() {
                return Some(link);
            }
            // The server allows fewer streams for now; seats of a connection that has ended are gone.
            if link.is_open() {
                seats.push_back(link);
            }
        }
        None
    }

    pub(super) fn give_back(&self, link: Rc<Link>) {
        if self.fresh {
            link.end();
        } else if link.is_open() {
            self.seats.borrow_mut().push_back(link);
            self.tell();
        }
    }

    /// Whether those who wait need another connection, and may have one.
    pub(super) fn wants_another(&self) -> bool {
        let awaited = u64::from(self.coming.get()) * u64::from(self.streams_max - 1);
        self.links.get() < self.links_max && u64::from(self.waiting.get()) >= awaited
    }

    pub(super) fn begin(self: &Rc<Self>) -> Dialling {
        self.links.set(self.links.get() + 1);
        self.coming.set(self.coming.get() + 1);
        Dialling { pool: Some(Rc::clone(self)) }
    }

    /// Ends when there may be a seat, or room for another connection.
    pub(super) async fn changed(&self) {
        struct Waiting<'a>(&'a Cell<u32>);
        impl Drop for Waiting<'_> {
            fn drop(&mut self) {
                self.0.set(self.0.get() - 1);
            }
        }
        self.waiting.set(self.waiting.get() + 1);
        let _waiting = Waiting(&self.waiting);
        self.change.notified().await;
    }

    /// A connection's server allows so many streams: it brings its seats, but the one that is taken.
    pub(super) fn settled(&self, link: &Rc<Link>, streams_allowed: u32) {
        self.coming.set(self.coming.get() - 1);
        if self.fresh {
            return;
        }
        for _ in 1..self.streams_max.min(streams_allowed) {
            self.seats.borrow_mut().push_back(Rc::clone(link));
        }
        self.change.notify_waiters();
    }

    /// A connection has ended.
    pub(super) fn ended(&self, was_settled: bool) {
        self.links.set(self.links.get() - 1);
        if !was_settled {
            self.coming.set(self.coming.get() - 1);
        }
        // So that the socket is closed now, and not when its seats would come up.
        self.seats.borrow_mut().retain(|link| link.is_open());
        self.change.notify_waiters();
    }

    fn tell(&self) {
        if self.waiting.get() > 0 {
            self.change.notify_one();
        }
    }
}

impl Dialling {
    /// The connection stands.
    pub(super) fn linked(mut self, stream: Stream, worker: &Rc<Worker>) -> Option<Rc<Link>> {
        self.pool.take().map(|pool| Link::start(stream, worker, pool))
    }
}

impl Drop for Dialling {
    fn drop(&mut self) {
        if let Some(pool) = &self.pool {
            pool.ended(false);
        }
    }
}
