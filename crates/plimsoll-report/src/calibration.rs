//! A calibration as text: the figures, what they mean, and what spoils measurements here.

use plimsoll_model::Calibration;
use plimsoll_model::calibration::{Figures, Machine};

use crate::escape::{harmless, harmless_short};
use crate::paint::{Ink, Style};
use crate::units::{bytes, length, plural, rate, share, time};
use crate::wrap::{marked, wrap};

/// The whole text, ending with a newline.
pub fn calibration(calibration: &Calibration, style: Style) -> String {
    let sections = [
        head(calibration, style),
        figures(&calibration.figures, style),
        believe(&calibration.believe, style),
        spoilers(calibration, style),
        foot(calibration, style),
    ];
    let sections: Vec<String> = sections.into_iter().filter(|section| !section.is_empty()).collect();
    sections.join("\n")
}

fn head(calibration: &Calibration, style: Style) -> String {
    let (word, ink) = match calibration.spoilers.len() as u64 {
        0 => ("CALIBRATED".to_owned(), Ink::Good),
        spoilers => (format!("CALIBRATED, {} found", plural(spoilers, "spoiler")), Ink::Odd),
    };
    let name = style.paint(Ink::Bold, &harmless_short(&calibration.machine.host, 40));
    format!("{}  {name}\n{}\n", style.paint(ink, &word), wrap(&machine(&calibration.machine), style.columns(), 2))
}

fn machine(machine: &Machine) -> String {
    let mut facts: Vec<String> = machine.cpu_model.iter().map(|model| harmless_short(model, 60)).collect();
    facts.push(match machine.cores_usable {
        usable if usable == machine.cores => plural(usable as u64, "core"),
        usable => format!("{usable} of {}", plural(machine.cores as u64, "core")),
    });
    if machine.virtualised == Some(true) {
        facts.push("virtual".to_owned());
    }
    facts.extend(machine.memory_bytes.map(|memory| format!("{} of memory", bytes(memory))));
    facts.push(harmless_short(&machine.system, 60));
    facts.retain(|fact| !fact.is_empty());
    facts.join(" · ")
}

fn figures(figures: &Figures, style: Style) -> String {
    let limit = |name: &str| figures.limits.get(name).map(String::as_str).unwrap_or_default();
    let us = |us: f64| time(us / 1e3);
    let (floor, jitter, gaps) = (figures.latency_floor_ms, figures.timer_jitter_us, figures.core_gaps);
    let [slowest, fastest] = figures.closed_rate_range;
    let range = format!("{} – {} over the rounds", rate(slowest), rate(fastest));
    let range = joined(&range, limit("closed_rate_per_core"));
    let open = figures.open_rate_max.map_or_else(|| "none".to_owned(), rate);
    let tls = figures.connections_per_s.tls.map_or_else(|| "not measured".to_owned(), rate);
    let user = figures.bytes_per_user.map_or_else(|| "unknown".to_owned(), |user| bytes(user.round() as u64));
    let users = format!("measured with {}", plural(figures.users_measured, "user"));
    let late = format!("p99 {}, at most {}", us(jitter.p99), us(jitter.max));
    let rows = [
        ("closed loop, one core", rate(figures.closed_rate_per_core), range),
        ("open loop, one core", open, limit("open_rate_max").to_owned()),
        ("latency floor, p50", time(floor.p50), format!("p99 {}", time(floor.p99))),
        ("new connections", rate(figures.connections_per_s.plain), limit("connections_per_s.plain").to_owned()),
        ("the same with TLS", tls, limit("connections_per_s.tls").to_owned()),
        ("memory of a user", user, users),
        ("a timer is late, p50", us(jitter.p50), late),
        (
            "the core was gone",
            share((gaps.share * 1e4).round() / 1e4),
            format!("at most {} at once", time(gaps.longest_ms)),
        ),
    ];
    rows.iter().map(|(name, value, note)| row(name, value, note, style)).collect()
}

/// Two remarks, of which the second may be missing.
fn joined(one: &str, other: &str) -> String {
    if other.is_empty() { one.to_owned() } else { format!("{one}; {other}") }
}

fn row(name: &str, value: &str, note: &str, style: Style) -> String {
    let mark = format!("  {name:<22}{value:>12} ");
    marked(&mark, &harmless(note), style.columns()).trim_end().to_owned() + "\n"
}

fn believe(sentences: &[String], style: Style) -> String {
    let rows = sentences.iter().map(|sentence| marked("    ·", &harmless(sentence), style.columns()) + "\n");
    style.paint(Ink::Dim, "  believe") + "\n" + &rows.collect::<String>()
}

fn spoilers(calibration: &Calibration, style: Style) -> String {
    if calibration.spoilers.is_empty() {
        return style.paint(Ink::Dim, "  nothing was found that spoils measurements here") + "\n";
    }
    let row = |code: &str, detail: &str, hint: &str| {
        let detail = marked("    !", &format!("{code}: {}", harmless(detail)), style.columns());
        let hint = marked("      →", &harmless(hint), style.columns());
        format!("{}\n{hint}\n", detail.replacen('!', &style.paint(Ink::Odd, "!"), 1))
    };
    let rows = calibration.spoilers.iter().map(|one| row(&harmless_short(&one.code, 40), &one.detail, &one.hint));
    style.paint(Ink::Dim, "  what spoils measurements here") + "\n" + &rows.collect::<String>()
}

fn foot(calibration: &Calibration, style: Style) -> String {
    let machine = &calibration.machine;
    let cores = match machine.generator_core.zip(machine.server_core) {
        Some((generator, server)) => format!(" · generator on core {generator}, server on core {server}"),
        None => String::new(),
    };
    let quick = if calibration.quick { " · quick, so less certain" } else { "" };
    let took = length(calibration.took_s.round());
    let line = format!("calibration {} · took {took}{cores}{quick}", harmless_short(&calibration.id, 40));
    style.paint(Ink::Dim, &wrap(&line, style.columns(), 2)) + "\n"
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use plimsoll_model::calibration::{Connections, Floor, Gaps, Jitter, Meanwhile, SCHEMA, Spoiler};

    use super::*;

    const PLAIN: Style = Style { colour: false, width: 80 };

    fn calibrated() -> Calibration {
        let limits = [
            ("closed_rate_per_core", "the generator's core had no time left"),
            ("open_rate_max", "at 42,000/s p99 of lag was 4.20 ms"),
            ("connections_per_s.plain", "the generator's core had no time left"),
        ];
        Calibration {
            schema: SCHEMA.to_owned(),
            id: "20261121-091530-3f9a".to_owned(),
            at: "2026-11-21T09:15:30.000Z".to_owned(),
            tool: "plimsoll 0.1.0".to_owned(),
            quick: false,
            took_s: 41.5,
            machine: Machine {
                host: "anvil".to_owned(),
                system: "Linux 6.1.0 x86_64".to_owned(),
                cpu_model: Some("Processor".to_owned()),
                cores: 4,
                cores_usable: 2,
                generator_core: Some(0),
                server_core: Some(1),
                virtualised: Some(true),
                memory_bytes: Some(8_000_000_000),
                ..Machine::default()
            },
            figures: Figures {
                closed_rate_per_core: 181_234.0,
                closed_rate_range: [175_000.0, 184_000.0],
                open_rate_max: Some(38_000.0),
                latency_floor_ms: Floor { p50: 0.0401, p99: 0.0912 },
                timer_jitter_us: Jitter { p50: 3.2, p99: 21.0, max: 1_234.0 },
                core_gaps: Gaps { share: 0.0012, longest_ms: 1.5, waited_share: Some(0.001) },
                connections_per_s: Connections { plain: 21_000.0, tls: None },
                bytes_per_user: Some(1_950.0),
                users_measured: 10_000,
                limits: BTreeMap::from(limits.map(|(name, words)| (name.to_owned(), words.to_owned()))),
            },
            meanwhile: Meanwhile::default(),
            believe: vec!["Up to 91,000/s per core, half of what this machine can generate.".to_owned()],
            spoilers: vec![Spoiler {
                code: "busy_neighbour".to_owned(),
                detail: "other processes used 0.97 cores' worth of time, most of it `\x1b[31m` 0.97".to_owned(),
                hint: "end them, or wait for them, and calibrate again".to_owned(),
            }],
        }
    }

    #[test]
    fn a_machine_with_a_neighbour() {
        insta::assert_snapshot!(calibration(&calibrated(), PLAIN), @r"
    CALIBRATED, 1 spoiler found  anvil
      Processor · 2 of 4 cores · virtual · 8.00 GB of memory · Linux 6.1.0 x86_64

      closed loop, one core    181,234/s  175,000/s – 184,000/s over the rounds; the
                                          generator's core had no time left
      open loop, one core       38,000/s  at 42,000/s p99 of lag was 4.20 ms
      latency floor, p50         40.1 µs  p99 91.2 µs
      new connections           21,000/s  the generator's core had no time left
      the same with TLS     not measured
      memory of a user           1.95 kB  measured with 10,000 users
      a timer is late, p50       3.20 µs  p99 21.0 µs, at most 1.23 ms
      the core was gone            0.12%  at most 1.50 ms at once

      believe
        · Up to 91,000/s per core, half of what this machine can generate.

      what spoils measurements here
        ! busy_neighbour: other processes used 0.97 cores' worth of time, most of it
          `\x1b[31m` 0.97
          → end them, or wait for them, and calibrate again

      calibration 20261121-091530-3f9a · took 42 s · generator on core 0, server on
      core 1
    ");
    }

    #[test]
    fn a_machine_left_alone_that_tells_little() {
        let mut quiet = calibrated();
        quiet.spoilers.clear();
        quiet.machine = Machine { host: "anvil".to_owned(), cores: 1, cores_usable: 1, ..Machine::default() };
        quiet.quick = true;
        quiet.figures = Figures { open_rate_max: None, bytes_per_user: None, ..Figures::default() };
        insta::assert_snapshot!(calibration(&quiet, PLAIN), @r"
    CALIBRATED  anvil
      1 core

      closed loop, one core          0/s  0/s – 0/s over the rounds
      open loop, one core           none
      latency floor, p50            0 ms  p99 0 ms
      new connections                0/s
      the same with TLS     not measured
      memory of a user           unknown  measured with 0 users
      a timer is late, p50          0 ms  p99 0 ms, at most 0 ms
      the core was gone               0%  at most 0 ms at once

      believe
        · Up to 91,000/s per core, half of what this machine can generate.

      nothing was found that spoils measurements here

      calibration 20261121-091530-3f9a · took 42 s · quick, so less certain
    ");
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        let colourful = calibration(&calibrated(), Style { colour: true, ..PLAIN });
        assert!(colourful.contains("\x1b[1;33m"));
        let escapes = ["\x1b[1;33m", "\x1b[1m", "\x1b[2m", "\x1b[0m"];
        let plain = escapes.iter().fold(colourful, |text, escape| text.replace(escape, ""));
        assert_eq!(plain, calibration(&calibrated(), PLAIN));
    }
}
