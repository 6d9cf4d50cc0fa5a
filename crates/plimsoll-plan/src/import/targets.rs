//! vegeta's targets: imported, or run as they are.

mod http;
mod json;
mod run;

use std::collections::HashMap;

use super::address::Address;
use super::credentials::{put_address, put_bytes, put_header};
use super::draft::{Body, Draft, Exchange, Route};
use super::source::Source;
use super::variables::BASE_URL;
use crate::Mistake;

pub use run::{Weighted, journeys};

/// A target, as it was written. Equal ones are one with a greater weight.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Target {
    method: String,
    url: String,
    headers: Vec<(String, String)>,
    body: TargetBody,
}

/// What a target carries.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum TargetBody {
    None,
    Bytes(Vec<u8>),
    File(String),
}

/// A target, where it first stood, and how often it is there.
struct Counted {
    target: Target,
    /// The line, from 1.
    line: usize,
    times: u64,
}

/// The methods that vegeta's HTTP format knows, and the two that only its JSON format can carry.
const METHODS: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];
/// Different targets that are kept.
const TARGETS_MAX: usize = 100_000;

/// Whether a text is a list of targets: its first line that says something is one, and nothing in it is Hurl's.
pub fn looks_like_targets(text: &str) -> bool {
    let lines = || text.lines().map(|line| line.trim_start_matches('\u{feff}').trim());
    let Some(first) = lines().find(|line| !line.is_empty() && !line.starts_with('#')) else { return false };
    match first.split_once([' ', '\t']) {
        _ if first.starts_with('{') => json::is_target(first),
        Some((method, url)) => METHODS.contains(&method) && Address::parse(url).is_ok() && !lines().any(is_hurl),
        None => false,
    }
}

/// A status line or a section, neither of which a target has.
fn is_hurl(line: &str) -> bool {
    line.starts_with("HTTP ") || line.starts_with("HTTP/") || line.starts_with('[')
}

/// A plan with a journey for each distinct target.
pub(super) fn read(source: Source<'_>) -> Result<Draft, Mistake> {
    let mut draft = Draft::default();
    let mut bases = HashMap::new();
    for Counted { target, line, times } in targets(source)? {
        let address = address(&source, &target, line)?;
        let base = base(&mut draft, &mut bases, &address.origin);
        let exchange = exchange(target, &base, &address, &mut draft);
        draft.routes.push(Route { name: exchange.label.clone(), weight: times, exchanges: vec![exchange] });
    }
    if bases.len() > 1 {
        draft.notes.say(format!(
            "the targets go to {} hosts: those after the first have variables of their own in the plan",
            bases.len()
        ));
    }
    Ok(draft)
}

fn base(draft: &mut Draft, bases: &mut HashMap<String, String>, origin: &str) -> String {
    if let Some(name) = bases.get(origin) {
        return name.clone();
    }
    let name = match &draft.target {
        None => {
            draft.target = Some(origin.to_owned());
            BASE_URL.to_owned()
        }
        Some(_) => draft.variables.written(BASE_URL, origin),
    };
    bases.insert(origin.to_owned(), name.clone());
    name
}

fn exchange(target: Target, base: &str, address: &Address, draft: &mut Draft) -> Exchange {
    let mut exchange =
        Exchange { label: format!("{} {}", target.method, address.path), method: target.method, ..Exchange::default() };
    for (name, value) in &target.headers {
        put_header(&mut exchange, name, value, &mut draft.variables, &mut draft.notes);
    }
    put_address(&mut exchange, base, address, &mut draft.variables);
    match target.body {
        TargetBody::None => (),
        TargetBody::Bytes(bytes) => put_bytes(&mut exchange, bytes, &mut draft.variables),
        TargetBody::File(path) => exchange.body = Body::File(path),
    }
    exchange
}

fn address(source: &Source<'_>, target: &Target, line: usize) -> Result<Address, Mistake> {
    Address::parse(&target.url).map_err(|error| source.mistake(line, 1, error, "write it like `GET http://host/path`"))
}

/// All targets, equal ones counted.
fn targets(source: Source<'_>) -> Result<Vec<Counted>, Mistake> {
    let mut all = Distinct::default();
    let first = source.text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    match first {
        None => {}
        Some(line) if line.starts_with('{') => json::read(source, &mut all)?,
        Some(_) => http::read(source, &mut all)?,
    }
    if all.counted.is_empty() {
        return Err(source.whole("there are no targets in it", "write them like `GET http://host/path`, one a line"));
    }
    Ok(all.counted)
}

/// Targets in the order of their first appearance.
#[derive(Default)]
struct Distinct {
    counted: Vec<Counted>,
    known: HashMap<Target, usize>,
}

impl Distinct {
    fn add(&mut self, source: &Source<'_>, line: usize, target: Target) -> Result<(), Mistake> {
        if let Some(index) = self.known.get(&target) {
            self.counted[*index].times += 1;
            return Ok(());
        }
        if self.counted.len() == TARGETS_MAX {
            return Err(source.mistake(line, 1, format!("more than {TARGETS_MAX} different targets"), ""));
        }
        self.known.insert(target.clone(), self.counted.len());
        self.counted.push(Counted { target, line, times: 1 });
        Ok(())
    }
}

#[cfg(test)]
mod tests;
