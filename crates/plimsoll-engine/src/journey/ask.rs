//! From a rendered step to the bytes on the wire.

use std::borrow::Cow;
use std::sync::Arc;

use plimsoll_http::{Request, RequestError};
use plimsoll_journey::Rendered;
use plimsoll_model::Transport;

use super::way::Way;
use crate::compile::{self, Ask};

/// What of the exchange at hand is not the step's.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manners<'t> {
    pub(super) transport: &'t Transport,
    /// Compressed answers are asked for.
    pub(super) compressed: bool,
}

/// The request for `path` at the end of a way.
pub(super) fn ask(
    way: &Way,
    method: &str,
    path: &str,
    rendered: &Rendered,
    manners: Manners<'_>,
) -> Result<Ask, RequestError> {
    let transport = manners.transport;
    let proxy = transport.proxy.as_ref().filter(|_| !way.target.scheme.is_encrypted());
    let target = if proxy.is_some() { Cow::Owned(format!("{}{path}", way.origin)) } else { Cow::Borrowed(path) };
    let mut builder = Request::builder(method, target).host(way.authority.as_str()).fresh(transport.fresh);
    for name in &rendered.unwanted {
        builder = builder.omit(name.as_str());
    }
    let mut asks_already = false;
    for (name, value) in &rendered.headers {
        asks_already |= name.eq_ignore_ascii_case("accept-encoding");
        builder = builder.header(name.as_str(), String::from_utf8_lossy(value));
    }
    if manners.compressed && !asks_already {
        builder = builder.header("Accept-Encoding", "gzip, deflate");
    }
    if let Some(authorization) = proxy.and_then(|proxy| proxy.authorization.as_ref()) {
        builder = builder.header("Proxy-Authorization", authorization);
    }
    builder = builder.body(rendered.body.as_slice());
    if way.http.is_two() {
        return builder.build_h2(way.target.scheme.as_str()).map(|request| Ask::Two(Arc::new(request)));
    }
    builder.build().map(compile::Ask::One)
}
