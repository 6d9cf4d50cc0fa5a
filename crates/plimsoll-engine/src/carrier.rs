//! What carries bytes: TCP, with the kernel's stamps or without, or a unix socket. And the thread's room for them.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::{TcpStream, UnixStream};

use crate::stamp;

/// An open connection below TLS.
pub(crate) enum Carrier {
    Tcp(TcpStream),
    /// One whose answers the kernel stamps with their time of arrival.
    Stamped(TcpStream),
    Unix(UnixStream),
}

/// The thread's room for what is read.
pub(crate) struct Buffer {
    bytes: Box<[u8]>,
    control: Vec<u8>,
    /// What TLS made of it; made with the first use.
    plain: Box<[u8]>,
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
        let bytes = vec![0; BUFFER_BYTES].into_boxed_slice();
        Self { bytes, control: stamp::control_room(), plain: Box::default() }
    }

    /// What came, and equal room for what it says.
    pub(crate) fn sides(&mut self) -> (&mut [u8], &mut [u8]) {
        if self.plain.is_empty() {
            self.plain = vec![0; BUFFER_BYTES].into_boxed_slice();
        }
        (&mut self.bytes, &mut self.plain)
    }

    /// The first bytes of what it says.
    pub(crate) fn plain(&self, count: usize) -> &[u8] {
        &self.plain[..count]
    }
}

impl Carrier {
    #[inline]
    pub(crate) fn poll_read<'b>(&mut self, cx: &mut Context<'_>, buffer: &'b mut Buffer) -> Poll<io::Result<Came<'b>>> {
        let (count, age) = ready!(self.poll_read_behind(cx, buffer, 0))?;
        Poll::Ready(Ok(Came { bytes: &buffer.bytes[..count], age }))
    }

    /// Reads what there is behind the first `held` bytes of the buffer: how much came, and how old it is. tokio
    /// forgets that the socket was readable when a read comes back short, so the usual answer costs one system
    /// call, not a second one that finds nothing.
    #[inline]
    pub(crate) fn poll_read_behind(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &mut Buffer,
        held: usize,
    ) -> Poll<io::Result<(usize, u64)>> {
        if let Self::Stamped(stream) = self {
            return poll_stamped(stream, cx, &mut buffer.bytes[held..], &mut buffer.control);
        }
        let mut room = ReadBuf::new(&mut buffer.bytes[held..]);
        let read = match self {
            Self::Tcp(stream) | Self::Stamped(stream) => Pin::new(stream).poll_read(cx, &mut room),
            Self::Unix(stream) => Pin::new(stream).poll_read(cx, &mut room),
        };
        ready!(read)?;
        Poll::Ready(Ok((room.filled().len(), 0)))
    }

    #[inline]
    pub(crate) fn poll_write(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self {
            Self::Tcp(stream) | Self::Stamped(stream) => Pin::new(stream).poll_write(cx, bytes),
            Self::Unix(stream) => Pin::new(stream).poll_write(cx, bytes),
        }
    }

    /// The address at the other end; a unix socket has none. Costs a system call.
    pub(crate) fn peer(&self) -> Option<IpAddr> {
        match self {
            Self::Tcp(stream) | Self::Stamped(stream) => stream.peer_addr().ok().map(|address| address.ip()),
            Self::Unix(_) => None,
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

fn poll_stamped(
    stream: &TcpStream,
    cx: &mut Context<'_>,
    room: &mut [u8],
    control: &mut [u8],
) -> Poll<io::Result<(usize, u64)>> {
    loop {
        ready!(stream.poll_read_ready(cx))?;
        let mut read = None;
        let result = stream.try_io(Interest::READABLE, || {
            let came = stamp::read(stream, room, control)?;
            let drained = came.bytes > 0 && came.bytes < room.len();
            read = Some(came);
            // A short read means that the next would find nothing; said this way, tokio forgets that the
            // socket was readable, as it does after its own short reads.
            if drained { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
        });
        match (read, result) {
            (Some(came), _) => return Poll::Ready(Ok((came.bytes, came.age))),
            (None, Err(error)) if error.kind() != io::ErrorKind::WouldBlock => return Poll::Ready(Err(error)),
            (None, _) => {}
        }
    }
}
