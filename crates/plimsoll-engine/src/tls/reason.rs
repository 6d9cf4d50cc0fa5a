//! What went wrong in TLS, in words for a person who has to put it right.

use std::io;

use plimsoll_http::printable;
use rustls::{AlertDescription, CertificateError, Error, InvalidMessage, PeerIncompatible};

use super::verifier::SELF_SIGNED;

/// Characters of the library's own words that are passed on.
const DETAIL_CHARS_MAX: usize = 160;

/// Said where the server agreed to no HTTP version that was asked for; each connection asks for one.
pub(crate) const NO_PROTOCOL: &str = "the server does not offer the HTTP version that was asked for";

/// The TLS error inside an I/O error, if there is one.
pub(crate) fn of_io(error: &io::Error) -> Option<String> {
    error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()).map(of_error)
}

/// An error in words.
pub(crate) fn of_error(error: &Error) -> String {
    match error {
        Error::InvalidCertificate(error) => format!("the server's certificate {}", of_certificate(error)),
        Error::General(text) if text == SELF_SIGNED => {
            "the server's certificate is self-signed, and no authority vouches for it".to_owned()
        }
        Error::InvalidMessage(InvalidMessage::InvalidContentType) => {
            "the server does not speak TLS on this port: what it said is no TLS record".to_owned()
        }
        Error::InvalidMessage(detail) => format!("the server said something that TLS does not know: {detail:?}"),
        Error::AlertReceived(alert) => of_alert(*alert),
        Error::NoApplicationProtocol => NO_PROTOCOL.to_owned(),
        Error::PeerIncompatible(
            PeerIncompatible::ServerDoesNotSupportTls12Or13 | PeerIncompatible::ServerTlsVersionIsDisabledByOurConfig,
        ) => "the server chose a version of TLS that was not offered".to_owned(),
        other => printable(format!("TLS failed: {other}").as_bytes(), DETAIL_CHARS_MAX),
    }
}

fn of_certificate(error: &CertificateError) -> String {
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "has expired".to_owned(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => "is not valid yet".to_owned(),
        CertificateError::NotValidForName => "is for another name".to_owned(),
        CertificateError::NotValidForNameContext { expected, presented } => {
            let names: Vec<&str> = presented.iter().map(|name| bare(name)).collect();
            let presented = printable(names.join(", ").as_bytes(), DETAIL_CHARS_MAX);
            format!("is for another name: expected `{}`, it says `{presented}`", expected.to_str())
        }
        CertificateError::UnknownIssuer => "is signed by an authority that is not trusted here".to_owned(),
        CertificateError::BadSignature => "has a signature that is wrong".to_owned(),
        CertificateError::Revoked => "has been revoked".to_owned(),
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            "is not meant for servers".to_owned()
        }
        CertificateError::BadEncoding => "cannot be read".to_owned(),
        CertificateError::Other(other) => printable(format!("was refused: {other}").as_bytes(), DETAIL_CHARS_MAX),
        other => printable(format!("was refused: {other}").as_bytes(), DETAIL_CHARS_MAX),
    }
}

/// A name without what the library writes around it: `DnsName("a.example")`.
fn bare(name: &str) -> &str {
    name.split_once("(\"").and_then(|(_, rest)| rest.strip_suffix("\")")).unwrap_or(name)
}

/// What the server says in its alert.
fn of_alert(alert: AlertDescription) -> String {
    let words = match alert {
        AlertDescription::CertificateRequired => "it wants a client certificate, and got none",
        AlertDescription::BadCertificate | AlertDescription::UnknownCA | AlertDescription::UnsupportedCertificate => {
            "it does not accept the client certificate"
        }
        AlertDescription::CertificateExpired => "the client certificate has expired",
        AlertDescription::CertificateRevoked => "the client certificate has been revoked",
        AlertDescription::AccessDenied => "it denies access to this client certificate",
        AlertDescription::ProtocolVersion => "it does not speak the version of TLS that was offered",
        AlertDescription::HandshakeFailure => {
            "it found nothing acceptable in what was offered, or it misses a client certificate"
        }
        AlertDescription::UnrecognisedName => "it does not know the server name that was asked for",
        AlertDescription::NoApplicationProtocol => return NO_PROTOCOL.to_owned(),
        AlertDescription::InternalError => "it has an error of its own",
        other => return format!("the server ended TLS with the alert `{other:?}`"),
    };
    format!("the server ended TLS: {words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_words() {
        for (error, words) in [
            (Error::InvalidCertificate(CertificateError::Expired), "certificate has expired"),
            (Error::InvalidCertificate(CertificateError::UnknownIssuer), "not trusted here"),
            (Error::General(SELF_SIGNED.to_owned()), "self-signed"),
            (Error::InvalidMessage(InvalidMessage::InvalidContentType), "does not speak TLS on this port"),
            (Error::AlertReceived(AlertDescription::CertificateRequired), "wants a client certificate"),
            (Error::AlertReceived(AlertDescription::NoApplicationProtocol), "HTTP version"),
        ] {
            let text = of_error(&error);
            assert!(text.contains(words), "{error:?}: {text}");
        }
    }

    #[test]
    fn hostile_names_are_escaped() {
        let name = rustls::pki_types::ServerName::try_from("localhost").expect("a name");
        let presented = vec!["\u{1b}[2J".to_owned()];
        let error = CertificateError::NotValidForNameContext { expected: name, presented };
        assert!(!of_error(&Error::InvalidCertificate(error)).contains('\u{1b}'));
    }
}
