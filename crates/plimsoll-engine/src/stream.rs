//! A connection as bytes in and out, whatever carries it.
//!
//! TLS and HTTP/2 will be further variants; nothing above this module knows which one it has.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::{TcpStream, UnixStream};

use crate::stamp;

/// An open connection.
pub(crate) enum Stream {
    Tcp(TcpStream),
    /// One whose answers the kernel stamps with their time of arrival.
    Stamped(TcpStream),
    Unix(UnixStream),
}

/// The thread's room for what is read, and how old the last read's bytes were.
pub(crate) struct Buffer {
    bytes: Box<[u8]>,
    control: Vec<u8>,
}

/// Bytes read at once; also the most that one read of an endless body takes.
const BUFFER_BYTES: usize = 64 * 1024;

/// What a read brought; no bytes mean that the peer closed.
pub(crate) struct Came<'b> {
    pub(crate) bytes: &'b [u8],
    /// How long before now they arrived, in nanoseconds.
    pub(crate) age: u64,
}

impl Buffer {
    pub(crate) fn new() -> Self {
        Self { bytes: vec![0; BUFFER_BYTES].into_boxed_slice(), control: stamp::control_room() }
    }
}

impl Stream {
    /// Reads what there is. tokio forgets that the socket was readable when a read comes back short, so the
    /// usual answer costs one system call, not a second one that finds nothing.
    #[inline]
    pub(crate) fn poll_read<'b>(&mut self, cx: &mut Context<'_>, buffer: &'b mut Buffer) -> Poll<io::Result<Came<'b>>> {
        if let Self::Stamped(stream) = self {
            return poll_stamped(stream, cx, buffer);
        }
        let mut room = ReadBuf::new(&mut buffer.bytes);
        let read = match self {
            Self::Tcp(stream) | Self::Stamped(stream) => Pin::new(stream).poll_read(cx, &mut room),
            Self::Unix(stream) => Pin::new(stream).poll_read(cx, &mut room),
        };
        ready!(read)?;
        let filled = room.filled().len();
        Poll::Ready(Ok(Came { bytes: &buffer.bytes[..filled], age: 0 }))
    }

    #[inline]
    pub(crate) fn poll_write(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self {
            Self::Tcp(stream) | Self::Stamped(stream) => Pin::new(stream).poll_write(cx, bytes),
            Self::Unix(stream) => Pin::new(stream).poll_write(cx, bytes),
        }
    }

    /// Whether something happened on the connection that nobody has read yet: bytes, or its end. Costs no
    /// system call.
    #[inline]
    pub(crate) fn poll_stirred(&self, cx: &mut Context<'_>) -> bool {
        let ready = match self {
            Self::Tcp(stream) | Self::Stamped(stream) => stream.poll_read_ready(cx),
            Self::Unix(stream) => stream.poll_read_ready(cx),
        };
        ready.is_ready()
    }
}

fn poll_stamped<'b>(stream: &TcpStream, cx: &mut Context<'_>, buffer: &'b mut Buffer) -> Poll<io::Result<Came<'b>>> {
    loop {
        ready!(stream.poll_read_ready(cx))?;
        let mut read = None;
        let room = buffer.bytes.len();
        let result = stream.try_io(Interest::READABLE, || {
            let came = stamp::read(stream, &mut buffer.bytes, &mut buffer.control)?;
            let drained = came.bytes > 0 && came.bytes < room;
            read = Some(came);
            // A short read means that the next would find nothing; said this way, tokio forgets that the
            // socket was readable, as it does after its own short reads.
            if drained { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
        });
        match (read, result) {
            (Some(came), _) => return Poll::Ready(Ok(Came { bytes: &buffer.bytes[..came.bytes], age: came.age })),
            (None, Err(error)) if error.kind() != io::ErrorKind::WouldBlock => return Poll::Ready(Err(error)),
            (None, _) => {}
        }
    }
}
