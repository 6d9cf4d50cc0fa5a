//! A connection that is encrypted: rustls between a socket and what is said on it. It behaves like a socket that does
//! not block, with two differences: what it holds back must be flushed, and a short read does not mean that nothing
//! is left.

use super::stream::Socket;
use crate::tally::Tally;
use rustls::{HandshakeKind, ServerConfig, ServerConnection};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::sync::Arc;

/// A socket and the TLS that is spoken on it.
#[derive(Debug)]
pub(super) struct Secure {
    pub(super) socket: Socket,
    tls: ServerConnection,
    tally: Arc<Tally>,
    // Its handshake is counted, as complete or as failed.
    counted: bool,
}

impl Secure {
    pub(super) fn new(socket: Socket, config: &Arc<ServerConfig>, tally: &Arc<Tally>) -> io::Result<Self> {
        let tls = ServerConnection::new(Arc::clone(config)).map_err(io::Error::other)?;
        Ok(Self { socket, tls, tally: Arc::clone(tally), counted: false })
    }

    /// Reads what was said; 0 at the end, whether the client announced it or not.
    pub(super) fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.tls.reader().read(into) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(0),
                read => return read,
            }
            self.tls.read_tls(&mut self.socket)?;
            self.process()?;
        }
    }

    fn process(&mut self) -> io::Result<()> {
        let processed = self.tls.process_new_packets();
        if !self.counted && !self.tls.is_handshaking() {
            self.counted = true;
            self.tally.handshake(self.tls.handshake_kind() == Some(HandshakeKind::Resumed));
        }
        // Records of the handshake, tickets, or the alert that says what was wrong.
        self.flush()?;
        processed.map(drop).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
    }

    /// Encrypts some of `bytes` and sends what the socket takes of it.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // One buffer at a time: what the client does not read must not grow here.
        if !self.flush()? {
            return Err(ErrorKind::WouldBlock.into());
        }
        let count = self.tls.writer().write(bytes)?;
        self.flush()?;
        match count {
            // Before the end of the handshake only so much is kept.
            0 => Err(ErrorKind::WouldBlock.into()),
            count => Ok(count),
        }
    }

    /// Sends what is held back, and says whether that was all.
    pub(super) fn flush(&mut self) -> io::Result<bool> {
        while self.tls.wants_write() {
            match self.tls.write_tls(&mut self.socket) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Says that nothing more will be sent.
    pub(super) fn say_goodbye(&mut self) {
        self.tls.send_close_notify();
    }
}

impl Drop for Secure {
    fn drop(&mut self) {
        if !self.counted {
            self.tally.handshake_failed();
        }
    }
}
