//! What the generator itself uses: processor time and memory, as the kernel counts them.

use rustix::process::Resource;
use rustix::time::{ClockId, clock_gettime};

/// What one thread has used since it began.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct ThreadUse {
    /// Processor seconds.
    pub(crate) cpu_s: f64,
    /// Seconds in which it was ready to run and had no core.
    pub(crate) waited_s: f64,
}

impl ThreadUse {
    /// Of the calling thread.
    pub(crate) fn now() -> Self {
        Self { cpu_s: seconds(ClockId::ThreadCPUTime), waited_s: waited_s().unwrap_or(0.0) }
    }
}

/// Processor seconds of this process, user and system.
pub(crate) fn process_cpu_s() -> f64 {
    seconds(ClockId::ProcessCPUTime)
}

fn seconds(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The second field of `schedstat`: nanoseconds spent waiting on a run queue. Linux only.
fn waited_s() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos: f64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(nanos / 1e9)
}

/// Peak resident memory of this process in bytes; 0 where the system does not tell.
pub(crate) fn peak_rss_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

/// The limit on open descriptors, raised as far as this process may.
pub(crate) fn raise_descriptor_limit(wanted: u64) -> (u64, bool) {
    let limit = rustix::process::getrlimit(Resource::Nofile);
    let before = limit.current.unwrap_or(u64::MAX);
    if before >= wanted {
        return (before, false);
    }
    // Beyond the hard limit only with privileges; up to it always.
    let hard = limit.maximum.unwrap_or(u64::MAX);
    for (current, maximum) in [(wanted, wanted.max(hard)), (wanted.min(hard), hard)] {
        let raised = rustix::process::Rlimit { current: Some(current), maximum: Some(maximum) };
        if rustix::process::setrlimit(Resource::Nofile, raised).is_ok() {
            return (current, current > before);
        }
    }
    (before, false)
}

/// How many local ports connections may have towards one address; none where the system does not tell.
pub(crate) fn local_ports() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").ok()?;
    let mut bounds = text.split_whitespace().filter_map(|bound| bound.parse::<u64>().ok());
    let (first, last) = (bounds.next()?, bounds.next()?);
    Some((last + 1).saturating_sub(first))
}
