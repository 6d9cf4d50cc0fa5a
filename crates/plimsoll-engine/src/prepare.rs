//! Everything that can go wrong before the first request: names, addresses, headers, limits.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plimsoll_http::RequestError;
use plimsoll_journey::Script;
use plimsoll_model::{Http, Load, Plan};
use rustls::pki_types::ServerName;

use crate::compile;
use crate::dial::Place;
use crate::journey::{Plots, Stage};
use crate::log::LogFile;
use crate::tls::{self, Setup, TlsError};
use crate::usage;
use crate::worker::{Job, Scripted};

/// Descriptors that the process needs besides connections: epoll sets, timers, files.
const DESCRIPTORS_SPARE: u64 = 64;
/// Above this many lanes on an open model, the limit is only checked, not demanded.
const DEMANDED_MAX_OPEN: u64 = 256;

/// A plan that is ready to run.
pub struct Prepared {
    pub(crate) job: Arc<Job>,
    notes: Vec<String>,
}

/// Why a plan cannot be started; nothing was sent.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The request cannot be put on the wire.
    #[error("the request cannot be sent as it is: {0}")]
    Request(#[from] RequestError),
    /// The target's, or the proxy's, name has no address.
    #[error("cannot find the host `{host}`")]
    UnknownHost {
        /// The name.
        host: String,
        /// What the resolver said.
        source: std::io::Error,
    },
    /// No address of the target is of the family of a local address.
    #[error("no address of `{host}` can be reached from the local addresses given")]
    NoCommonFamily {
        /// The name.
        host: String,
    },
    /// A limit of the system stops the load asked for.
    #[error("{wanted} connections are wanted, and the limit on open descriptors ({limit}) leaves room for {fit}")]
    Descriptors {
        /// Connections wanted.
        wanted: u64,
        /// The limit in force.
        limit: u64,
        /// How many fit.
        fit: u64,
    },
    /// Each connection needs a local port of its own, and there are not enough.
    #[error("{wanted} connections are wanted, and the range of local ports leaves room for {fit}")]
    Ports {
        /// Connections wanted.
        wanted: u64,
        /// How many fit.
        fit: u64,
    },
    /// TLS cannot be spoken as the plan wants it.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// No journey has a weight.
    #[error("the journeys' weights sum to nothing, so none would ever be taken")]
    Weights,
    /// TLS cannot be spoken as a step wants it.
    #[error("{0}")]
    Manner(String),
    /// The log file cannot be written.
    #[error("cannot write the log `{}`", path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl StartError {
    /// What to try.
    pub fn hint(&self) -> String {
        match self {
            Self::Request(_) => "correct the method, the URL or the header named above".to_owned(),
            Self::UnknownHost { host, .. } => {
                format!("check the spelling, or name the address yourself with `--resolve {host}:127.0.0.1`")
            }
            Self::NoCommonFamily { .. } => {
                "give a `--local-addr` of the family (IPv4 or IPv6) that the target has".to_owned()
            }
            Self::Descriptors { fit, .. } => {
                format!("raise the limit (`ulimit -n`, or as root), or ask for at most {fit}")
            }
            Self::Ports { fit, .. } => format!(
                "ask for at most {fit}, widen `net.ipv4.ip_local_port_range`, or connect from several addresses with \
                 `--local-addr`"
            ),
            Self::Tls(error) => error.hint().to_owned(),
            Self::Weights => "give at least one journey a weight above 0".to_owned(),
            Self::Manner(_) => "correct `cacert`, `cert` or `key` of the step".to_owned(),
            Self::Log { .. } => "check that the folder exists and may be written to".to_owned(),
        }
    }
}

/// Resolves names, compiles the request and raises limits.
///
/// # Errors
/// When the plan cannot be started as it is.
pub fn prepare(plan: &Plan, script: Option<Script>) -> Result<Prepared, StartError> {
    let mut plan = plan.clone();
    let request = compile::first_request(&plan)?;
    let place = place(&plan)?;
    let tunnel = compile::tunnel(&plan, &plan.target)?;
    let (tls, server_name) = tls_setup(&plan)?;
    let mut notes = Vec::new();
    fit_descriptors(&mut plan, &mut notes)?;
    fit_ports(&plan, &place)?;
    let script = script.map(|script| scripted(&plan, script)).transpose()?;
    Ok(Prepared { job: Arc::new(Job { plan, request, place, tunnel, tls, server_name, log: None, script }), notes })
}

/// Lays out the steps. TLS that cannot be spoken is a mistake of the plan's where a step insists on it; else it is
/// only known when a URL asks for it.
pub(crate) fn scripted(plan: &Plan, script: Script) -> Result<Scripted, StartError> {
    let plots = Plots::of(plan, &script);
    for (nth, manner) in plots.manners.iter().enumerate() {
        if let (true, Err(reason)) = (nth > 0 || plan.target.scheme.is_encrypted(), &manner.tls) {
            return Err(StartError::Manner(reason.clone()));
        }
    }
    let mix = script.mix(plan.seed).ok_or(StartError::Weights)?;
    Ok(Scripted { script, plots, mix, stage: Stage::default() })
}

impl Prepared {
    /// What a person should know before the start.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The addresses that connections go to; none for a unix socket.
    pub fn addresses(&self) -> &[SocketAddr] {
        match &self.job.place {
            Place::Tcp(addresses) => addresses,
            Place::Unix(_) => &[],
        }
    }

    /// The request as it is sent: HTTP/1.1's exact bytes, or HTTP/2's fields as lines.
    pub fn request_text(&self) -> Vec<u8> {
        self.job.request.text()
    }

    /// Writes one line for each request to a file.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn with_log(mut self, path: &Path) -> Result<Self, StartError> {
        let file = LogFile::create(path).map_err(|source| StartError::Log { path: path.to_owned(), source })?;
        if let Some(job) = Arc::get_mut(&mut self.job) {
            job.log = Some(file);
        }
        Ok(self)
    }
}

/// The most connections at once: one for each request in flight, or for as many as may share one.
fn connections_max(plan: &Plan) -> u64 {
    let in_flight = plan.load.in_flight_max();
    match plan.transport.http {
        Http::Two { streams_max, .. } if !plan.transport.fresh => {
            // Each thread rounds up, and has connections of its own.
            (in_flight.div_ceil(u64::from(streams_max)) + plan.threads as u64).min(in_flight)
        }
        _ => in_flight,
    }
}

/// How TLS is spoken, and the name that the target must prove. A redirect may lead to TLS from a target without.
fn tls_setup(plan: &Plan) -> Result<(Option<Setup>, Option<ServerName<'static>>), StartError> {
    if plan.target.scheme.is_encrypted() {
        let setup = tls::setup(plan)?;
        let name = setup.name_for(&plan.target.host)?;
        return Ok((Some(setup), Some(name)));
    }
    Ok((if plan.transport.follow_max > 0 { tls::setup(plan).ok() } else { None }, None))
}

fn place(plan: &Plan) -> Result<Place, StartError> {
    if let Some(path) = &plan.transport.unix_socket {
        return Ok(Place::Unix(path.clone()));
    }
    let (host, port) = match &plan.transport.proxy {
        Some(proxy) => (&proxy.host, proxy.port),
        None => (&plan.target.host, plan.target.port),
    };
    let overridden: Vec<SocketAddr> =
        plan.transport.resolve.iter().filter(|(name, _)| name.eq_ignore_ascii_case(host)).map(|(_, to)| *to).collect();
    let addresses = if overridden.is_empty() { look_up(host, port)? } else { overridden };
    let reachable = reachable(addresses, &plan.transport.local_addrs);
    if reachable.is_empty() {
        return Err(StartError::NoCommonFamily { host: host.clone() });
    }
    Ok(Place::Tcp(reachable))
}

fn look_up(host: &str, port: u16) -> Result<Vec<SocketAddr>, StartError> {
    let unknown = |source| StartError::UnknownHost { host: host.to_owned(), source };
    let mut addresses: Vec<SocketAddr> = (host, port).to_socket_addrs().map_err(unknown)?.collect();
    let mut seen = std::collections::HashSet::new();
    addresses.retain(|address| seen.insert(*address));
    if addresses.is_empty() {
        return Err(unknown(std::io::Error::other("the name has no address")));
    }
    Ok(addresses)
}

/// Addresses of a family that one of the local addresses has too.
fn reachable(addresses: Vec<SocketAddr>, locals: &[IpAddr]) -> Vec<SocketAddr> {
    let same_family = |address: &SocketAddr| locals.iter().any(|local| local.is_ipv4() == address.is_ipv4());
    addresses.into_iter().filter(|address| locals.is_empty() || same_family(address)).collect()
}

/// Raises the limit on descriptors for the load asked for. Users that do not fit are an error; the open
/// model's cap on requests in flight is lowered instead, since it is a bound and not a wish.
fn fit_descriptors(plan: &mut Plan, notes: &mut Vec<String>) -> Result<(), StartError> {
    let wanted = connections_max(plan);
    let (limit, raised) = usage::raise_descriptor_limit(wanted + DESCRIPTORS_SPARE);
    if raised {
        notes.push(format!("raised the limit on open descriptors to {limit}"));
    }
    let fit = limit.saturating_sub(DESCRIPTORS_SPARE);
    if wanted <= fit {
        return Ok(());
    }
    match &mut plan.load {
        Load::Open(open) if fit >= DEMANDED_MAX_OPEN => {
            notes.push(format!("the limit on open descriptors ({limit}) caps requests in flight at {fit}"));
            // Cautious for HTTP/2, whose requests share connections; nobody who asks for this much will notice.
            open.in_flight_max = u32::try_from(fit).unwrap_or(u32::MAX);
            Ok(())
        }
        _ => Err(StartError::Descriptors { wanted, limit, fit }),
    }
}

/// Users that keep a connection each need a port each, for every pair of a local and a target's address. The open
/// model rarely comes near its bound; there, ports that run out are an incident of the run.
fn fit_ports(plan: &Plan, place: &Place) -> Result<(), StartError> {
    let (Load::Closed(_), Place::Tcp(addresses), Some(ports)) = (&plan.load, place, usage::local_ports()) else {
        return Ok(());
    };
    let pairs = addresses.len() * plan.transport.local_addrs.len().max(1);
    let (wanted, fit) = (connections_max(plan), ports * pairs as u64);
    if wanted > fit { Err(StartError::Ports { wanted, fit }) } else { Ok(()) }
}
