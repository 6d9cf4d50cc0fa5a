//! Facts that the system tells of this machine. Each file below parses one kind of text, and is tested on such text;
//! this one knows where the texts are. What cannot be read is absent: macOS has hardly any of them.

pub(crate) mod cgroup;
pub(crate) mod cores;
mod cpuinfo;
mod limits;
mod memory;
mod network;
pub(crate) mod pressure;
pub(crate) mod processes;
pub(crate) mod stat;

use std::path::Path;

use plimsoll_model::calibration::Machine;

use cgroup::Group;

/// The facts about this machine that are there before anything is measured.
pub fn here() -> Machine {
    let uname = rustix::system::uname();
    let text = |part: &std::ffi::CStr| part.to_string_lossy().into_owned();
    let cpuinfo = read("/proc/cpuinfo").unwrap_or_default();
    let memory = read("/proc/meminfo").unwrap_or_default();
    let usable = cores::usable().len();
    let (descriptors_soft, descriptors_hard) = limits::descriptors();
    Machine {
        host: text(uname.nodename()),
        system: format!("{} {} {}", text(uname.sysname()), text(uname.release()), text(uname.machine())),
        cpu_model: cpuinfo::model(&cpuinfo),
        cores: read("/sys/devices/system/cpu/online").map_or(usable, |list| cores::parse_list(&list).len()).max(usable),
        cores_usable: usable,
        cpu_quota_cores: Group::of_this_process().quota_cores(),
        generator_core: None,
        server_core: None,
        virtualised: cpuinfo::virtualised(&cpuinfo),
        governor: None,
        congestion_control: setting("net/ipv4/tcp_congestion_control"),
        local_ports: setting("net/ipv4/ip_local_port_range").and_then(|range| network::ports(&range)),
        tcp_tw_reuse: setting("net/ipv4/tcp_tw_reuse").and_then(|text| text.parse().ok()),
        somaxconn: setting("net/core/somaxconn").and_then(|text| text.parse().ok()),
        descriptors_soft,
        descriptors_hard,
        memory_bytes: memory::bytes(&memory, "MemTotal"),
        memory_available_bytes: memory::bytes(&memory, "MemAvailable"),
    }
}

/// What decides the clock rate of a core.
pub(crate) fn governor(core: usize) -> Option<String> {
    let path = format!("/sys/devices/system/cpu/cpu{core}/cpufreq/scaling_governor");
    read(path).map(|text| text.trim().to_owned())
}

/// A file of the system, if it has one.
pub(crate) fn read(path: impl AsRef<Path>) -> Option<String> {
    // Names of processes need not be UTF-8.
    std::fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn setting(name: &str) -> Option<String> {
    read(format!("/proc/sys/{name}")).map(|text| text.trim().to_owned())
}
