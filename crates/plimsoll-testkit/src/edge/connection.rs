//! One connection at the edge: a socket, a session, and the few bytes that are between them. Buffers belong to the
//! thread; a connection holds bytes of its own only while a request or a write is unfinished.

use super::stream::Stream;
use crate::routes::Desk;
use crate::session::{Next, Session};
use std::io::{self, ErrorKind};
use std::time::{Duration, Instant};

/// A connection and what is unfinished on it.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) stream: Stream,
    session: Session,
    // The beginning of a request, or requests that wait behind an answer.
    kept: Vec<u8>,
    // What the socket did not take.
    unsent: Vec<u8>,
    // The socket may have something to read. Edges are reported once, so this must be remembered.
    readable: bool,
    // The client has closed its side: read on until the end is found, even after a short read.
    ending: bool,
    // To be closed so when everything is sent.
    close: Option<Closing>,
    // Closed on this side; on the other too when `wake_at` is over.
    lingers: bool,
    // The wake-up that was asked for last: a client that talks on while it waits must not fill the timers.
    wake_at: Option<Duration>,
}

/// How a connection is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Closing {
    // As usual.
    Polite,
    // Waiting for the client to close as well.
    Lingering,
    // Without the farewell that TLS wants.
    Cut,
}

/// What the thread lends to the connection whose turn it is.
#[derive(Debug)]
pub(super) struct Bench {
    pub(super) inbox: Box<[u8]>,
    pub(super) outbox: Vec<u8>,
    pub(super) desk: Desk,
    pub(super) started: Instant,
}

/// What the thread has to do about a connection after its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Wait for its socket.
    Stay,
    /// Wake it at this time.
    Wake(Duration),
    /// Give it another turn after the others had theirs.
    Again,
    /// Give it another turn, and wake it at this time, when it has lingered long enough.
    Linger(Duration),
    /// Close it.
    Close,
    /// Reset it.
    Reset,
}

// So that an endless body does not keep the other connections waiting.
const TURN_MAX: usize = 16;
// How long a closed connection waits for its client to close as well.
const LINGER: Duration = Duration::from_secs(2);

impl Bench {
    pub(super) fn now(&self) -> Duration {
        self.started.elapsed()
    }
}

impl Connection {
    pub(super) fn new(stream: Stream, session: Session) -> Self {
        Self {
            stream,
            session,
            kept: Vec::new(),
            unsent: Vec::new(),
            readable: false,
            ending: false,
            close: None,
            lingers: false,
            wake_at: None,
        }
    }

    /// The socket has something to read, perhaps its end.
    pub(super) fn can_read(&mut self, ending: bool) {
        self.readable = true;
        self.ending |= ending;
    }

    /// Does what can be done now.
    pub(super) fn turn(&mut self, bench: &mut Bench) -> Fate {
        match self.try_turn(bench) {
            Ok(fate) => fate,
            // The client has reset the connection, or is gone.
            Err(_) => Fate::Close,
        }
    }

    fn try_turn(&mut self, bench: &mut Bench) -> io::Result<Fate> {
        if !self.send_rest()? {
            return Ok(Fate::Stay);
        }
        if self.lingers && self.wake_at.is_some_and(|until| bench.now() >= until) {
            return Ok(Fate::Close);
        }
        if let Some(closing) = self.close.take() {
            return self.close(closing, bench);
        }
        let mut fresh = 0;
        for _ in 0..TURN_MAX {
            let next = match fresh == 0 && self.kept.is_empty() && self.session.is_idle() {
                true => Next::Read,
                false => self.advance(fresh, bench),
            };
            fresh = 0;
            let sent = self.send(&mut bench.outbox)?;
            match next {
                Next::Reset => return Ok(Fate::Reset),
                Next::Close { linger: true } => return self.close(Closing::Lingering, bench),
                Next::Close { linger: false } => return self.close(Closing::Polite, bench),
                Next::Cut => return self.close(Closing::Cut, bench),
                Next::Wait(due) => return Ok(self.wake(due)),
                Next::Read if sent => match self.read(&mut bench.inbox)? {
                    Some(0) => return Ok(self.close_in_turn()),
                    Some(count) => fresh = count,
                    None => return Ok(Fate::Stay),
                },
                Next::ReadUntil(due) if sent => match self.read(&mut bench.inbox)? {
                    Some(0) => return Ok(self.close_in_turn()),
                    Some(count) => fresh = count,
                    None => return Ok(self.wake(due)),
                },
                Next::Flush | Next::Read | Next::ReadUntil(_) => {}
            }
            if !sent {
                return Ok(Fate::Stay);
            }
        }
        if fresh > 0 {
            self.kept.extend_from_slice(&bench.inbox[..fresh]);
        }
        Ok(Fate::Again)
    }

    /// Lets the session go on with what was kept and the first `fresh` bytes of the inbox.
    fn advance(&mut self, fresh: usize, bench: &mut Bench) -> Next {
        let now = bench.now();
        let fresh = &bench.inbox[..fresh];
        if self.kept.is_empty() {
            let mut input = fresh;
            let next = self.session.advance(now, &mut input, &mut bench.outbox, &mut bench.desk);
            if !input.is_empty() {
                self.kept = input.to_vec();
            }
            return next;
        }
        self.kept.extend_from_slice(fresh);
        let mut input = self.kept.as_slice();
        let next = self.session.advance(now, &mut input, &mut bench.outbox, &mut bench.desk);
        if input.is_empty() {
            // Freed, not cleared: tens of thousands of idle connections must stay small.
            self.kept = Vec::new();
        } else {
            let used = self.kept.len() - input.len();
            self.kept.drain(..used);
        }
        next
    }

    /// Writes the outbox; keeps what the socket does not take, and says whether it took all.
    fn send(&mut self, outbox: &mut Vec<u8>) -> io::Result<bool> {
        let mut rest = outbox.as_slice();
        while !rest.is_empty() {
            match self.stream.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    outbox.clear();
                    return Err(error);
                }
            }
        }
        if !rest.is_empty() {
            self.unsent = rest.to_vec();
        }
        outbox.clear();
        Ok(self.unsent.is_empty() && self.stream.flush()?)
    }

    fn send_rest(&mut self) -> io::Result<bool> {
        if !self.stream.flush()? {
            return Ok(false);
        }
        if self.unsent.is_empty() {
            return Ok(true);
        }
        let mut rest = std::mem::take(&mut self.unsent);
        self.send(&mut rest)
    }

    /// Reads once; `None` where there is nothing to read now, 0 at the end.
    fn read(&mut self, inbox: &mut [u8]) -> io::Result<Option<usize>> {
        if !self.readable {
            return Ok(None);
        }
        loop {
            match self.stream.read(inbox) {
                Ok(count) => {
                    // Behind a short read there may still be the end.
                    self.readable = self.stream.may_have_more(count, inbox.len()) || self.ending;
                    return Ok(Some(count));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.readable = false;
                    return Ok(None);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn wake(&mut self, due: Duration) -> Fate {
        match self.wake_at.replace(due) {
            Some(asked) if asked == due => Fate::Stay,
            _ => Fate::Wake(due),
        }
    }

    /// The client has closed.
    fn close_in_turn(&mut self) -> Fate {
        self.stream.say_goodbye();
        // It may be gone altogether: then nobody misses the farewell.
        let _ = self.stream.flush();
        Fate::Close
    }

    /// Closes once everything is sent.
    fn close(&mut self, closing: Closing, bench: &Bench) -> io::Result<Fate> {
        if self.unsent.is_empty() && closing != Closing::Cut {
            self.stream.say_goodbye();
        }
        if !self.unsent.is_empty() || !self.stream.flush()? {
            self.close = Some(closing);
            return Ok(Fate::Stay);
        }
        if closing != Closing::Lingering && !self.readable {
            return Ok(Fate::Close);
        }
        // Closing with unread input would reset the connection, and the client might lose the answer.
        self.stream.shut_down_sending();
        let until = bench.now() + LINGER;
        self.lingers = true;
        self.wake_at = Some(until);
        Ok(Fate::Linger(until))
    }
}
