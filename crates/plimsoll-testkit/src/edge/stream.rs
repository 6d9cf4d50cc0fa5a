//! A connection's socket, of either family.

use mio::event::Source;
use mio::net::{TcpStream, UnixStream};
use mio::{Interest, Registry, Token};
use socket2::SockRef;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::time::Duration;

/// A TCP or a unix stream.
#[derive(Debug)]
pub(super) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Stream {
    pub(super) fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(into),
            Self::Unix(stream) => stream.read(into),
        }
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            Self::Unix(stream) => stream.write(bytes),
        }
    }

    /// Registered once for all: edge-triggered readiness makes changes of interest needless.
    pub(super) fn register(&mut self, registry: &Registry, token: Token) -> io::Result<()> {
        let interest = Interest::READABLE | Interest::WRITABLE;
        match self {
            Self::Tcp(stream) => stream.register(registry, token, interest),
            Self::Unix(stream) => stream.register(registry, token, interest),
        }
    }

    /// Says that nothing more will be sent. The client may have gone already: that is no error here.
    pub(super) fn shut_down_sending(&self) {
        let _ = match self {
            Self::Tcp(stream) => stream.shutdown(Shutdown::Write),
            Self::Unix(stream) => stream.shutdown(Shutdown::Write),
        };
    }

    /// Makes the coming close a reset; unix sockets know none, and just close.
    pub(super) fn reset_on_close(&self) {
        if let Self::Tcp(stream) = self {
            let _ = SockRef::from(stream).set_linger(Some(Duration::ZERO));
        }
    }
}
