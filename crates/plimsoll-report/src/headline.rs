//! The first lines: what came out, of what, how much was offered and achieved, for how long.

use plimsoll_model::Run;
use plimsoll_model::run::Verdict;

use crate::escape::harmless_short;
use crate::journeys;
use crate::paint::{Ink, Style};
use crate::units::{length, plural, rate};
use crate::wrap::wrap;

pub(crate) fn section(run: &Run, style: Style) -> String {
    let (word, ink, meaning) = verdict(run);
    let name = style.paint(Ink::Bold, &harmless_short(&run.name, style.columns().saturating_sub(16)));
    let facts = wrap(&facts(run), style.columns(), 2);
    let meaning = wrap(&meaning, style.columns(), 2);
    format!("{}  {name}\n{meaning}\n{facts}\n", style.paint(ink, word))
}

fn verdict(run: &Run) -> (&'static str, Ink, String) {
    if !run.outcomes.iter().any(|(outcome, count)| count > 0 && outcome.is_answer()) {
        return ("NO ANSWER", Ink::Bad, "not one request was answered".to_owned());
    }
    let objectives = run.objectives.len() as u64;
    match run.verdict {
        Verdict::Pass if objectives == 1 => ("PASS", Ink::Good, "the objective is met".to_owned()),
        Verdict::Pass if objectives == 2 => ("PASS", Ink::Good, "both objectives are met".to_owned()),
        Verdict::Pass => ("PASS", Ink::Good, format!("all {objectives} objectives are met")),
        Verdict::Fail => ("FAIL", Ink::Bad, failed(run)),
        Verdict::None => ("DONE", Ink::Bold, "nothing to judge: `--slo 'p99<200ms'` sets an objective".to_owned()),
        Verdict::Invalid => {
            ("VOID", Ink::Odd, "the generator was at fault: these figures say nothing about the target".to_owned())
        }
    }
}

fn failed(run: &Run) -> String {
    let missed = run.objectives.iter().filter(|objective| objective.met == Some(false)).count() as u64;
    let open = run.objectives.iter().filter(|objective| objective.met.is_none()).count() as u64;
    let are = |number: u64| if number == 1 { "is" } else { "are" };
    match (missed, open) {
        (0, open) => format!("{} {} not shown to hold", plural(open, "objective"), are(open)),
        (missed, 0) => format!("{} {} missed", plural(missed, "objective"), are(missed)),
        (missed, open) => format!("{} {} missed, {open} not shown to hold", plural(missed, "objective"), are(missed)),
    }
}

fn facts(run: &Run) -> String {
    let mut facts = vec![format!("{} model", run.model)];
    let (flows, requests) = if journeys::is_journeys(run) { (" flows/s", " requests/s") } else { ("/s", "/s") };
    let in_units = |per_second: f64, unit: &str| rate(per_second).replace("/s", unit);
    facts.extend(run.offered_rate.map(|offered| format!("offered {}", in_units(offered, flows))));
    facts.push(format!("achieved {}", in_units(run.achieved_rate, requests)));
    let warmup = if run.warmup_s > 0.0 { format!(" after {} of warm-up", length(run.warmup_s)) } else { String::new() };
    facts.push(format!("{}{warmup}", length(run.duration_s)));
    match run.ended_by.as_deref() {
        Some("interrupted") => facts.push("interrupted".to_owned()),
        Some(rule) => facts.push(format!("given up: {}", harmless_short(rule, 80))),
        None => {}
    }
    facts.join(" · ")
}
