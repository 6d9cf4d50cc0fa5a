//! The HTTP format: `METHOD URL`, headers, `@file`, and a blank line.

use super::super::source::Source;
use super::{Distinct, METHODS, Target, TargetBody};
use crate::Mistake;

/// Adds the targets of a text.
pub(super) fn read(source: Source<'_>, all: &mut Distinct) -> Result<(), Mistake> {
    let mut open: Option<(usize, Target)> = None;
    for (index, line) in source.text.lines().enumerate() {
        let (number, line) = (index + 1, line.trim());
        if line.starts_with('#') {
            continue;
        }
        let ends = line.is_empty() || starts_target(line);
        if ends && let Some((first, target)) = open.take() {
            all.add(&source, first, target)?;
        }
        match &mut open {
            _ if line.is_empty() => (),
            None => open = Some((number, request_line(&source, number, line)?)),
            Some((_, target)) => detail(&source, number, line, target)?,
        }
    }
    open.map_or(Ok(()), |(first, target)| all.add(&source, first, target))
}

fn starts_target(line: &str) -> bool {
    line.split_once([' ', '\t']).is_some_and(|(method, _)| METHODS.contains(&method))
}

fn request_line(source: &Source<'_>, number: usize, line: &str) -> Result<Target, Mistake> {
    let hint = "write a target like `GET http://host/path`, with its headers right below it";
    let Some((method, url)) = line.split_once([' ', '\t']) else {
        return Err(source.mistake(number, 1, "a method and a URL are expected", hint));
    };
    if !METHODS.contains(&method) || method == "CONNECT" {
        return Err(source.mistake(number, 1, "no method that can be sent", hint));
    }
    let target =
        Target { method: method.to_owned(), url: url.trim().to_owned(), headers: Vec::new(), body: TargetBody::None };
    // Said here, where the line is at hand.
    super::address(source, &target, number)?;
    Ok(target)
}

fn detail(source: &Source<'_>, number: usize, line: &str, target: &mut Target) -> Result<(), Mistake> {
    if let Some(path) = line.strip_prefix('@') {
        if path.is_empty() || path.starts_with("<<") {
            return Err(source.mistake(number, 1, "the path of a file is expected after `@`", ""));
        }
        target.body = TargetBody::File(path.to_owned());
        return Ok(());
    }
    match line.split_once(':').map(|(name, value)| (name.trim(), value.trim())) {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            target.headers.push((name.to_owned(), value.to_owned()));
            Ok(())
        }
        _ => Err(source.mistake(
            number,
            1,
            "a header (`Name: value`), a body (`@file`) or a blank line is expected",
            "targets are separated by blank lines",
        )),
    }
}
