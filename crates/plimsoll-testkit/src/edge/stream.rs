//! A connection's socket, of either family, and what is spoken on it: plain bytes or TLS.

use super::secure::Secure;
use crate::tally::Tally;
use mio::event::Source;
use mio::net::{TcpStream, UnixStream};
use mio::{Interest, Registry, Token};
use rustls::ServerConfig;
use socket2::SockRef;
use std::io::{self, IoSlice, Read, Write};
use std::net::Shutdown;
use std::sync::Arc;
use std::time::Duration;

/// A TCP or a unix stream.
#[derive(Debug)]
pub(super) enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

/// What a connection is read from and written to.
#[derive(Debug)]
pub(super) enum Stream {
    Plain(Socket),
    // Boxed, so that plain connections stay as small as they are.
    Secure(Box<Secure>),
}

impl Stream {
    /// Encrypts from here on.
    pub(super) fn secured(socket: Socket, config: &Arc<ServerConfig>, tally: &Arc<Tally>) -> io::Result<Self> {
        Secure::new(socket, config, tally).map(|secure| Self::Secure(Box::new(secure)))
    }

    pub(super) fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.read(into),
            Self::Secure(secure) => secure.read(into),
        }
    }

    /// Whether a read of `count` bytes into `room` leaves something to be read. A short read has emptied a socket
    /// (epoll(7)), but not what is decrypted.
    pub(super) fn may_have_more(&self, count: usize, room: usize) -> bool {
        count == room || matches!(self, Self::Secure(_))
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.write(bytes),
            Self::Secure(secure) => secure.write(bytes),
        }
    }

    /// Sends what was written and is held back; says whether that was all.
    pub(super) fn flush(&mut self) -> io::Result<bool> {
        match self {
            Self::Plain(_) => Ok(true),
            Self::Secure(secure) => secure.flush(),
        }
    }

    /// Announces the end where that is done by bytes; they still have to be flushed.
    pub(super) fn say_goodbye(&mut self) {
        if let Self::Secure(secure) = self {
            secure.say_goodbye();
        }
    }

    /// Registered once for all: edge-triggered readiness makes changes of interest needless.
    pub(super) fn register(&mut self, registry: &Registry, token: Token) -> io::Result<()> {
        let interest = Interest::READABLE | Interest::WRITABLE;
        match self.socket_mut() {
            Socket::Tcp(stream) => stream.register(registry, token, interest),
            Socket::Unix(stream) => stream.register(registry, token, interest),
        }
    }

    /// Says that nothing more will be sent. The client may have gone already: that is no error here.
    pub(super) fn shut_down_sending(&self) {
        let _ = match self.socket() {
            Socket::Tcp(stream) => stream.shutdown(Shutdown::Write),
            Socket::Unix(stream) => stream.shutdown(Shutdown::Write),
        };
    }

    /// Makes the coming close a reset; unix sockets know none, and just close.
    pub(super) fn reset_on_close(&self) {
        if let Socket::Tcp(stream) = self.socket() {
            let _ = SockRef::from(stream).set_linger(Some(Duration::ZERO));
        }
    }

    fn socket(&self) -> &Socket {
        match self {
            Self::Plain(socket) => socket,
            Self::Secure(secure) => &secure.socket,
        }
    }

    fn socket_mut(&mut self) -> &mut Socket {
        match self {
            Self::Plain(socket) => socket,
            Self::Secure(secure) => &mut secure.socket,
        }
    }
}

impl Read for Socket {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(into),
            Self::Unix(stream) => stream.read(into),
        }
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            Self::Unix(stream) => stream.write(bytes),
        }
    }

    // TLS writes its records together.
    fn write_vectored(&mut self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write_vectored(parts),
            Self::Unix(stream) => stream.write_vectored(parts),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
