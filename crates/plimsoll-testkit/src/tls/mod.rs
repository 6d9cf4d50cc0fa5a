//! What is offered to clients that speak TLS: from options to a configuration of rustls, made once at the start. It
//! knows no socket; a connection's side of it is in `edge`.

mod args;
mod certificates;

pub use args::{Certificate, TlsArgs, Version};

use anyhow::Context as _;
use certificates::Identity;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::server::danger::ClientCertVerifier;
use rustls::server::{NoClientAuth, NoServerSessionStorage, WebPkiClientVerifier};
use rustls::{RootCertStore, ServerConfig, SupportedProtocolVersion};
use std::path::Path;
use std::sync::Arc;

/// What `args` ask for, with or without HTTP/2; `None` where connections are plain.
pub(crate) fn offer(args: &TlsArgs, http2: bool) -> anyhow::Result<Option<Arc<ServerConfig>>> {
    if !args.tls {
        return Ok(None);
    }
    let identity = identity(args)?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_protocol_versions(&versions(args.tls_version))?
        .with_client_cert_verifier(verifier(args.tls_client_ca.as_deref())?)
        .with_single_cert(identity.chain, identity.key)
        .context("the certificate and its key cannot be used")?;
    if http2 {
        config.alpn_protocols.push(b"h2".to_vec());
    }
    config.alpn_protocols.push(b"http/1.1".to_vec());
    if args.tls_no_resumption {
        config.session_storage = Arc::new(NoServerSessionStorage {});
        config.send_tls13_tickets = 0;
    } else {
        // The state travels in the ticket: however many connections there were, each can be resumed.
        config.ticketer = aws_lc_rs::Ticketer::new().context("could not make the key of session tickets")?;
    }
    Ok(Some(Arc::new(config)))
}

fn identity(args: &TlsArgs) -> anyhow::Result<Identity> {
    match (&args.tls_cert, &args.tls_key) {
        (Some(chain), Some(key)) => certificates::read(chain, key),
        _ => certificates::make(args.tls_certificate, args.tls_ca_out.as_deref()),
    }
}

fn versions(only: Option<Version>) -> Vec<&'static SupportedProtocolVersion> {
    match only {
        None => rustls::ALL_VERSIONS.to_vec(),
        Some(Version::Tls12) => vec![&rustls::version::TLS12],
        Some(Version::Tls13) => vec![&rustls::version::TLS13],
    }
}

fn verifier(authority: Option<&Path>) -> anyhow::Result<Arc<dyn ClientCertVerifier>> {
    let Some(path) = authority else {
        return Ok(Arc::new(NoClientAuth));
    };
    let seen = || format!("could not read client authorities from `{}`", path.display());
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(path).with_context(seen)? {
        roots.add(certificate.with_context(seen)?).with_context(seen)?;
    }
    let provider = Arc::new(aws_lc_rs::default_provider());
    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build().with_context(seen)
}
