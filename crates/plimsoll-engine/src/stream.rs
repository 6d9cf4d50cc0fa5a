//! A connection as bytes in and out, whatever carries it.
//!
//! TLS and HTTP/2 will be further variants; nothing above this module knows which one it has.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpStream, UnixStream};

/// An open connection.
pub(crate) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Stream {
    /// Reads what there is. tokio forgets that the socket was readable when a read comes back short, so the
    /// usual answer costs one system call, not a second one that finds nothing.
    #[inline]
    pub(crate) fn poll_read(&mut self, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self {
            Self::Tcp(stream) => Pin::new(stream).poll_read(cx, buffer),
            Self::Unix(stream) => Pin::new(stream).poll_read(cx, buffer),
        }
    }

    #[inline]
    pub(crate) fn poll_write(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self {
            Self::Tcp(stream) => Pin::new(stream).poll_write(cx, bytes),
            Self::Unix(stream) => Pin::new(stream).poll_write(cx, bytes),
        }
    }

    /// Whether something happened on the connection that nobody has read yet: bytes, or its end. Costs no
    /// system call.
    #[inline]
    pub(crate) fn poll_stirred(&self, cx: &mut Context<'_>) -> bool {
        let ready = match self {
            Self::Tcp(stream) => stream.poll_read_ready(cx),
            Self::Unix(stream) => stream.poll_read_ready(cx),
        };
        ready.is_ready()
    }
}
