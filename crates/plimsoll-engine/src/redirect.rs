//! Redirects: what is asked next, and where (RFC 9110, section 15.4).

use std::rc::Rc;

use plimsoll_http::printable;
use plimsoll_model::{Outcome, Scheme, Target};
use url::Url;

use crate::compile::{self, Ask, Carries};
use crate::dial::{Dialler, Place};
use crate::fault::Fault;
use crate::worker::Worker;

/// One redirect, ready to be followed.
pub(crate) struct Hop {
    url: Url,
    method: String,
    pub(crate) request: Ask,
    /// Whether the connection at hand leads there.
    pub(crate) same_place: bool,
    /// Leads there if it does not.
    pub(crate) dialler: Dialler,
}

/// Whether a status asks for another request (300 and 304 do not).
pub(crate) fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// The hop from `from` (from the plan's own target, if none) to `location`.
pub(crate) async fn hop(worker: &Worker, from: Option<&Rc<Hop>>, status: u16, location: &[u8]) -> Result<Hop, Fault> {
    let plan = worker.plan();
    let bad = || Fault::new(Outcome::Protocol, format!("a redirect to `{}`, which is no URL", printable(location, 60)));
    let home = Url::parse(&compile::url(&plan.target)).map_err(|_| bad())?;
    let here = from.map_or(&home, |hop| &hop.url);
    let url = std::str::from_utf8(location).ok().and_then(|text| here.join(text).ok()).ok_or_else(bad)?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        let reason = format!("a redirect to `{}`, and only http(s):// can be followed", printable(location, 60));
        return Err(Fault::new(Outcome::Protocol, reason));
    }
    let method = next_method(status, from.map_or(&plan.request.method, |hop| &hop.method));
    let same_origin = url.origin() == home.origin();
    let carries = Carries { body: method == plan.request.method, credentials: same_origin };
    let target = compile::target_of(&url);
    let request = compile::request(plan, &target, &method, carries)
        .map_err(|error| Fault::new(Outcome::Protocol, error.to_string()))?;
    // A proxy that reads along leads everywhere; one that digs tunnels leads to one place by each.
    let readable = |scheme: Scheme| !scheme.is_encrypted();
    let via_proxy = plan.transport.proxy.is_some() && readable(target.scheme) && readable(plan.target.scheme);
    let same_place = same_origin || via_proxy;
    let dialler = if same_place { nowhere() } else { dialler(worker, &target).await? };
    Ok(Hop { url, method, request, same_place, dialler })
}

/// 303 asks for a GET; so do 301 and 302 after a POST, as every browser has always understood them.
pub(crate) fn next_method(status: u16, method: &str) -> String {
    let turns_to_get = match status {
        303 => method != "HEAD",
        301 | 302 => method == "POST",
        _ => false,
    };
    if turns_to_get { "GET".to_owned() } else { method.to_owned() }
}

/// For hops that need no connection of their own.
fn nowhere() -> Dialler {
    Dialler::new(Place::Tcp(Vec::new()), Vec::new(), 0)
}

async fn dialler(worker: &Worker, target: &Target) -> Result<Dialler, Fault> {
    let plan = worker.plan();
    let place = match &plan.transport.proxy {
        Some(proxy) => look_up(&proxy.host, proxy.port).await?,
        None => look_up(&target.host, target.port).await?,
    };
    let tunnel = compile::tunnel(plan, target).map_err(|error| Fault::new(Outcome::Protocol, error.to_string()))?;
    let secure = if target.scheme.is_encrypted() { Some(worker.secure(&target.host)?) } else { None };
    Ok(Dialler::new(place, plan.transport.local_addrs.clone(), 0).through(tunnel).secured(secure))
}

async fn look_up(host: &str, port: u16) -> Result<Place, Fault> {
    let addresses = tokio::net::lookup_host((host, port)).await.map(Iterator::collect::<Vec<_>>);
    match addresses {
        Ok(addresses) if !addresses.is_empty() => Ok(Place::Tcp(addresses)),
        _ => Err(Fault::new(Outcome::Connect, format!("a redirect to `{host}`, which has no address"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_after_a_redirect() {
        for (status, method, next) in [
            (301, "POST", "GET"),
            (301, "PUT", "PUT"),
            (302, "GET", "GET"),
            (303, "PUT", "GET"),
            (303, "HEAD", "HEAD"),
            (307, "POST", "POST"),
            (308, "POST", "POST"),
        ] {
            assert_eq!(next_method(status, method), next, "{status} {method}");
        }
    }
}
