//! Which HTTP is spoken, and for HTTP/2 how requests share connections.

use plimsoll_model::{Http, Load, Scheme, Target};

use super::number::positive_in;
use crate::args::ConnectionArgs;
use crate::usage::Usage;

/// What servers commonly allow (RFC 9113 advises no less).
const STREAMS_USUAL: u32 = 100;

/// Which HTTP is spoken.
pub(super) fn resolve(args: &ConnectionArgs, load: &Load, target: &Target) -> Result<Http, Usage> {
    if !args.http2 {
        return Ok(Http::One);
    }
    if args.proxy.is_some() && target.scheme == Scheme::Http {
        return Err(Usage::new(
            "`--http2` cannot go through a proxy in the clear",
            "write the URL with `https://`, so that the proxy digs a tunnel, or leave out one of them",
        ));
    }
    let streams: Option<u32> = args.streams.as_deref().map(|text| positive_in("--streams", text)).transpose()?;
    let connections_max: Option<u32> =
        args.connections.as_deref().map(|text| positive_in("--connections", text)).transpose()?;
    let streams_max = match (streams, connections_max, load) {
        (Some(streams), _, _) => streams,
        // So that the users spread over all of the connections.
        (None, Some(connections), Load::Closed(_)) => spread(load.in_flight_max(), connections),
        (None, _, _) => STREAMS_USUAL,
    };
    refuse_users_without_room(load, streams_max, connections_max)?;
    Ok(Http::Two { streams_max, connections_max })
}

/// Requests in flight are capped at what the connections have room for.
pub(super) fn cap(load: Load, http: Http) -> Load {
    match (load, http) {
        (Load::Open(mut open), Http::Two { streams_max, connections_max: Some(connections) }) => {
            open.in_flight_max = open.in_flight_max.min(streams_max.saturating_mul(connections));
            Load::Open(open)
        }
        (load, _) => load,
    }
}

/// A thread without a connection would have nothing to do.
pub(super) fn threads(threads: usize, http: Http) -> usize {
    match http {
        Http::Two { connections_max: Some(connections), .. } => threads.min(connections as usize),
        _ => threads,
    }
}

fn spread(users: u64, connections: u32) -> u32 {
    u32::try_from(users.div_ceil(u64::from(connections))).unwrap_or(u32::MAX).max(1)
}

fn refuse_users_without_room(load: &Load, streams: u32, connections: Option<u32>) -> Result<(), Usage> {
    let (Load::Closed(_), Some(connections)) = (load, connections) else { return Ok(()) };
    let (users, room) = (load.in_flight_max(), u64::from(streams) * u64::from(connections));
    if users <= room {
        return Ok(());
    }
    Err(Usage::new(
        format!("{users} users do not fit on `--connections {connections}` of `--streams {streams}`"),
        format!("ask for at most {room} users, or for more streams or connections"),
    ))
}
