//! Bodies: verbatim where the grammar allows it, else in a form that is exact.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::super::draft::Body;
use super::super::json_text::without_templates;
use super::super::words::{Piece, Words};
use super::escape::{file_name, one_line};

/// A body that is not a section.
pub(super) fn write(text: &mut String, body: &Body) {
    match body {
        Body::Json(words) => text.push_str(&json(words)),
        Body::Text(words) if has_lines(words) => text.push_str(&lines(words)),
        Body::Text(words) => text.push_str(&format!("`{}`", one_line(words))),
        Body::Bytes(bytes) => text.push_str(&format!("base64,{};", STANDARD.encode(bytes))),
        Body::File(path) => text.push_str(&file(path)),
        Body::None | Body::Form(_) | Body::Multipart(_) => return,
    }
    text.push('\n');
}

/// A file whose content is sent.
pub(super) fn file(path: &str) -> String {
    format!("file,{};", file_name(path))
}

fn json(words: &Words) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Literal(literal) => without_templates(literal),
        Piece::Variable(name) => format!("{{{{{name}}}}}"),
    };
    words.pieces().iter().map(piece).collect::<String>().trim().to_owned()
}

/// Whether a text can stand between fences as it is, and gains by it.
fn has_lines(words: &Words) -> bool {
    let literal = |piece: &Piece| match piece {
        Piece::Literal(text) => is_fenceable(text),
        Piece::Variable(_) => true,
    };
    let many = words.pieces().iter().any(|piece| matches!(piece, Piece::Literal(text) if text.contains('\n')));
    many && words.pieces().iter().all(literal)
}

fn is_fenceable(text: &str) -> bool {
    let awkward = |c: char| c == '`' || (c.is_control() && c != '\n' && c != '\t');
    !text.contains("{{") && !text.ends_with('{') && !text.contains(awkward)
}

fn lines(words: &Words) -> String {
    format!("```\n{}```", words.with(|name| format!("{{{{{name}}}}}")))
}
