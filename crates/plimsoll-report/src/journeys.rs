//! Journeys and their steps: how often each went well, and how long it took; then a few that did not go well.

use plimsoll_model::run::{Figures, JourneyResult, StepResult};
use plimsoll_model::{FailureSample, Outcome, RiteRecord, Run};

use crate::escape::harmless_short;
use crate::failure::{self, Extent};
use crate::paint::{Ink, Style};
use crate::units::{count, length, plural, share, time};
use crate::wrap::wrap;

/// Names in running text are cut after so many characters.
const NAME_MAX: usize = 36;
/// What is shown of a failure: the line that matters of each message, and the beginning of its body.
const EXTENT: Extent = Extent { indent: 6, head_lines: 1, body_lines: 3 };
/// Failures that are shown; JSON has more.
const FAILURES_MAX: usize = 3;
/// Where lines are shorter, flows are shown without their interval.
const INTERVAL_COLUMNS: usize = 70;
/// The columns of flows, and how wide they are; the interval is the third.
const FLOWS: [(&str, usize); 5] =
    [("flows", 9), ("passed", 9), ("95 % interval", 18), ("flow p50", 10), ("flow p99", 10)];
/// The columns of steps.
const STEPS: [(&str, usize); 5] = [("requests", 10), ("ok", 9), ("p50", 10), ("p99", 10), ("max", 10)];

/// Whether a run has more to it than one request.
pub(crate) fn is_journeys(run: &Run) -> bool {
    run.steps.iter().any(|step| step.journey.is_some())
}

/// What came before load and after it.
pub(crate) fn rites(run: &Run, style: Style) -> String {
    let mut text = String::new();
    for (word, rites) in [("before", &run.rites.setup), ("after", &run.rites.teardown)] {
        for (nth, rite) in rites.iter().enumerate() {
            let label = format!("  {:<10}  ", if nth == 0 { word } else { "" });
            let body = wrap(&self::rite(rite), style.columns(), label.len());
            text += &format!("{}{}\n", style.paint(Ink::Dim, &label), body.trim_start());
        }
    }
    text
}

fn rite(rite: &RiteRecord) -> String {
    let name = harmless_short(&rite.name, NAME_MAX);
    let went = match (rite.passed, rite.total) {
        (1, 1) => "went well".to_owned(),
        (_, 1) => "went wrong".to_owned(),
        (passed, total) if passed == total => format!("went well all {} times", count(total)),
        (passed, total) => format!("went well {} of {} times", count(passed), count(total)),
    };
    format!("{name} {went}, in {}", length(rite.seconds))
}

/// A row for each journey.
pub(crate) fn section(run: &Run, style: Style) -> String {
    if !is_journeys(run) {
        return String::new();
    }
    let mut rows: Vec<Row> = run.journeys.iter().map(flows).collect();
    let mut columns = FLOWS.to_vec();
    if style.columns() < INTERVAL_COLUMNS {
        columns.remove(2);
        for cells in rows.iter_mut().filter_map(|row| row.cells.as_mut()) {
            cells.remove(2);
        }
    }
    let mut text = table("journey", &columns, &rows, style);
    let wants = wants(run.journeys.iter().map(|journey| &journey.flow_ms));
    text += &footnote(wants.map(|wants| format!("– too few flows that passed: {wants}")), style);
    let cut = run.flows_cut;
    let were = if cut == 1 { "was" } else { "were" };
    let cut = (cut > 0).then(|| {
        format!("{} {were} cut short by the end of the run, and neither passed nor failed", plural(cut, "flow"))
    });
    text + &footnote(cut, style)
}

/// A row for each step, those of several journeys beneath their names.
pub(crate) fn steps(run: &Run, style: Style) -> String {
    if !is_journeys(run) {
        return String::new();
    }
    let several = run.journeys.len() > 1;
    let mut rows = Vec::new();
    let mut before = None;
    for step in &run.steps {
        if several && before != Some(&step.journey) {
            rows.push(Row::heading(step.journey.as_deref().unwrap_or_default()));
        }
        rows.push(self::step(step, several));
        before = Some(&step.journey);
    }
    let wants = wants(run.steps.iter().map(|step| &step.response_ms));
    let wants = wants.map(|wants| format!("– too few requests of a step: {wants}"));
    table("step", &STEPS, &rows, style) + &footnote(wants, style)
}

/// A few steps that did not go as their journey wants it.
pub(crate) fn failures(run: &Run, style: Style) -> String {
    if run.failures.is_empty() {
        return String::new();
    }
    let mut text = style.paint(Ink::Dim, "  failures, one of each kind") + "\n";
    let distinct = distinct(&run.failures);
    for failure in distinct.iter().take(FAILURES_MAX) {
        let owner = if run.journeys.len() > 1 { format!("{}: ", failure.journey) } else { String::new() };
        let step = harmless_short(&format!("{owner}{}", failure.step), style.columns().saturating_sub(8));
        text += &format!("    {} {step}\n", style.paint(Ink::Bad, "✗"));
        text += &failure::details(failure, EXTENT, style);
    }
    if distinct.len() > FAILURES_MAX {
        let more = distinct.len() - FAILURES_MAX;
        text += &format!("    {more} more {} in `--json`\n", if more == 1 { "is" } else { "are" });
    }
    text
}

/// One for each line of a journey: threads keep theirs without knowing of each other.
fn distinct(failures: &[FailureSample]) -> Vec<&FailureSample> {
    let mut distinct: Vec<&FailureSample> = Vec::new();
    for failure in failures {
        let key = |failure: &FailureSample| (failure.journey.clone(), failure.place.clone(), failure.expected.clone());
        if distinct.iter().all(|known| key(known) != key(failure)) {
            distinct.push(failure);
        }
    }
    distinct
}

/// A step's name where its journey has been named already.
pub(crate) fn own_name(step: &StepResult) -> &str {
    let journey = step.journey.as_deref().and_then(|journey| step.name.strip_prefix(journey));
    journey.and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&step.name)
}

/// A row of a table whose first column is a name.
struct Row {
    indent: usize,
    name: String,
    ink: Option<Ink>,
    /// None in a heading.
    cells: Option<Vec<String>>,
}

impl Row {
    fn heading(name: &str) -> Self {
        Self { indent: 0, name: name.to_owned(), ink: Some(Ink::Bold), cells: None }
    }
}

fn flows(journey: &JourneyResult) -> Row {
    let interval = journey.passed_share.map_or_else(nothing, |[low, high]| format!("{} – {}", share(low), share(high)));
    let [p50, p99] = [journey.flow_ms.p50, journey.flow_ms.p99].map(cell);
    Row {
        indent: 0,
        name: journey.name.clone(),
        ink: (journey.passed < journey.total).then_some(Ink::Bad),
        cells: Some(vec![count(journey.total), count(journey.passed), interval, p50, p99]),
    }
}

fn step(step: &StepResult, is_beneath: bool) -> Row {
    let figures = &step.response_ms;
    let [p50, p99, max] = [figures.p50, figures.p99, figures.max].map(cell);
    let ok = step.success.map_or_else(nothing, share);
    let is_bad = step.requests > step.refused + step.outcomes[Outcome::Ok];
    Row {
        indent: if is_beneath { 2 } else { 0 },
        name: own_name(step).to_owned(),
        ink: is_bad.then_some(Ink::Bad),
        cells: Some(vec![count(step.requests), ok, p50, p99, max]),
    }
}

fn nothing() -> String {
    "–".to_owned()
}

fn cell(value: Option<f64>) -> String {
    value.map_or_else(nothing, time)
}

/// A name that leaves no room for its figures stands in a line of its own: what is cut may be what tells two apart.
fn table(head: &str, columns: &[(&str, usize)], rows: &[Row], style: Style) -> String {
    let figures: usize = columns.iter().map(|(_, width)| width).sum();
    let room = style.columns().saturating_sub(2 + figures);
    let shown = |row: &Row| {
        let indent = " ".repeat(row.indent);
        format!("{indent}{}", harmless_short(&row.name, style.columns().saturating_sub(4 + row.indent)))
    };
    let names = rows.iter().filter(|row| row.cells.is_some()).map(|row| shown(row).chars().count());
    let width = names.filter(|width| *width <= room).max().unwrap_or(0).max(head.len());
    let heads: Vec<String> = columns.iter().map(|(head, _)| (*head).to_owned()).collect();
    let mut text = style.paint(Ink::Dim, &format!("  {head:<width$}{}", line(&heads, columns))) + "\n";
    for row in rows {
        let name = shown(row);
        let painted = |name: &str| row.ink.map_or_else(|| name.to_owned(), |ink| style.paint(ink, name));
        text += &match &row.cells {
            None => format!("  {}\n", painted(&name)),
            Some(cells) if name.chars().count() > width => {
                format!("  {}\n  {:width$}{}\n", painted(&name), "", line(cells, columns))
            }
            Some(cells) => format!("  {}{}\n", painted(&format!("{name:<width$}")), line(cells, columns)),
        };
    }
    text
}

fn line(cells: &[String], columns: &[(&str, usize)]) -> String {
    cells.iter().zip(columns).map(|(cell, (_, width))| format!("{cell:>width$}")).collect()
}

/// What the figures that are left out want: `p99 wants 299`.
fn wants<'f>(figures: impl Iterator<Item = &'f Figures>) -> Option<String> {
    let mut p50 = None;
    let mut p99 = None;
    for figures in figures.filter(|figures| figures.count > 0) {
        p50 = p50.max(figures.wants.get("p50").copied());
        p99 = p99.max(figures.wants.get("p99").copied());
    }
    let wanting = [("p50", p50), ("p99", p99)].into_iter();
    let wants: Vec<String> =
        wanting.filter_map(|(name, samples)| Some(format!("{name} wants {}", count(samples?)))).collect();
    (!wants.is_empty()).then(|| wants.join(", "))
}

fn footnote(text: Option<String>, style: Style) -> String {
    text.map_or_else(String::new, |text| style.paint(Ink::Dim, &wrap(&text, style.columns(), 2)) + "\n")
}
