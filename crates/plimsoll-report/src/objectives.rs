//! What the run was held to, and what became of it.

use plimsoll_model::Run;
use plimsoll_model::run::ObjectiveResult;

use crate::escape::harmless_short;
use crate::paint::{Ink, Style};
use crate::units::{share, time, time_range};
use crate::wrap::wrap;

pub(crate) fn section(run: &Run, style: Style) -> String {
    if run.objectives.is_empty() {
        return String::new();
    }
    let width = run.objectives.iter().map(|objective| name(objective).chars().count()).max().unwrap_or(0);
    let rows = run.objectives.iter().map(|objective| row(objective, width, style));
    style.paint(Ink::Dim, "  objectives") + "\n" + &rows.collect::<String>()
}

fn row(objective: &ObjectiveResult, width: usize, style: Style) -> String {
    let mark = match objective.met {
        Some(true) => style.paint(Ink::Good, "✓"),
        Some(false) => style.paint(Ink::Bad, "✗"),
        None => style.paint(Ink::Odd, "?"),
    };
    let name = name(objective);
    let text = wrap(&values(objective), style.columns(), width + 8);
    format!("    {mark} {name:<width$}  {}\n", text.trim_start())
}

fn name(objective: &ObjectiveResult) -> String {
    harmless_short(&objective.name, 28)
}

fn values(objective: &ObjectiveResult) -> String {
    // `POST /offers: errors < 1%` is one too.
    let is_share = objective.name.rsplit(": ").next().is_some_and(|name| name.starts_with("errors"));
    let value = |value: f64| if is_share { share(value) } else { time(value) };
    let mut text = objective.value.map_or_else(|| "–".to_owned(), value);
    if let Some((low, high)) = objective.low.zip(objective.high) {
        let range = if is_share { format!("{} – {}", share(low), share(high)) } else { time_range(low, high) };
        text += &format!("  ({range})");
    }
    if let Some(note) = &objective.note {
        text += &format!("  {}", harmless_short(note, 200));
    }
    text
}
