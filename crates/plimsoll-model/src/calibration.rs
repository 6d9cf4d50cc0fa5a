//! What a machine can do as a load generator, as everybody reads it: the JSON contract `plimsoll.calibrate/1`.
//!
//! Other than a run it is read back: later runs cite it. So everything here can be deserialised, and what an older
//! version did not write yet must have a default. As everywhere, a fact that the system does not tell is null.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The contract's name and version.
pub const SCHEMA: &str = "plimsoll.calibrate/1";

/// One machine, measured as a load generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// [`SCHEMA`].
    pub schema: String,
    /// Unique and sortable by time.
    pub id: String,
    /// When it began: RFC 3339, UTC.
    pub at: String,
    /// `plimsoll 0.1.0`.
    pub tool: String,
    /// Whether trials were cut short, which makes every figure less certain.
    pub quick: bool,
    /// How long it took, in seconds.
    pub took_s: f64,
    /// What was measured on.
    pub machine: Machine,
    /// What came out.
    pub figures: Figures,
    /// What else went on.
    pub meanwhile: Meanwhile,
    /// Which results can be believed here, in sentences.
    pub believe: Vec<String>,
    /// What spoils measurements here.
    pub spoilers: Vec<Spoiler>,
}

/// What the system says of a machine.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Machine {
    /// Its name in the network.
    pub host: String,
    /// `Linux 6.1.0 x86_64`.
    pub system: String,
    /// As the processor calls itself.
    pub cpu_model: Option<String>,
    /// Cores that are online.
    pub cores: usize,
    /// Cores that this process may run on; at least 1.
    pub cores_usable: usize,
    /// How many cores' worth of time the control group may use; null for no limit.
    pub cpu_quota_cores: Option<f64>,
    /// The core that generated; null where a process cannot choose.
    pub generator_core: Option<usize>,
    /// The core that answered; null where it is the same, or a process cannot choose.
    pub server_core: Option<usize>,
    /// Whether the processor says that a hypervisor is beneath it.
    pub virtualised: Option<bool>,
    /// What decides the clock rate of the generator's core.
    pub governor: Option<String>,
    /// `net.ipv4.tcp_congestion_control`.
    pub congestion_control: Option<String>,
    /// Local ports that connections to one address can have.
    pub local_ports: Option<u64>,
    /// `net.ipv4.tcp_tw_reuse`: 0 never, 1 always, 2 on loopback.
    pub tcp_tw_reuse: Option<u64>,
    /// `net.core.somaxconn`.
    pub somaxconn: Option<u64>,
    /// Descriptors that this process may open as it was started; null for no limit.
    pub descriptors_soft: Option<u64>,
    /// Descriptors that it may open once it has raised its limit; null for no limit.
    pub descriptors_hard: Option<u64>,
    /// All memory.
    pub memory_bytes: Option<u64>,
    /// Memory that could be had without swapping.
    pub memory_available_bytes: Option<u64>,
}

/// What a machine can do as a load generator.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Figures {
    /// Answers a second of one generator thread, 64 users who do not pause: the median of the rounds.
    pub closed_rate_per_core: f64,
    /// The slowest and the fastest of those rounds.
    pub closed_rate_range: [f64; 2],
    /// The highest rate at which p99 of lag stayed within 1 ms, one generator thread; null if none did.
    pub open_rate_max: Option<f64>,
    /// Response times of one user whose answers come at once.
    pub latency_floor_ms: Floor,
    /// How late a thread wakes that asked for the next millisecond.
    pub timer_jitter_us: Jitter,
    /// For how long a thread that never sleeps did not have its core.
    pub core_gaps: Gaps,
    /// Answers a second, each over a connection of its own.
    pub connections_per_s: Connections,
    /// Resident memory of one more user; null where the system does not tell.
    pub bytes_per_user: Option<f64>,
    /// How many users that was measured with.
    pub users_measured: u64,
    /// What stood in the way of more, by figure.
    #[serde(default)]
    pub limits: BTreeMap<String, String>,
}

/// The fastest answers, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Floor {
    /// The median.
    pub p50: f64,
    /// The 99th percentile.
    pub p99: f64,
}

/// Lateness, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Jitter {
    /// The median.
    pub p50: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The largest.
    pub max: f64,
}

/// Time in which a core was taken away.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Gaps {
    /// Its share of all time; in [0, 1].
    pub share: f64,
    /// The longest, in milliseconds.
    pub longest_ms: f64,
    /// The share in which the kernel says that the thread waited for its core: other work here had it.
    pub waited_share: Option<f64>,
}

/// New connections a second.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Connections {
    /// TCP.
    pub plain: f64,
    /// TLS; null where it was not measured.
    pub tls: Option<f64>,
}

/// What else went on while a machine was measured.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Meanwhile {
    /// Processor time that others used, in cores.
    pub others_cores: Option<f64>,
    /// Those who used most of it, and were seen.
    pub neighbours: Vec<Neighbour>,
    /// The share of the cores' time that the hypervisor says it gave to somebody else.
    pub stolen_share: Option<f64>,
    /// The share of time in which the control group was held back.
    pub throttled_share: Option<f64>,
    /// The share of time in which something waited for a core, this program included.
    pub pressure_share: Option<f64>,
    /// How busy each usable core was, this program included; in [0, 1].
    pub busy: BTreeMap<usize, f64>,
}

/// A process that used the processor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Neighbour {
    /// As the kernel names it; anybody can choose any name.
    pub name: String,
    /// Its processor time, in cores.
    pub cores: f64,
}

/// Something that spoils measurements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spoiler {
    /// A stable slug.
    pub code: String,
    /// What was seen, with its figures.
    pub detail: String,
    /// What to do about it.
    pub hint: String,
}

impl Machine {
    /// Whether figures of the one hold for the other, as far as a machine can be told: not by anything that changes
    /// when it is started again.
    pub fn is_same_as(&self, other: &Self) -> bool {
        let identity = |machine: &Self| {
            let Self { host, system, cpu_model, cores, cores_usable, .. } = machine.clone();
            (host, system, cpu_model, cores, cores_usable)
        };
        identity(self) == identity(other)
    }
}

impl Calibration {
    /// Whether it says anything of this machine driven by this tool.
    pub fn holds_for(&self, machine: &Machine, tool: &str) -> bool {
        self.schema == SCHEMA && self.tool == tool && self.machine.is_same_as(machine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calibration() -> Calibration {
        let machine = Machine {
            host: "anvil".to_owned(),
            system: "Linux 6.1.0 x86_64".to_owned(),
            cpu_model: Some("Processor".to_owned()),
            cores: 4,
            cores_usable: 2,
            ..Machine::default()
        };
        Calibration {
            schema: SCHEMA.to_owned(),
            id: "20261121-091530-3f9a".to_owned(),
            at: "2026-11-21T09:15:30.000Z".to_owned(),
            tool: "plimsoll 0.1.0".to_owned(),
            quick: false,
            took_s: 41.5,
            machine,
            figures: Figures { open_rate_max: Some(38_000.0), ..Figures::default() },
            meanwhile: Meanwhile { busy: BTreeMap::from([(1, 0.5)]), ..Meanwhile::default() },
            believe: vec!["Nothing.".to_owned()],
            spoilers: vec![Spoiler { code: "one_core".to_owned(), detail: String::new(), hint: String::new() }],
        }
    }

    #[test]
    fn it_survives_being_kept() {
        let text = serde_json::to_string(&calibration()).expect("serialises");
        let back: Calibration = serde_json::from_str(&text).expect("deserialises");
        assert_eq!(back, calibration());
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut Calibration), expected: bool) {
        let (mut other, here) = (calibration(), calibration());
        change(&mut other);
        assert_eq!(other.holds_for(&here.machine, &here.tool), expected);
    }

    #[test]
    fn it_holds_for_its_machine_and_its_tool_only() {
        check(|_| {}, true);
        check(|other| other.machine.memory_available_bytes = Some(1), true);
        check(|other| other.machine.host = "hammer".to_owned(), false);
        check(|other| other.machine.system = "Linux 6.2.0 x86_64".to_owned(), false);
        check(|other| other.machine.cpu_model = None, false);
        check(|other| other.machine.cores_usable = 1, false);
        check(|other| other.tool = "plimsoll 0.2.0".to_owned(), false);
        check(|other| other.schema = "plimsoll.calibrate/2".to_owned(), false);
    }
}
