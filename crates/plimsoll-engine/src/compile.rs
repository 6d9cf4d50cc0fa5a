//! From the plan to the bytes on the wire, once per run.

use plimsoll_http::{Request, RequestError};
use plimsoll_model::{Plan, Target};
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

/// The plan's own request.
pub(crate) fn first_request(plan: &Plan) -> Result<Request, RequestError> {
    request(plan, &plan.target, &plan.request.method, Carries { body: true, credentials: true })
}

/// The plan's request sent to `target` by `method`.
pub(crate) fn request(plan: &Plan, target: &Target, method: &str, carries: Carries) -> Result<Request, RequestError> {
    let authority = authority(target);
    let request_target = if plan.transport.proxy.is_some() { url(target) } else { target.path.clone() };
    let mut builder = Request::builder(method, request_target).host(authority).fresh(plan.transport.fresh);
    for (name, value) in &plan.request.headers {
        let listed = |list: &[&str]| list.iter().any(|listed| name.eq_ignore_ascii_case(listed));
        if (carries.credentials || !listed(&CREDENTIALS)) && (carries.body || !listed(&BODY_HEADERS)) {
            builder = builder.header(name, value);
        }
    }
    let asks_already = plan.request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("accept-encoding"));
    if plan.transport.compressed && !asks_already {
        builder = builder.header("Accept-Encoding", "gzip, deflate");
    }
    if let Some(authorization) = plan.transport.proxy.as_ref().and_then(|proxy| proxy.authorization.as_ref()) {
        builder = builder.header("Proxy-Authorization", authorization);
    }
    if carries.body {
        builder = builder.body(plan.request.body.clone());
    }
    builder.build()
}

/// A URL's place and path.
pub(crate) fn target_of(url: &Url) -> Target {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let path = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    Target { url: url.to_string(), host, port: url.port_or_known_default().unwrap_or(80), path }
}

/// A target's whole URL, as it is sent to a proxy.
pub(crate) fn url(target: &Target) -> String {
    format!("http://{}{}", authority(target), target.path)
}

/// `host:port` as the `Host` header has it: the scheme's own port is left out.
fn authority(target: &Target) -> String {
    let host = if target.host.contains(':') { format!("[{}]", target.host) } else { target.host.clone() };
    if target.port == 80 { host } else { format!("{host}:{}", target.port) }
}
