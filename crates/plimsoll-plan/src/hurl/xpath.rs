//! XPath 1.0 by libxml2, which hurl uses too, so that both find the same.
//!
//! A document is parsed for each query and lives no longer, so nothing is shared between threads. The only unsafe code
//! of this crate is here: the library prints errors to stderr unless a handler is set, and the kind of a result is a
//! field of a C structure. Neither has a safe way in the `libxml` crate.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use libxml::bindings;
use libxml::parser::{Parser, ParserOptions};
use libxml::tree::{Document, Node};
use libxml::xpath::{Context, Expression, Object};
use plimsoll_journey::{Number, Value, XPath};

const UNKNOWN_FUNCTION: i32 = bindings::xmlParserErrors_XML_XPATH_UNKNOWN_FUNC_ERROR as i32;

/// XPath by libxml2.
#[derive(Debug, Clone, Copy)]
pub struct LibXml;

impl XPath for LibXml {
    fn evaluate(&self, document: &str, html: bool, expression: &str) -> Result<Option<Value>, String> {
        silence();
        check(expression)?;
        let document = parse(document, html)?;
        let context = Context::new(&document).map_err(|()| "libxml2 is out of memory".to_owned())?;
        if !html {
            register_namespaces(&document, &context);
        }
        let found = context.evaluate_checked(expression).map_err(|error| reason(error.message))?;
        value(&found).map(Some)
    }
}

/// Whether an expression can be evaluated at all.
pub(super) fn compiles(expression: &str) -> Result<(), String> {
    silence();
    check(expression)?;
    Expression::compile(expression).map_err(|error| reason(error.message))?;
    let document = parse("<a/>", false)?;
    let context = Context::new(&document).map_err(|()| "libxml2 is out of memory".to_owned())?;
    match context.evaluate_checked(expression) {
        // Compiling does not look functions up. Prefixes and types depend on the document.
        Err(error) if error.code == UNKNOWN_FUNCTION => Err(reason(error.message)),
        _ => Ok(()),
    }
}

/// The library takes text that ends with a zero.
fn check(expression: &str) -> Result<(), String> {
    if expression.contains('\0') { Err("it contains a zero byte".to_owned()) } else { Ok(()) }
}

fn reason(message: Option<String>) -> String {
    message.map_or_else(|| "invalid expression".to_owned(), |message| message.trim().to_lowercase())
}

/// With recovery, as hurl does: what a server sends is seldom well-formed.
fn parse(document: &str, html: bool) -> Result<Document, String> {
    let parser = if html { Parser::default_html() } else { Parser::default() };
    // The text was decoded, whatever the document says of its encoding. Nothing is fetched.
    let options = ParserOptions { encoding: Some("utf-8"), no_net: true, ..ParserOptions::default() };
    let kind = if html { "HTML" } else { "XML" };
    let parsed = parser.parse_string_with_options(document, options).map_err(|_| format!("the body is not {kind}"))?;
    match parsed.get_root_element() {
        Some(_) => Ok(parsed),
        None => Err(format!("the body is not {kind}: it has no root element")),
    }
}

/// Prefixes mean what the document says; the first default namespace has the prefix `_`.
fn register_namespaces(document: &Document, context: &Context) {
    let mut default_known = false;
    let mut waiting: Vec<Node> = document.get_root_element().into_iter().collect();
    while let Some(node) = waiting.pop() {
        for namespace in node.get_namespace_declarations() {
            let prefix = namespace.get_prefix();
            // What the library refuses is missing when it is used, and said then.
            if !prefix.is_empty() {
                let _ = context.register_namespace(&prefix, &namespace.get_href());
            } else if !default_known {
                let _ = context.register_namespace("_", &namespace.get_href());
                default_known = true;
            }
        }
        waiting.extend(node.get_child_nodes().into_iter().rev());
    }
}

/// Keeps the library from printing; it remembers that for each thread.
#[expect(unsafe_code, reason = "the crate has no safe way to set the handler")]
fn silence() {
    libxml::init_parser();
    // SAFETY: the handler ignores both arguments, so that nothing need outlive the call.
    unsafe { bindings::xmlSetStructuredErrorFunc(ptr::null_mut(), Some(ignore)) };
}

/// The error's type differs between versions of the library; it is a pointer in all of them.
extern "C" fn ignore<E>(_context: *mut c_void, _error: E) {}

#[expect(unsafe_code, reason = "the crate does not tell the kind of a result")]
fn value(found: &Object) -> Result<Value, String> {
    // SAFETY: an `Object` is made only of a pointer that is not null, and frees it when it is dropped.
    let object = unsafe { &*found.ptr };
    match object.type_ {
        bindings::xmlXPathObjectType_XPATH_NUMBER => Ok(Value::Number(Number::Float(object.floatval))),
        bindings::xmlXPathObjectType_XPATH_BOOLEAN => Ok(Value::Bool(object.boolval != 0)),
        bindings::xmlXPathObjectType_XPATH_NODESET => Ok(Value::Nodes(found.get_number_of_nodes())),
        bindings::xmlXPathObjectType_XPATH_STRING if object.stringval.is_null() => Ok(Value::Text("".into())),
        bindings::xmlXPathObjectType_XPATH_STRING => {
            // SAFETY: the library ends its strings with a zero, and this one lives as long as `found`.
            let text = unsafe { CStr::from_ptr(object.stringval.cast::<c_char>()) };
            Ok(Value::Text(text.to_string_lossy().as_ref().into()))
        }
        _ => Err("the expression gives no text, number, truth value or nodes".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BOOKS: &str =
        r#"<?xml version="1.0" encoding="ISO-8859-1"?><books><book id="1">Ä</book><book id="2"/></books>"#;
    const ATOM: &str = r#"<feed xmlns="http://a" xmlns:x="http://x"><entry/><x:entry/><entry/></feed>"#;

    #[track_caller]
    fn check(document: &str, html: bool, expression: &str, wanted: Result<Value, &str>) {
        match (LibXml.evaluate(document, html, expression), wanted) {
            // Versions of the library add more or less to their words.
            (Err(found), Err(wanted)) => assert!(found.starts_with(wanted), "{expression}: {found}"),
            (found, wanted) => assert_eq!(found, wanted.map(Some).map_err(str::to_owned), "{expression}"),
        }
    }

    #[test]
    fn each_kind_of_result() {
        check(BOOKS, false, "//book", Ok(Value::Nodes(2)));
        check(BOOKS, false, "//nothing", Ok(Value::Nodes(0)));
        check(BOOKS, false, "count(//book)", Ok(Value::Number(Number::Float(2.0))));
        check(BOOKS, false, "string(//book[@id='1'])", Ok(Value::Text("Ä".into())));
        check(BOOKS, false, "string(//nothing)", Ok(Value::Text("".into())));
        check(BOOKS, false, "boolean(//book)", Ok(Value::Bool(true)));
        check("<p>a<br>b&nbsp;", true, "count(//br)", Ok(Value::Number(Number::Float(1.0))));
    }

    #[test]
    fn namespaces_as_hurl_has_them() {
        check(ATOM, false, "count(//_:entry)", Ok(Value::Number(Number::Float(2.0))));
        check(ATOM, false, "count(//x:entry)", Ok(Value::Number(Number::Float(1.0))));
        check(ATOM, false, "count(//entry)", Ok(Value::Number(Number::Float(0.0))));
        check(ATOM, false, "count(//y:entry)", Err("undefined namespace prefix"));
    }

    #[test]
    fn what_is_wrong_is_said() {
        check("", false, "//a", Err("the body is not XML"));
        check("no markup", false, "//a", Err("the body is not XML: it has no root element"));
        check(BOOKS, false, "//a[", Err("invalid expression"));
        check(BOOKS, false, "nothing()", Err("unregistered function"));
        check(BOOKS, false, "a\0b", Err("it contains a zero byte"));
        assert_eq!(compiles("//a["), Err("invalid expression".to_owned()));
        assert_eq!(compiles("nothing()"), Err("unregistered function".to_owned()));
        assert_eq!(compiles("//y:a[1]"), Ok(()));
    }

    /// Each thread has documents and a handler of its own.
    #[test]
    fn threads_do_not_disturb_each_other() {
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        check(ATOM, false, "count(//_:entry)", Ok(Value::Number(Number::Float(2.0))));
                        check(ATOM, false, "count(//y:entry)", Err("undefined namespace prefix"));
                    }
                });
            }
        });
    }

    fn pieces(of: &[&'static str]) -> impl Strategy<Value = String> + use<> {
        prop::collection::vec(prop::sample::select(of.to_vec()), 0..16).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        /// Servers send anything.
        #[test]
        fn nothing_panics(
            html: bool,
            document in pieces(&[
                "<a>", "</a>", "<b xmlns=\"u\">", "<x:c xmlns:x=\"v\" x:d=\"1\">", "</x:c>", "<", ">", "&amp;", "&", "é", "\0", "text",
                "<!--", "-->", "<![CDATA[", "]]>", "<?xml version=\"1.0\"?>", "<!DOCTYPE a [<!ENTITY e \"f\">]>", "&e;", "<p/>",
                "xmlns=\"\"", " ", "\u{feff}", "<y:z/>",
            ]),
            expression in pieces(&[
                "/", "//", "a", "_:b", "x:c", "@", "*", "[", "]", "(", ")", "1", "-", "'t'", "count", "string", "boolean", "number",
                "::", "text()", "|", "=", " and ", " div ", "0", "$v", "normalize-space()", "namespace::*", "é",
            ]),
        ) {
            let _ = LibXml.evaluate(&document, html, &expression);
            let _ = LibXml.evaluate(&document, html, "//*|//@*|//namespace::*");
        }
    }
}
