//! The limit of descriptors, raised as far as this process may.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

// Linux's usual `fs.nr_open`.
const WANTED: u64 = 1 << 20;

/// Raises the limit of descriptors; where it may not, the limit stays as it was.
pub(super) fn raise_descriptors() {
    let old = getrlimit(Resource::Nofile);
    let both = Rlimit { current: Some(WANTED), maximum: Some(WANTED) };
    let already = old.current.is_none_or(|current| current >= WANTED);
    if already || setrlimit(Resource::Nofile, both).is_ok() {
        return;
    }
    let soft = Rlimit { current: old.maximum, ..old };
    let _ = setrlimit(Resource::Nofile, soft);
}
