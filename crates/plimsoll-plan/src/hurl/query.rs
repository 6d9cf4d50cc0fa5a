//! Where values are taken from.

use hurl_core::ast::{
    CertificateAttributeName, CookieAttributeName, CookiePath, Query as AstQuery, QueryValue, RegexValue,
    Template as AstTemplate,
};
use hurl_core::reader::Pos;
use plimsoll_journey::{CertificateField, CookieField, Query, Template};

use super::reader::Reader;
use super::template::{constant, text};
use super::variables::Use;
use super::xpath;

impl Reader<'_> {
    pub(super) fn query(&mut self, query: &AstQuery) -> Query {
        match &query.value {
            QueryValue::Status => Query::Status,
            QueryValue::Version => Query::Version,
            QueryValue::Url => Query::Url,
            QueryValue::Header { name, .. } => Query::Header(self.template(name)),
            QueryValue::Cookie { expr, .. } => self.cookie(expr),
            QueryValue::Body => Query::Body,
            QueryValue::Xpath { expr, .. } => {
                Query::XPath { expression: self.xpath_expression(expr), engine: self.xpath.clone() }
            }
            QueryValue::Jsonpath { expr, .. } => Query::JsonPath(self.template(expr)),
            QueryValue::Regex { value, .. } => Query::Regex(self.regex(value)),
            QueryValue::Variable { name, .. } => Query::Variable(self.asked_variable(name)),
            QueryValue::Duration => Query::Duration,
            QueryValue::Bytes => Query::Bytes,
            QueryValue::RawBytes => Query::RawBytes,
            QueryValue::Sha256 => Query::Sha256,
            QueryValue::Md5 => Query::Md5,
            QueryValue::Certificate { attribute_name, .. } => Query::Certificate(certificate_field(*attribute_name)),
            QueryValue::Ip => Query::Ip,
            QueryValue::Redirects => Query::Redirects,
        }
    }

    fn cookie(&mut self, path: &CookiePath) -> Query {
        let field = path.attribute.as_ref().map_or(CookieField::Value, |attribute| cookie_field(&attribute.name));
        Query::Cookie { name: self.template(&path.name), field }
    }

    /// A variable that may be missing: to ask for it is no reason that it must be there.
    fn asked_variable(&mut self, name: &AstTemplate) -> Template {
        let template = self.template(name);
        if let Some(name_known) = constant(&template) {
            self.mention(name_known, name.source_info.start, Use::Asked);
        }
        template
    }

    pub(super) fn xpath_expression(&mut self, expression: &AstTemplate) -> Template {
        let template = self.template(expression);
        if let Some(Err(reason)) = constant(&template).map(xpath::compiles) {
            let hint = "expected an XPath 1.0 expression, such as `string(//title)`";
            self.mistake(expression.source_info.start, format!("not an XPath expression: {reason}"), hint);
        }
        template
    }

    pub(super) fn regex(&mut self, value: &RegexValue) -> Template {
        match value {
            RegexValue::Regex(regex) => text(regex.inner.as_str()),
            RegexValue::Template(template) => self.regex_template(template),
        }
    }

    pub(super) fn regex_template(&mut self, template: &AstTemplate) -> Template {
        let read = self.template(template);
        if let Some(pattern) = constant(&read).map(str::to_owned) {
            self.check_regex(&pattern, template.source_info.start);
        }
        read
    }

    fn check_regex(&mut self, pattern: &str, at: Pos) {
        if let Err(error) = regex::Regex::new(pattern) {
            let reason = error.to_string();
            // The library draws the pattern first; what is wrong stands on its last line.
            let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            self.mistake(
                at,
                format!("not a regular expression: {reason}"),
                "in quotes, `\\` is written twice: `\"\\\\d+\"`",
            );
        }
    }
}

fn cookie_field(name: &CookieAttributeName) -> CookieField {
    match name {
        CookieAttributeName::Value(_) => CookieField::Value,
        CookieAttributeName::Expires(_) => CookieField::Expires,
        CookieAttributeName::MaxAge(_) => CookieField::MaxAge,
        CookieAttributeName::Domain(_) => CookieField::Domain,
        CookieAttributeName::Path(_) => CookieField::Path,
        CookieAttributeName::Secure(_) => CookieField::Secure,
        CookieAttributeName::HttpOnly(_) => CookieField::HttpOnly,
        CookieAttributeName::SameSite(_) => CookieField::SameSite,
    }
}

fn certificate_field(name: CertificateAttributeName) -> CertificateField {
    match name {
        CertificateAttributeName::Subject => CertificateField::Subject,
        CertificateAttributeName::Issuer => CertificateField::Issuer,
        CertificateAttributeName::StartDate => CertificateField::StartDate,
        CertificateAttributeName::ExpireDate => CertificateField::ExpireDate,
        CertificateAttributeName::SerialNumber => CertificateField::SerialNumber,
        CertificateAttributeName::SubjectAltName => CertificateField::SubjectAltName,
        CertificateAttributeName::Value => CertificateField::Value,
    }
}
