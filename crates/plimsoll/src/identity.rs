//! What a run is called by machines: its id, the tool, the commit.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use plimsoll_model::date;

/// The tool and its version.
pub(crate) fn tool() -> String {
    concat!("plimsoll ", env!("CARGO_PKG_VERSION")).to_owned()
}

/// A new id: sorts by time, and differs between two runs of the same second.
pub(crate) fn run_id() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    // A fresh `RandomState` has random keys: randomness without a dependency.
    let random = RandomState::new().build_hasher().finish() & 0xffff;
    format!("{}-{random:04x}", stamp(seconds))
}

/// The commit of the working directory, if it is in a git repository that has one.
pub(crate) fn commit() -> Option<String> {
    let output = Command::new("git")
        .args(["rev-parse", "--verify", "--quiet", "HEAD"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let commit = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    let is_hash = commit.len() >= 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    (output.status.success() && is_hash).then_some(commit)
}

/// `20261121-091530`, in UTC.
fn stamp(seconds: u64) -> String {
    let text = date::rfc3339(seconds * 1000);
    let whole_seconds = text.split('.').next().unwrap_or_default();
    whole_seconds.replace(['-', ':'], "").replace('T', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(seconds: u64, expected: &str) {
        assert_eq!(stamp(seconds), expected);
    }

    #[test]
    fn a_stamp_is_the_utc_time() {
        check(0, "19700101-000000");
        check(951_782_399, "20000228-235959");
        check(951_782_400, "20000229-000000");
        check(951_868_800, "20000301-000000");
        check(1_795_252_530, "20261121-091530");
    }

    #[test]
    fn ids_differ_and_have_a_fixed_form() {
        let id = run_id();
        assert_eq!(id.len(), "20261121-091530-3f9a".len(), "{id}");
        assert_eq!(id.matches('-').count(), 2, "{id}");
    }
}
