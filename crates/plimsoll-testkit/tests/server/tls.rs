//! The same server behind TLS: what it shows, what it demands, and how it misbehaves.

use crate::support::{Client, Server, binary};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A server that speaks TLS, and clients that trust it.
pub(crate) struct Secured {
    pub(crate) server: Server,
    pub(crate) config: ClientConfig,
}

impl Secured {
    pub(crate) fn start(options: &[&str]) -> Self {
        let authority = Scratch::new("authority.pem");
        let server = Server::start(&[&["--tls", "--tls-ca-out", authority.as_str()], options].concat());
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(&authority.0).expect("an authority")).expect("an authority");
        let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        Self { server, config }
    }

    /// The same with clients that want HTTP/2.
    pub(crate) fn http2(options: &[&str]) -> Self {
        let mut secured = Self::start(options);
        secured.config.alpn_protocols = vec![b"h2".to_vec()];
        secured
    }

    pub(crate) fn client(&self) -> Client {
        Client::on(self.wire())
    }

    pub(crate) fn wire(&self) -> StreamOwned<ClientConnection, TcpStream> {
        let name = ServerName::try_from("localhost").expect("a name");
        let tls = ClientConnection::new(Arc::new(self.config.clone()), name).expect("a client");
        StreamOwned::new(tls, self.server.connect())
    }

    fn stat(&self, pointer: &str) -> u64 {
        self.client().get("/stats").number(pointer)
    }

    /// Asks, and returns why that did not work.
    fn complaint(&self) -> String {
        let mut wire = self.wire();
        let asked = wire.write_all(b"GET / HTTP/1.1\r\n\r\n");
        asked.and_then(|()| wire.read_exact(&mut [0; 8])).expect_err("a failure").to_string()
    }
}

/// A file of this test alone, gone when it ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(std::env::temp_dir().join(format!("plimsoll-testkit-{}-{number}-{name}", std::process::id())))
    }

    fn holding(name: &str, label: &str, der: &[u8]) -> Self {
        use base64::Engine as _;
        let scratch = Self::new(name);
        let text = base64::engine::general_purpose::STANDARD.encode(der);
        std::fs::write(&scratch.0, format!("-----BEGIN {label}-----\n{text}\n-----END {label}-----\n"))
            .expect("a file");
        scratch
    }

    fn as_str(&self) -> &str {
        self.0.to_str().expect("a path in UTF-8")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn answers_are_the_same_in_both_versions() {
    for (options, version) in [
        (&[][..], rustls::ProtocolVersion::TLSv1_3),
        (&["--tls-version", "1.3"], rustls::ProtocolVersion::TLSv1_3),
        (&["--tls-version", "1.2"], rustls::ProtocolVersion::TLSv1_2),
    ] {
        let secured = Secured::start(options);
        let mut wire = secured.wire();
        wire.write_all(b"GET /?body=hi HTTP/1.1\r\n\r\n").expect("the server reads");
        wire.read_exact(&mut [0; 12]).expect("an answer");
        assert_eq!(wire.conn.protocol_version(), Some(version), "{options:?}");
        let mut client = secured.client();
        for size in [0, 1, 16_384, 100_000, 3_000_000] {
            for keys in ["", "&framing=chunked", "&pace=1GB/s"] {
                assert_eq!(client.get(&format!("/?size={size}{keys}")).body.len(), size, "{size}{keys}");
                if keys.contains("chunk") {
                    assert_eq!(client.bytes(2), b"\r\n");
                }
            }
        }
        let large = "x".repeat(900_000);
        client.send(&format!("PUT /echo HTTP/1.1\r\nContent-Length: 900000\r\n\r\n{large}"));
        assert!(client.answer().text().ends_with(&large));
    }
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let secured = Secured::start(&["--threads", "2"]);
    let mut client = secured.client();
    let requests: String = (0..500).map(|i| format!("GET /?body=body-{i} HTTP/1.1\r\n\r\n")).collect();
    client.send(&requests);
    for i in 0..500 {
        assert_eq!(client.answer().text(), format!("body-{i}"));
    }
}

#[test]
fn handshakes_are_counted_and_sessions_resumed() {
    for version in ["1.2", "1.3"] {
        for (option, resumed) in [(None, 9), (Some("--tls-no-resumption"), 0)] {
            let secured = Secured::start(&[&["--tls-version", version], option.as_slice()].concat());
            for _ in 0..9 {
                assert_eq!(secured.client().get("/").status(), 200);
            }
            let stats = secured.client().get("/stats");
            let counts = ["/tls/handshakes", "/tls/resumed", "/tls/failed"].map(|pointer| stats.number(pointer));
            assert_eq!(counts, [10, resumed, 0], "{version} {option:?}");
        }
    }
}

#[test]
fn flawed_certificates_are_refused_for_their_flaw() {
    for (flaw, complaint) in [
        ("expired", "expired"),
        ("self-signed", "UnknownIssuer"),
        ("wrong-host", "not valid for name"),
        ("unknown-ca", "UnknownIssuer"),
    ] {
        let secured = Secured::start(&["--tls-certificate", flaw]);
        let seen = secured.complaint();
        assert!(seen.contains(complaint), "{flaw}: {seen}");
    }
}

#[test]
fn clients_show_a_certificate_where_that_is_demanded() {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("an authority");
    let file = Scratch::holding("clients.pem", "CERTIFICATE", authority.der());
    let mut secured = Secured::start(&["--tls-client-ca", file.as_str()]);
    let refused = secured.complaint();
    assert!(refused.contains("CertificateRequired"), "{refused}");
    let key = KeyPair::generate().expect("a key");
    let params = CertificateParams::new(["client".to_owned()]).expect("names");
    let certificate = params.signed_by(&key, &authority).expect("a certificate");
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
    let resolver = rustls::sign::SingleCertAndKey::from(
        rustls::sign::CertifiedKey::from_der(
            vec![certificate.der().clone()],
            key,
            &rustls::crypto::aws_lc_rs::default_provider(),
        )
        .expect("they fit"),
    );
    secured.config.client_auth_cert_resolver = Arc::new(resolver);
    let stats = secured.client().get("/stats");
    assert_eq!((stats.number("/tls/handshakes"), stats.number("/tls/failed")), (1, 1));
}

#[test]
fn a_certificate_of_ones_own_is_shown() {
    let key = KeyPair::generate().expect("a key");
    let params = CertificateParams::new(["localhost".to_owned()]).expect("names");
    let certificate = params.self_signed(&key).expect("a certificate");
    let chain = Scratch::holding("chain.pem", "CERTIFICATE", certificate.der());
    let key = Scratch::holding("key.pem", "PRIVATE KEY", &key.serialize_der());
    let server = Server::start(&["--tls", "--tls-cert", chain.as_str(), "--tls-key", key.as_str()]);
    let mut roots = RootCertStore::empty();
    roots.add(certificate.der().clone()).expect("a certificate");
    let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    assert_eq!(Secured { server, config }.client().get("/?body=mine").text(), "mine");
}

#[test]
fn plain_http_gets_an_alert_and_a_close() {
    let secured = Secured::start(&[]);
    let answer = secured.server.exchange("GET / HTTP/1.1\r\nHost: test\r\n\r\n");
    assert_eq!(answer.first(), Some(&0x15), "{answer:?}");
    assert_eq!((secured.stat("/tls/failed"), secured.stat("/requests")), (1, 0));
}

#[test]
fn connections_end_with_a_farewell_or_without() {
    let secured = Secured::start(&[]);
    for (path, end) in [
        ("/?close_after=1", "\r\n\r\n0123456789abcdef"),
        ("/?close_after=1,rude", "\r\n\r\n0123456789abcdef"),
        ("/?framing=close&body=hello", "\r\n\r\nhello"),
        ("/bad/truncated-body", "Content-Length: 10\r\n\r\nhello"),
        ("/bad/close", ""),
    ] {
        let mut client = secured.client();
        client.send(&format!("GET {path} HTTP/1.1\r\n\r\n"));
        let mut answer = Vec::new();
        client.stream.read_to_end(&mut answer).expect("a farewell");
        assert!(answer.ends_with(end.as_bytes()), "{path}: {:?}", String::from_utf8_lossy(&answer));
    }
    for (path, kind) in [
        ("/bad/tls-truncated", ErrorKind::UnexpectedEof),
        ("/bad/reset", ErrorKind::ConnectionReset),
        ("/bad/reset-mid-body", ErrorKind::ConnectionReset),
    ] {
        let mut client = secured.client();
        client.send(&format!("GET {path} HTTP/1.1\r\n\r\n"));
        let error = client.stream.read_to_end(&mut Vec::new()).expect_err(path);
        assert_eq!(error.kind(), kind, "{path}");
    }
    assert_eq!(secured.client().get("/?body=next").text(), "next");
}

#[test]
fn an_endless_body_is_encrypted_without_end() {
    let secured = Secured::start(&[]);
    let mut client = secured.client();
    client.send("GET /bad/endless-body HTTP/1.1\r\n\r\n");
    assert_eq!(client.bytes(20_000_000).len(), 20_000_000);
    assert_eq!(secured.client().get("/?body=next").text(), "next");
}

#[test]
fn what_is_said_on_accept_comes_before_tls_or_within() {
    let unsolicited = Secured::start(&["--on-accept", "unsolicited"]);
    let mut client = unsolicited.client();
    assert_eq!(client.answer().text(), "unsolicited\n");
    assert_eq!(client.get("/?body=hi").text(), "hi");
    let seen = Secured::start(&["--on-accept", "tls-garbage"]).complaint();
    assert!(seen.contains("message"), "{seen}");
    let stalled = Secured::start(&["--on-accept", "tls-stall"]);
    let mut wire = stalled.server.connect();
    let mut record = [0; 22];
    wire.read_exact(&mut record).expect("half a ServerHello");
    assert!(record.starts_with(b"\x16\x03\x03\0\x7a\x02\0\0\x76\x03\x03"), "{record:?}");
    wire.write_all(&[0x16; 1000]).expect("it is open, and nobody answers");
}

#[test]
fn options_that_want_tls_say_so() {
    for (options, complaint) in [
        (&["--on-accept", "tls-stall"][..], "wants `--tls`"),
        (&["--tls-certificate", "expired"], "--tls"),
        (&["--tls", "--tls-cert", "x.pem"], "--tls-key"),
        (&["--tls", "--tls-cert", "no-such.pem", "--tls-key", "no-such.pem"], "`no-such.pem`"),
        (&["--tls", "--tls-client-ca", "no-such.pem"], "`no-such.pem`"),
    ] {
        let output = binary().args(options).output().expect("it runs");
        let seen = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && seen.contains(complaint), "{options:?}: {seen}");
    }
}
