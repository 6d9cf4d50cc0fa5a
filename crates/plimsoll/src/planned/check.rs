//! `plimsoll check PLAN`: what its runs would do, in words, without starting or sending anything.

use std::io;
use std::path::Path;

use plimsoll_model::Plan;
use plimsoll_plan::file;
use plimsoll_report::{harmless, marked};
use serde::Serialize;

use super::Planned;
use crate::args::CheckArgs;
use crate::check::Journeys;
use crate::drive::Ready;
use crate::exit::Exit;
use crate::output;
use crate::resolve::Machine;

/// Width of the column of labels.
const LABEL: usize = 12;

/// `plimsoll.check/1` of a plan.
#[derive(Debug, Serialize)]
struct Explanation {
    schema: &'static str,
    name: String,
    plan: Vec<Line>,
    runs: Vec<RunExplanation>,
}

/// One run of the plan.
#[derive(Debug, Serialize)]
struct RunExplanation {
    name: String,
    url: String,
    model: &'static str,
    load: String,
    pause_s: f64,
    duration_s: Option<f64>,
    flows_expected: Option<u64>,
    requests_expected: Option<u64>,
    #[serde(flatten)]
    journeys: Journeys,
    plan_hash: String,
    notes: Vec<String>,
}

/// A line of the plan.
#[derive(Debug, Serialize)]
struct Line {
    name: &'static str,
    value: String,
}

/// Explains.
pub(crate) fn check(path: &Path, args: &CheckArgs) -> anyhow::Result<Exit> {
    let machine = Machine::here();
    let planned = Planned::read(path, &args.plan, &machine)?;
    let told = planned.placeholders();
    let mut runs = Vec::new();
    for run in planned.runs() {
        let asked = run.ask(&told, &machine)?;
        let journeys = asked.script.as_ref().map(|script| Journeys::of(script, &asked.plan)).unwrap_or_default();
        runs.push(explain(&Ready::prepare(asked)?, journeys, run.pause().as_secs_f64()));
    }
    let lines = file::explain(&planned.file).into_iter().map(|(name, value)| Line { name, value });
    let explanation = Explanation { schema: "plimsoll.check/1", name: planned.name(), plan: lines.collect(), runs };
    if args.output.json {
        output::result(&(serde_json::to_string_pretty(&explanation)? + "\n"))?;
    } else {
        output::result(&explanation.text(output::style(&io::stdout()).width.max(60)))?;
    }
    Ok(Exit::Passed)
}

fn explain(ready: &Ready, journeys: Journeys, pause_s: f64) -> RunExplanation {
    let plan = ready.plan();
    let flows = plan.requests_expected();
    RunExplanation {
        name: plan.name.clone(),
        url: plan.target.url.clone(),
        model: plan.load.model(),
        load: plan.load.shape().to_string(),
        pause_s,
        duration_s: plan.length().map(|length| length.as_secs_f64()),
        flows_expected: flows,
        requests_expected: flows.map(|flows| requests(plan, flows)),
        journeys,
        plan_hash: plan.hash(),
        notes: ready.notes().to_vec(),
    }
}

/// If every flow comes to its end.
fn requests(plan: &Plan, flows: u64) -> u64 {
    (flows as f64 * plan.requests_per_flow()).round() as u64
}

impl Explanation {
    fn text(&self, width: usize) -> String {
        let mut text = "Nothing is started or sent. `plimsoll run` with this plan would do this:\n\n".to_owned();
        let mut row = |label: &str, value: &str| {
            text += &marked(&format!("  {label:<LABEL$} "), &harmless(value), width);
            text.push('\n');
        };
        for line in &self.plan {
            row(line.name, &line.value);
        }
        for run in &self.runs {
            if self.runs.len() > 1 {
                row("", "");
                row("run", &run.name);
            }
            for (heading, journeys) in run.journeys.sections(false) {
                row("", heading);
                for journey in journeys {
                    let steps = journey.steps.iter().map(|step| format!("“{}”", step.name)).collect::<Vec<_>>();
                    row("steps", &format!("{}: {}", journey.name, steps.join(", ")));
                }
            }
            row(
                "length",
                &run.duration_s.map_or_else(|| "until the last flow has ended".to_owned(), |s| format!("{s} s")),
            );
            row("expected", &expected(run));
            run.notes.iter().for_each(|note| row("note", note));
        }
        text
    }
}

fn expected(run: &RunExplanation) -> String {
    match (run.flows_expected, run.requests_expected) {
        (Some(flows), Some(requests)) => format!("{flows} flows, {requests} requests if each comes to its end"),
        _ => "as many flows as the answers allow".to_owned(),
    }
}
