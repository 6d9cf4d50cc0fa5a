//! New connections a second: the closed loop with a connection for each request, plain and encrypted.

use std::time::Duration;

use plimsoll_model::calibration::Connections;
use plimsoll_model::{Incident, Recording};

use super::{Bench, Shot, Wire, closed};
use crate::error::CalibrateError;

/// Both kinds, and what was the limit of each.
pub(crate) fn measure(bench: &Bench<'_>) -> Result<(Connections, [String; 2]), CalibrateError> {
    let plain = rounds(bench, Wire::Fresh)?;
    let tls = rounds(bench, Wire::FreshTls)?;
    let rate = |rounds: &[Recording]| closed::rates(rounds).median;
    let connections = Connections { plain: rate(&plain), tls: Some(rate(&tls)) };
    Ok((connections, [limit(&plain), limit(&tls)]))
}

fn rounds(bench: &Bench<'_>, wire: Wire) -> Result<Vec<Recording>, CalibrateError> {
    let load = closed::users(closed::USERS, Duration::ZERO);
    let shot = Shot { name: "connections a second", load, length: bench.pace.fresh, warmup: Duration::ZERO, wire };
    (0..bench.pace.fresh_rounds).map(|_| Ok(bench.shoot(&shot)?.recording)).collect()
}

fn limit(rounds: &[Recording]) -> String {
    if rounds.iter().any(|round| round.incidents.count(Incident::PortsExhausted) > 0) {
        return "local ports ran out: each is held for a while after its connection".to_owned();
    }
    closed::rates(rounds).limit
}
