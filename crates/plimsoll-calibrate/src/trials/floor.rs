//! The latency floor: one user whose answers come at once, so that nothing is left but this machine.

use std::time::Duration;

use plimsoll_model::calibration::Floor;
use plimsoll_model::{Outcome, Recording};
use plimsoll_stats::Quantile;

use super::{Bench, Shot, Wire, closed, times};
use crate::error::CalibrateError;

/// The floor, and the peak memory of a run with one user.
pub(crate) fn measure(bench: &Bench<'_>) -> Result<(Floor, u64), CalibrateError> {
    let shot = Shot {
        name: "the latency floor",
        load: closed::users(1.0, Duration::ZERO),
        length: bench.pace.floor,
        warmup: Duration::ZERO,
        wire: Wire::Kept,
    };
    let recording = bench.shoot(&shot)?.recording;
    Ok((floor(&recording), recording.generator.rss_bytes))
}

fn floor(recording: &Recording) -> Floor {
    let times = times(recording, |timings| &timings.response, &[Outcome::Ok]);
    let ms = |q| times.quantile(q).unwrap_or(0) as f64 / 1e6;
    Floor { p50: ms(Quantile::P50), p99: ms(Quantile::P99) }
}
