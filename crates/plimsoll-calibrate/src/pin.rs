//! Keeping a thread, and whatever it starts, on one core for a while.
//!
//! Threads and processes inherit the cores of the thread that starts them. So nobody needs to be told afterwards: the
//! calling thread goes to the core, starts what belongs there, and returns.

/// While this lives, the calling thread is on one core.
#[must_use = "the thread leaves its core when this is dropped"]
pub(crate) struct Pinned {
    #[cfg(target_os = "linux")]
    before: Option<rustix::thread::CpuSet>,
}

impl Pinned {
    /// To that core; with none, or where the system refuses, the thread stays where it is.
    #[cfg(target_os = "linux")]
    pub(crate) fn to(core: Option<usize>) -> Self {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        let go = |core: usize| {
            let before = sched_getaffinity(None).ok()?;
            let mut only = CpuSet::new();
            only.set(core);
            sched_setaffinity(None, &only).ok()?;
            Some(before)
        };
        Self { before: core.and_then(go) }
    }

    /// Not on this system.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn to(_core: Option<usize>) -> Self {
        Self {}
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        if let Some(before) = &self.before {
            // It was allowed before. If it is no longer, the thread is where somebody wants it.
            let _ = rustix::thread::sched_setaffinity(None, before);
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::machine::cores::usable;

    #[test]
    fn a_thread_returns_to_its_cores() {
        let before = usable();
        let last = before[before.len() - 1];
        {
            let _pinned = Pinned::to(Some(last));
            assert_eq!(usable(), [last]);
            let heir = std::thread::spawn(usable);
            assert_eq!(heir.join().expect("it does not panic"), [last]);
        }
        assert_eq!(usable(), before);
        let _unpinned = Pinned::to(None);
        assert_eq!(usable(), before);
    }
}
