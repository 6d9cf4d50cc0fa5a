//! Escapes of Hurl's grammar: each kind of place has its own.

use std::fmt::Write as _;

use super::super::words::{Piece, Words};

/// What stands before a colon.
pub(super) fn key(words: &Words) -> String {
    let mut text = String::new();
    for piece in words.pieces() {
        match piece {
            Piece::Variable(name) => placeholder(&mut text, name),
            Piece::Literal(literal) => literal.chars().for_each(|c| key_char(&mut text, c)),
        }
    }
    text
}

fn key_char(text: &mut String, c: char) {
    match c {
        // A bracket in front would begin a section.
        '[' if text.is_empty() => code_point(text, c),
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' | '.' | '[' | ']' | '@' | '$' => text.push(c),
        c if c.is_alphanumeric() => text.push(c),
        c => code_point(text, c),
    }
}

/// A URL, or what stands after a colon: to the end of the line, without the spaces around it.
pub(super) fn value(words: &Words) -> String {
    let mut text = String::new();
    let last = words.pieces().len().saturating_sub(1);
    for (index, piece) in words.pieces().iter().enumerate() {
        match piece {
            Piece::Variable(name) => placeholder(&mut text, name),
            Piece::Literal(literal) => {
                let trailing = if index == last { literal.trim_end_matches(' ').len() } else { literal.len() };
                for (at, c) in literal.char_indices() {
                    match c {
                        ' ' if text.is_empty() || at >= trailing => code_point(&mut text, c),
                        '#' => text.push_str("\\#"),
                        c => value_char(&mut text, c),
                    }
                }
            }
        }
    }
    text
}

/// What stands between back quotes on one line.
pub(super) fn one_line(words: &Words) -> String {
    let mut text = String::new();
    for piece in words.pieces() {
        match piece {
            Piece::Variable(name) => placeholder(&mut text, name),
            Piece::Literal(literal) => literal.chars().for_each(|c| match c {
                '`' => text.push_str("\\`"),
                c => value_char(&mut text, c),
            }),
        }
    }
    text
}

fn value_char(text: &mut String, c: char) {
    match c {
        '\\' => text.push_str("\\\\"),
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        // Two in a row would begin a template, and one may stand right before a variable.
        '{' => code_point(text, c),
        c if c.is_control() => code_point(text, c),
        c => text.push(c),
    }
}

/// A path to a file.
pub(super) fn file_name(path: &str) -> String {
    let mut text = String::new();
    for c in path.chars() {
        match c {
            '#' | ';' | ' ' | '{' | '}' | '\\' => {
                text.push('\\');
                text.push(c);
            }
            '[' if text.is_empty() => code_point(&mut text, c),
            c if c.is_control() => code_point(&mut text, c),
            c => text.push(c),
        }
    }
    text
}

fn placeholder(text: &mut String, name: &str) {
    text.push_str("{{");
    text.push_str(name);
    text.push_str("}}");
}

fn code_point(text: &mut String, c: char) {
    // Writing to a string cannot fail.
    let _ = write!(text, "\\u{{{:x}}}", u32::from(c));
}
