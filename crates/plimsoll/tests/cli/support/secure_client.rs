//! Asks a testkit behind TLS for its counts, without plimsoll: what is tested must not be its own witness.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustls::client::Resumption;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme, StreamOwned};

use super::pki::{Certificate, Pki};

/// A client of a testkit, with a certificate in case one is demanded.
pub(crate) struct SecureClient {
    config: Arc<ClientConfig>,
    asked: AtomicU64,
}

impl SecureClient {
    /// One that every server of this PKI accepts.
    pub(crate) fn new(pki: &Pki) -> Self {
        let certificate =
            CertificateDer::from_pem_file(pki.certificate(Certificate::Client)).expect("it holds a certificate");
        let key = PrivateKeyDer::from_pem_file(pki.key(Certificate::Client)).expect("it holds a key");
        let mut config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .expect("the provider has them")
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Anybody))
            .with_client_auth_cert(vec![certificate], key)
            .expect("the key is the certificate's");
        // A session of ours must not be counted as a resumed one.
        config.resumption = Resumption::disabled();
        Self { config: Arc::new(config), asked: AtomicU64::new(0) }
    }

    /// How often it asked, each time on a connection of its own.
    pub(crate) fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// The body of an answer.
    pub(crate) fn get(&self, address: &str, target: &str) -> String {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let socket = TcpStream::connect(address).expect("the server accepts");
        socket.set_read_timeout(Some(Duration::from_secs(20))).expect("a time-out can be set");
        let name = ServerName::try_from("localhost").expect("it is a name");
        let session = ClientConnection::new(Arc::clone(&self.config), name).expect("a session can begin");
        let mut stream = StreamOwned::new(session, socket);
        let request = format!("GET {target} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("the server reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("the server answers, and says that it ends");
        answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).expect("an answer has a head")
    }
}

/// Believes every server: whom the tests ask is no secret.
#[derive(Debug)]
struct Anybody;

impl ServerCertVerifier for Anybody {
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
        default_provider().signature_verification_algorithms.supported_schemes()
    }
}
