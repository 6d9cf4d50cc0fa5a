//! Targets as journeys of one step, without a detour over files: `plimsoll run targets.txt --rate 50/s`.

use std::io;

use plimsoll_journey::{BasicAuth, Expected, Journey, Needs, Options, Part, Place, RequestTemplate, Step, Template};

use super::super::address::Address;
use super::super::source::Source;
use super::{Counted, Target, TargetBody, address, targets};
use crate::Mistake;

/// A journey, and how often it is chosen.
#[derive(Debug, Clone)]
pub struct Weighted {
    /// Of one step.
    pub journey: Journey,
    /// How often its target is in the list; at least 1.
    pub weight: u64,
}

/// The journeys of a list of targets, equal targets as one. `read_file` is given the paths after `@`, as they were written.
///
/// # Errors
/// What is wrong with the text or with a file, and where.
pub fn journeys(
    name: &str,
    text: &[u8],
    mut read_file: impl FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<Vec<Weighted>, Mistake> {
    let source = Source::new(name, text, false)?;
    let weighted = |counted: Counted| {
        let address = address(&source, &counted.target, counted.line)?;
        let body = match &counted.target.body {
            TargetBody::None => None,
            TargetBody::Bytes(bytes) => Some(bytes.clone()),
            TargetBody::File(path) => Some(read_file(path).map_err(|error| {
                source.mistake(counted.line, 1, format!("the body `{path}` cannot be read: {error}"), "")
            })?),
        };
        let place = Place { file: name.to_owned(), line: counted.line, column: 1 };
        Ok(Weighted { journey: journey(counted.target, &address, body, place), weight: counted.times })
    };
    targets(source)?.into_iter().map(weighted).collect()
}

fn journey(target: Target, address: &Address, body: Option<Vec<u8>>, place: Place) -> Journey {
    let label = format!("{} {}", target.method, address.path);
    let query = address.query.as_ref().map(|query| format!("?{query}")).unwrap_or_default();
    let auth = address
        .credentials
        .as_ref()
        .map(|(user, password)| BasicAuth { user: fixed(user.as_bytes()), password: fixed(password.as_bytes()) });
    let headers = target.headers.iter().map(|(name, value)| (fixed(name.as_bytes()), fixed(value.as_bytes())));
    let request = RequestTemplate {
        method: target.method,
        url: fixed(format!("{}{}{query}", address.origin, address.path).as_bytes()),
        headers: headers.collect(),
        auth,
        body: body.map(|bytes| fixed(&bytes)),
        ..RequestTemplate::default()
    };
    let step = Step {
        label: label.clone(),
        place,
        request,
        options: Options::default(),
        expected: Expected::default(),
        needs: Needs::default(),
    };
    Journey { name: label, steps: vec![step] }
}

fn fixed(text: &[u8]) -> Template {
    let parts = if text.is_empty() { Vec::new() } else { vec![Part::Text(text.into())] };
    Template { parts }
}
