//! The open streams of a connection: which of them may send now, which wait for their time, and which for a window.
//! Entries of streams that are gone are not searched for; they are passed over when they come up.

use super::request::Request;
use super::script::Player;
use crate::script;
use plimsoll_http::h2::frame::StreamId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::time::Duration;

/// One exchange.
#[derive(Debug)]
pub(crate) struct Stream {
    /// What the client takes; below zero when it has changed its mind.
    pub(crate) window: i64,
    /// What came since the client was last given room.
    pub(crate) taken: u32,
    /// The client has not ended its side yet.
    pub(crate) is_open: bool,
    /// What is going on.
    pub(crate) phase: Phase,
    // Waits for the client to take more of it.
    is_stuck: bool,
}

/// What is going on on a stream.
#[derive(Debug)]
pub(crate) enum Phase {
    /// Its request is arriving.
    Request(Request),
    /// It is answered; `rude` closes the connection after it.
    Answer { player: Player, rude: bool },
    /// It is answered by something that befalls the connection.
    Misdeed(script::Script),
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    open: BTreeMap<StreamId, Stream>,
    due: BinaryHeap<Reverse<(Duration, StreamId)>>,
    ready: VecDeque<StreamId>,
    starved: Vec<StreamId>,
}

impl Stream {
    /// A stream that was just opened.
    pub(crate) fn new(window: i64, is_open: bool, phase: Phase) -> Self {
        Self { window, taken: 0, is_open, phase, is_stuck: false }
    }
}

impl Streams {
    /// How many are open.
    pub(crate) fn count(&self) -> usize {
        self.open.len()
    }

    /// The stream, while it is open.
    pub(crate) fn get(&mut self, id: StreamId) -> Option<&mut Stream> {
        self.open.get_mut(&id)
    }

    /// Opens it.
    pub(crate) fn insert(&mut self, id: StreamId, stream: Stream) {
        self.open.insert(id, stream);
    }

    /// Closes it.
    pub(crate) fn remove(&mut self, id: StreamId) -> Option<Stream> {
        self.open.remove(&id)
    }

    /// It sends from `due` on.
    pub(crate) fn send_at(&mut self, id: StreamId, due: Duration, now: Duration) {
        if due <= now {
            return self.ready.push_back(id);
        }
        // A client that opens and resets must not fill the memory with what will never be sent.
        if self.due.len() > 2 * self.open.len() + 64 {
            let open = &self.open;
            self.due.retain(|Reverse((_, id))| open.contains_key(id));
        }
        self.due.push(Reverse((due, id)));
    }

    /// Those whose time has come are ready.
    pub(crate) fn wake(&mut self, now: Duration) {
        while let Some(Reverse((due, id))) = self.due.peek().copied()
            && due <= now
        {
            self.due.pop();
            self.ready.push_back(id);
        }
    }

    /// When the next one wants to be woken.
    pub(crate) fn next_due(&self) -> Option<Duration> {
        self.due.peek().map(|Reverse((due, _))| *due)
    }

    /// The next one that is ready, taken out of the row.
    pub(crate) fn next_ready(&mut self) -> Option<(StreamId, &mut Stream)> {
        while let Some(id) = self.ready.pop_front() {
            if self.open.contains_key(&id) {
                return self.open.get_mut(&id).map(|stream| (id, stream));
            }
        }
        None
    }

    /// Back into the row, at its end.
    pub(crate) fn queue(&mut self, id: StreamId) {
        self.ready.push_back(id);
    }

    /// Back into the row, as the next.
    pub(crate) fn queue_first(&mut self, id: StreamId) {
        self.ready.push_front(id);
    }

    /// It waits for the window of the connection.
    pub(crate) fn starve(&mut self, id: StreamId) {
        if self.starved.len() > 2 * self.open.len() + 64 {
            let open = &self.open;
            self.starved.retain(|id| open.contains_key(id));
        }
        self.starved.push(id);
    }

    /// The window of the connection has opened.
    pub(crate) fn feed(&mut self) {
        self.ready.extend(self.starved.drain(..));
    }

    /// It waits for its own window.
    pub(crate) fn stick(&mut self, id: StreamId) {
        if let Some(stream) = self.open.get_mut(&id) {
            stream.is_stuck = true;
        }
    }

    /// Its own window has opened by so much, and is within its bounds.
    pub(crate) fn widen(&mut self, id: StreamId, by: i64) -> bool {
        let Some(stream) = self.open.get_mut(&id) else {
            return true;
        };
        stream.window += by;
        if stream.window > 0 && std::mem::take(&mut stream.is_stuck) {
            self.ready.push_back(id);
        }
        stream.window <= i64::from(i32::MAX)
    }

    /// The windows of all have changed by so much, and are within their bounds.
    pub(crate) fn widen_all(&mut self, by: i64) -> bool {
        let ids: Vec<StreamId> = self.open.keys().copied().collect();
        let beyond = ids.into_iter().filter(|&id| !self.widen(id, by)).count();
        beyond == 0
    }
}
