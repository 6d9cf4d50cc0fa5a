//! The plan of one trial: the default request to a testkit, which answers at once.

use std::net::SocketAddr;
use std::time::Duration;

use plimsoll_model::{Load, Plan, RequestSpec, Stop, Target, Timeouts, Transport};

use super::{Shot, Wire};

/// Whatever takes longer than this on loopback has not been answered at all.
const TIMEOUT: Duration = Duration::from_secs(5);

/// What the server is told for it; none where this version cannot speak it.
pub(super) fn server_words(wire: Wire) -> Option<&'static [&'static str]> {
    match wire {
        Wire::Kept | Wire::Fresh => Some(&[]),
        Wire::FreshTls => None,
    }
}

/// How requests travel; none where this version cannot.
fn transport(wire: Wire) -> Option<Transport> {
    match wire {
        Wire::Kept => Some(Transport::default()),
        Wire::Fresh => Some(Transport { fresh: true, ..Transport::default() }),
        Wire::FreshTls => None,
    }
}

/// One thread, nothing judged.
pub(super) fn plan(shot: &Shot, address: SocketAddr, warmup: Duration) -> Option<Plan> {
    let scheme = if shot.wire == Wire::FreshTls { "https" } else { "http" };
    Some(Plan {
        name: shot.name.to_owned(),
        target: Target {
            url: format!("{scheme}://{address}/"),
            host: address.ip().to_string(),
            port: address.port(),
            path: "/".to_owned(),
        },
        request: RequestSpec {
            label: "GET /".to_owned(),
            method: "GET".to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
        },
        transport: transport(shot.wire)?,
        load: with_length(&shot.load, warmup + shot.length),
        stop: Stop { after: Some(warmup + shot.length), requests: None },
        warmup,
        timeouts: Timeouts { whole: TIMEOUT, connect: None, first_byte: None },
        objectives: Vec::new(),
        expect: Vec::new(),
        within: Vec::new(),
        abort: None,
        seed: 1,
        threads: 1,
    })
}

/// A level lasts as long as the trial.
fn with_length(load: &Load, length: Duration) -> Load {
    let mut load = load.clone();
    let shape = match &mut load {
        Load::Open(open) => &mut open.shape,
        Load::Closed(closed) => &mut closed.shape,
    };
    *shape = plimsoll_model::Shape::constant(shape.peak(), Some(length));
    load
}
