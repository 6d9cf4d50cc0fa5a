//! A `Set-Cookie` header as queries see it: what the server wrote, not what a jar makes of it.

use chrono::{DateTime, NaiveDateTime, Utc};

use crate::query::CookieField;
use crate::value::Value;
use crate::wrong::Wrong;

/// A `Set-Cookie` header.
pub(super) struct SetCookie<'a> {
    pub(super) name: &'a str,
    value: &'a str,
    attributes: &'a str,
}

impl<'a> SetCookie<'a> {
    pub(super) fn parse(header: &'a str) -> Option<Self> {
        let (name, rest) = header.split_once('=')?;
        let (value, attributes) = rest.split_once(';').unwrap_or((rest, ""));
        Some(Self { name, value, attributes })
    }

    /// None where the server did not give it.
    pub(super) fn field(&self, field: CookieField) -> Result<Option<Value>, Wrong> {
        Ok(match field {
            CookieField::Value => Some(Value::text(self.value)),
            CookieField::Expires => self.text("Expires").map(date).transpose()?,
            CookieField::MaxAge => self.values("Max-Age").find_map(|age| age?.parse().ok()).map(Value::integer),
            CookieField::Domain => self.text("Domain").map(Value::text),
            CookieField::Path => self.text("Path").map(Value::text),
            CookieField::Secure => self.flag("Secure"),
            CookieField::HttpOnly => self.flag("HttpOnly"),
            CookieField::SameSite => self.text("SameSite").map(Value::text),
        })
    }

    /// All attributes of a name; none in it where one has no `=`.
    fn values(&self, name: &'static str) -> impl Iterator<Item = Option<&'a str>> {
        let attributes = self.attributes.split(';').map(|attribute| {
            let mut pieces = attribute.split('=');
            (pieces.next().unwrap_or_default().trim(), pieces.next())
        });
        attributes.filter(move |(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    fn text(&self, name: &'static str) -> Option<&'a str> {
        self.values(name).next().flatten()
    }

    fn flag(&self, name: &'static str) -> Option<Value> {
        self.values(name).any(|value| value.is_none()).then_some(Value::Unit)
    }
}

/// `Wed, 13 Jan 2021 22:23:01 GMT`, and the same with dashes.
fn date(text: &str) -> Result<Value, Wrong> {
    if let Ok(date) = DateTime::parse_from_rfc2822(text) {
        return Ok(Value::Date(date.with_timezone(&Utc)));
    }
    match NaiveDateTime::parse_from_str(text, "%a, %d-%b-%Y %H:%M:%S%.3f GMT") {
        Ok(date) => Ok(Value::Date(date.and_utc())),
        Err(_) => Err(Wrong::new("a cookie that expires at a date", text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(field: CookieField, expected: &str) {
        const HEADER: &str =
            "id=a=b; Expires=Wed, 13-Jan-2021 22:23:01 GMT; max-age=x; Max-Age=60;Path=/a; Secure ; HttpOnly=1";
        let found = SetCookie::parse(HEADER).map(|cookie| (cookie.name == "id", cookie.field(field)));
        let words = match found {
            Some((true, Ok(Some(value)))) => value.described(),
            Some((true, Ok(None))) => "none".to_owned(),
            other => format!("{:?}", other.map(|(named, found)| (named, found.is_ok()))),
        };
        assert_eq!(words, expected, "{field:?}");
    }

    #[test]
    fn fields() {
        check(CookieField::Value, "string <a=b>");
        check(CookieField::Expires, "date <2021-01-13 22:23:01 UTC>");
        check(CookieField::MaxAge, "integer <60>");
        check(CookieField::Domain, "none");
        check(CookieField::Path, "string </a>");
        check(CookieField::Secure, "unit");
        check(CookieField::HttpOnly, "none");
        check(CookieField::SameSite, "none");
    }

    #[test]
    fn what_is_no_cookie() {
        assert!(SetCookie::parse("no equals sign").is_none());
        assert!(date("yesterday").is_err());
        assert!(date("Wed, 13 Jan 2021 22:23:01 GMT").is_ok());
    }
}
