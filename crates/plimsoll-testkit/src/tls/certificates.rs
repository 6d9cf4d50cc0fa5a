//! Certificates: read from files, or made at the start, sound or with the flaw that was asked for.

use super::Certificate;
use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use std::path::Path;

/// What a server shows, and the key that goes with it.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) chain: Vec<CertificateDer<'static>>,
    pub(super) key: PrivateKeyDer<'static>,
}

type Authority = CertifiedIssuer<'static, KeyPair>;

/// A chain and its key from files.
pub(super) fn read(chain: &Path, key: &Path) -> anyhow::Result<Identity> {
    let seen = || format!("could not read a certificate from `{}`", chain.display());
    let certificates = CertificateDer::pem_file_iter(chain).with_context(seen)?;
    Ok(Identity {
        chain: certificates.collect::<Result<_, _>>().with_context(seen)?,
        key: PrivateKeyDer::from_pem_file(key)
            .with_context(|| format!("could not read a private key from `{}`", key.display()))?,
    })
}

/// A new authority, written to `authority_out` where that is wanted, and a certificate with this flaw.
pub(super) fn make(flaw: Option<Certificate>, authority_out: Option<&Path>) -> anyhow::Result<Identity> {
    let known = authority("Plimsoll testkit")?;
    if let Some(path) = authority_out {
        std::fs::write(path, pem(known.der()))
            .with_context(|| format!("could not write the authority to `{}`", path.display()))?;
    }
    let signer = match flaw {
        Some(Certificate::UnknownCa) => authority("Plimsoll testkit that nobody knows")?,
        _ => known,
    };
    let key = KeyPair::generate()?;
    let params = params(flaw)?;
    let certificate = match flaw {
        Some(Certificate::SelfSigned) => params.self_signed(&key)?,
        _ => params.signed_by(&key, &signer)?,
    };
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    Ok(Identity { chain: vec![certificate.der().clone()], key })
}

fn authority(name: &str) -> anyhow::Result<Authority> {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    Ok(CertifiedIssuer::self_signed(params, KeyPair::generate()?)?)
}

fn params(flaw: Option<Certificate>) -> anyhow::Result<CertificateParams> {
    let hosts: &[&str] = match flaw {
        Some(Certificate::WrongHost) => &["wrong-host.invalid"],
        _ => &["localhost", "127.0.0.1", "::1"],
    };
    let hosts: Vec<String> = hosts.iter().map(|&host| host.to_owned()).collect();
    let mut params = CertificateParams::new(hosts)?;
    params.distinguished_name.push(DnType::CommonName, "localhost");
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.not_before = date_time_ymd(2000, 1, 1);
    params.not_after = match flaw {
        Some(Certificate::Expired) => date_time_ymd(2001, 1, 1),
        _ => date_time_ymd(2100, 1, 1),
    };
    Ok(params)
}

/// RFC 7468.
fn pem(certificate: &[u8]) -> String {
    let text = STANDARD.encode(certificate);
    let lines: Vec<&str> = text.as_bytes().chunks(64).filter_map(|line| std::str::from_utf8(line).ok()).collect();
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::RootCertStore;
    use rustls::client::WebPkiServerVerifier;
    use rustls::client::danger::ServerCertVerifier as _;
    use rustls::crypto::aws_lc_rs;
    use rustls::pki_types::{ServerName, UnixTime};
    use std::sync::Arc;
    use std::time::Duration;

    /// Makes a certificate with this flaw and lets a client that knows the authority look at it, in 2025.
    #[track_caller]
    fn check(flaw: Option<Certificate>, host: &'static str, complaint: Option<&str>) {
        let path = std::env::temp_dir().join(format!("plimsoll-testkit-ca-{}-{flaw:?}.pem", std::process::id()));
        let identity = make(flaw, Some(&path)).expect("a certificate");
        let authority = CertificateDer::from_pem_file(&path).expect("the authority");
        std::fs::remove_file(&path).expect("a file");
        let mut roots = RootCertStore::empty();
        roots.add(authority).expect("an authority");
        let provider = Arc::new(aws_lc_rs::default_provider());
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build().expect("roots");
        let name = ServerName::try_from(host).expect("a name");
        let now = UnixTime::since_unix_epoch(Duration::from_secs(1_750_000_000));
        let seen = verifier.verify_server_cert(&identity.chain[0], &[], &name, &[], now);
        let seen = seen.map(drop).map_err(|error| error.to_string());
        match (seen, complaint) {
            (Ok(()), None) => {}
            (Err(seen), Some(expected)) if seen.contains(expected) => {}
            (seen, _) => panic!("{flaw:?}: {seen:?}, expected {complaint:?}"),
        }
    }

    #[test]
    fn each_flaw_is_the_one_that_is_seen() {
        check(None, "localhost", None);
        check(None, "127.0.0.1", None);
        check(None, "::1", None);
        check(Some(Certificate::Expired), "localhost", Some("expired"));
        check(Some(Certificate::SelfSigned), "localhost", Some("UnknownIssuer"));
        check(Some(Certificate::WrongHost), "localhost", Some("not valid for name"));
        check(Some(Certificate::UnknownCa), "localhost", Some("UnknownIssuer"));
    }
}
