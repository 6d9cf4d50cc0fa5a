//! The line that is rewritten once a second while a run lasts.
//!
//! It exists only on a terminal, never has more columns than that has, and leaves nothing behind. What it says
//! is a pure function of what it saw ([`View`]).

use std::io::{self, Write};
use std::time::Duration;

use plimsoll_model::{Load, Plan, Tick};
use plimsoll_report::units::{count, rate, share, time};
use plimsoll_stats::{Histogram, Quantile};

use crate::drive::Pulse;
use crate::output::{self, AsTerminal};

/// Columns of the bar.
const BAR: usize = 12;
/// Back to the first column, and clear the line.
pub(crate) const CLEAR: &str = "\r\x1b[K";

/// The progress of one run.
pub(crate) struct Progress {
    shown: bool,
    open: bool,
    total: Option<Duration>,
    requests: Option<u64>,
    ended: u64,
    failed: u64,
}

/// All that one line says.
struct View {
    elapsed_s: f64,
    total_s: Option<f64>,
    done: f64, // in [0, 1]
    warmup: bool,
    current: u64,
    load: String,
    in_flight: u64,
    p50_ms: Option<f64>,
    p99_ms: Option<f64>,
    failed: u64,
    cpu_share: f64,
}

impl Progress {
    /// Shown only where stderr is a terminal that can rewrite its last line.
    pub(crate) fn new(plan: &Plan, quiet: bool) -> Self {
        Self {
            shown: !quiet && output::rewrites_lines(),
            open: matches!(plan.load, Load::Open(_)),
            total: plan.length(),
            requests: plan.requests_expected(),
            ended: 0,
            failed: 0,
        }
    }

    /// Rewrites the line.
    pub(crate) fn show(&mut self, pulse: &Pulse<'_>) {
        self.ended += pulse.tick.ended();
        self.failed += pulse.tick.failed();
        if self.shown {
            let width = io::stderr().width().unwrap_or(80);
            write(&format!("{CLEAR}{}", line(&self.view(pulse), width)));
        }
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        if self.shown {
            write(CLEAR);
        }
    }

    fn view(&self, pulse: &Pulse<'_>) -> View {
        let total_s = self.total.map(|total| total.as_secs_f64());
        let by_time = total_s.map_or(0.0, |total| pulse.elapsed_s / total);
        let by_requests = self.requests.map_or(0.0, |requests| self.ended as f64 / requests as f64);
        let response = response(pulse.tick);
        let ms = |q| response.quantile(q).map(|ns| ns as f64 / 1e6);
        View {
            elapsed_s: pulse.elapsed_s,
            total_s,
            done: by_time.max(by_requests).clamp(0.0, 1.0),
            warmup: pulse.tick.warmup,
            current: pulse.tick.ended(),
            load: if self.open { rate(pulse.level) } else { users(pulse.level.round() as u64) },
            in_flight: pulse.tick.in_flight,
            p50_ms: ms(Quantile::P50),
            p99_ms: ms(Quantile::P99),
            failed: self.failed,
            cpu_share: pulse.cpu_share,
        }
    }
}

fn users(users: u64) -> String {
    if users == 1 { "1 user".to_owned() } else { format!("{} users", count(users)) }
}

/// The response times of all that ended in this second.
fn response(tick: &Tick) -> Histogram {
    let mut all = Histogram::new();
    tick.cells().for_each(|cell| all.merge(&cell.timings.response));
    all
}

/// As many of the facts as fit, the most wanted first.
fn line(view: &View, width: usize) -> String {
    let total = view.total_s.map_or_else(String::new, |total| format!("/{total:.0}"));
    let of = if view.load.contains("users") || view.load.contains("1 user") { "from" } else { "of" };
    let mut facts = vec![
        format!("{:.0}{total} s {}", view.elapsed_s, bar(view.done)),
        format!("{}/s {of} {}", count(view.current), view.load),
    ];
    if view.warmup {
        facts.insert(1, "warming up".to_owned());
    }
    facts.push(format!("p50 {} p99 {}", shown(view.p50_ms), shown(view.p99_ms)));
    facts.push(format!("{} failed", count(view.failed)));
    facts.push(format!("{} in flight", count(view.in_flight)));
    facts.push(format!("own CPU {}", share((view.cpu_share * 100.0).round() / 100.0)));
    fitting(&facts, width.saturating_sub(1))
}

fn shown(ms: Option<f64>) -> String {
    ms.map_or_else(|| "–".to_owned(), time)
}

fn fitting(facts: &[String], columns: usize) -> String {
    let mut line = String::new();
    for fact in facts {
        let separator = if line.is_empty() { "" } else { " · " };
        if line.chars().count() + separator.chars().count() + fact.chars().count() > columns {
            break;
        }
        line += separator;
        line += fact;
    }
    line
}

fn bar(done: f64) -> String {
    let full = (done * BAR as f64).round() as usize;
    format!("{}{}", "█".repeat(full), "░".repeat(BAR - full))
}

/// A stderr that is closed needs no progress.
fn write(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> View {
        View {
            elapsed_s: 7.0,
            total_s: Some(30.0),
            done: 7.0 / 30.0,
            warmup: false,
            current: 1198,
            load: "1,200/s".to_owned(),
            in_flight: 14,
            p50_ms: Some(1.234),
            p99_ms: Some(48.7),
            failed: 3,
            cpu_share: 0.034,
        }
    }

    #[track_caller]
    fn check(view: &View, width: usize, expected: &str) {
        let line = line(view, width);
        assert!(line.chars().count() < width, "{line}");
        assert_eq!(line, expected);
    }

    #[test]
    fn the_line_fits_the_terminal() {
        check(
            &view(),
            120,
            "7/30 s ███░░░░░░░░░ · 1,198/s of 1,200/s · p50 1.23 ms p99 48.7 ms · 3 failed · 14 in flight · own CPU 3%",
        );
        check(&view(), 80, "7/30 s ███░░░░░░░░░ · 1,198/s of 1,200/s · p50 1.23 ms p99 48.7 ms · 3 failed");
        check(&view(), 30, "7/30 s ███░░░░░░░░░");
    }

    #[test]
    fn warm_up_is_said_and_unknown_figures_are_not_invented() {
        let view = View { warmup: true, p50_ms: None, p99_ms: None, current: 0, total_s: None, ..view() };
        check(&view, 70, "7 s ███░░░░░░░░░ · warming up · 0/s of 1,200/s · p50 – p99 –");
    }
}
