//! What queries yield.

use std::sync::Arc;

use chrono::DateTime;
use md5::{Digest as _, Md5};
use sha2::Sha256;

use super::reading::{Reading, headers};
use super::set_cookie::SetCookie;
use super::{Env, encode};
use crate::answer::{Answer, Certificate};
use crate::compiled;
use crate::query::{CertificateField, CookieField, Query};
use crate::value::Value;
use crate::wrong::Wrong;

impl Query {
    /// None where nothing is found, which is not wrong by itself.
    pub(super) fn evaluate(&self, reading: &Reading<'_>, env: &mut Env<'_>) -> Result<Option<Value>, Wrong> {
        let answer = reading.answer;
        Ok(match self {
            Self::Status => Some(Value::integer(i64::from(answer.status))),
            Self::Version => Some(Value::text(answer.version)),
            // As the URL standard writes it: with a path, and escaped.
            Self::Url => Some(match url::Url::parse(answer.url) {
                Ok(url) => Value::text(url.as_str()),
                Err(_) => Value::text(answer.url),
            }),
            Self::Header(name) => header(answer, &env.string(name)?),
            Self::Cookie { name, field } => cookie(answer, &env.string(name)?, *field)?,
            Self::Body => Some(reading.body()?),
            Self::Bytes => Some(bytes(answer.body)),
            Self::RawBytes => Some(bytes(answer.raw_body)),
            Self::XPath { expression, engine } => {
                let wrong = |reason| Wrong::new("a document that the XPath can be evaluated on", reason);
                engine.evaluate(reading.text()?, reading.is_html(), &env.string(expression)?).map_err(wrong)?
            }
            Self::JsonPath(path) => {
                let plain = env.plain;
                reading.json(env.string(path)?, plain)?
            }
            Self::Regex(pattern) => encode::first_group(reading.text()?, &*compiled::regex(env.string(pattern)?)?),
            Self::Variable(name) => {
                let name = env.string(name)?;
                env.scope.find(&name).cloned()
            }
            Self::Duration => Some(Value::integer(i64::try_from(answer.duration_ms).unwrap_or(i64::MAX))),
            Self::Sha256 => Some(bytes(&Sha256::digest(answer.body))),
            Self::Md5 => Some(bytes(&Md5::digest(answer.body))),
            Self::Certificate(field) => answer.certificate.and_then(|certificate| certified(certificate, *field)),
            Self::Ip => Some(Value::text(answer.ip)),
            Self::Redirects => {
                Some(Value::List(answer.redirects.iter().map(|hop| Value::Hop(Arc::new(hop.clone()))).collect()))
            }
        })
    }
}

fn bytes(bytes: &[u8]) -> Value {
    Value::Bytes(bytes.into())
}

/// One value is itself, several are a list.
fn header(answer: &Answer<'_>, name: &str) -> Option<Value> {
    let mut values = headers(answer, name);
    let first = Value::text(&values.next()?);
    let mut rest = values.map(|value| Value::text(&value)).peekable();
    Some(match rest.peek() {
        None => first,
        Some(_) => Value::List(std::iter::once(first).chain(rest).collect()),
    })
}

fn cookie(answer: &Answer<'_>, name: &str, field: CookieField) -> Result<Option<Value>, Wrong> {
    for header in headers(answer, "set-cookie") {
        if let Some(cookie) = SetCookie::parse(&header).filter(|cookie| cookie.name == name) {
            return cookie.field(field);
        }
    }
    Ok(None)
}

fn certified(certificate: &Certificate, field: CertificateField) -> Option<Value> {
    let text = |text: &str| (!text.is_empty()).then(|| Value::text(text));
    let date = |ms: i64| DateTime::from_timestamp_millis(ms).map(Value::Date);
    match field {
        CertificateField::Subject => text(&certificate.subject),
        CertificateField::Issuer => text(&certificate.issuer),
        CertificateField::StartDate => date(certificate.start_ms),
        CertificateField::ExpireDate => date(certificate.expire_ms),
        CertificateField::SerialNumber => text(&certificate.serial_number),
        CertificateField::SubjectAltName => text(&certificate.subject_alt_name),
        CertificateField::Value => text(&certificate.value_pem),
    }
}
