//! What a step is called.

use hurl_core::ast::{Request, Template, TemplateElement};
use hurl_core::reader::Pos;

use super::reader::Reader;

impl Reader<'_> {
    /// The comment right above the request, else method and path.
    pub(super) fn label(&self, request: &Request) -> String {
        let at = request.space0.source_info.end;
        let above = self.line(Pos::new(at.line.saturating_sub(1), 1)).trim();
        let comment = above.strip_prefix('#').map(|text| text.trim_start_matches('#').trim());
        match comment {
            Some(text) if !text.is_empty() => text.to_owned(),
            _ => format!("{} {}", request.method, path(&request.url)),
        }
    }

    /// Comments that make hurl do something, an experiment of its own.
    pub(super) fn experimental_comments(&mut self, request: &Request) {
        for comment in request.line_terminators.iter().filter_map(|line| line.comment.as_ref()) {
            let text = comment.value.trim_start();
            if text.starts_with("@cookie_storage_set:") || text.starts_with("@cookie_storage_clear") {
                let message = "a comment that changes hurl's cookies, which is not done here";
                let hint = "send cookies with `[Cookies]`; a user's cookies are kept or fresh as the plan says";
                self.mistake(comment.source_info.start, message, hint);
            }
        }
    }
}

/// The URL without its origin and its query, variables as they are written.
fn path(url: &Template) -> String {
    let mut elements = url.elements.as_slice();
    // `{{base}}/orders`: the variable holds the origin; alone it is all there is to say.
    if let [TemplateElement::Placeholder(_), rest @ ..] = elements
        && !rest.is_empty()
    {
        elements = rest;
    }
    let written: String = elements
        .iter()
        .map(|element| match element {
            TemplateElement::String { value, .. } => value.clone(),
            TemplateElement::Placeholder(placeholder) => format!("{{{{{placeholder}}}}}"),
        })
        .collect();
    let written = written.split(['?', '#']).next().unwrap_or_default();
    let path = match written.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |slash| &rest[slash..]),
        None => written,
    };
    // What is left of `{{host}}:8080/orders` before the path is origin as well.
    let path = match path.find('/') {
        Some(slash) if !path.starts_with("{{") => &path[slash..],
        _ => path,
    };
    if path.is_empty() { "/".to_owned() } else { path.to_owned() }
}
