//! What of an answer a step looks at.

use plimsoll_journey::{Expected, Needs, Query};

/// What the queries of a step look at; filters see only what queries gave.
pub(super) fn of(expected: &Expected) -> Needs {
    let captures = expected.captures.iter().map(|capture| &capture.query);
    let asserts = expected.asserts.iter().map(|assert| &assert.query);
    captures.chain(asserts).fold(Needs::default(), with)
}

fn with(mut needs: Needs, query: &Query) -> Needs {
    match query {
        Query::Header(_) | Query::Cookie { .. } => needs.headers = true,
        // A header names the charset, and whether it is HTML.
        Query::Body | Query::XPath { .. } | Query::JsonPath(_) | Query::Regex(_) => {
            needs.headers = true;
            needs.body = true;
        }
        Query::Bytes | Query::Sha256 | Query::Md5 => needs.body = true,
        Query::RawBytes => needs.raw_body = true,
        Query::Certificate(_) => needs.certificate = true,
        Query::Status
        | Query::Version
        | Query::Url
        | Query::Variable(_)
        | Query::Duration
        | Query::Ip
        | Query::Redirects => {}
    }
    needs
}
