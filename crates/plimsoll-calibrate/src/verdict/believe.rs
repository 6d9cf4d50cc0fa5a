//! Which results can be believed on this machine.

use plimsoll_model::calibration::{Figures, Machine, Spoiler};
use plimsoll_report::units;

/// Up to this share of what it can generate, a machine is not the limit: above it a core has too little time left
/// for what comes unevenly.
const SHARE_BELIEVED: f64 = 0.5;
/// A response time of so many floors is this machine's for a tenth at most.
const FLOORS: f64 = 10.0;
/// Users may take this share of the memory that is available; the kernel needs the rest for their sockets.
const MEMORY_SHARE: f64 = 0.5;
/// What spoils every figure at once, and goes away again.
const PASSING: [&str; 4] = ["busy_neighbour", "cpu_shared", "cpu_stolen", "cpu_throttled"];

/// The sentences, the most wanted first.
pub(crate) fn believe(machine: &Machine, figures: &Figures, spoilers: &[Spoiler]) -> Vec<String> {
    let sentences = [
        disturbed(spoilers),
        Some(closed(figures)),
        Some(open(figures)),
        Some(floor(figures)),
        Some(connections(figures)),
        users(machine, figures),
    ];
    sentences.into_iter().flatten().collect()
}

fn disturbed(spoilers: &[Spoiler]) -> Option<String> {
    let passing: Vec<&str> =
        spoilers.iter().map(|spoiler| spoiler.code.as_str()).filter(|code| PASSING.contains(code)).collect();
    (!passing.is_empty()).then(|| {
        format!(
            "This machine was not left alone while it was measured ({}): what follows is what it could do then, and may be \
             less than it can.",
            passing.join(", ")
        )
    })
}

fn closed(figures: &Figures) -> String {
    let rate = two_digits(figures.closed_rate_per_core * SHARE_BELIEVED);
    format!(
        "Up to {} per core, half of what this machine can generate, the generator is not the limit.",
        units::rate(rate)
    )
}

fn open(figures: &Figures) -> String {
    match figures.open_rate_max {
        Some(rate) => {
            format!(
                "At a rate (--rate) of up to {} per core, requests leave within 1 ms of when they are due.",
                units::rate(rate)
            )
        }
        None => {
            "At a rate (--rate), however low, requests do not leave within 1 ms of when they are due: do not believe \
                 response times near that."
                .to_owned()
        }
    }
}

fn floor(figures: &Figures) -> String {
    let bound = units::time(round_up(figures.latency_floor_ms.p50 * FLOORS));
    format!("Response times above {bound} are the target's; of those below, a tenth or more is this machine.")
}

fn connections(figures: &Figures) -> String {
    let rate = |per_second: f64| units::rate(two_digits(per_second * SHARE_BELIEVED));
    let plain = rate(figures.connections_per_s.plain);
    let tls = figures.connections_per_s.tls.map(|tls| format!(", and up to {} with TLS", rate(tls)));
    format!(
        "With a new connection for each request (--fresh), the generator is not the limit up to {plain} per core{}.",
        tls.unwrap_or_default()
    )
}

fn users(machine: &Machine, figures: &Figures) -> Option<String> {
    let bytes = figures.bytes_per_user?;
    let memory = machine.memory_available_bytes.map(|available| (available as f64 * MEMORY_SHARE / bytes) as u64);
    let bounds = [
        (machine.local_ports, "local ports"),
        (machine.descriptors_hard, "descriptors"),
        (memory, "half of the memory that is available"),
    ];
    let each = units::bytes(bytes.round() as u64);
    let tightest = bounds.iter().filter_map(|(bound, name)| Some(((*bound)?, *name))).min()?;
    let (users, name) = (units::count(two_digits_down(tightest.0)), tightest.1);
    Some(format!(
        "About {users} users fit, then {name} run out; a user takes {each} beside what the kernel needs for sockets."
    ))
}

/// More digits would claim more than is known.
fn two_digits(value: f64) -> f64 {
    let scale = scale(value);
    (value / scale).round() * scale
}

fn two_digits_down(value: u64) -> u64 {
    let scale = scale(value as f64).max(1.0);
    ((value as f64 / scale).floor() * scale) as u64
}

/// A bound errs on the safe side.
fn round_up(value: f64) -> f64 {
    let scale = scale(value);
    (value / scale).ceil() * scale
}

fn scale(value: f64) -> f64 {
    if value > 0.0 { 10f64.powf(value.log10().floor() - 1.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use plimsoll_model::calibration::{Connections, Floor};

    use super::*;

    fn machine() -> Machine {
        Machine {
            local_ports: Some(28_232),
            descriptors_hard: Some(1 << 20),
            memory_available_bytes: Some(8_000_000_000),
            ..Machine::default()
        }
    }

    fn figures() -> Figures {
        Figures {
            closed_rate_per_core: 181_234.0,
            open_rate_max: Some(38_000.0),
            latency_floor_ms: Floor { p50: 0.0401, p99: 0.09 },
            connections_per_s: Connections { plain: 21_000.0, tls: None },
            bytes_per_user: Some(1_950.0),
            ..Figures::default()
        }
    }

    #[test]
    fn figures_become_sentences() {
        let expected = [
            "Up to 91,000/s per core, half of what this machine can generate, the generator is not the limit.",
            "At a rate (--rate) of up to 38,000/s per core, requests leave within 1 ms of when they are due.",
            "Response times above 410 µs are the target's; of those below, a tenth or more is this machine.",
            "With a new connection for each request (--fresh), the generator is not the limit up to 11,000/s per core.",
            "About 28,000 users fit, then local ports run out; a user takes 1.95 kB beside what the kernel needs for \
             sockets.",
        ];
        assert_eq!(believe(&machine(), &figures(), &[]), expected);
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut Machine, &mut Figures), expected: &str) {
        let (mut machine, mut figures) = (machine(), figures());
        change(&mut machine, &mut figures);
        let sentences = believe(&machine, &figures, &[]);
        assert!(sentences.iter().any(|sentence| sentence.contains(expected)), "{sentences:#?}");
    }

    #[test]
    fn what_differs_is_said() {
        check(|_, figures| figures.open_rate_max = None, "however low");
        check(|_, figures| figures.connections_per_s.tls = Some(900.0), "and up to 450/s with TLS");
        check(|machine, _| machine.descriptors_hard = Some(1_024), "About 1,000 users fit, then descriptors");
        check(|machine, _| machine.memory_available_bytes = Some(3_900_000), "About 1,000 users fit, then half");
        assert_eq!(believe(&machine(), &Figures { bytes_per_user: None, ..figures() }, &[]).len(), 4);
    }

    #[test]
    fn a_disturbed_machine_is_told_first() {
        let spoiler = |code: &str| Spoiler { code: code.to_owned(), detail: String::new(), hint: String::new() };
        let sentences = believe(&machine(), &figures(), &[spoiler("few_ports"), spoiler("busy_neighbour")]);
        assert!(sentences[0].contains("(busy_neighbour)"), "{sentences:#?}");
    }
}
