//! A step in a few lines, for tables.

use plimsoll_journey::{
    Comparison, Escape, Expression, Filter, Function, Names, Operand, Part, Predicate, Query, Step, Template, Value,
};

/// The request, its options, its captures and asserts, a line each.
pub(super) fn step(step: &Step, names: &Names) -> String {
    let text = |template: &Template| template_text(template, names);
    let request = &step.request;
    let mut lines = vec![format!("{} {}", request.method, text(&request.url))];
    lines.extend(request.query.iter().map(|(name, value)| format!("query {}={}", text(name), text(value))));
    lines.extend(request.headers.iter().map(|(name, value)| format!("header {}: {}", text(name), text(value))));
    lines.extend(request.cookies.iter().map(|(name, value)| format!("cookie {}={}", text(name), text(value))));
    lines.extend(request.auth.iter().map(|auth| format!("auth {}:{}", text(&auth.user), text(&auth.password))));
    lines.extend(request.body.iter().map(|body| format!("body {}", text(body))));
    lines.extend(request.content_type.iter().map(|kind| format!("type {kind}")));
    lines.extend(step.expected.captures.iter().map(|capture| {
        let secret = if capture.secret { " secret" } else { "" };
        let from = query(&capture.query, names) + &filters(&capture.filters, names);
        format!("capture {}: {from}{secret}", names.name(capture.slot))
    }));
    lines.extend(step.expected.asserts.iter().map(|assert| {
        let from = query(&assert.query, names) + &filters(&assert.filters, names);
        format!("assert {from} {}", predicate(&assert.predicate, names))
    }));
    lines.join("\n")
}

/// `{{name}}` as it is, `{{name|form}}` escaped.
pub(super) fn template_text(template: &Template, names: &Names) -> String {
    let part = |part: &Part| match part {
        Part::Text(text) => String::from_utf8_lossy(text).into_owned(),
        Part::Gap { expression, escape } => {
            let name = match expression {
                Expression::Variable(slot) => names.name(*slot),
                Expression::Function(Function::NewUuid) => "newUuid()",
                Expression::Function(Function::NewDate) => "newDate()",
            };
            let escape = match escape {
                Escape::None => "",
                Escape::JsonText => "|json-text",
                Escape::JsonValue => "|json",
                Escape::Form => "|form",
            };
            format!("{{{{{name}{escape}}}}}")
        }
    };
    template.parts.iter().map(part).collect()
}

fn query(query: &Query, names: &Names) -> String {
    let text = |template: &Template| template_text(template, names);
    match query {
        Query::Header(name) => format!("header {}", text(name)),
        Query::Cookie { name, field } => format!("cookie {} {field:?}", text(name)),
        Query::XPath { expression, .. } => format!("xpath {}", text(expression)),
        Query::JsonPath(path) => format!("jsonpath {}", text(path)),
        Query::Regex(pattern) => format!("regex {}", text(pattern)),
        Query::Variable(name) => format!("variable {}", text(name)),
        Query::Certificate(field) => format!("certificate {field:?}"),
        plain => format!("{plain:?}").to_lowercase(),
    }
}

fn filters(filters: &[Filter], names: &Names) -> String {
    filters.iter().map(|one| format!(" | {}", filter(one, names))).collect()
}

fn filter(filter: &Filter, names: &Names) -> String {
    let text = |template: &Template| template_text(template, names);
    match filter {
        Filter::CharsetDecode(name) => format!("charsetDecode {}", text(name)),
        Filter::DateFormat(format) => format!("dateFormat {}", text(format)),
        Filter::JsonPath(path) => format!("jsonpath {}", text(path)),
        Filter::Nth(index) => format!("nth {}", text(index)),
        Filter::Regex(pattern) => format!("regex {}", text(pattern)),
        Filter::Replace { old, new } => format!("replace {} {}", text(old), text(new)),
        Filter::ReplaceRegex { pattern, new } => format!("replaceRegex {} {}", text(pattern), text(new)),
        Filter::Split(separator) => format!("split {}", text(separator)),
        Filter::ToDate(format) => format!("toDate {}", text(format)),
        Filter::UrlQueryParam(name) => format!("urlQueryParam {}", text(name)),
        Filter::XPath { expression, .. } => format!("xpath {}", text(expression)),
        plain => format!("{plain:?}"),
    }
}

fn predicate(predicate: &Predicate, names: &Names) -> String {
    let not = if predicate.not { "not " } else { "" };
    let operand = |one: &Operand| operand(one, names);
    let comparison = match &predicate.comparison {
        Comparison::Equals(wanted) => format!("== {}", operand(wanted)),
        Comparison::Differs(wanted) => format!("!= {}", operand(wanted)),
        Comparison::AnyEquals(wanted) => format!("any == {}", operand(wanted)),
        Comparison::Above(wanted) => format!("> {}", operand(wanted)),
        Comparison::AtLeast(wanted) => format!(">= {}", operand(wanted)),
        Comparison::Below(wanted) => format!("< {}", operand(wanted)),
        Comparison::AtMost(wanted) => format!("<= {}", operand(wanted)),
        Comparison::StartsWith(wanted) => format!("startsWith {}", operand(wanted)),
        Comparison::EndsWith(wanted) => format!("endsWith {}", operand(wanted)),
        Comparison::Contains(wanted) => format!("contains {}", operand(wanted)),
        Comparison::Includes(wanted) => format!("includes {}", operand(wanted)),
        Comparison::Matches(pattern) => format!("matches {}", template_text(pattern, names)),
        Comparison::Is(test) => format!("is {test:?}"),
    };
    format!("{not}{comparison}")
}

fn operand(operand: &Operand, names: &Names) -> String {
    match operand {
        Operand::Fixed(Value::Text(text)) => format!("{text:?}"),
        Operand::Fixed(Value::Bytes(bytes)) => format!("{:?}", bytes.as_ref()),
        Operand::Fixed(value) => format!("{value:?}"),
        Operand::Text(template) => format!("{:?}", template_text(template, names)),
        Operand::Variable(slot) => format!("{{{{{}}}}}", names.name(*slot)),
    }
}
