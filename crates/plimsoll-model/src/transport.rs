//! How requests reach the target: connections, HTTP's version, TLS, and how long each part may take.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use crate::units::duration_text;

/// How requests reach the target.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Transport {
    /// Which HTTP is spoken.
    pub http: Http,
    /// How `https` is spoken.
    pub tls: Tls,
    /// A new connection for each request.
    pub fresh: bool,
    /// Ask for compressed answers, and decode them.
    pub compressed: bool,
    /// Redirects followed for one request.
    pub follow_max: u32,
    /// Names that are looked up here first.
    pub resolve: Vec<(String, SocketAddr)>,
    /// Connect to this socket instead of host and port.
    pub unix_socket: Option<PathBuf>,
    /// Send through this proxy.
    pub proxy: Option<Proxy>,
    /// Connect from these addresses in turn.
    pub local_addrs: Vec<IpAddr>,
}

/// Which HTTP is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Http {
    /// HTTP/1.1: one request at a time on a connection.
    #[default]
    One,
    /// HTTP/2: several at once. By ALPN over TLS, by prior knowledge without.
    Two {
        /// Requests at once on one connection; at least 1. The server may allow fewer.
        streams_max: u32,
        /// Connections at once, over all threads; none for as many as the load needs.
        connections_max: Option<u32>,
    },
}

/// How `https` is spoken.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tls {
    /// Whose word on a server's name is taken.
    pub trust: Trust,
    /// What this client shows of itself, if it is asked.
    pub identity: Option<Identity>,
    /// The server's name, where it is not the URL's host: what is asked for (SNI), and what its certificate must say.
    pub server_name: Option<String>,
    /// Only this version; none for the best that both sides have.
    pub version: Option<TlsVersion>,
    /// New connections resume the session of an earlier one, as a returning visitor's do.
    pub resume: bool,
}

/// Whose word on a server's name is taken.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Trust {
    /// The authorities that this system trusts.
    #[default]
    System,
    /// The authorities in this PEM file, and no others.
    File(PathBuf),
    /// Nobody is asked: any certificate will do.
    Anyone,
}

/// A client certificate and its key, as PEM files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The certificate, followed by those that lead to its authority.
    pub certificates: PathBuf,
    /// The private key.
    pub key: PathBuf,
}

/// A version of TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TlsVersion {
    /// TLS 1.2.
    V1_2,
    /// TLS 1.3.
    V1_3,
}

/// An HTTP proxy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proxy {
    /// Its host.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// `Proxy-Authorization`, if its URL had credentials.
    pub authorization: Option<String>,
}

/// How long an exchange and its parts may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// From the start of connecting or sending to the last byte of the answer.
    pub whole: Duration,
    /// For one connection to be made, TLS included.
    pub connect: Option<Duration>,
    /// From the request's last byte to the answer's first.
    pub first_byte: Option<Duration>,
}

impl Http {
    /// Whether it is HTTP/2.
    pub fn is_two(self) -> bool {
        matches!(self, Self::Two { .. })
    }

    fn lines(self) -> Vec<(&'static str, String)> {
        let Self::Two { streams_max, connections_max } = self else { return Vec::new() };
        let streams = format!("HTTP/2, at most {streams_max} requests at once on a connection");
        let connections = connections_max.map_or(String::new(), |max| format!(", at most {max} connections"));
        vec![("protocol", streams + &connections)]
    }
}

impl Transport {
    pub(crate) fn lines(&self, encrypted: bool) -> Vec<(&'static str, String)> {
        let connections = if self.fresh { "a new one for each request" } else { "kept alive" };
        let mut lines = self.http.lines();
        if encrypted {
            lines.extend(self.tls.lines());
        }
        lines.push(("connections", connections.to_owned()));
        if self.compressed {
            lines.push(("compressed", "gzip or deflate is asked for, and decoded".to_owned()));
        }
        if self.follow_max > 0 {
            lines.push(("redirects", format!("up to {} are followed", self.follow_max)));
        }
        lines.extend(self.resolve.iter().map(|(host, address)| ("resolve", format!("{host} is {address}"))));
        lines.extend(self.unix_socket.iter().map(|path| ("unix socket", path.display().to_string())));
        lines.extend(self.proxy.iter().map(|proxy| ("proxy", format!("{}:{}", proxy.host, proxy.port))));
        lines.extend(self.local_addrs.iter().map(|address| ("from address", address.to_string())));
        lines
    }
}

impl Tls {
    fn lines(&self) -> Vec<(&'static str, String)> {
        let version = self.version.map_or("1.3 or 1.2".to_owned(), |version| format!("{version} only"));
        let trust = match &self.trust {
            Trust::System => "the system's authorities are trusted".to_owned(),
            Trust::File(path) => format!("the authorities in {} are trusted", path.display()),
            Trust::Anyone => "any certificate is accepted".to_owned(),
        };
        let sessions = if self.resume { "sessions are resumed" } else { "every connection makes a full handshake" };
        let mut lines = vec![("TLS", format!("{version}; {trust}; {sessions}"))];
        lines.extend(self.server_name.iter().map(|name| ("server name", name.clone())));
        lines.extend(self.identity.iter().map(|own| ("certificate", own.certificates.display().to_string())));
        lines
    }
}

impl fmt::Display for TlsVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::V1_2 => "1.2",
            Self::V1_3 => "1.3",
        })
    }
}

impl Timeouts {
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{} for the whole exchange", duration_text(self.whole));
        if let Some(connect) = self.connect {
            text += &format!(", {} to connect", duration_text(connect));
        }
        if let Some(first_byte) = self.first_byte {
            text += &format!(", {} to the first byte", duration_text(first_byte));
        }
        text
    }
}
