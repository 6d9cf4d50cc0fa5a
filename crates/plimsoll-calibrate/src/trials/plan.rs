//! The plan of one trial: the default request to a testkit, which answers at once.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::time::Duration;

use plimsoll_model::{Load, Plan, RequestSpec, Scheme, Stop, Target, Timeouts, Tls, Transport, Trust};

use super::authority::Authority;
use super::{Shot, Wire};

/// Whatever takes longer than this on loopback has not been answered at all.
const TIMEOUT: Duration = Duration::from_secs(5);

/// What the server is told for it.
pub(super) fn server_words(authority: Option<&Authority>) -> Vec<OsString> {
    authority.map_or_else(Vec::new, |authority| {
        vec!["--tls".into(), "--tls-ca-out".into(), authority.file().as_os_str().to_owned()]
    })
}

/// One thread, nothing judged. Handshakes are whole ones, as those of new visitors are.
pub(super) fn plan(shot: &Shot, address: SocketAddr, authority: Option<&Authority>) -> Plan {
    let length = shot.warmup + shot.length;
    let scheme = if authority.is_some() { Scheme::Https } else { Scheme::Http };
    let trust = authority.map_or(Trust::System, |authority| Trust::File(authority.file().to_owned()));
    Plan {
        name: shot.name.to_owned(),
        target: Target {
            url: format!("{scheme}://{address}/"),
            scheme,
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
        transport: Transport {
            fresh: shot.wire != Wire::Kept,
            tls: Tls { trust, ..Tls::default() },
            ..Transport::default()
        },
        load: with_length(&shot.load, length),
        stop: Stop { after: Some(length), requests: None },
        warmup: shot.warmup,
        timeouts: Timeouts { whole: TIMEOUT, connect: None, first_byte: None },
        objectives: Vec::new(),
        step_objectives: Vec::new(),
        journeys: Vec::new(),
        expect: Vec::new(),
        within: Vec::new(),
        abort: None,
        seed: 1,
        threads: 1,
    }
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
