//! Memory per user: as many users as limits allow, each with a connection, against the memory of one.
//!
//! The system tells the highest memory since the process began. So this comes right after the one user of the latency
//! floor, before anything larger: what a larger trial had left behind would be used again, and not be counted.

use std::time::Duration;

use plimsoll_model::calibration::Machine;
use plimsoll_model::{Outcome, Recording};

use super::{Bench, Shot, Wire, closed, times};
use crate::error::CalibrateError;

/// Descriptors and ports left for everything else.
const SPARE: u64 = 200;
/// Users who ask once in this time are all connected at once, and the core is not the limit.
const THINK: Duration = Duration::from_secs(1);
/// What a user costs is known from this many on; fewer drown in the program itself.
const USERS_MIN: u64 = 100;

/// What was found.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Memory {
    pub(crate) bytes_per_user: Option<f64>,
    pub(crate) users: u64,
    pub(crate) limit: Option<String>,
}

/// `one_bytes` is the peak of a run with one user.
pub(crate) fn measure(bench: &Bench<'_>, machine: &Machine, one_bytes: u64) -> Result<Memory, CalibrateError> {
    let (users, limit) = fitting(machine, bench.pace.users_max);
    if users < USERS_MIN || one_bytes == 0 {
        return Ok(Memory { limit, ..Memory::default() });
    }
    let load = closed::users(users as f64, THINK);
    let shot =
        Shot { name: "memory per user", load, length: bench.pace.users, warmup: Duration::ZERO, wire: Wire::Kept };
    let recording = bench.shoot(&shot)?.recording;
    Ok(Memory { bytes_per_user: bytes_per_user(&recording, users, one_bytes), users, limit })
}

/// How many users this machine has descriptors and ports for, and what stops more. The server has the same limit of
/// descriptors, and needs as many.
fn fitting(machine: &Machine, wanted: u64) -> (u64, Option<String>) {
    let bounds = [
        (machine.descriptors_hard, "the limit on open descriptors"),
        (machine.local_ports, "the range of local ports"),
    ];
    let tightest = bounds.iter().filter_map(|(bound, name)| Some((bound.as_ref()?.saturating_sub(SPARE), *name))).min();
    match tightest {
        Some((users, name)) if users < wanted => (users, Some(format!("{name} leaves room for {users} users"))),
        _ => (wanted, None),
    }
}

/// None where some user never asked anything: one that is not connected costs nothing.
fn bytes_per_user(recording: &Recording, users: u64, one_bytes: u64) -> Option<f64> {
    let answers = times(recording, |timings| &timings.response, &[Outcome::Ok]).len();
    let more = recording.generator.rss_bytes.saturating_sub(one_bytes);
    (answers >= users && more > 0).then(|| more as f64 / (users - 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(descriptors: Option<u64>, ports: Option<u64>, expected: (u64, Option<&str>)) {
        let machine = Machine { descriptors_hard: descriptors, local_ports: ports, ..Machine::default() };
        let (users, limit) = fitting(&machine, 10_000);
        assert_eq!((users, limit.as_deref()), expected);
    }

    #[test]
    fn as_many_users_as_limits_allow() {
        check(None, None, (10_000, None));
        check(Some(20_000), Some(28_232), (10_000, None));
        check(Some(1_024), Some(28_232), (824, Some("the limit on open descriptors leaves room for 824 users")));
        check(None, Some(3_000), (2_800, Some("the range of local ports leaves room for 2800 users")));
        check(Some(100), None, (0, Some("the limit on open descriptors leaves room for 0 users")));
    }
}
