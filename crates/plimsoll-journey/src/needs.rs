//! What of an answer somebody looks at, so that the rest need not be kept.

use crate::filter::Filter;
use crate::options::Options;
use crate::program::{Expected, Needs};
use crate::query::Query;

impl Needs {
    /// What the captures and asserts of a step look at.
    pub fn of(expected: &Expected, _options: &Options) -> Self {
        let captures = expected.captures.iter().map(|capture| (&capture.query, &capture.filters));
        let asserts = expected.asserts.iter().map(|assert| (&assert.query, &assert.filters));
        captures.chain(asserts).fold(Self::default(), |needs, (query, filters)| needs.and(query, filters))
    }

    fn and(self, query: &Query, _filters: &[Filter]) -> Self {
        // The charset of a body stands in a header.
        let text = Self { headers: true, body: true, ..self };
        match query {
            Query::Header(_) | Query::Cookie { .. } => Self { headers: true, ..self },
            Query::Body | Query::XPath { .. } | Query::JsonPath(_) | Query::Regex(_) => text,
            Query::Bytes | Query::Sha256 | Query::Md5 => Self { body: true, ..self },
            Query::RawBytes => Self { raw_body: true, ..self },
            Query::Certificate(_) => Self { certificate: true, ..self },
            Query::Ip => Self { ip: true, ..self },
            Query::Status | Query::Version | Query::Url | Query::Variable(_) | Query::Duration | Query::Redirects => {
                self
            }
        }
    }
}
