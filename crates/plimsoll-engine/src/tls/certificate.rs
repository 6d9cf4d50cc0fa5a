//! A server's certificate in the words that hurl has for it.
//!
//! They are those of OpenSSL, by way of curl: names on one line as OpenSSL 3.2 and Hurl's manual write them (`C=DE,
//! CN=localhost`), a serial number in hexadecimal pairs, alternative names with their kinds.

use std::net::Ipv6Addr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use plimsoll_journey::Certificate;
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::{FromDer, X509Certificate};
use x509_parser::x509::{AttributeTypeAndValue, X509Name};

/// A line of PEM (RFC 7468, section 2).
const PEM_LINE_CHARS: usize = 64;

/// What a certificate says; none if it is none.
pub(super) fn read(der: &[u8]) -> Option<Certificate> {
    let (_, certificate) = X509Certificate::from_der(der).ok()?;
    let validity = certificate.validity();
    Some(Certificate {
        subject: name(certificate.subject()),
        issuer: name(certificate.issuer()),
        start_ms: validity.not_before.timestamp().saturating_mul(1000),
        expire_ms: validity.not_after.timestamp().saturating_mul(1000),
        serial_number: serial_number(certificate.raw_serial()),
        subject_alt_name: alternative_names(&certificate),
        value_pem: pem(der),
    })
}

/// All parts of a name, in their order.
fn name(name: &X509Name<'_>) -> String {
    let part = |part: &AttributeTypeAndValue<'_>| format!("{}={}", kind(part), escaped(&text(part)));
    let parts = |parts: Vec<String>, sign: &str| parts.join(sign);
    parts(name.iter_rdn().map(|together| parts(together.iter().map(part).collect(), " + ")).collect(), ", ")
}

/// OpenSSL's short names; the number of what it has no name for.
fn kind(part: &AttributeTypeAndValue<'_>) -> String {
    let number = part.attr_type().to_id_string();
    let short = match number.as_str() {
        "2.5.4.3" => "CN",
        "2.5.4.4" => "SN",
        "2.5.4.5" => "serialNumber",
        "2.5.4.6" => "C",
        "2.5.4.7" => "L",
        "2.5.4.8" => "ST",
        "2.5.4.9" => "street",
        "2.5.4.10" => "O",
        "2.5.4.11" => "OU",
        "2.5.4.12" => "title",
        "2.5.4.13" => "description",
        "2.5.4.15" => "businessCategory",
        "2.5.4.17" => "postalCode",
        "2.5.4.41" => "name",
        "2.5.4.42" => "GN",
        "2.5.4.43" => "initials",
        "2.5.4.46" => "dnQualifier",
        "2.5.4.65" => "pseudonym",
        "2.5.4.97" => "organizationIdentifier",
        "1.2.840.113549.1.9.1" => "emailAddress",
        "0.9.2342.19200300.100.1.1" => "UID",
        "0.9.2342.19200300.100.1.25" => "DC",
        "1.3.6.1.4.1.311.60.2.1.1" => "jurisdictionL",
        "1.3.6.1.4.1.311.60.2.1.2" => "jurisdictionST",
        "1.3.6.1.4.1.311.60.2.1.3" => "jurisdictionC",
        _ => return number,
    };
    short.to_owned()
}

fn text(part: &AttributeTypeAndValue<'_>) -> String {
    match part.as_str() {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(part.attr_value().data).into_owned(),
    }
}

/// RFC 2253 with quotes, as OpenSSL writes it: what is not ASCII or a control is `\C3`, byte by byte; what would be taken
/// for the name's own signs stands in quotes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => escaped.extend(['\\', char::from(byte)]),
            b' '..=b'~' => escaped.push(char::from(byte)),
            byte => escaped += &format!("\\{byte:02X}"),
        }
    }
    let quoted = text.contains([',', '+', '<', '>', ';']) || text.starts_with([' ', '#']) || text.ends_with(' ');
    if quoted { format!("\"{escaped}\"") } else { escaped }
}

/// Pairs of hexadecimal digits; the byte that only says that the number is positive is none of it.
fn serial_number(bytes: &[u8]) -> String {
    let bytes = match bytes {
        [0, rest @ ..] if !rest.is_empty() => rest,
        bytes => bytes,
    };
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(":")
}

fn alternative_names(certificate: &X509Certificate<'_>) -> String {
    let Ok(Some(extension)) = certificate.subject_alternative_name() else { return String::new() };
    extension.value.general_names.iter().map(alternative_name).collect::<Vec<_>>().join(", ")
}

fn alternative_name(name: &GeneralName<'_>) -> String {
    match name {
        GeneralName::DNSName(name) => format!("DNS:{name}"),
        GeneralName::RFC822Name(name) => format!("email:{name}"),
        GeneralName::URI(uri) => format!("URI:{uri}"),
        GeneralName::IPAddress(bytes) => format!("IP Address:{}", address(bytes)),
        GeneralName::RegisteredID(id) => format!("Registered ID:{}", id.to_id_string()),
        GeneralName::DirectoryName(directory) => format!("DirName:{}", on_one_line(directory)),
        GeneralName::OtherName(..) => "othername:<unsupported>".to_owned(),
        GeneralName::X400Address(_) => "X400Name:<unsupported>".to_owned(),
        GeneralName::EDIPartyName(_) => "EdiPartyName:<unsupported>".to_owned(),
        GeneralName::Invalid(..) => "<invalid>".to_owned(),
    }
}

/// OpenSSL leaves no zeros of an IPv6 address out.
fn address(bytes: &[u8]) -> String {
    if let Ok(four) = <[u8; 4]>::try_from(bytes) {
        return four.map(|byte| byte.to_string()).join(".");
    }
    match <[u8; 16]>::try_from(bytes) {
        Ok(sixteen) => Ipv6Addr::from(sixteen).segments().map(|segment| format!("{segment:X}")).join(":"),
        Err(_) => "<invalid>".to_owned(),
    }
}

/// OpenSSL's older way to write a name, which it keeps within alternative names.
fn on_one_line(name: &X509Name<'_>) -> String {
    name.iter_attributes().map(|part| format!("/{}={}", kind(part), text(part))).collect()
}

fn pem(der: &[u8]) -> String {
    let base64 = STANDARD.encode(der);
    let mut pem = String::from("-----BEGIN CERTIFICATE-----\n");
    for start in (0..base64.len()).step_by(PEM_LINE_CHARS) {
        pem += &base64[start..base64.len().min(start + PEM_LINE_CHARS)];
        pem.push('\n');
    }
    pem + "-----END CERTIFICATE-----"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_as_openssl_does() {
        for (text, expected) in [
            ("localhost", "localhost"),
            ("a b", "a b"),
            ("Müller, Söhne", r#""M\C3\BCller, S\C3\B6hne""#),
            ("日", r"\E6\97\A5"),
            ("a+b", r#""a+b""#),
            ("#1", r##""#1""##),
            ("a#1", "a#1"),
            (" a", r#"" a""#),
            ("say \"a\\b\"", r#"say \"a\\b\""#),
            ("a\nb", r"a\0Ab"),
        ] {
            assert_eq!(escaped(text), expected, "{text}");
        }
    }

    #[test]
    fn serial_numbers_and_addresses() {
        assert_eq!(serial_number(&[0, 0xf1, 0xee, 0x0b]), "f1:ee:0b");
        assert_eq!(serial_number(&[0]), "00");
        assert_eq!(address(&[127, 0, 0, 1]), "127.0.0.1");
        assert_eq!(address(&Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 1).octets()), "FE80:0:0:0:0:0:0:1");
        assert_eq!(address(&[1, 2]), "<invalid>");
    }

    /// Made by OpenSSL; what curl and OpenSSL 3.0 say of it, but for the blanks around `=` that OpenSSL 3.2 dropped.
    const CERTIFICATE: &str = "\
-----BEGIN CERTIFICATE-----
MIICozCCAkqgAwIBAgIFAPHuixcwCgYIKoZIzj0EAwIwgY0xCzAJBgNVBAYTAkRF
MRAwDgYDVQQIDAdCYXZhcmlhMSEwHwYDVQQKDBhNw7xsbGVyICYgU8O2aG5lLCDm
l6XmnKwxDDAKBgNVBAsMA2ErYjESMBAGA1UEAwwJbG9jYWxob3N0MRowGAYJKoZI
hvcNAQkBFgthQGIuZXhhbXBsZTELMAkGA1UEBRMCNDIwHhcNMjYxMTIxMTY0OTIw
WhcNMjYxMjIxMTY0OTIwWjCBjTELMAkGA1UEBhMCREUxEDAOBgNVBAgMB0JhdmFy
aWExITAfBgNVBAoMGE3DvGxsZXIgJiBTw7ZobmUsIOaXpeacrDEMMAoGA1UECwwD
YStiMRIwEAYDVQQDDAlsb2NhbGhvc3QxGjAYBgkqhkiG9w0BCQEWC2FAYi5leGFt
cGxlMQswCQYDVQQFEwI0MjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABC5YwYVR
1FnCBLSjcF6YtgAmYejmKTU2xAw1MSrdy55maNfyBRrjLWicNeZXN+fh20yJjp8A
Y7v8Jm+Yj3hNNQejgZQwgZEwcAYDVR0RBGkwZ4IJbG9jYWxob3N0hwR/AAABhxD+
gAAAAAAAAAAAAAAAAAABgQt4QHkuZXhhbXBsZYYRaHR0cDovL3guZXhhbXBsZS+I
AyoDBKQdMBsxCzAJBgNVBAYTAlVLMQwwCgYDVQQKDANPcmcwHQYDVR0OBBYEFI2m
cKMLeM0uCvKdSwr0wQn+3P0dMAoGCCqGSM49BAMCA0cAMEQCIH0z8iglma/GnIYz
ABudCl7dTmPceNYnn1UwqAPjX2u6AiB9xH8J4UUWEglZTqQysaL26PwCf7uzoysL
qugTOuZisg==
-----END CERTIFICATE-----";

    #[test]
    fn a_certificate_is_told_as_openssl_tells_it() {
        let base64: String = CERTIFICATE.lines().filter(|line| !line.starts_with('-')).collect();
        let told = read(&STANDARD.decode(base64).expect("it is base64")).expect("it is a certificate");
        let name = "C=DE, ST=Bavaria, O=\"M\\C3\\BCller & S\\C3\\B6hne, \\E6\\97\\A5\\E6\\9C\\AC\", OU=\"a+b\", \
                    CN=localhost, emailAddress=a@b.example, serialNumber=42";
        assert_eq!((told.subject.as_str(), told.issuer.as_str()), (name, name));
        assert_eq!(told.serial_number, "f1:ee:8b:17");
        assert_eq!(
            told.subject_alt_name,
            "DNS:localhost, IP Address:127.0.0.1, IP Address:FE80:0:0:0:0:0:0:1, email:x@y.example, \
             URI:http://x.example/, Registered ID:1.2.3.4, DirName:/C=UK/O=Org"
        );
        assert_eq!((told.start_ms, told.expire_ms), (1_795_279_760_000, 1_797_871_760_000));
        assert_eq!(told.value_pem, CERTIFICATE);
    }

    proptest::proptest! {
        #[test]
        fn whatever_a_server_shows_is_no_reason_to_panic(bytes: Vec<u8>, at: usize, byte: u8) {
            let _ = read(&bytes);
            let base64: String = CERTIFICATE.lines().filter(|line| !line.starts_with('-')).collect();
            let mut der = STANDARD.decode(base64).expect("it is base64");
            let at = at % der.len();
            der[at] = byte;
            let _ = read(&der);
        }
    }
}
