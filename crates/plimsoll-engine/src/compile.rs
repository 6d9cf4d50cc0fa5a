//! From the plan to the bytes on the wire, once per run.

use std::sync::Arc;

use plimsoll_http::{Request, RequestError, h2};
use plimsoll_model::{Plan, Scheme, Target};
use url::Url;

/// What of the plan's request a request carries: a redirect may leave things behind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Carries {
    pub(crate) body: bool,
    pub(crate) credentials: bool,
}

/// Headers that are not shown to another origin.
const CREDENTIALS: [&str; 3] = ["authorization", "cookie", "host"];
/// Headers that describe a body, and go with it.
const BODY_HEADERS: [&str; 3] = ["content-type", "content-length", "transfer-encoding"];

/// Whether a header is shown to one origin only.
pub(crate) fn is_credential(name: &str) -> bool {
    CREDENTIALS.iter().any(|listed| name.eq_ignore_ascii_case(listed))
}

/// Whether a header goes with the body.
pub(crate) fn describes_body(name: &str) -> bool {
    BODY_HEADERS.iter().any(|listed| name.eq_ignore_ascii_case(listed))
}

/// A request in the HTTP version of its plan.
pub(crate) enum Ask {
    One(Request),
    Two(Arc<h2::Request>),
}

/// The plan's own request.
pub(crate) fn first_request(plan: &Plan) -> Result<Ask, RequestError> {
    request(plan, &plan.target, &plan.request.method, Carries { body: true, credentials: true })
}

/// The plan's request sent to `target` by `method`.
pub(crate) fn request(plan: &Plan, target: &Target, method: &str, carries: Carries) -> Result<Ask, RequestError> {
    let authority = authority(target);
    let readable_proxy = plan.transport.proxy.as_ref().filter(|_| !target.scheme.is_encrypted());
    let request_target = if readable_proxy.is_some() { url(target) } else { target.path.clone() };
    let mut builder = Request::builder(method, request_target).host(authority).fresh(plan.transport.fresh);
    for (name, value) in &plan.request.headers {
        if (carries.credentials || !is_credential(name)) && (carries.body || !describes_body(name)) {
            builder = builder.header(name, value);
        }
    }
    let asks_already = plan.request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("accept-encoding"));
    if plan.transport.compressed && !asks_already {
        builder = builder.header("Accept-Encoding", "gzip, deflate");
    }
    if let Some(authorization) = readable_proxy.and_then(|proxy| proxy.authorization.as_ref()) {
        builder = builder.header("Proxy-Authorization", authorization);
    }
    if carries.body {
        builder = builder.body(&plan.request.body);
    }
    if plan.transport.http.is_two() {
        return builder.build_h2(target.scheme.as_str()).map(|request| Ask::Two(Arc::new(request)));
    }
    builder.build().map(Ask::One)
}

/// What a proxy is asked before TLS can go through it.
pub(crate) fn tunnel(plan: &Plan, target: &Target) -> Result<Option<Box<[u8]>>, RequestError> {
    let Some(proxy) = plan.transport.proxy.as_ref().filter(|_| target.scheme.is_encrypted()) else {
        return Ok(None);
    };
    let place = format!("{}:{}", bracketed(&target.host), target.port);
    let mut builder = Request::builder("CONNECT", &place).host(&place).omit("Accept");
    if let Some(authorization) = &proxy.authorization {
        builder = builder.header("Proxy-Authorization", authorization);
    }
    Ok(Some(builder.build()?.bytes().into()))
}

/// A URL's place and path.
pub(crate) fn target_of(url: &Url) -> Target {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let path = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    let scheme = if url.scheme() == "https" { Scheme::Https } else { Scheme::Http };
    let port = url.port().unwrap_or(scheme.default_port());
    Target { url: url.to_string(), scheme, host, port, path }
}

/// A target's whole URL, as it is sent to a proxy.
pub(crate) fn url(target: &Target) -> String {
    format!("{}://{}{}", target.scheme, authority(target), target.path)
}

/// `host:port` as the `Host` header has it: the scheme's own port is left out.
pub(crate) fn authority(target: &Target) -> String {
    let host = bracketed(&target.host);
    if target.port == target.scheme.default_port() { host } else { format!("{host}:{}", target.port) }
}

fn bracketed(host: &str) -> String {
    if host.contains(':') { format!("[{host}]") } else { host.to_owned() }
}

impl Ask {
    /// What is sent, for a person to read: HTTP/1.1's bytes, or HTTP/2's fields as lines, and the body.
    pub(crate) fn text(&self) -> Vec<u8> {
        let request = match self {
            Self::One(request) => return request.bytes().to_vec(),
            Self::Two(request) => request,
        };
        let mut text = Vec::new();
        for field in request.fields() {
            text.extend_from_slice(&[field.name, b": ", field.value, b"\r\n"].concat());
        }
        text.extend_from_slice(b"\r\n");
        text.extend_from_slice(request.body());
        text
    }
}
