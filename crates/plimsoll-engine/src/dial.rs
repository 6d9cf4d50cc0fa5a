//! Making connections: which address, from which address, and what it means when that fails.

use std::cell::Cell;
use std::future::poll_fn;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use plimsoll_model::{Incident, Outcome};
use rustix::io::Errno;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::net::{TcpSocket, TcpStream, UnixStream};

use crate::carrier::Carrier;
use crate::fault::{Fault, plain};
use crate::stream::Stream;
use crate::tls::{self, TlsStream};
use crate::worker::Worker;
use crate::{stamp, tunnel};

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
    /// What a proxy is asked before it lets bytes through.
    tunnel: Option<Box<[u8]>>,
    secure: Option<Secure>,
    turn: Cell<usize>,
}

/// How TLS is spoken on a new connection.
pub(crate) struct Secure {
    pub(crate) config: Arc<ClientConfig>,
    pub(crate) name: ServerName<'static>,
    /// Connections are of no use unless HTTP/2 was agreed on.
    pub(crate) two: bool,
}

/// A new connection, and how long it took to make.
pub(crate) struct Dialled {
    pub(crate) stream: Stream,
    pub(crate) connect: u64,
    pub(crate) tls: Option<u64>,
}

/// Why there is no connection.
pub(crate) enum DialError {
    Connect(io::Error),
    Fault(Fault),
}

impl Dialler {
    /// `first_turn` lets the threads begin at different addresses.
    pub(crate) fn new(place: Place, local_addrs: Vec<IpAddr>, first_turn: usize) -> Self {
        Self { place, local_addrs, stamped: false, tunnel: None, secure: None, turn: Cell::new(first_turn) }
    }

    /// Whether the kernel is to note when answers arrive.
    pub(crate) fn stamped(self, stamped: bool) -> Self {
        Self { stamped, ..self }
    }

    /// Through a proxy that is asked for a tunnel with these bytes.
    pub(crate) fn through(self, tunnel: Option<Box<[u8]>>) -> Self {
        Self { tunnel, ..self }
    }

    /// With TLS on every connection.
    pub(crate) fn secured(self, secure: Option<Secure>) -> Self {
        Self { secure, ..self }
    }

    /// Connects to the next address that answers, and shakes hands.
    pub(crate) async fn dial(&self, worker: &Worker) -> Result<Dialled, DialError> {
        let begun = worker.now();
        let mut carrier = self.carrier().await.map_err(DialError::Connect)?;
        if let Some(request) = &self.tunnel {
            tunnel::dig(&mut carrier, request, worker).await?;
        }
        let connected = worker.now();
        let connect = connected - begun;
        let Some(secure) = &self.secure else {
            return Ok(Dialled { stream: Stream::Plain(carrier), connect, tls: None });
        };
        let stream = secure.shake_hands(carrier, worker).await?;
        let tls = Some(worker.now() - connected);
        Ok(Dialled { stream: Stream::Tls(Box::new(stream)), connect, tls })
    }

    async fn carrier(&self) -> io::Result<Carrier> {
        let turn = self.turn.replace(self.turn.get().wrapping_add(1));
        match &self.place {
            Place::Unix(path) => UnixStream::connect(path).await.map(Carrier::Unix),
            Place::Tcp(addresses) => self.dial_tcp(addresses, turn).await,
        }
    }

    /// The last address's error if none answers.
    async fn dial_tcp(&self, addresses: &[SocketAddr], turn: usize) -> io::Result<Carrier> {
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for offset in 0..addresses.len() {
            let address = addresses[turn.wrapping_add(offset) % addresses.len()];
            match connect(address, self.local_for(address, turn)).await {
                Ok(stream) if self.stamped && stamp::ask_for(&stream) => return Ok(Carrier::Stamped(stream)),
                Ok(stream) => return Ok(Carrier::Tcp(stream)),
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

impl Secure {
    async fn shake_hands(&self, carrier: Carrier, worker: &Worker) -> Result<TlsStream, DialError> {
        let tls = |reason| DialError::Fault(Fault::new(Outcome::Tls, reason));
        let mut stream = TlsStream::new(carrier, Arc::clone(&self.config), self.name.clone())
            .map_err(|error| tls(tls::of_error(&error)))?;
        if let Err(error) = poll_fn(|cx| stream.poll_handshake(cx, &mut worker.buffer())).await {
            let reason = tls::of_io(&error).unwrap_or_else(|| format!("in the TLS handshake: {}", plain(&error)));
            return Err(if reason == tls::NO_PROTOCOL { self.no_protocol() } else { tls(reason) });
        }
        if self.two && stream.protocol() != Some(b"h2") {
            return Err(self.no_protocol());
        }
        Ok(stream)
    }

    fn no_protocol(&self) -> DialError {
        let wanted = if self.two { "HTTP/2" } else { "HTTP/1.1" };
        let reason = format!("the server does not speak {wanted} here: it did not agree to it in the TLS handshake");
        DialError::Fault(Fault::new(Outcome::Protocol, reason))
    }
}

impl DialError {
    /// The generator's own fault behind it, if it was one.
    pub(crate) fn incident(&self) -> Option<Incident> {
        match self {
            Self::Connect(error) => incident_of(error),
            Self::Fault(_) => None,
        }
    }

    pub(crate) fn into_fault(self) -> Fault {
        match self {
            Self::Connect(error) => Fault::new(Outcome::Connect, format!("no connection: {}", plain(&error))),
            Self::Fault(fault) => fault,
        }
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

fn incident_of(error: &io::Error) -> Option<Incident> {
    match Errno::from_io_error(error)? {
        Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM => Some(Incident::DescriptorsExhausted),
        Errno::ADDRNOTAVAIL | Errno::ADDRINUSE => Some(Incident::PortsExhausted),
        _ => None,
    }
}
