//! Journeys that were gone through once: what each step came to, and why the one that went wrong did.
//!
//! Nobody asked for load, so there are no quantiles, no rates and no advice about them. Whoever has run the same file
//! with `hurl --test` reads it at once.

use plimsoll_model::run::{JourneyResult, StepResult, Verdict};
use plimsoll_model::{FailureSample, Outcome, Run};

use crate::escape::harmless_short;
use crate::failure::{self, Extent};
use crate::journeys::own_name;
use crate::outcomes;
use crate::paint::{Ink, Style};
use crate::units::{count, plural, time};
use crate::{objectives, wrap};

/// What is shown of a failure: as much as the sample holds of most.
const EXTENT: Extent = Extent { indent: 8, head_lines: 16, body_lines: 16 };
/// Blanks before a step's name, with its mark.
const INDENT: usize = 6;
/// Columns of a time and the blanks before it.
const TIME: usize = 11;
/// A name is cut where less than this would be left for it.
const NAME_MIN: usize = 12;

/// The whole report, ending with a newline.
pub fn once(run: &Run, style: Style) -> String {
    let mut text = String::new();
    for journey in &run.journeys {
        text += &self::journey(run, journey, style);
        text.push('\n');
    }
    let objectives = objectives::section(run, style);
    if !objectives.is_empty() {
        text += &(objectives + "\n");
    }
    text + &ending(run, style)
}

/// What became of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Well,
    Wrong,
    /// Its own `skip` or `repeat` says so.
    LeftOut,
    NotReached,
}

fn journey(run: &Run, journey: &JourneyResult, style: Style) -> String {
    let steps: Vec<&StepResult> =
        run.steps.iter().filter(|step| step.journey.as_deref() == Some(journey.name.as_str())).collect();
    let sample = run.failures.iter().find(|failure| failure.journey == journey.name);
    let mut text = title(journey, style);
    let columns = Columns::of(&steps, style);
    for (step, fate) in steps.iter().zip(fates(journey, &steps)) {
        text += &row(step, fate, columns, style);
        if fate == Fate::Wrong {
            text += &why(run, sample, style);
        }
    }
    text
}

fn title(journey: &JourneyResult, style: Style) -> String {
    let mark = match (is_passed(journey), journey.total) {
        (true, _) => style.paint(Ink::Good, "✓"),
        (false, 0) => "–".to_owned(),
        (false, _) => style.paint(Ink::Bad, "✗"),
    };
    let name = style.paint(Ink::Bold, &harmless_short(&journey.name, style.columns().saturating_sub(16)));
    let took = match (is_passed(journey), journey.total, journey.flow_ms.max) {
        (true, _, Some(ms)) => format!("  {}", time(ms)),
        (false, 0, _) => "  did not come to its end".to_owned(),
        _ => String::new(),
    };
    format!("{mark} {name}{}\n", style.paint(Ink::Dim, &took))
}

fn is_passed(journey: &JourneyResult) -> bool {
    journey.total > 0 && journey.passed == journey.total
}

/// A flow ends at the first step that goes wrong, so that one is the last that was made.
fn fates(journey: &JourneyResult, steps: &[&StepResult]) -> Vec<Fate> {
    let last = steps.iter().rposition(|step| step.requests > 0);
    let is_wrong = |nth| journey.total > journey.passed && Some(nth) == last;
    let fate = |(nth, step): (usize, &&StepResult)| match step.requests {
        0 if is_passed(journey) || last.is_some_and(|last| nth < last) => Fate::LeftOut,
        0 => Fate::NotReached,
        _ if is_wrong(nth) => Fate::Wrong,
        _ => Fate::Well,
    };
    steps.iter().enumerate().map(fate).collect()
}

/// How wide the columns of one journey are.
#[derive(Debug, Clone, Copy)]
struct Columns {
    name: usize,
    status: usize,
}

impl Columns {
    fn of(steps: &[&StepResult], style: Style) -> Self {
        let widest = |width: &dyn Fn(&StepResult) -> usize| steps.iter().map(|step| width(step)).max().unwrap_or(0);
        let status = widest(&|step| status(step).chars().count()).max(3);
        let left = style.columns().saturating_sub(INDENT + 2 + status + TIME).max(NAME_MIN);
        // One column less: what is cut ends with a `…` beyond its width.
        let name = widest(&|step| harmless_short(own_name(step), left - 1).chars().count());
        Self { name, status }
    }
}

fn row(step: &StepResult, fate: Fate, columns: Columns, style: Style) -> String {
    let (mark, said) = match fate {
        Fate::Well => (style.paint(Ink::Good, "✓"), None),
        Fate::Wrong => (style.paint(Ink::Bad, "✗"), None),
        Fate::LeftOut => ("–".to_owned(), Some("left out")),
        Fate::NotReached => ("–".to_owned(), Some("not reached")),
    };
    let name = harmless_short(own_name(step), columns.name.max(1));
    let name = if name.chars().count() > columns.name { cut(&name, columns.name) } else { name };
    let name = format!("{name:<width$}", width = columns.name);
    if let Some(said) = said {
        return style.paint(Ink::Dim, &format!("    {mark} {name}  {said}")) + "\n";
    }
    let took = step.response_ms.max.map_or_else(String::new, time);
    let status = format!("{:<width$}", status(step), width = columns.status);
    let often = if step.requests > 1 { format!("  slowest of {}", count(step.requests)) } else { String::new() };
    let line = format!("    {mark} {name}  {status}{took:>TIME$}");
    if line.chars().count() + often.len() <= style.columns() {
        return line + &style.paint(Ink::Dim, &often) + "\n";
    }
    format!("{line}\n        {}\n", style.paint(Ink::Dim, often.trim_start()))
}

fn cut(name: &str, columns: usize) -> String {
    name.chars().take(columns.saturating_sub(1)).chain(std::iter::once('…')).collect()
}

/// The statuses that came, or what came instead of one.
fn status(step: &StepResult) -> String {
    let often = |(status, number): (&u16, &u64)| match number {
        1 => status.to_string(),
        number => format!("{status} × {}", count(*number)),
    };
    let mut words: Vec<String> = step.statuses.iter().map(often).collect();
    let unanswered = step.outcomes.iter().filter(|(outcome, count)| *count > 0 && !outcome.is_answer());
    words.extend(unanswered.map(|(outcome, _)| outcomes::words(outcome).to_owned()));
    // An assertion without a status is a request that could not be made.
    if words.is_empty() && step.outcomes[Outcome::Assertion] > 0 {
        words.push("not sent".to_owned());
    }
    words.join(", ")
}

fn why(run: &Run, sample: Option<&FailureSample>, style: Style) -> String {
    if let Some(sample) = sample {
        return failure::details(sample, EXTENT, style);
    }
    let reasons = run.reasons.iter().map(|reason| harmless_short(&reason.text, 240));
    let lines = reasons.map(|reason| wrap::wrap(&reason, style.columns(), EXTENT.indent) + "\n");
    lines.collect()
}

/// `FAIL 1 of 3 journeys passed`.
fn ending(run: &Run, style: Style) -> String {
    let (passed, total) = (run.journeys.iter().filter(|journey| is_passed(journey)).count(), run.journeys.len());
    let is_good = run.verdict == Verdict::Pass;
    let (word, ink) = if is_good { ("PASS", Ink::Good) } else { ("FAIL", Ink::Bad) };
    let journeys = plural(total as u64, "journey");
    let mut text = format!("{word} {passed} of {journeys}");
    if !is_good {
        text += " passed";
    }
    if passed == total && !is_good {
        text += ", and an objective is not met";
    }
    match run.ended_by.as_deref() {
        None => {}
        Some("interrupted") => text += ", interrupted",
        Some(rule) => text += &format!(", given up: {}", harmless_short(rule, style.columns() - 4)),
    }
    wrap::wrap(&text, style.columns(), 0).replacen(word, &style.paint(ink, word), 1) + "\n"
}
