//! One thread: its listener, its connections, its timers, and the loop that gives each its turn.

use super::alarm::Alarm;
use super::connection::{Bench, Connection, Fate};
use super::connections::{Connections, Key};
use super::listener::Listener;
use super::stream::{Socket, Stream};
use super::timers::Timers;
use crate::args::OnAccept;
use crate::bad;
use crate::routes::Desk;
use crate::script::{End, Script};
use crate::session::Session;
use mio::event::Event;
use mio::{Events, Poll, Token};
use rustls::ServerConfig;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A serving thread.
pub(super) struct Worker {
    poll: Poll,
    alarm: Alarm,
    listener: Listener,
    connections: Connections,
    timers: Timers<Wake>,
    // Whose turn was cut short.
    again: Vec<Key>,
    bench: Bench,
    welcome: Welcome,
}

/// What is done with a connection that was just accepted.
#[derive(Debug, Clone)]
pub(super) struct Welcome {
    /// This comes first.
    pub(super) on_accept: Option<OnAccept>,
    /// And this is spoken; plain bytes where it is `None`.
    pub(super) tls: Option<Arc<ServerConfig>>,
}

/// Who is to be woken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Wake {
    Connection(Key),
    Listener,
}

const LISTENER: Token = Token(0);
const ALARM: Token = Token(1);
const FIRST_CONNECTION: usize = 2;
const INBOX: usize = 64 << 10;
// When descriptors run out, connections wait in the backlog until it is tried again.
const ACCEPT_AGAIN: Duration = Duration::from_millis(20);

impl Worker {
    pub(super) fn new(desk: Desk, mut listener: Listener, welcome: Welcome, started: Instant) -> io::Result<Self> {
        let poll = Poll::new()?;
        listener.register(poll.registry(), LISTENER)?;
        Ok(Self {
            alarm: Alarm::new(poll.registry(), ALARM)?,
            poll,
            listener,
            connections: Connections::default(),
            timers: Timers::new(),
            again: Vec::new(),
            bench: Bench {
                inbox: vec![0; INBOX].into_boxed_slice(),
                outbox: Vec::with_capacity(crate::script::FULL + 1024),
                desk,
                started,
            },
            welcome,
        })
    }

    /// Serves for as long as the process lives.
    pub(super) fn run(mut self) -> io::Result<()> {
        let mut events = Events::with_capacity(1024);
        loop {
            let started = self.bench.started;
            let mut timeout = self.alarm.arm(self.timers.next_due(), || started.elapsed())?;
            if !self.again.is_empty() {
                timeout = Some(Duration::ZERO);
            }
            match self.poll.poll(&mut events, timeout) {
                Err(error) if error.kind() != ErrorKind::Interrupted => return Err(error),
                _ => {}
            }
            for event in &events {
                self.handle(event);
            }
            self.wake_due();
            for key in std::mem::take(&mut self.again) {
                self.turn(key);
            }
        }
    }

    fn handle(&mut self, event: &Event) {
        match event.token() {
            LISTENER => self.accept(),
            ALARM => self.alarm.rang(),
            Token(token) => {
                let number = (token - FIRST_CONNECTION) as u32;
                let Some((key, connection)) = self.connections.at(number) else {
                    return;
                };
                if event.is_readable() || event.is_read_closed() {
                    connection.can_read(event.is_read_closed());
                }
                if event.is_read_closed() && event.is_write_closed() {
                    // Reset, or closed on both sides: nobody is there to be answered.
                    return self.close(key, false);
                }
                self.turn(key);
            }
        }
    }

    fn wake_due(&mut self) {
        // Nothing to wake costs no look at the clock.
        if self.timers.next_due().is_none() {
            return;
        }
        let now = self.bench.now();
        while let Some(wake) = self.timers.pop_due(now) {
            match wake {
                Wake::Connection(key) => self.turn(key),
                Wake::Listener => self.accept(),
            }
        }
    }

    fn turn(&mut self, key: Key) {
        let Some(connection) = self.connections.get(key) else {
            return;
        };
        match connection.turn(&mut self.bench) {
            Fate::Stay => {}
            Fate::Wake(due) => self.timers.wake(due, Wake::Connection(key)),
            Fate::Again => self.again.push(key),
            Fate::Linger(until) => {
                self.timers.wake(until, Wake::Connection(key));
                self.again.push(key);
            }
            Fate::Close => self.close(key, false),
            Fate::Reset => self.close(key, true),
        }
    }

    fn close(&mut self, key: Key, reset: bool) {
        if let Some(connection) = self.connections.remove(key) {
            if reset {
                connection.stream.reset_on_close();
            }
            self.bench.desk.tally.closed();
        }
    }

    fn accept(&mut self) {
        loop {
            match self.listener.accept() {
                Ok(socket) => self.welcome(socket),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => return,
                    ErrorKind::Interrupted | ErrorKind::ConnectionAborted => {}
                    _ => {
                        let due = self.bench.now() + ACCEPT_AGAIN;
                        return self.timers.wake(due, Wake::Listener);
                    }
                },
            }
        }
    }

    fn welcome(&mut self, socket: Socket) {
        self.bench.desk.tally.accepted();
        let Ok(stream) = self.dressed(socket) else {
            // Out of memory or of randomness: this client is told by a close.
            return self.bench.desk.tally.closed();
        };
        let session = match self.greeting() {
            None => Session::new(),
            Some(script) => Session::greeted(script, self.bench.now()),
        };
        let key = self.connections.insert(Connection::new(stream, session));
        let token = Token(FIRST_CONNECTION + key.number as usize);
        let registry = self.poll.registry();
        let registered = self.connections.get(key).map(|connection| connection.stream.register(registry, token));
        match registered {
            Some(Ok(())) if self.welcome.on_accept.is_some() => self.turn(key),
            Some(Ok(())) => {}
            // Out of kernel memory: this client is told by a close.
            _ => self.close(key, false),
        }
    }

    fn dressed(&self, socket: Socket) -> io::Result<Stream> {
        match &self.welcome.tls {
            Some(config) if !self.welcome.on_accept.is_some_and(OnAccept::is_bare) => {
                Stream::secured(socket, config, &self.bench.desk.tally)
            }
            _ => Ok(Stream::Plain(socket)),
        }
    }

    fn greeting(&self) -> Option<Script> {
        let name = match self.welcome.on_accept? {
            OnAccept::Reset => "reset",
            OnAccept::Close => "close",
            OnAccept::Silence => "silence",
            OnAccept::TlsStall => return Some(Script::bytes(0, HALF_SERVER_HELLO, End::Silence)),
            OnAccept::TlsGarbage => return Some(Script::bytes(0, GARBAGE, End::Silence)),
            OnAccept::Unsolicited => return Some(Script::bytes(0, UNSOLICITED.as_bytes(), End::Keep)),
        };
        bad::find(name).map(|entry| (entry.build)())
    }
}

// A record of 122 bytes that holds a ServerHello of 118, and then only its version and eleven bytes of its random.
const HALF_SERVER_HELLO: &[u8] = b"\x16\x03\x03\x00\x7a\x02\x00\x00\x76\x03\x03half of it!";
// A record of the handshake, as far as its header goes.
const GARBAGE: &[u8] = b"\x16\x03\x03\x00\x21this is no message of a handshake";
const UNSOLICITED: &str = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nunsolicited\n";
