//! What is done to values on their way.

use hurl_core::ast::{Filter as AstFilter, FilterValue, IntegerValue, Whitespace};
use plimsoll_journey::{Escape, Filter};

use super::reader::Reader;
use super::template::{Writer, text};

impl Reader<'_> {
    pub(super) fn filters(&mut self, filters: &[(Whitespace, AstFilter)]) -> Vec<Filter> {
        filters.iter().map(|(_, filter)| self.filter(&filter.value)).collect()
    }

    fn filter(&mut self, filter: &FilterValue) -> Filter {
        match filter {
            FilterValue::Base64Decode => Filter::Base64Decode,
            FilterValue::Base64Encode => Filter::Base64Encode,
            FilterValue::Base64UrlSafeDecode => Filter::Base64UrlSafeDecode,
            FilterValue::Base64UrlSafeEncode => Filter::Base64UrlSafeEncode,
            FilterValue::CharsetDecode { encoding, .. } | FilterValue::Decode { encoding, .. } => {
                Filter::CharsetDecode(self.template(encoding))
            }
            FilterValue::Count => Filter::Count,
            FilterValue::DaysAfterNow => Filter::DaysAfterNow,
            FilterValue::DaysBeforeNow => Filter::DaysBeforeNow,
            FilterValue::First => Filter::First,
            FilterValue::DateFormat { fmt, .. } | FilterValue::Format { fmt, .. } => {
                Filter::DateFormat(self.template(fmt))
            }
            FilterValue::HtmlEscape => Filter::HtmlEscape,
            FilterValue::HtmlUnescape => Filter::HtmlUnescape,
            FilterValue::JsonPath { expr, .. } => Filter::JsonPath(self.template(expr)),
            FilterValue::Last => Filter::Last,
            FilterValue::Location => Filter::Location,
            FilterValue::Nth { n, .. } => self.nth(n),
            FilterValue::Regex { value, .. } => Filter::Regex(self.regex(value)),
            FilterValue::Replace { old_value, new_value, .. } => {
                Filter::Replace { old: self.template(old_value), new: self.template(new_value) }
            }
            FilterValue::ReplaceRegex { pattern, new_value, .. } => {
                Filter::ReplaceRegex { pattern: self.regex(pattern), new: self.template(new_value) }
            }
            FilterValue::Split { sep, .. } => Filter::Split(self.template(sep)),
            FilterValue::ToDate { fmt, .. } => Filter::ToDate(self.template(fmt)),
            FilterValue::ToFloat => Filter::ToFloat,
            FilterValue::ToHex => Filter::ToHex,
            FilterValue::ToInt => Filter::ToInt,
            FilterValue::ToString => Filter::ToText,
            FilterValue::UrlDecode => Filter::UrlDecode,
            FilterValue::UrlEncode => Filter::UrlEncode,
            FilterValue::UrlQueryParam { param, .. } => Filter::UrlQueryParam(self.template(param)),
            FilterValue::Utf8Decode => Filter::Utf8Decode,
            FilterValue::Utf8Encode => Filter::Utf8Encode,
            FilterValue::XPath { expr, .. } => {
                Filter::XPath { expression: self.xpath_expression(expr), engine: self.xpath.clone() }
            }
        }
    }

    fn nth(&mut self, index: &IntegerValue) -> Filter {
        match index {
            IntegerValue::Literal(index) => Filter::Nth(text(index.as_i64().to_string())),
            IntegerValue::Placeholder(placeholder) => {
                let mut out = Writer::default();
                out.gap(self.expression(placeholder), Escape::None);
                Filter::Nth(out.finish())
            }
        }
    }
}
