//! Redirects: what is asked next, and where (RFC 9110, section 15.4).

use std::rc::Rc;

use plimsoll_http::{Request, printable};
use plimsoll_model::{Outcome, Plan};
use url::Url;

use crate::compile::{self, Carries};
use crate::dial::{Dialler, Place};
use crate::fault::Fault;

/// One redirect, ready to be followed.
pub(crate) struct Hop {
    url: Url,
    method: String,
    pub(crate) request: Request,
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
pub(crate) async fn hop(plan: &Plan, from: Option<&Rc<Hop>>, status: u16, location: &[u8]) -> Result<Hop, Fault> {
    let bad = || Fault::new(Outcome::Protocol, format!("a redirect to `{}`, which is no URL", printable(location, 60)));
    let home = Url::parse(&compile::url(&plan.target)).map_err(|_| bad())?;
    let here = from.map_or(&home, |hop| &hop.url);
    let url = std::str::from_utf8(location).ok().and_then(|text| here.join(text).ok()).ok_or_else(bad)?;
    if url.scheme() != "http" || url.host().is_none() {
        let reason = format!("a redirect to `{}`, and only http:// can be followed", printable(location, 60));
        return Err(Fault::new(Outcome::Protocol, reason));
    }
    let method = next_method(status, from.map_or(&plan.request.method, |hop| &hop.method));
    let same_origin = url.origin() == home.origin();
    let carries = Carries { body: method == plan.request.method, credentials: same_origin };
    let target = compile::target_of(&url);
    let request = compile::request(plan, &target, &method, carries)
        .map_err(|error| Fault::new(Outcome::Protocol, error.to_string()))?;
    let same_place = same_origin || plan.transport.proxy.is_some();
    let place = if same_place { Place::Tcp(Vec::new()) } else { look_up(&target.host, target.port).await? };
    let dialler = Dialler::new(place, plan.transport.local_addrs.clone(), 0);
    Ok(Hop { url, method, request, same_place, dialler })
}

/// 303 asks for a GET; so do 301 and 302 after a POST, as every browser has always understood them.
fn next_method(status: u16, method: &str) -> String {
    let turns_to_get = match status {
        303 => method != "HEAD",
        301 | 302 => method == "POST",
        _ => false,
    };
    if turns_to_get { "GET".to_owned() } else { method.to_owned() }
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
