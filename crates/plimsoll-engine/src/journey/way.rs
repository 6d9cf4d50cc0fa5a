//! Where requests to one origin go, spoken to in one manner; found once by each thread.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;

use plimsoll_model::{Http, Outcome, Plan, Target};
use url::Url;

use crate::compile;
use crate::dial::{Dialler, Place, Secure};
use crate::fault::Fault;
use crate::two::Pool;
use crate::worker::Worker;

/// Origins remembered by a thread; beyond them the oldest is forgotten, and found again.
const WAYS_MAX: usize = 256;

/// Where requests to one origin go.
pub(super) struct Way {
    pub(super) origin: String,
    pub(super) manner: usize,
    pub(super) target: Target,
    /// As `Host` has it.
    pub(super) authority: String,
    pub(super) http: Http,
    pub(super) dialler: Dialler,
    pub(super) pool: Option<Rc<Pool>>,
}

/// The ways that a thread has found.
#[derive(Default)]
pub(crate) struct Ways {
    known: RefCell<Vec<Rc<Way>>>,
}

impl Ways {
    /// The way to an origin.
    pub(super) async fn find(&self, worker: &Worker, origin: &str, manner: usize) -> Result<Rc<Way>, Fault> {
        let is_it = |way: &&Rc<Way>| way.manner == manner && way.origin == origin;
        if let Some(way) = self.known.borrow().iter().find(is_it) {
            return Ok(Rc::clone(way));
        }
        let way = Rc::new(Way::new(worker, origin, manner).await?);
        let mut known = self.known.borrow_mut();
        if known.len() >= WAYS_MAX {
            known.remove(0);
        }
        known.push(Rc::clone(&way));
        Ok(way)
    }
}

impl Way {
    async fn new(worker: &Worker, origin: &str, manner: usize) -> Result<Self, Fault> {
        let bad = |reason: String| Fault::new(Outcome::Protocol, reason);
        let url = Url::parse(origin).map_err(|error| bad(format!("`{origin}` is no origin: {error}")))?;
        let target = compile::target_of(&url);
        let plan = worker.plan();
        let place = place(plan, &target).await?;
        let http = worker.manner(manner).http;
        let tunnel = compile::tunnel(plan, &target).map_err(|error| bad(error.to_string()))?;
        let secure = if target.scheme.is_encrypted() { Some(secure(worker, &target, manner)?) } else { None };
        let locals = plan.transport.local_addrs.clone();
        Ok(Self {
            origin: origin.to_owned(),
            manner,
            authority: compile::authority(&target),
            dialler: Dialler::new(place, locals, worker.slice().index as usize).through(tunnel).secured(secure),
            pool: worker.pool_for(http),
            target,
            http,
        })
    }
}

fn secure(worker: &Worker, target: &Target, manner: usize) -> Result<Secure, Fault> {
    let fault = |reason: String| Fault::new(Outcome::Tls, reason);
    let manner = worker.manner(manner);
    let setup = manner.tls.as_ref().map_err(|reason| fault(reason.clone()))?;
    let name = setup.name_for(&target.host).map_err(|error| fault(error.to_string()))?;
    let setup = setup.for_thread(&worker.transport().tls);
    Ok(Secure { config: Arc::clone(&setup.config), name, two: manner.http.is_two() })
}

async fn place(plan: &Plan, target: &Target) -> Result<Place, Fault> {
    if let Some(path) = &plan.transport.unix_socket {
        return Ok(Place::Unix(path.clone()));
    }
    let (host, port) = match &plan.transport.proxy {
        Some(proxy) => (&proxy.host, proxy.port),
        None => (&target.host, target.port),
    };
    let named = plan.transport.resolve.iter().filter(|(name, _)| name.eq_ignore_ascii_case(host));
    let named: Vec<SocketAddr> = named.map(|(_, to)| *to).collect();
    if !named.is_empty() {
        return Ok(Place::Tcp(named));
    }
    let nowhere = || {
        Fault::new(
            Outcome::Connect,
            format!("the host `{}` has no address", plimsoll_http::printable(host.as_bytes(), 80)),
        )
    };
    let mut addresses: Vec<SocketAddr> =
        tokio::net::lookup_host((host.as_str(), port)).await.map_err(|_| nowhere())?.collect();
    let locals = &plan.transport.local_addrs;
    addresses.retain(|to| locals.is_empty() || locals.iter().any(|from| from.is_ipv4() == to.is_ipv4()));
    if addresses.is_empty() { Err(nowhere()) } else { Ok(Place::Tcp(addresses)) }
}
