//! Targets that speak TLS and HTTP/2, two of them not ours: nginx, Go's net/http, and the testkit. A test says what it
//! wants of one, and asks afterwards what that one saw.

use std::collections::BTreeSet;
use std::path::Path;

use super::go::Go;
use super::nginx::Nginx;
use super::pki::{Certificate, Pki};
use super::secure_client::SecureClient;
use super::{Server, wait_until};

/// Whose server it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Brand {
    Nginx,
    Go,
    Testkit,
}

impl Brand {
    pub(crate) const ALL: [Self; 3] = [Self::Nginx, Self::Go, Self::Testkit];
}

/// What a target is asked to speak.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Front {
    /// Without it, plain.
    pub(crate) tls: Option<Tls>,
    /// By ALPN with TLS, by prior knowledge without.
    pub(crate) http2: bool,
}

/// How it speaks TLS.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tls {
    pub(crate) certificate: Certificate,
    /// `1.2` or `1.3`; both without it.
    pub(crate) version: Option<&'static str>,
    pub(crate) demands_client: bool,
    pub(crate) resumes: bool,
}

impl Tls {
    /// As most servers do it.
    pub(crate) const USUAL: Self =
        Self { certificate: Certificate::Good, version: None, demands_client: false, resumes: true };

    /// With another certificate.
    pub(crate) fn with(certificate: Certificate) -> Self {
        Self { certificate, ..Self::USUAL }
    }
}

impl Front {
    pub(crate) const PLAIN: Self = Self { tls: None, http2: false };
    /// TLS and HTTP/2, to whoever asks for it.
    pub(crate) const USUAL: Self = Self { tls: Some(Tls::USUAL), http2: true };

    /// TLS as given, and HTTP/2.
    pub(crate) fn with(tls: Tls) -> Self {
        Self { tls: Some(tls), http2: true }
    }
}

/// What a target saw, in its own words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Served {
    pub(crate) requests: u64,
    pub(crate) connections: u64,
    /// Of these, how many continued an earlier TLS session.
    pub(crate) resumed: u64,
    /// Requests that came over HTTP/2.
    pub(crate) over_http2: u64,
}

/// A running target.
pub(crate) enum Target {
    Nginx(Nginx),
    Go(Go),
    Testkit(Server, Option<SecureClient>),
}

impl Target {
    /// Starts one.
    pub(crate) fn start(brand: Brand, pki: &Pki, front: &Front) -> Self {
        Self::with(brand, pki, front, &[])
    }

    /// Starts one with more: lines of configuration for nginx, options for the others.
    pub(crate) fn with(brand: Brand, pki: &Pki, front: &Front, more: &[&str]) -> Self {
        match brand {
            Brand::Nginx => Self::Nginx(Nginx::start(pki, front, more)),
            Brand::Go => Self::Go(Go::start(pki, front, more)),
            Brand::Testkit => {
                let client = front.tls.map(|_| SecureClient::new(pki));
                Self::Testkit(testkit(pki, front, more), client)
            }
        }
    }

    /// A URL of it; `https` if it speaks TLS.
    pub(crate) fn url(&self, front: &Front, path: &str) -> String {
        let scheme = if front.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}{path}", self.address())
    }

    /// `127.0.0.1:12345`
    pub(crate) fn address(&self) -> &str {
        match self {
            Self::Nginx(nginx) => &nginx.address,
            Self::Go(go) => &go.address,
            Self::Testkit(server, _) => &server.address,
        }
    }

    /// Waits until it has told of so many requests; what it saw of all of them.
    #[track_caller]
    pub(crate) fn served(&self, requests: u64) -> Served {
        match self {
            Self::Nginx(nginx) => counted(&lines(&nginx.log(), requests)),
            Self::Go(go) => counted(&lines(&go.log(), requests)),
            Self::Testkit(server, client) => asked(server, client.as_ref()),
        }
    }

    /// Column `index` of what nginx or Go tells of each request, each word once.
    #[track_caller]
    pub(crate) fn told(&self, requests: u64, index: usize) -> BTreeSet<String> {
        let log = match self {
            Self::Nginx(nginx) => nginx.log(),
            Self::Go(go) => go.log(),
            Self::Testkit(..) => panic!("the testkit keeps no log"),
        };
        lines(&log, requests).iter().map(|line| line[index].clone()).collect()
    }
}

/// Columns of the logs that nginx and the Go server write.
pub(crate) const TLS_VERSION: usize = 1;
pub(crate) const CLIENT: usize = 3;
pub(crate) const BODY_BYTES: usize = 5;
const COLUMNS: usize = 6;

/// A server writes its line after the answer, so the last one may be late.
#[track_caller]
fn lines(log: &Path, requests: u64) -> Vec<Vec<String>> {
    let read = || {
        let text = std::fs::read_to_string(log).unwrap_or_default();
        text.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect::<Vec<Vec<String>>>()
    };
    let whole = |lines: &[Vec<String>]| lines.iter().filter(|line| line.len() == COLUMNS).count() as u64;
    wait_until("the server has told of every request", || whole(&read()) >= requests);
    read()
}

fn counted(lines: &[Vec<String>]) -> Served {
    let connections: BTreeSet<&str> = lines.iter().map(|line| line[4].as_str()).collect();
    let resumed: BTreeSet<&str> = lines.iter().filter(|line| line[2] == "r").map(|line| line[4].as_str()).collect();
    Served {
        requests: lines.len() as u64,
        connections: connections.len() as u64,
        resumed: resumed.len() as u64,
        over_http2: lines.iter().filter(|line| line[0] == "HTTP/2.0").count() as u64,
    }
}

/// The testkit counts; asking it costs a connection each time, and those are not meant.
fn asked(server: &Server, client: Option<&SecureClient>) -> Served {
    let stats = match client {
        Some(client) => client.get(&server.address, "/stats"),
        None => server.get("/stats"),
    };
    let stats: serde_json::Value = serde_json::from_str(&stats).expect("the stats are JSON");
    let count = |pointer: &str| stats.pointer(pointer).and_then(serde_json::Value::as_u64).unwrap_or(0);
    let own = client.map_or_else(|| server.asked(), SecureClient::asked);
    Served {
        requests: count("/requests"),
        connections: count("/connections/accepted") - own,
        resumed: count("/tls/resumed"),
        over_http2: count("/http2/streams"),
    }
}

fn testkit(pki: &Pki, front: &Front, more: &[&str]) -> Server {
    let mut options: Vec<String> = more.iter().map(|word| (*word).to_owned()).collect();
    let mut add = |words: &[&str]| options.extend(words.iter().map(|word| (*word).to_owned()));
    if let Some(tls) = front.tls {
        add(&["--tls", "--tls-cert", &pki.certificate(tls.certificate), "--tls-key", &pki.key(tls.certificate)]);
        tls.version.inspect(|version| add(&["--tls-version", version]));
        if tls.demands_client {
            add(&["--tls-client-ca", &pki.authority()]);
        }
        if !tls.resumes {
            add(&["--tls-no-resumption"]);
        }
    }
    if !front.http2 {
        add(&["--no-http2"]);
    }
    Server::with(&options.iter().map(String::as_str).collect::<Vec<_>>())
}
