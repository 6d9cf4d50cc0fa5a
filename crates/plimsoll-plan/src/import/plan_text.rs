//! The plan of a draft, as TOML.

use std::fmt::Write as _;

use super::variables::{BASE_URL, Held, Variables};

/// Where a plan goes whose source did not say it.
pub(super) const NOWHERE: &str = "http://127.0.0.1:8080";

/// A journey as the plan names it.
pub(super) struct Listed {
    pub(super) file: String,
    pub(super) weight: u64,
}

/// The plan's text. Its load is one request a second, since nobody has said yet what the target carries.
pub(super) fn write(name: &str, target: &str, variables: &Variables, journeys: &[Listed]) -> String {
    let mut text = String::new();
    line(&mut text, format_args!("name = {}\n\n[target]\nurl = {}", quoted(name), quoted(target)));
    line(&mut text, format_args!("\n[variables]\n{BASE_URL} = {}", quoted(target)));
    for (name, held) in variables.iter() {
        match held {
            Held::Environment(environment) => line(&mut text, format_args!("{name} = \"env:{environment}\"")),
            Held::Written(value) => line(&mut text, format_args!("{name} = {}", quoted(value))),
        }
    }
    for journey in journeys {
        line(&mut text, format_args!("\n[[journey]]\nfile = {}", quoted(&journey.file)));
        if journey.weight != 1 {
            line(&mut text, format_args!("weight = {}", journey.weight));
        }
    }
    line(&mut text, format_args!("\n[load]\nmodel = \"open\"\nshape = [\"1/s for 30s\"]"));
    text
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if c.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{line}");
}
