//! For `bench/hurl.py`: what becomes of each Hurl file that is named, a line of JSON each.
//!
//! `hurl_core` is asked by itself whether a file is Hurl at all, so that the two can be held against each other.

use std::path::Path;
use std::{env, fs};

use plimsoll_journey::Names;
use plimsoll_plan::hurl;

fn main() {
    for name in env::args().skip(1) {
        let Ok(text) = fs::read_to_string(&name) else {
            say(&name, "unreadable", &[]);
            continue;
        };
        let is_hurl = hurl_core::parser::parse_hurl_file(text.trim_start_matches('\u{feff}')).is_ok();
        match hurl::read(Path::new(&name), &text, &mut Names::default()) {
            Ok(_) if is_hurl => say(&name, "accepted", &[]),
            Ok(_) => say(&name, "accepted, and not Hurl", &[]),
            Err(mistakes) => {
                let placed =
                    mistakes.iter().all(|one| one.place.line > 0 && one.place.column > 0 && !one.message.is_empty());
                let becomes = match (is_hurl, placed && !mistakes.is_empty()) {
                    (true, true) => "refused",
                    (false, true) => "not Hurl",
                    (_, false) => "refused without a place",
                };
                say(&name, becomes, &mistakes.iter().map(|one| one.message.clone()).collect::<Vec<_>>());
            }
        }
    }
}

#[expect(clippy::print_stdout, reason = "it is a program")]
fn say(name: &str, becomes: &str, reasons: &[String]) {
    let reasons: Vec<String> = reasons.iter().map(|reason| quoted(reason)).collect();
    println!(r#"{{"file":{},"becomes":{},"reasons":[{}]}}"#, quoted(name), quoted(becomes), reasons.join(","));
}

/// As JSON writes it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out + "\""
}
