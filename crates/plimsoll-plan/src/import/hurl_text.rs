//! Exchanges as the text of a Hurl file.
//!
//! Whatever is in an exchange, the official parser reads the same values back; a property test holds us to that.
//! Escapes are used only where the grammar needs them, so that people can go on with the file.

mod body;
mod escape;

use std::fmt::Write as _;

use self::escape::{key, value};
use super::address::field_name;
use super::draft::{Body, Content, Exchange, Part, Status};
use super::words::Words;

/// The file of some exchanges.
pub(super) fn write(exchanges: &[Exchange]) -> String {
    let mut text = String::new();
    for (index, exchange) in exchanges.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        write_exchange(&mut text, exchange);
    }
    text
}

fn write_exchange(text: &mut String, exchange: &Exchange) {
    if !exchange.label.is_empty() {
        line(text, format_args!("# {}", comment(&exchange.label)));
    }
    line(text, format_args!("{} {}", exchange.method, value(&exchange.url)));
    pairs(text, &exchange.headers);
    write_options(text, exchange);
    section(text, "Query", &escaped(&exchange.query));
    section(text, "Cookies", &exchange.cookies);
    if let Some((user, password)) = &exchange.basic {
        line(text, format_args!("[BasicAuth]\n{}: {}", key(user), value(password)));
    }
    match &exchange.body {
        Body::Form(fields) => section(text, "Form", &escaped(fields)),
        Body::Multipart(parts) => write_parts(text, parts),
        other => body::write(text, other),
    }
    match exchange.status {
        Status::Exactly(status) => line(text, format_args!("HTTP {status}")),
        Status::Success => line(text, format_args!("HTTP *\n[Asserts]\nstatus < 400")),
    }
}

fn write_options(text: &mut String, exchange: &Exchange) {
    let delay = exchange.delay.map(|delay| ("delay", format!("{}ms", delay.as_millis())));
    let options: Vec<_> = exchange.options.iter().cloned().chain(delay).collect();
    if !options.is_empty() {
        line(text, format_args!("[Options]"));
    }
    for (name, setting) in options {
        line(text, format_args!("{name}: {setting}"));
    }
}

fn section(text: &mut String, name: &str, all: &[(String, Words)]) {
    if !all.is_empty() {
        line(text, format_args!("[{name}]"));
        pairs(text, all);
    }
}

/// Hurl encodes the values of a query or a form and sends the names as they stand.
fn escaped(all: &[(String, Words)]) -> Vec<(String, Words)> {
    all.iter().map(|(name, value)| (field_name(name), value.clone())).collect()
}

fn pairs(text: &mut String, all: &[(String, Words)]) {
    // Nothing can be written before the colon of a pair without a name.
    for (name, setting) in all.iter().filter(|(name, _)| !name.is_empty()) {
        let line_text = format!("{}: {}", key(&name.into()), value(setting));
        line(text, format_args!("{}", line_text.trim_end_matches(' ')));
    }
}

fn write_parts(text: &mut String, parts: &[Part]) {
    line(text, format_args!("[Multipart]"));
    for part in parts.iter().filter(|part| !part.name.is_empty()) {
        let name = key(&(&part.name).into());
        match &part.content {
            Content::Text(words) => line(text, format_args!("{name}: {}", part_value(words))),
            Content::File { path, content_type } => {
                let content_type = content_type.as_ref().map(|kind| format!(" {}", value(&kind.into())));
                let file = body::file(path);
                line(text, format_args!("{name}: {file}{}", content_type.unwrap_or_default()));
            }
        }
    }
}

/// A value that begins with `file,` would be a file.
fn part_value(words: &Words) -> String {
    let text = value(words);
    match text.strip_prefix("file,") {
        Some(rest) => format!("\\u{{66}}ile,{rest}"),
        None => text,
    }
}

/// A comment ends where its line ends.
fn comment(label: &str) -> String {
    let label: String = label.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    // Comments that begin with `@` are orders to hurl.
    label.trim_start_matches([' ', '@']).trim_end().to_owned()
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{line}");
}

#[cfg(test)]
mod tests;
