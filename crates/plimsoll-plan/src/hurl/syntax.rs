//! Errors of the official parser in our words.

use hurl_core::parser::{JsonErrorVariant, ParseError, ParseErrorKind as Kind};
use hurl_core::reader::Pos;

use super::reader::Reader;

const METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];
const REQUEST_SECTIONS: &[&str] = &["Query", "Form", "Multipart", "Cookies", "BasicAuth", "Options"];
const RESPONSE_SECTIONS: &[&str] = &["Captures", "Asserts"];
const OPTIONS: &[&str] = &[
    "cacert",
    "cert",
    "compressed",
    "connect-timeout",
    "delay",
    "header",
    "http1.0",
    "http1.1",
    "http2",
    "http2-prior-knowledge",
    "insecure",
    "key",
    "location",
    "location-trusted",
    "max-redirs",
    "max-time",
    "no-header",
    "no-jsonpath-coercion",
    "repeat",
    "retry",
    "retry-interval",
    "skip",
    "user",
    "variable",
];

/// More digits than the parser can count with: it would stop the program with an overflow.
const DIGITS_MAX: usize = 7;

impl Reader<'_> {
    /// Whether the parser can be trusted with the text. Said if not.
    pub(super) fn is_parsable(&mut self, text: &str) -> bool {
        for (index, line) in text.lines().enumerate() {
            for (start, _) in line.match_indices("\\u{") {
                let digits = line[start + 3..].bytes().take_while(u8::is_ascii_hexdigit).count();
                if digits > DIGITS_MAX {
                    let (message, hint) = plain(&Kind::Unicode);
                    self.mistake(Pos::new(index + 1, line[..start].chars().count() + 1), message, hint);
                    return false;
                }
            }
        }
        true
    }

    pub(super) fn syntax_error(&mut self, error: &ParseError) {
        let (message, hint) = words(&error.kind);
        self.mistake(error.pos, message, hint);
    }
}

/// What is wrong, and what was expected.
fn words(kind: &Kind) -> (String, String) {
    let (message, hint) = match kind {
        Kind::InvalidOption(name) => return (format!("unknown option `{name}`"), nearest(name, OPTIONS)),
        Kind::Method { name } => return method(name),
        Kind::RequestSectionName { name } => {
            return (format!("unknown section `[{name}]` of a request"), nearest(name, REQUEST_SECTIONS));
        }
        Kind::ResponseSectionName { name } => {
            return (format!("unknown section `[{name}]` of an answer"), nearest(name, RESPONSE_SECTIONS));
        }
        Kind::InvalidDurationUnit(unit) => {
            return (format!("unknown unit `{unit}` of time"), "expected `ms`, `s`, `m` or `h`".to_owned());
        }
        Kind::Expecting { value } => return (format!("expected {}", expecting(value)), String::new()),
        Kind::RegexExpr { message } => {
            let reason = message.lines().last().unwrap_or_default().trim_start_matches("error: ");
            return (format!("not a regular expression: {reason}"), "expected `/…/`".to_owned());
        }
        Kind::Variable(reason) => return (format!("not a variable: {reason}"), "expected `name=value`".to_owned()),
        Kind::UrlIllegalCharacter(c) => {
            return (format!("`{}` cannot stand in a URL", c.escape_debug()), "write it as `%XX`".to_owned());
        }
        Kind::MultilineLanguageHint(name) => {
            let hint = "expected `json`, `xml`, `graphql`, `raw`, or nothing after the backticks";
            return (format!("unknown kind `{name}` of text"), hint.to_owned());
        }
        Kind::Json(variant) => json(variant),
        other => plain(other),
    };
    (message.to_owned(), hint.to_owned())
}

/// Errors that carry nothing.
fn plain(kind: &Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::DuplicateSection => ("a section for the second time", "put both into one"),
        Kind::EscapeChar => ("unknown escape", r#"expected `\\`, `\"`, `\n`, `\r`, `\t`, `\b`, `\f`, `\#` or `\u{…}`"#),
        Kind::FileContentType => ("expected a content type", "such as `image/png`, after `file,…;`"),
        Kind::Filename => ("expected a file's name", "`file,name;`"),
        Kind::GraphQlVariables => ("the variables of the GraphQL query are not a JSON object", "`variables { … }`"),
        Kind::HexDigit => ("expected a hexadecimal digit", "0 to 9, a to f"),
        Kind::InvalidCookieAttribute => (
            "unknown attribute of a cookie",
            "expected `Value`, `Expires`, `Max-Age`, `Domain`, `Path`, `Secure`, `HttpOnly` or `SameSite`",
        ),
        Kind::JsonPathExpr => ("expected a JSONPath expression", r#"such as `"$.id"`, in quotes"#),
        Kind::Multiline => ("text in backticks that does not end", "expected three backticks on a line of their own"),
        Kind::OddNumberOfHexDigits => ("an odd number of hexadecimal digits", "a byte is two digits"),
        Kind::Predicate => ("expected a predicate", "such as `== 1`, `contains \"…\"` or `exists`"),
        Kind::PredicateValue => (
            "not a value to compare with here",
            "expected a text in quotes, a number, `true`, `null` or `{{variable}}`",
        ),
        Kind::RequestSection => ("this section belongs to an answer", "put it below the line with `HTTP`"),
        Kind::ResponseSection => ("this section belongs to a request", "put it above the line with `HTTP`"),
        Kind::Space => ("expected a space", ""),
        Kind::Status => ("expected a status", "a number, or `*` for any"),
        Kind::TemplateVariable => ("expected a variable's name between `{{` and `}}`", "letters, digits, `_` and `-`"),
        Kind::Unicode => ("not a character's number", r"expected `\u{…}` with 1 to 6 hexadecimal digits"),
        Kind::UrlInvalidStart => ("expected a URL", "`http://…`, `https://…` or `{{variable}}…`"),
        Kind::Version => ("unknown version of HTTP", "expected `HTTP`, `HTTP/1.0`, `HTTP/1.1` or `HTTP/2`"),
        Kind::XPathExpr => ("expected an XPath expression", r#"such as `"string(//title)"`, in quotes"#),
        Kind::Xml => ("the XML is not well-formed", ""),
        _ => ("this cannot be read", ""),
    }
}

/// The parser names either the very text or a kind of it.
fn expecting(value: &str) -> String {
    let words = match value {
        "newline" | "line_terminator" => "the end of the line",
        "key-string" => "a name and `:`",
        "filename" => "a file's name",
        "true|false" => "`true` or `false`",
        "filter" => "a filter",
        "function" => "a function",
        "integer" => "an integer",
        "number" | "digits" => "a number",
        "variable name" => "a variable's name",
        "variable value" => "a variable's value",
        text => return format!("`{}`", text.escape_debug()),
    };
    words.to_owned()
}

fn json(variant: &JsonErrorVariant) -> (&'static str, &'static str) {
    match variant {
        JsonErrorVariant::MaxDepthExceeded { .. } => {
            ("JSON that is nested too deeply", "send it from a file: `file,body.json;`")
        }
        JsonErrorVariant::TrailingComma => ("a comma after the last element of JSON", "leave it out"),
        JsonErrorVariant::EmptyElement => ("an element of JSON is missing", "expected a value between two commas"),
        JsonErrorVariant::ExpectingElement => (
            "expected a JSON value",
            "a text in quotes, number, list, object, `true`, `false`, `null` or `{{variable}}`",
        ),
    }
}

fn method(name: &str) -> (String, String) {
    if name.is_empty() || name == "<EOF>" {
        let hint = "a step begins with a method and a URL: `GET http://…`";
        return ("expected a request".to_owned(), hint.to_owned());
    }
    (format!("`{name}` is not a method"), nearest(name, METHODS))
}

/// The one that was probably meant, or all of them.
fn nearest(name: &str, known: &[&str]) -> String {
    let lower = name.to_lowercase();
    let near = known.iter().map(|other| (strsim::damerau_levenshtein(&lower, &other.to_lowercase()), other)).min();
    match near {
        Some((distance, other)) if distance <= 1 + name.len() / 4 => format!("did you mean `{other}`?"),
        _ => format!("expected one of {}", known.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(", ")),
    }
}
