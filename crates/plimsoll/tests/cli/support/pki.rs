//! Certificates of every kind, good and bad, each a PEM file in a directory that goes away with them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};
use tempfile::TempDir;

use super::scratch;

/// Where every server of the tests is found.
const NAMES: [&str; 2] = ["localhost", "127.0.0.1"];
/// The name in the certificate of somebody else.
pub(crate) const OTHER_HOST: &str = "other.example";

/// What a server shows, or a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Certificate {
    Good,
    WrongHost,
    Expired,
    SelfSigned,
    /// Signed by an authority that nobody was told of.
    UnknownAuthority,
    Client,
    UnknownClient,
}

impl Certificate {
    const ALL: [Self; 7] = [
        Self::Good,
        Self::WrongHost,
        Self::Expired,
        Self::SelfSigned,
        Self::UnknownAuthority,
        Self::Client,
        Self::UnknownClient,
    ];

    fn is_of_a_client(self) -> bool {
        matches!(self, Self::Client | Self::UnknownClient)
    }

    fn params(self) -> CertificateParams {
        let names: &[&str] = match self {
            Self::WrongHost => &[OTHER_HOST],
            Self::Client | Self::UnknownClient => &["tester"],
            _ => &NAMES,
        };
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).expect("the names are valid");
        params.distinguished_name = named(&format!("{self:?}"));
        let usage = ExtendedKeyUsagePurpose::ServerAuth;
        params.extended_key_usages =
            vec![if self.is_of_a_client() { ExtendedKeyUsagePurpose::ClientAuth } else { usage }];
        if self == Self::Expired {
            params.not_before = date_time_ymd(2020, 1, 1);
            params.not_after = date_time_ymd(2021, 1, 1);
        }
        params
    }
}

/// Two authorities, and what they signed; clients are told of the first one only.
pub(crate) struct Pki {
    directory: TempDir,
}

impl Pki {
    /// Makes all of them.
    pub(crate) fn new() -> Self {
        let pki = Self { directory: scratch() };
        let (known, unknown) = (authority("Known"), authority("Unknown"));
        pki.write("authority.pem", "CERTIFICATE", known.der());
        for kind in Certificate::ALL {
            let key = KeyPair::generate().expect("a key can be made");
            let params = kind.params();
            let certificate = match kind {
                Certificate::SelfSigned => params.self_signed(&key),
                Certificate::UnknownAuthority | Certificate::UnknownClient => params.signed_by(&key, &unknown),
                _ => params.signed_by(&key, &known),
            };
            pki.write(&format!("{kind:?}.pem"), "CERTIFICATE", certificate.expect("it can be signed").der());
            pki.write(&format!("{kind:?}.key"), "PRIVATE KEY", key.serialized_der());
        }
        pki
    }

    /// The certificate of the authority that clients and servers are told of.
    pub(crate) fn authority(&self) -> String {
        self.path("authority.pem")
    }

    /// A certificate.
    pub(crate) fn certificate(&self, kind: Certificate) -> String {
        self.path(&format!("{kind:?}.pem"))
    }

    /// Its key.
    pub(crate) fn key(&self, kind: Certificate) -> String {
        self.path(&format!("{kind:?}.key"))
    }

    fn path(&self, name: &str) -> String {
        self.directory.path().join(name).to_str().expect("the path is text").to_owned()
    }

    fn write(&self, name: &str, label: &str, der: &[u8]) {
        // Readers of PEM want lines of at most 64 letters, or 48 bytes.
        let lines: Vec<String> = der.chunks(48).map(|line| STANDARD.encode(line)).collect();
        let text = format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"));
        std::fs::write(self.path(name), text).expect("a file can be written");
    }
}

fn authority(name: &str) -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::default();
    params.distinguished_name = named(name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let key = KeyPair::generate().expect("a key can be made");
    CertifiedIssuer::self_signed(params, key).expect("an authority can sign itself")
}

/// Authorities with equal names would be taken for each other.
fn named(name: &str) -> rcgen::DistinguishedName {
    let mut distinguished = rcgen::DistinguishedName::new();
    distinguished.push(DnType::CommonName, format!("Tests {name}"));
    distinguished
}
