//! The latency table: a row for each figure, a column for each way of looking at it.

use plimsoll_model::Run;
use plimsoll_model::run::Figures;

use crate::paint::{Ink, Style};
use crate::units::{count, length, time, time_range};
use crate::wrap::wrap;

/// Times that differ by less than this are the same to a reader: a share, and milliseconds.
const NOTICEABLE: (f64, f64) = (0.05, 0.05);
/// Lag beyond this deserves a column, in milliseconds.
const LAG_NOTABLE_MS: f64 = 1.0;

type Getter = fn(&Figures) -> Option<f64>;

/// The figures in the order in which they are read; the second name is the one in JSON.
const FIGURES: [(&str, &str, Getter); 7] = [
    ("p50", "p50", |figures| figures.p50),
    ("p90", "p90", |figures| figures.p90),
    ("p95", "p95", |figures| figures.p95),
    ("p99", "p99", |figures| figures.p99),
    ("p99.9", "p999", |figures| figures.p999),
    ("max", "max", |figures| figures.max),
    ("mean", "mean", |figures| figures.mean),
];

struct Column {
    head: &'static str,
    width: usize,
    cells: Vec<String>,
}

pub(crate) fn section(run: &Run, style: Style) -> String {
    if run.response_ms.count == 0 {
        return String::new();
    }
    let columns = columns(run);
    let mut text = line("", columns.iter().map(|column| (column.head, column.width)));
    text = style.paint(Ink::Dim, text.trim_end()) + "\n";
    for (index, (name, ..)) in FIGURES.iter().enumerate() {
        let row = line(name, columns.iter().map(|column| (column.cells[index].as_str(), column.width)));
        text += row.trim_end();
        text.push('\n');
    }
    for footnote in footnotes(run) {
        text += &style.paint(Ink::Dim, &wrap(&footnote, style.columns(), 2));
        text.push('\n');
    }
    text
}

fn columns(run: &Run) -> Vec<Column> {
    let mut columns = vec![times("response", &run.response_ms)];
    if has_intervals(run) {
        let cells = FIGURES.iter().map(|(_, key, _)| interval(run, key)).collect();
        columns.push(Column { head: "95 % interval", width: 20, cells });
    }
    if differs(&run.response_ok_ms, &run.response_ms) {
        columns.push(times("ok only", &run.response_ok_ms));
    }
    if differs(&run.service_ms, &run.response_ms) {
        columns.push(times("service", &run.service_ms));
    }
    if run.lag_ms.p99.or(run.lag_ms.max).is_some_and(|lag| lag >= LAG_NOTABLE_MS) {
        columns.push(times("lag", &run.lag_ms));
    }
    columns
}

fn times(head: &'static str, figures: &Figures) -> Column {
    let cell = |get: &Getter| get(figures).map_or_else(|| "–".to_owned(), time);
    Column { head, width: 11, cells: FIGURES.iter().map(|(.., get)| cell(get)).collect() }
}

fn interval(run: &Run, key: &str) -> String {
    let found = run.intervals.get(&format!("response_ms.{key}")).copied().flatten();
    found.map_or_else(String::new, |[low, high]| time_range(low, high))
}

fn has_intervals(run: &Run) -> bool {
    run.intervals.iter().any(|(key, interval)| key.starts_with("response_ms.") && interval.is_some())
}

fn differs(one: &Figures, other: &Figures) -> bool {
    let (share, least_ms) = NOTICEABLE;
    let noticeable = |a: f64, b: f64| (a - b).abs() > least_ms && (a - b).abs() > share * a.max(b);
    one.count > 0
        && FIGURES.iter().any(|(.., get)| get(one).zip(get(other)).is_some_and(|(one, other)| noticeable(one, other)))
}

fn line<'c>(name: &str, cells: impl Iterator<Item = (&'c str, usize)>) -> String {
    let mut text = format!("  {name:<6}");
    for (cell, width) in cells {
        text += &format!("{cell:>width$}");
    }
    text
}

fn footnotes(run: &Run) -> Vec<String> {
    let mut notes = Vec::new();
    if !run.response_ms.wants.is_empty() {
        let wants =
            run.response_ms.wants.iter().map(|(name, samples)| format!("{} wants {}", written(name), count(*samples)));
        let wants = wants.collect::<Vec<_>>().join(", ");
        notes.push(format!("– too few requests ({}): {wants}", count(run.response_ms.count)));
    }
    notes.extend(missing_intervals(run));
    notes
}

/// Why there is no interval, and how much longer the run should be.
fn missing_intervals(run: &Run) -> Option<String> {
    let wanting: Vec<(&str, f64)> = FIGURES
        .iter()
        .filter_map(|(name, key, _)| {
            let key = format!("response_ms.{key}");
            let missing = run.intervals.get(&key).is_some_and(Option::is_none);
            missing.then(|| run.intervals_want_s.get(&key).map(|seconds| (*name, *seconds))).flatten()
        })
        .collect();
    let longest = wanting.iter().map(|(_, seconds)| *seconds).fold(0.0, f64::max);
    if wanting.is_empty() {
        return None;
    }
    let names = wanting.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    Some(format!("the run is too short for an interval of {names}: about {} more would do", length(longest.ceil())))
}

/// `p999` as people write it.
fn written(name: &str) -> &str {
    FIGURES.iter().find(|(_, key, _)| *key == name).map_or(name, |(name, ..)| name)
}
