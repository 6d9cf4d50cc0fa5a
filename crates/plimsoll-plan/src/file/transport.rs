//! `[transport]`: how requests reach the target. The keys are called as the flags of `plimsoll run`.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use plimsoll_model::{ParseError, TlsVersion};
use schemars::JsonSchema;

use super::field::Field;
use super::table::Table;
use super::text::Text;

/// Redirects that can be asked for; browsers give up after twenty.
const FOLLOW_MAX: u32 = 100;

/// How requests reach the target.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Transport {
    /// A new connection for each request.
    #[schemars(with = "Option<super::schema::Switch>", default)]
    pub fresh: bool,
    /// Ask for compressed answers, and decode them.
    #[schemars(with = "Option<super::schema::Switch>", default)]
    pub compressed: bool,
    /// Follow up to so many redirects of one request.
    #[schemars(with = "Option<super::schema::Count>")]
    pub follow: Option<u32>,
    /// For the whole exchange: connecting, sending, the answer's last byte (30s).
    #[schemars(with = "Option<String>")]
    pub timeout: Option<Duration>,
    /// For making one connection.
    #[schemars(with = "Option<String>")]
    pub connect_timeout: Option<Duration>,
    /// From the last byte sent to the first byte of the answer.
    #[schemars(with = "Option<String>")]
    pub first_byte_timeout: Option<Duration>,
    /// Use this address for a name: `host:address`, `host:port:address` or `host:address:port`.
    #[schemars(with = "super::schema::OneOrMany<Text>", default)]
    pub resolve: Vec<String>,
    /// Connect to this socket instead of the URL's host and port.
    pub unix_socket: Option<PathBuf>,
    /// Send through this HTTP proxy; a password in it is never shown.
    pub proxy: Option<Text>,
    /// Connect from these addresses in turn, to have more ports.
    #[schemars(with = "super::schema::OneOrMany<Text>", default)]
    pub local_addr: Vec<IpAddr>,
    /// Speak HTTP/2.
    #[schemars(with = "Option<super::schema::Switch>", default)]
    pub http2: bool,
    /// HTTP/2: at most this many requests at once on one connection.
    #[schemars(with = "Option<super::schema::Count>")]
    pub streams: Option<u32>,
    /// HTTP/2: at most this many connections.
    #[schemars(with = "Option<super::schema::Count>")]
    pub connections: Option<u32>,
    /// Accept any certificate of the server's.
    #[schemars(with = "Option<super::schema::Switch>", default)]
    pub insecure: bool,
    /// Trust the authorities in this PEM file, and not the system's.
    pub cacert: Option<PathBuf>,
    /// Show this client certificate (PEM), if the server asks for one.
    pub cert: Option<PathBuf>,
    /// The client certificate's private key (PEM).
    pub key: Option<PathBuf>,
    /// Ask for the server by this name, and expect it in its certificate.
    pub server_name: Option<String>,
    /// Speak this version of TLS only: `1.2` or `1.3`.
    #[schemars(with = "Option<String>")]
    pub tls: Option<TlsVersion>,
    /// New connections resume the session of an earlier one.
    #[schemars(with = "Option<super::schema::Switch>", default)]
    pub tls_resume: bool,
}

pub(super) fn read(table: &Table<'_>) -> Transport {
    let transport = Transport {
        fresh: table.get("fresh").switch().unwrap_or_default(),
        compressed: table.get("compressed").switch().unwrap_or_default(),
        follow: table.get("follow").follow(),
        timeout: table.get("timeout").duration(),
        connect_timeout: table.get("connect_timeout").duration(),
        first_byte_timeout: table.get("first_byte_timeout").duration(),
        resolve: table.get("resolve").one_or_many(Field::resolve),
        unix_socket: table.get("unix_socket").path(),
        proxy: table.get("proxy").proxy(),
        local_addr: table.get("local_addr").one_or_many(Field::address),
        http2: table.get("http2").switch().unwrap_or_default(),
        streams: table.get("streams").count(1),
        connections: table.get("connections").count(1),
        insecure: table.get("insecure").switch().unwrap_or_default(),
        cacert: table.get("cacert").path(),
        cert: table.get("cert").path(),
        key: table.get("key").path(),
        server_name: table.get("server_name").word(),
        tls: table.get("tls").parsed(tls),
        tls_resume: table.get("tls_resume").switch().unwrap_or_default(),
    };
    refuse_contradictions(table);
    refuse_halves(table, transport.http2);
    transport
}

fn refuse_contradictions(table: &Table<'_>) {
    for (one, other, why) in [
        ("unix_socket", "proxy", "they are two ways to the target"),
        ("unix_socket", "local_addr", "a socket has no address to come from"),
        ("insecure", "cacert", "who accepts any certificate asks nobody"),
    ] {
        let (one, other) = (table.get(one), table.get(other));
        if one.is_given() && other.is_given() {
            other.mistake(format!("it and `{}` do not go together: {why}", one.name()), "leave one of them out");
        }
    }
}

/// What means nothing by itself.
fn refuse_halves(table: &Table<'_>, http2: bool) {
    for (key, needed, there) in [
        ("streams", "http2 = true", http2),
        ("connections", "http2 = true", http2),
        ("cert", "key", table.get("key").is_given()),
        ("key", "cert", table.get("cert").is_given()),
    ] {
        let field = table.get(key);
        if field.is_given() && !there {
            field.mistake(format!("it means nothing without `{needed}`"), format!("add `{needed}`, or leave it out"));
        }
    }
}

fn tls(text: &str) -> Result<TlsVersion, ParseError> {
    match text.trim() {
        "1.2" => Ok(TlsVersion::V1_2),
        "1.3" => Ok(TlsVersion::V1_3),
        _ => Err(ParseError::new(text, "a version of TLS that is spoken here, such as `1.2` or `1.3`")),
    }
}

fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text).parse().ok()
}

/// Whether what follows the host is an address, with a port before it, after it, or without.
fn is_address_with_port(text: &str) -> bool {
    let port_first =
        text.split_once(':').is_some_and(|(port, rest)| port.parse::<u16>().is_ok() && address(rest).is_some());
    address(text).is_some() || text.parse::<std::net::SocketAddr>().is_ok() || port_first
}

impl Field<'_> {
    fn follow(&self) -> Option<u32> {
        let follow = self.count(0)?;
        if follow > FOLLOW_MAX {
            self.mistake(format!("at most {FOLLOW_MAX} are followed"), "try `follow = 10`");
            return None;
        }
        Some(follow)
    }

    fn resolve(&self) -> Option<String> {
        let text = self.word()?;
        let whole = text.split_once(':').is_some_and(|(host, rest)| !host.is_empty() && is_address_with_port(rest));
        if !whole {
            self.mistake("a host and an address are expected", "write it like `api.example:127.0.0.1`");
        }
        whole.then_some(text)
    }

    fn address(&self) -> Option<IpAddr> {
        self.parsed(|text| address(text).ok_or_else(|| ParseError::new(text, "an address, such as `127.0.0.2`")))
    }

    fn proxy(&self) -> Option<Text> {
        let text = self.text()?;
        let scheme = text.reveal().split_once("://").map_or("http", |(scheme, _)| scheme);
        if scheme == "http" && !text.reveal().is_empty() {
            return Some(text);
        }
        self.mistake("proxies are spoken to in the clear", "write it like `http://127.0.0.1:3128`");
        None
    }
}
