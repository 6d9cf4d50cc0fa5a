//! Journeys and their steps: how often each went well, and how long it took; then a few that did not go well.

use plimsoll_model::run::{JourneyResult, StepResult};
use plimsoll_model::{FailureSample, Outcome, RiteRecord, Run};

use crate::escape::harmless_short;
use crate::paint::{Ink, Style};
use crate::units::{count, length, share, time};
use crate::wrap::wrap;

/// Names are cut to this width, so that the figures stay beside them.
const NAME_MAX: usize = 36;
/// Lines that are shown of a request or an answer.
const LINES_MAX: usize = 6;
/// Failures that are shown; JSON has more.
const FAILURES_MAX: usize = 3;

/// Whether a run has more to it than one request.
fn is_journeys(run: &Run) -> bool {
    run.steps.iter().any(|step| step.journey.is_some())
}

/// What came before load, the journeys, and what came after.
pub(crate) fn section(run: &Run, style: Style) -> String {
    if !is_journeys(run) {
        return String::new();
    }
    let mut text = String::new();
    for (word, rites) in [("before", &run.rites.setup), ("after", &run.rites.teardown)] {
        for rite in rites {
            text += &row(word, &self::rite(rite), style);
        }
    }
    for journey in &run.journeys {
        text += &row("flows", &flows(journey), style);
    }
    if run.flows_cut > 0 {
        text += &row("", &format!("{} more were cut short by the end of the run", count(run.flows_cut)), style);
    }
    text
}

/// A row for each step.
pub(crate) fn steps(run: &Run, style: Style) -> String {
    if !is_journeys(run) {
        return String::new();
    }
    let shown = |step: &StepResult| harmless_short(&step.name, NAME_MAX);
    let width = run.steps.iter().map(|step| shown(step).chars().count()).max().unwrap_or(0).max("step".len());
    let head = format!("  {:<width$}{:>10}{:>9}{:>11}{:>11}{:>11}", "step", "requests", "ok", "p50", "p99", "max");
    let mut text = style.paint(Ink::Dim, &head) + "\n";
    for step in &run.steps {
        let cell = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), time);
        let ok = step.success.map_or_else(|| "–".to_owned(), share);
        let [p50, p99, max] = [step.response_ms.p50, step.response_ms.p99, step.response_ms.max].map(cell);
        let name = format!("{:<width$}", shown(step));
        let bad = step.requests > step.refused + step.outcomes[Outcome::Ok];
        let name = if bad { style.paint(Ink::Bad, &name) } else { name };
        text += format!("  {name}{:>10}{ok:>9}{p50:>11}{p99:>11}{max:>11}", count(step.requests)).trim_end();
        text.push('\n');
    }
    text
}

/// A few steps that did not go as their journey wants it.
pub(crate) fn failures(run: &Run, style: Style) -> String {
    if run.failures.is_empty() {
        return String::new();
    }
    let mut text = style.paint(Ink::Dim, "  failures") + "\n";
    for failure in run.failures.iter().take(FAILURES_MAX) {
        text += &self::failure(failure, style);
    }
    if run.failures.len() > FAILURES_MAX {
        let more = run.failures.len() - FAILURES_MAX;
        text += &format!("    {more} more {} in `--json`\n", if more == 1 { "is" } else { "are" });
    }
    text
}

fn failure(failure: &FailureSample, style: Style) -> String {
    let place = harmless_short(&failure.place, 60);
    let step = harmless_short(&failure.step, 60);
    let mut text = format!("    {} {step}  {}\n", style.paint(Ink::Bad, "✗"), style.paint(Ink::Dim, &place));
    for (label, what) in [("line", &failure.source), ("wanted", &failure.expected), ("saw", &failure.actual)] {
        if !what.is_empty() && !(label == "line" && *what == failure.step) {
            let body = wrap(&harmless_short(what, 240), style.columns(), 16);
            text += &format!("      {}  {}\n", style.paint(Ink::Dim, &format!("{label:<8}")), body.trim_start());
        }
    }
    for (label, message) in [("sent", &failure.request), ("answer", &failure.answer)] {
        for (nth, line) in message.lines().filter(|line| !line.is_empty()).take(LINES_MAX).enumerate() {
            let label = if nth == 0 { label } else { "" };
            text +=
                &format!("      {}  {}\n", style.paint(Ink::Dim, &format!("{label:<8}")), harmless_short(line, 100));
        }
    }
    text
}

fn rite(rite: &RiteRecord) -> String {
    let often = if rite.total == 1 {
        String::new()
    } else {
        format!(", {} of {} times", count(rite.passed), count(rite.total))
    };
    let went = if rite.passed == rite.total { "went well" } else { "went wrong" };
    format!("{} {went}{often} in {}", harmless_short(&rite.name, NAME_MAX), length(rite.seconds))
}

fn flows(journey: &JourneyResult) -> String {
    let name = harmless_short(&journey.name, NAME_MAX);
    if journey.total == 0 {
        return format!("{name}: none ended");
    }
    let passed = match journey.passed_share {
        _ if journey.passed == journey.total => format!("all {} passed", count(journey.total)),
        Some([low, high]) => {
            format!("{} of {} passed ({} – {})", count(journey.passed), count(journey.total), share(low), share(high))
        }
        None => format!("{} of {} passed", count(journey.passed), count(journey.total)),
    };
    let times = [("p50", journey.flow_ms.p50), ("p99", journey.flow_ms.p99), ("max", journey.flow_ms.max)];
    let times: Vec<String> =
        times.iter().filter_map(|(name, ms)| ms.map(|ms| format!("{name} {}", time(ms)))).collect();
    let times = if times.is_empty() { String::new() } else { format!(" · {}", times.join(", ")) };
    format!("{name}: {passed}{times}")
}

fn row(label: &str, text: &str, style: Style) -> String {
    let padded = format!("  {label:<10}  ");
    let body = wrap(text, style.columns(), padded.len());
    format!("{}{}\n", style.paint(Ink::Dim, &padded), body.trim_start())
}
