//! A connection as bytes in and out, in the clear or over TLS; nothing above knows which one it has.

use std::io;
use std::net::IpAddr;
use std::rc::Rc;
use std::task::{Context, Poll};

use plimsoll_journey::Certificate;

use crate::carrier::{Buffer, Came, Carrier};
use crate::tls::TlsStream;

/// An open connection.
pub(crate) enum Stream {
    Plain(Carrier),
    Tls(Box<TlsStream>),
}

impl Stream {
    /// Reads what there is; nothing at the end.
    #[inline]
    pub(crate) fn poll_read<'b>(&mut self, cx: &mut Context<'_>, buffer: &'b mut Buffer) -> Poll<io::Result<Came<'b>>> {
        match self {
            Self::Plain(carrier) => carrier.poll_read(cx, buffer),
            Self::Tls(stream) => stream.poll_read(cx, buffer),
        }
    }

    /// Takes some of the bytes to be sent.
    #[inline]
    pub(crate) fn poll_write(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self {
            Self::Plain(carrier) => carrier.poll_write(cx, bytes),
            Self::Tls(stream) => stream.poll_write(cx, bytes),
        }
    }

    /// The address at the other end; a unix socket has none.
    pub(crate) fn peer(&self) -> Option<IpAddr> {
        match self {
            Self::Plain(carrier) => carrier.peer(),
            Self::Tls(stream) => stream.peer(),
        }
    }

    /// The certificate of whoever is at the other end, over TLS.
    pub(crate) fn certificate(&self) -> Option<Rc<Certificate>> {
        match self {
            Self::Plain(_) => None,
            Self::Tls(stream) => stream.certificate(),
        }
    }

    /// Whether something happened on the connection that nobody has read yet: bytes, or its end. Costs no
    /// system call.
    #[inline]
    pub(crate) fn poll_stirred(&self, cx: &mut Context<'_>) -> bool {
        match self {
            Self::Plain(carrier) => carrier.poll_stirred(cx),
            Self::Tls(stream) => stream.poll_stirred(cx),
        }
    }
}
