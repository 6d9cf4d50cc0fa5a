//! What the time was spent on, where that is more than waiting for an answer: a row for each part of an exchange.

use plimsoll_model::Run;
use plimsoll_model::run::Figures;

use crate::paint::{Ink, Style};
use crate::units::{count, time};

/// Connections made for fewer requests than this share of all are the run's beginning, not its course.
const CONNECTS_NOTABLE: f64 = 0.01;
/// A body that takes this share of an answer's time on average is worth a row.
const BODY_NOTABLE: f64 = 0.05;

pub(crate) fn section(run: &Run, style: Style) -> String {
    if !is_notable(run) {
        return String::new();
    }
    let phases = &run.phases_ms;
    let rows = [
        ("connect", &phases.connect),
        ("TLS", &phases.tls),
        ("first byte", &phases.first_byte),
        ("body", &phases.body),
    ];
    let head = format!("  {:<11}{:>11}{:>11}{:>11}{:>11}", "phase", "count", "p50", "p99", "max");
    let mut text = style.paint(Ink::Dim, &head) + "\n";
    for (name, figures) in rows.into_iter().filter(|(_, figures)| figures.count > 0) {
        text += row(name, figures).trim_end();
        text.push('\n');
    }
    text
}

fn row(name: &str, figures: &Figures) -> String {
    let cell = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), time);
    let [p50, p99, max] = [figures.p50, figures.p99, figures.max].map(cell);
    format!("  {name:<11}{:>11}{p50:>11}{p99:>11}{max:>11}", count(figures.count))
}

/// Handshakes, a connection for every request, and bodies that take their time are something to know about.
fn is_notable(run: &Run) -> bool {
    let phases = &run.phases_ms;
    let connects = phases.connect.count as f64 >= CONNECTS_NOTABLE * run.requests as f64;
    let share = |part: &Figures, whole: &Figures| part.mean.zip(whole.mean).map_or(0.0, |(part, whole)| part / whole);
    phases.connect.count > 0 && (phases.tls.count > 0 || connects)
        || share(&phases.body, &run.service_ms) >= BODY_NOTABLE
}
