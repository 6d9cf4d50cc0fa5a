//! Listening: one listener a thread, so that the kernel spreads connections over the threads.

use super::stream::Socket as Accepted;
use crate::args::Args;
use anyhow::Context as _;
use mio::event::Source;
use mio::net::{TcpListener, UnixListener};
use mio::{Interest, Registry, Token};
use socket2::{Domain, Socket, Type};
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::net as unix;
use std::path::Path;

/// A TCP or a unix listener.
#[derive(Debug)]
pub(super) enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

/// The listeners of all threads, and the address to tell.
pub(super) struct Bound {
    pub(super) listeners: Vec<Listener>,
    pub(super) address: String,
}

// The kernel lowers it to `net.core.somaxconn`.
const BACKLOG: i32 = 65_535;

/// Binds what `args` ask for.
pub(super) fn bind(args: &Args) -> anyhow::Result<Bound> {
    let scheme = if args.tls.tls { "https" } else { "http" };
    match &args.unix {
        Some(path) => {
            bind_unix(path, args.threads).with_context(|| format!("could not listen on `{}`", path.display()))
        }
        None => bind_tcp(args.listen, args.threads, scheme)
            .with_context(|| format!("could not listen on `{}`", args.listen)),
    }
}

impl Listener {
    /// The next connection that waits.
    pub(super) fn accept(&self) -> io::Result<Accepted> {
        match self {
            Self::Tcp(listener) => listener.accept().map(|(stream, _)| {
                if cfg!(not(target_os = "linux")) {
                    // On Linux it is inherited from the listener.
                    let _ = stream.set_nodelay(true);
                }
                Accepted::Tcp(stream)
            }),
            Self::Unix(listener) => listener.accept().map(|(stream, _)| Accepted::Unix(stream)),
        }
    }

    pub(super) fn register(&mut self, registry: &Registry, token: Token) -> io::Result<()> {
        match self {
            Self::Tcp(listener) => listener.register(registry, token, Interest::READABLE),
            Self::Unix(listener) => listener.register(registry, token, Interest::READABLE),
        }
    }
}

fn bind_tcp(address: SocketAddr, threads: u16, scheme: &str) -> io::Result<Bound> {
    // Several sockets on one port are the kernel's way to share it between threads. Elsewhere than on Linux it does
    // not spread connections over them, so there the threads share one socket.
    let own_sockets = threads > 1 && cfg!(target_os = "linux");
    if own_sockets && address.port() != 0 {
        // With shared ports, a second server on the same port would silently take half of the first one's load.
        drop(listen(address, false)?);
    }
    let first = listen(address, own_sockets)?;
    let address = first.local_addr()?.as_socket().ok_or_else(|| io::Error::other("a listener without an address"))?;
    let mut sockets = vec![first];
    for _ in 1..threads {
        let next = if own_sockets { listen(address, true)? } else { sockets[0].try_clone()? };
        sockets.push(next);
    }
    Ok(Bound {
        listeners: sockets.into_iter().map(|socket| Listener::Tcp(TcpListener::from_std(socket.into()))).collect(),
        address: format!("{scheme}://{address}"),
    })
}

fn listen(address: SocketAddr, shared: bool) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    socket.set_reuse_address(true)?;
    if shared {
        socket.set_reuse_port(true)?;
    }
    // Answers of several writes must not wait for acknowledgements.
    socket.set_tcp_nodelay(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket)
}

fn bind_unix(path: &Path, threads: u16) -> io::Result<Bound> {
    remove_stale(path)?;
    let first = unix::UnixListener::bind(path)?;
    first.set_nonblocking(true)?;
    let mut listeners = Vec::new();
    for _ in 1..threads {
        listeners.push(first.try_clone()?);
    }
    listeners.push(first);
    let to_mio = |listener| Listener::Unix(UnixListener::from_std(listener));
    Ok(Bound { listeners: listeners.into_iter().map(to_mio).collect(), address: format!("unix:{}", path.display()) })
}

/// A socket that nobody listens on any more may be replaced; anything else is in the way.
fn remove_stale(path: &Path) -> io::Result<()> {
    let is_socket = std::fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket());
    if !is_socket {
        return Ok(());
    }
    match unix::UnixStream::connect(path) {
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => std::fs::remove_file(path),
        _ => Err(io::Error::new(ErrorKind::AddrInUse, "somebody listens there already")),
    }
}
