//! `[Multipart]`: one body template with a boundary that is found once.

use std::path::Path;

use hurl_core::ast::{FilenameParam, KeyValue, MultipartParam};
use plimsoll_journey::{Part, Template};

use super::reader::Reader;
use super::template::{Manner, Writer};

/// A form in parts.
pub(super) struct Multipart {
    pub(super) body: Template,
    /// Stands in no text of it. A variable's value could have it, as with any boundary.
    pub(super) boundary: String,
}

impl Reader<'_> {
    pub(super) fn multipart(&mut self, params: &[MultipartParam]) -> Multipart {
        let parts: Vec<Template> = params.iter().map(|param| self.part(param)).collect();
        let boundary = boundary(&parts);
        let mut out = Writer::default();
        for part in parts {
            out.text(format!("--{boundary}\r\n"));
            out.append(part);
            out.text("\r\n");
        }
        out.text(format!("--{boundary}--\r\n"));
        Multipart { body: out.finish(), boundary }
    }

    fn part(&mut self, param: &MultipartParam) -> Template {
        let mut out = Writer::default();
        match param {
            MultipartParam::Param(field) => self.field(&mut out, field),
            MultipartParam::FilenameParam(field) => self.file_field(&mut out, field),
        }
        out.finish()
    }

    fn field(&mut self, out: &mut Writer, field: &KeyValue) {
        out.text("Content-Disposition: form-data; name=\"");
        self.write(out, &field.key, Manner::Disposition);
        out.text("\"\r\n\r\n");
        self.write(out, &field.value, Manner::Plain);
    }

    fn file_field(&mut self, out: &mut Writer, field: &FilenameParam) {
        out.text("Content-Disposition: form-data; name=\"");
        self.write(out, &field.key, Manner::Disposition);
        out.text("\"; filename=\"");
        self.write(out, &field.value.filename, Manner::Disposition);
        out.text("\"\r\nContent-Type: ");
        let file = self.file(&field.value.filename);
        match (&field.value.content_type, &file) {
            (Some(content_type), _) => self.write(out, content_type, Manner::Plain),
            (None, Some(file)) => out.text(content_type(&file.name)),
            (None, None) => {}
        }
        out.text("\r\n\r\n");
        out.text(file.map(|file| file.content).unwrap_or_default());
    }
}

/// The types that hurl gives by ending.
fn content_type(name: &str) -> &'static str {
    match Path::new(name).extension().and_then(|ending| ending.to_str()) {
        Some("gif") => "image/gif",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        Some("txt") => "text/plain",
        Some("htm" | "html") => "text/html",
        Some("pdf") => "application/pdf",
        Some("xml") => "application/xml",
        _ => "application/octet-stream",
    }
}

/// The first of a fixed sequence that no text contains: the same file always gives the same bytes.
fn boundary(parts: &[Template]) -> String {
    let texts = || {
        parts.iter().flat_map(|part| &part.parts).filter_map(|part| match part {
            Part::Text(text) => Some(text.as_ref()),
            Part::Gap { .. } => None,
        })
    };
    let mut number = 0u64;
    loop {
        let boundary = format!("----------------------plimsoll{number:016x}");
        let taken = texts().any(|text: &[u8]| text.windows(boundary.len()).any(|window| window == boundary.as_bytes()));
        if !taken {
            return boundary;
        }
        number += 1;
    }
}
