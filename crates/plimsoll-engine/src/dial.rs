//! Making connections: which address, from which address, and what it means when that fails.

use std::cell::Cell;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use plimsoll_model::Incident;
use rustix::io::Errno;
use tokio::net::{TcpSocket, TcpStream, UnixStream};

use crate::stamp;
use crate::stream::Stream;

/// Where connections go.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// All addresses of the target's name, or the proxy's; never empty.
    Tcp(Vec<SocketAddr>),
    Unix(PathBuf),
}

/// Makes the connections of one thread, going round the addresses.
pub(crate) struct Dialler {
    place: Place,
    local_addrs: Vec<IpAddr>,
    stamped: bool,
    turn: Cell<usize>,
}

impl Dialler {
    /// `first_turn` lets the threads begin at different addresses.
    pub(crate) fn new(place: Place, local_addrs: Vec<IpAddr>, first_turn: usize) -> Self {
        Self { place, local_addrs, stamped: false, turn: Cell::new(first_turn) }
    }

    /// Whether the kernel is to note when answers arrive.
    pub(crate) fn stamped(self, stamped: bool) -> Self {
        Self { stamped, ..self }
    }

    /// Connects to the next address that answers; the last error if none does.
    pub(crate) async fn dial(&self) -> io::Result<Stream> {
        let turn = self.turn.replace(self.turn.get().wrapping_add(1));
        match &self.place {
            Place::Unix(path) => UnixStream::connect(path).await.map(Stream::Unix),
            Place::Tcp(addresses) => self.dial_tcp(addresses, turn).await,
        }
    }

    async fn dial_tcp(&self, addresses: &[SocketAddr], turn: usize) -> io::Result<Stream> {
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for offset in 0..addresses.len() {
            let address = addresses[turn.wrapping_add(offset) % addresses.len()];
            match connect(address, self.local_for(address, turn)).await {
                Ok(stream) if self.stamped && stamp::ask_for(&stream) => return Ok(Stream::Stamped(stream)),
                Ok(stream) => return Ok(Stream::Tcp(stream)),
                Err(error) if incident_of(&error).is_some() => return Err(error),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// The local address to come from: the next of the same family.
    fn local_for(&self, address: SocketAddr, turn: usize) -> Option<IpAddr> {
        let same: Vec<IpAddr> =
            self.local_addrs.iter().copied().filter(|local| local.is_ipv4() == address.is_ipv4()).collect();
        (!same.is_empty()).then(|| same[turn % same.len()])
    }
}

async fn connect(address: SocketAddr, local: Option<IpAddr>) -> io::Result<TcpStream> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    if let Some(local) = local {
        socket.bind(SocketAddr::new(local, 0))?;
    }
    let stream = socket.connect(address).await?;
    // Requests are written whole; waiting to fill a segment would only be measured as the server's time.
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// The generator's own fault behind a failed connection, if it was one.
pub(crate) fn incident_of(error: &io::Error) -> Option<Incident> {
    match Errno::from_io_error(error)? {
        Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM => Some(Incident::DescriptorsExhausted),
        Errno::ADDRNOTAVAIL | Errno::ADDRINUSE => Some(Incident::PortsExhausted),
        _ => None,
    }
}
