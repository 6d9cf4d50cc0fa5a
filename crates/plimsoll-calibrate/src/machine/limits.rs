//! Limits of this process.

use rustix::process::{Resource, getrlimit};

/// Descriptors, soft and hard; none for no limit. Engine and testkit raise theirs as far as they may, so it is the hard
/// limit that counts; the soft one is what other programs live with.
pub(crate) fn descriptors() -> (Option<u64>, Option<u64>) {
    let limit = getrlimit(Resource::Nofile);
    (limit.current, limit.maximum)
}
