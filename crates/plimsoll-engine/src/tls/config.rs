//! From the plan's wishes to what rustls needs: authorities, a certificate of our own, versions, sessions.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plimsoll_model::{Http, Identity, Plan, Tls, TlsVersion, Trust};
use rustls::client::Resumption;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, InvalidDnsNameError, PrivateKeyDer, ServerName};
use rustls::version::{TLS12, TLS13};
use rustls::{ClientConfig, RootCertStore, SupportedProtocolVersion};

use super::verifier::{Anyone, Remembering};

/// Sessions remembered for each server; rustls keeps several tickets of each.
const SESSIONS_MAX: usize = 256;

/// What a client needs to speak TLS.
#[derive(Clone)]
pub(crate) struct Setup {
    pub(crate) config: Arc<ClientConfig>,
    /// The name asked for instead of the host's.
    server_name: Option<ServerName<'static>>,
}

/// Why TLS cannot be spoken as the plan wants it.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The system trusts nobody, or says nothing of it.
    #[error("this system names no certificate authority that it trusts")]
    NoSystemAuthorities,
    /// A PEM file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What was wrong with it.
        source: pem::Error,
    },
    /// A PEM file holds nothing of what it is there for.
    #[error("`{}` holds no {what}", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
        /// What was expected in it.
        what: &'static str,
    },
    /// Certificate and key cannot be used, or do not belong together.
    #[error("cannot use `{}` with `{}`: {source}", certificates.display(), key.display())]
    Identity {
        /// The certificate's file.
        certificates: PathBuf,
        /// The key's file.
        key: PathBuf,
        /// What was wrong with them.
        source: rustls::Error,
    },
    /// A server name that is neither a name nor an address.
    #[error("`{name}` cannot be the name of a server")]
    ServerName {
        /// The name.
        name: String,
        /// What was wrong with it.
        source: InvalidDnsNameError,
    },
    /// Nothing of the above.
    #[error("TLS cannot be set up: {0}")]
    Setup(#[from] rustls::Error),
}

impl TlsError {
    /// What to try.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::NoSystemAuthorities => {
                "install ca-certificates, name the authority with `--cacert FILE`, or accept any with `--insecure`"
            }
            Self::Unreadable { .. } | Self::Empty { .. } => {
                "give a PEM file: text with `-----BEGIN CERTIFICATE-----`, or the key's own beginning"
            }
            Self::Identity { .. } => "give the certificate with `--cert` and its own key with `--key`, both as PEM",
            Self::ServerName { .. } => "a name looks like `api.example`, or is an address",
            Self::Setup(_) => "give other TLS flags: these do not go together",
        }
    }
}

/// Reads what the plan names.
pub(crate) fn setup(plan: &Plan) -> Result<Setup, TlsError> {
    let tls = &plan.transport.tls;
    let provider = Arc::new(aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(versions(tls.version))?
        .dangerous()
        .with_custom_certificate_verifier(verifier(&tls.trust, provider)?);
    let mut config = match &tls.identity {
        None => config.with_no_client_auth(),
        Some(identity) => {
            let (certificates, key) = read(identity)?;
            config.with_client_auth_cert(certificates, key).map_err(|source| TlsError::Identity {
                certificates: identity.certificates.clone(),
                key: identity.key.clone(),
                source,
            })?
        }
    };
    config.alpn_protocols = vec![alpn(plan.transport.http).to_vec()];
    config.resumption = resumption(tls);
    let server_name = tls.server_name.as_deref().map(server_name).transpose()?;
    Ok(Setup { config: Arc::new(config), server_name })
}

impl Setup {
    /// The same with a memory for sessions of its own, so that threads do not wait for each other's.
    pub(crate) fn for_thread(&self, tls: &Tls) -> Self {
        let mut config = ClientConfig::clone(&self.config);
        config.resumption = resumption(tls);
        Self { config: Arc::new(config), server_name: self.server_name.clone() }
    }

    /// The name that the server at `host` must prove.
    pub(crate) fn name_for(&self, host: &str) -> Result<ServerName<'static>, TlsError> {
        match &self.server_name {
            Some(name) => Ok(name.clone()),
            None => server_name(host),
        }
    }
}

/// The protocol asked for: what is not asked for cannot be chosen by mistake.
fn alpn(http: Http) -> &'static [u8] {
    if http.is_two() { b"h2" } else { b"http/1.1" }
}

fn resumption(tls: &Tls) -> Resumption {
    if tls.resume { Resumption::in_memory_sessions(SESSIONS_MAX) } else { Resumption::disabled() }
}

fn versions(version: Option<TlsVersion>) -> &'static [&'static SupportedProtocolVersion] {
    static BOTH: [&SupportedProtocolVersion; 2] = [&TLS13, &TLS12];
    match version {
        None => &BOTH,
        Some(TlsVersion::V1_3) => &BOTH[..1],
        Some(TlsVersion::V1_2) => &BOTH[1..],
    }
}

fn verifier(trust: &Trust, provider: Arc<CryptoProvider>) -> Result<Arc<dyn ServerCertVerifier>, TlsError> {
    let (roots, pinned) = match trust {
        Trust::Anyone => return Ok(Arc::new(Anyone::new(&provider))),
        Trust::System => (system_roots()?, Vec::new()),
        Trust::File(path) => (roots_of(path)?, certificates(path)?),
    };
    Ok(Arc::new(Remembering::new(roots, pinned, provider)?))
}

fn system_roots() -> Result<RootCertStore, TlsError> {
    let mut roots = RootCertStore::empty();
    // Single certificates that cannot be read are the system's affair; having none is ours.
    let (added, _) = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if added == 0 { Err(TlsError::NoSystemAuthorities) } else { Ok(roots) }
}

fn roots_of(path: &Path) -> Result<RootCertStore, TlsError> {
    let mut roots = RootCertStore::empty();
    let (added, _) = roots.add_parsable_certificates(certificates(path)?);
    let empty = || TlsError::Empty { path: path.to_owned(), what: "certificate authority" };
    if added == 0 { Err(empty()) } else { Ok(roots) }
}

fn read(identity: &Identity) -> Result<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>), TlsError> {
    let certificates = certificates(&identity.certificates)?;
    let key = PrivateKeyDer::from_pem_file(&identity.key).map_err(|source| match source {
        pem::Error::NoItemsFound => TlsError::Empty { path: identity.key.clone(), what: "private key" },
        source => TlsError::Unreadable { path: identity.key.clone(), source },
    })?;
    Ok((certificates, key))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let unreadable = |source| TlsError::Unreadable { path: path.to_owned(), source };
    let found = CertificateDer::pem_file_iter(path).map_err(unreadable)?;
    let found = found.collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    let empty = || TlsError::Empty { path: path.to_owned(), what: "certificate" };
    if found.is_empty() { Err(empty()) } else { Ok(found) }
}

fn server_name(name: &str) -> Result<ServerName<'static>, TlsError> {
    ServerName::try_from(name.to_owned()).map_err(|source| TlsError::ServerName { name: name.to_owned(), source })
}
