//! What is done to a value on its way from a query to its assert or its variable.

use std::sync::Arc;

use crate::query::XPath;
use crate::template::Template;

/// What is done to a value. Named as in Hurl.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "they are Hurl's own names; what each does stands where it is evaluated")]
pub enum Filter {
    Base64Decode,
    Base64Encode,
    Base64UrlSafeDecode,
    Base64UrlSafeEncode,
    /// `charsetDecode`, and `decode`, its older name.
    CharsetDecode(Template),
    Count,
    DaysAfterNow,
    DaysBeforeNow,
    First,
    /// `dateFormat`, and `format`, its older name.
    DateFormat(Template),
    HtmlEscape,
    HtmlUnescape,
    JsonPath(Template),
    Last,
    Location,
    /// From the end if below zero.
    Nth(Template),
    Regex(Template),
    Replace {
        old: Template,
        new: Template,
    },
    ReplaceRegex {
        pattern: Template,
        new: Template,
    },
    Split(Template),
    ToDate(Template),
    ToFloat,
    ToHex,
    ToInt,
    ToText,
    UrlDecode,
    UrlEncode,
    UrlQueryParam(Template),
    Utf8Decode,
    Utf8Encode,
    XPath {
        expression: Template,
        engine: Arc<dyn XPath>,
    },
}
