//! Who a server's certificate convinces.
//!
//! A load test meets the same certificate thousands of times a second. Following the chain to its authority once
//! is enough; that the server holds the certificate's key is proved anew in every handshake.

use std::sync::{Arc, Mutex, PoisonError};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

/// A certificate that was found good is looked at again after so many seconds: it may have expired.
const LOOK_AGAIN_S: u64 = 60;

/// Follows chains to the roots, and remembers the last that led there.
#[derive(Debug)]
pub(super) struct Remembering {
    inner: Arc<WebPkiServerVerifier>,
    /// Trusted by name, as a server's own.
    pinned: Vec<CertificateDer<'static>>,
    last: Mutex<Option<Convinced>>,
}

#[derive(Debug)]
struct Convinced {
    certificate: CertificateDer<'static>,
    name: ServerName<'static>,
    at_s: u64,
}

impl Remembering {
    /// `pinned` are trusted as servers' own certificates too.
    pub(super) fn new(
        roots: RootCertStore,
        pinned: Vec<CertificateDer<'static>>,
        provider: Arc<CryptoProvider>,
    ) -> Result<Self, Error> {
        let inner = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider)
            .build()
            .map_err(|error| Error::General(error.to_string()))?;
        Ok(Self { inner, pinned, last: Mutex::new(None) })
    }

    /// What `openssl req -x509` makes is an authority, and webpki, having found it in force, refuses it as a
    /// server's. Who names that very certificate as trusted means it.
    fn is_pinned(&self, error: &Error, certificate: &CertificateDer<'_>, name: &ServerName<'_>) -> Result<bool, Error> {
        if !is_authority_as_server(error) || !self.pinned.contains(certificate) {
            return Ok(false);
        }
        verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
        Ok(true)
    }

    fn was_convinced(&self, certificate: &CertificateDer<'_>, name: &ServerName<'_>, now_s: u64) -> bool {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().is_some_and(|last| {
            last.certificate == *certificate && last.name == *name && now_s.abs_diff(last.at_s) < LOOK_AGAIN_S
        })
    }
}

impl ServerCertVerifier for Remembering {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.was_convinced(end_entity, server_name, now.as_secs()) {
            return Ok(ServerCertVerified::assertion());
        }
        let verified = self.inner.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        let verified = match verified {
            Err(error) if self.is_pinned(&error, end_entity, server_name)? => ServerCertVerified::assertion(),
            other => other.map_err(|error| named_self_signed(error, end_entity, intermediates))?,
        };
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Convinced {
            certificate: end_entity.clone().into_owned(),
            name: server_name.to_owned(),
            at_s: now.as_secs(),
        });
        Ok(verified)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.inner.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.inner.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.inner.supported_verify_schemes()
    }
}

/// What a certificate without a way to an authority is called, when it is its own issuer.
pub(super) const SELF_SIGNED: &str = "self-signed";

/// A certificate that no authority vouches for is its own issuer more often than not, and then the remedy is
/// another.
fn named_self_signed(error: Error, end_entity: &CertificateDer<'_>, intermediates: &[CertificateDer<'_>]) -> Error {
    let suspect = match &error {
        Error::InvalidCertificate(CertificateError::UnknownIssuer) => signs_itself(end_entity),
        _ => is_authority_as_server(&error),
    };
    if suspect && intermediates.is_empty() { Error::General(SELF_SIGNED.to_owned()) } else { error }
}

fn is_authority_as_server(error: &Error) -> bool {
    matches!(error, Error::InvalidCertificate(CertificateError::Other(other)) if other.to_string().contains("CaUsedAsEndEntity"))
}

/// Whether a certificate's issuer has its own name and its own key: as its own authority it would be good.
fn signs_itself(certificate: &CertificateDer<'_>) -> bool {
    let Ok(parsed) = ParsedCertificate::try_from(certificate) else { return false };
    let mut itself = RootCertStore::empty();
    let algorithms = aws_lc_rs::default_provider().signature_verification_algorithms;
    itself.add(certificate.clone().into_owned()).is_ok()
        && verify_server_cert_signed_by_trust_anchor(&parsed, &itself, &[], UnixTime::now(), algorithms.all).is_ok()
}

/// Asks a server for no proof. Who accepts any certificate accepts a stranger's too, so that a stranger holds its
/// key says nothing, and checking it would be a third of the cost of a handshake.
#[derive(Debug)]
pub(super) struct Anyone {
    schemes: Vec<SignatureScheme>,
}

impl Anyone {
    pub(super) fn new(provider: &CryptoProvider) -> Self {
        Self { schemes: provider.signature_verification_algorithms.supported_schemes() }
    }
}

impl ServerCertVerifier for Anyone {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes.clone()
    }
}
