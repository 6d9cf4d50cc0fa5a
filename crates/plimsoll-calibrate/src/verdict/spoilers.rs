//! What spoils measurements on this machine.
//!
//! - `debug_build`: this program is slower than it need be.
//! - `one_core`: generator and target take the core from each other.
//! - `cpu_quota`, `cpu_throttled`: the control group allows less time than there are cores, or held us back.
//! - `cpu_shared`: other work here had the generator's core.
//! - `cpu_stolen`: the core was gone, and nothing here had it: a hypervisor, or the processor's own firmware.
//! - `busy_neighbour`: other processes used processor time.
//! - `congestion_control`: packets are paced by timers, which on loopback measures the timers.
//! - `few_ports`, `few_descriptors`: fewer connections than people ask for.
//! - `powersave_governor`: the core is slow until it has been busy for a while.

use plimsoll_model::calibration::{Figures, Machine, Meanwhile, Spoiler};
use plimsoll_report::units::{count, share, time};

/// A p99 sees what happens in 1 % of the time; half of that is where it begins to be moved.
const GONE_SHARE: f64 = 0.005;
/// Other processes may use this much of a core: any system has some.
const NEIGHBOURS_CORES: f64 = 0.1;
/// Generator and target want a core each.
const CORES_WANTED: usize = 2;
/// Algorithms that send by timers instead of as fast as answers come.
const PACING: [&str; 2] = ["bbr", "bbr2"];
/// Linux gives 28 232 unless told otherwise; with less than this somebody took some away.
const PORTS_WANTED: u64 = 20_000;
/// The engine's usual cap on requests in flight, and what the process needs beside.
const DESCRIPTORS_WANTED: u64 = 10_064;
/// Governors that raise the clock rate late or never.
const SLOW_GOVERNORS: [&str; 2] = ["powersave", "conservative"];

/// Everything found, what spoils most first.
pub(crate) fn spoilers(machine: &Machine, figures: &Figures, meanwhile: &Meanwhile) -> Vec<Spoiler> {
    let found = [
        one_core(machine),
        busy_neighbour(meanwhile),
        cpu_shared(figures),
        cpu_stolen(figures, meanwhile),
        cpu_throttled(meanwhile),
        cpu_quota(machine),
        congestion_control(machine),
        powersave_governor(machine),
        few_descriptors(machine),
        few_ports(machine),
    ];
    found.into_iter().flatten().collect()
}

fn spoiler(code: &str, detail: impl Into<String>, hint: &str) -> Spoiler {
    Spoiler { code: code.to_owned(), detail: detail.into(), hint: hint.to_owned() }
}

/// A build without optimisation, or with the checks of tests, is not what people run; only the compiler knows.
pub(crate) fn debug_build(is_debug: bool) -> Option<Spoiler> {
    let detail = "this program was built for debugging, and generates less than a release build does";
    is_debug.then(|| spoiler("debug_build", detail, "build with `cargo build --release`, and calibrate again"))
}

fn one_core(machine: &Machine) -> Option<Spoiler> {
    (machine.cores_usable < CORES_WANTED).then(|| {
        let detail = "this process may run on one core: generator and server took it from each other, so every rate here is \
                      that of both together";
        spoiler("one_core", detail, "let the target run on another machine, or give this one a second core (taskset, cpuset)")
    })
}

fn busy_neighbour(meanwhile: &Meanwhile) -> Option<Spoiler> {
    let cores = meanwhile.others_cores.filter(|cores| *cores >= NEIGHBOURS_CORES)?;
    let named = meanwhile.neighbours.iter().map(|one| format!("`{}` {:.2}", one.name, one.cores));
    let named = named.collect::<Vec<_>>().join(", ");
    let most = if named.is_empty() {
        "; which ones cannot be seen from here".to_owned()
    } else {
        format!(", most of it {named}")
    };
    let detail = format!("other processes used {cores:.2} cores' worth of time while this machine was measured{most}");
    Some(spoiler("busy_neighbour", detail, "end them, or wait for them, and calibrate again"))
}

fn cpu_shared(figures: &Figures) -> Option<Spoiler> {
    let gaps = figures.core_gaps;
    let gone = gaps.waited_share.unwrap_or(gaps.share);
    let who = if gaps.waited_share.is_some() { "other work had it" } else { "this system does not tell who had it" };
    (gone >= GONE_SHARE).then(|| {
        let (gone, longest) = (share(two_digits(gone)), time(gaps.longest_ms));
        let detail =
            format!("the generator's core was gone for {gone} of the time, at the longest for {longest}: {who}");
        spoiler("cpu_shared", detail, "keep a core free for the generator (taskset, isolcpus), or use another machine")
    })
}

fn cpu_stolen(figures: &Figures, meanwhile: &Meanwhile) -> Option<Spoiler> {
    let hint = "use a machine, or an instance type, whose cores are its own; no generator here can be more punctual";
    let gaps = figures.core_gaps;
    if let Some(stolen) = meanwhile.stolen_share.filter(|stolen| *stolen >= GONE_SHARE) {
        let detail = format!("the hypervisor gave {} of the cores' time to others", share(two_digits(stolen)));
        return Some(spoiler("cpu_stolen", detail, hint));
    }
    // What the kernel did not give to somebody else has left it by another way.
    let unexplained = gaps.share - gaps.waited_share?;
    (unexplained >= GONE_SHARE).then(|| {
        let detail = format!(
            "the generator's core was gone for {} of the time, at the longest for {}, and nothing on this machine had it: a \
             hypervisor may have given it to others without saying so",
            share(two_digits(unexplained)),
            time(gaps.longest_ms)
        );
        spoiler("cpu_stolen", detail, hint)
    })
}

fn cpu_throttled(meanwhile: &Meanwhile) -> Option<Spoiler> {
    let held_back = meanwhile.throttled_share.filter(|share| *share > 0.0)?;
    let detail = format!("the control group held its processes back for {} of the time", share(two_digits(held_back)));
    Some(spoiler("cpu_throttled", detail, "raise the container's processor limit, or take it away while measuring"))
}

fn cpu_quota(machine: &Machine) -> Option<Spoiler> {
    let quota = machine.cpu_quota_cores.filter(|quota| *quota < machine.cores_usable as f64)?;
    let cores = count(machine.cores_usable as u64);
    let detail = format!("the control group allows {quota:.2} cores' worth of time on {cores} cores");
    Some(spoiler("cpu_quota", detail, "use no more --threads than that, or raise the container's processor limit"))
}

fn congestion_control(machine: &Machine) -> Option<Spoiler> {
    let name = machine.congestion_control.as_deref().filter(|name| PACING.contains(name))?;
    let detail =
        format!("`{name}` sends packets by timers, which makes targets on this machine look slower than they are");
    let hint = "for targets on loopback: sysctl -w net.ipv4.tcp_congestion_control=cubic (or reno)";
    Some(spoiler("congestion_control", detail, hint))
}

fn powersave_governor(machine: &Machine) -> Option<Spoiler> {
    let name = machine.governor.as_deref().filter(|name| SLOW_GOVERNORS.contains(name))?;
    let detail = format!("the governor `{name}` keeps the generator's core slow until it has been busy for a while");
    Some(spoiler("powersave_governor", detail, "cpupower frequency-set -g performance"))
}

fn few_descriptors(machine: &Machine) -> Option<Spoiler> {
    let limit = machine.descriptors_hard.filter(|limit| *limit < DESCRIPTORS_WANTED)?;
    let detail = format!("a process may open {} descriptors, and each connection takes one", count(limit));
    Some(spoiler(
        "few_descriptors",
        detail,
        "raise the hard limit (ulimit -Hn, LimitNOFILE= of the service, --ulimit nofile of the container)",
    ))
}

fn few_ports(machine: &Machine) -> Option<Spoiler> {
    let ports = machine.local_ports.filter(|ports| *ports < PORTS_WANTED)?;
    let detail = format!("there are {} local ports, and each connection to one address takes one", count(ports));
    let hint = "sysctl -w net.ipv4.ip_local_port_range='1024 65535', or give several --local-addr";
    Some(spoiler("few_ports", detail, hint))
}

/// Two digits of a share.
fn two_digits(share: f64) -> f64 {
    let scale = if share >= 0.1 { 100.0 } else { 1_000.0 };
    (share * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use plimsoll_model::calibration::{Gaps, Neighbour};

    use super::*;

    type Seen = (Machine, Figures, Meanwhile);

    /// Nothing to complain of.
    fn quiet() -> Seen {
        let machine = Machine {
            cores: 2,
            cores_usable: 2,
            congestion_control: Some("cubic".to_owned()),
            governor: Some("performance".to_owned()),
            local_ports: Some(28_232),
            descriptors_hard: Some(20_000),
            ..Machine::default()
        };
        let core_gaps = Gaps { share: 0.001, longest_ms: 0.4, waited_share: Some(0.001) };
        let meanwhile = Meanwhile {
            others_cores: Some(0.05),
            stolen_share: Some(0.001),
            throttled_share: Some(0.0),
            ..Meanwhile::default()
        };
        (machine, Figures { core_gaps, ..Figures::default() }, meanwhile)
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut Seen), expected: &[(&str, &str)]) {
        let mut seen = quiet();
        change(&mut seen);
        let found = spoilers(&seen.0, &seen.1, &seen.2);
        let codes: Vec<&str> = found.iter().map(|spoiler| spoiler.code.as_str()).collect();
        assert_eq!(codes, expected.iter().map(|(code, _)| *code).collect::<Vec<_>>());
        for (spoiler, (_, words)) in found.iter().zip(expected) {
            assert!(spoiler.detail.contains(words), "{}", spoiler.detail);
            assert!(!spoiler.hint.is_empty());
        }
    }

    #[test]
    fn a_quiet_machine_and_one_that_tells_nothing() {
        check(|_| {}, &[]);
        let silent = Machine { cores_usable: 2, ..Machine::default() };
        check(|seen| *seen = (silent, Figures::default(), Meanwhile::default()), &[]);
    }

    #[test]
    fn a_build_for_debugging() {
        assert_eq!(debug_build(true).map(|spoiler| spoiler.code).as_deref(), Some("debug_build"));
        assert_eq!(debug_build(false), None);
    }

    #[test]
    fn what_the_system_says() {
        check(|seen| seen.0.cores_usable = 1, &[("one_core", "one core")]);
        check(|seen| seen.0.cpu_quota_cores = Some(1.5), &[("cpu_quota", "1.50 cores' worth")]);
        check(|seen| seen.0.cpu_quota_cores = Some(2.0), &[]);
        check(|seen| seen.0.congestion_control = Some("bbr".to_owned()), &[("congestion_control", "`bbr`")]);
        check(|seen| seen.0.governor = Some("powersave".to_owned()), &[("powersave_governor", "`powersave`")]);
        check(|seen| seen.0.descriptors_hard = Some(1_024), &[("few_descriptors", "1,024 descriptors")]);
        check(|seen| seen.0.local_ports = Some(5_000), &[("few_ports", "5,000 local ports")]);
    }

    #[test]
    fn what_was_seen_meanwhile() {
        let burner = Neighbour { name: "burner".to_owned(), cores: 0.97 };
        check(
            |seen| seen.2 = Meanwhile { others_cores: Some(1.0), neighbours: vec![burner], ..seen.2.clone() },
            &[(
                "busy_neighbour",
                "1.00 cores' worth of time while this machine was measured, most of it `burner` 0.97",
            )],
        );
        check(|seen| seen.2.others_cores = Some(0.3), &[("busy_neighbour", "cannot be seen")]);
        check(|seen| seen.2.throttled_share = Some(0.123), &[("cpu_throttled", "12%")]);
        check(|seen| seen.2.stolen_share = Some(0.031), &[("cpu_stolen", "3.1% of the cores' time")]);
    }

    #[test]
    fn a_core_that_was_gone_was_shared_or_stolen() {
        let gaps = |share, waited| Gaps { share, longest_ms: 34.0, waited_share: waited };
        check(|seen| seen.1.core_gaps = gaps(0.5, Some(0.499)), &[("cpu_shared", "50% of the time")]);
        check(
            |seen| seen.1.core_gaps = gaps(0.012, Some(0.001)),
            &[("cpu_stolen", "1.1% of the time, at the longest for 34.0 ms")],
        );
        check(|seen| seen.1.core_gaps = gaps(0.02, Some(0.01)), &[("cpu_shared", "1%"), ("cpu_stolen", "1%")]);
        check(|seen| seen.1.core_gaps = gaps(0.5, None), &[("cpu_shared", "does not tell")]);
    }
}
