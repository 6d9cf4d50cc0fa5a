//! A plan in words: what would happen, without its journeys' steps, which stand in files of their own.

use std::time::Duration;

use plimsoll_model::Objective;
use plimsoll_model::units::duration_text;

use super::data::{AtEnd, Data, Pick, Taking};
use super::journey::{Errand, Journey, Per, Session};
use super::load::{Level, Load, Model};
use super::plan::PlanFile;
use super::process::Process;
use super::text::Text;
use super::variables::Variable;

/// What would happen, as labels and sentences. Secrets are not in it; what a file or an environment said otherwise
/// is, and is not yet safe for a terminal.
pub fn explain(plan: &PlanFile) -> Vec<(&'static str, String)> {
    let mut lines: Vec<(&'static str, String)> = Vec::new();
    lines.extend(plan.name.clone().map(|name| ("plan", name)));
    lines.extend(plan.target.url.as_ref().map(|url| ("target", url.shown())));
    lines.extend(plan.target.before.iter().map(|command| ("before", before(command))));
    lines.extend(plan.target.processes.iter().map(|process| ("process", started(process))));
    lines.extend(plan.setup.iter().map(|errand| ("setup", errand_text(errand, "before measuring"))));
    let weights: f64 = plan.journeys.iter().map(|journey| journey.weight).sum();
    lines.extend(plan.journeys.iter().map(|journey| ("journey", journey_text(journey, weights))));
    lines.extend(load(&plan.load).into_iter().map(|text| ("load", text)));
    lines.extend(
        plan.load
            .warmup
            .filter(|warmup| !warmup.is_zero())
            .map(|warmup| ("warm-up", format!("the first {}, in no figure", duration_text(warmup)))),
    );
    lines.extend(plan.load.abort.map(|abort| {
        let lasting = duration_text(abort.lasting);
        ("abort", format!("when more than {}% of the requests fail for {lasting}", abort.error_share * 100.0))
    }));
    lines.extend(objectives(plan));
    lines.extend(plan.variables.iter().map(|(name, value)| ("variable", variable(name, value))));
    lines.extend(plan.factors.iter().map(|factor| {
        let values: Vec<String> = factor.values.iter().map(ToString::to_string).collect();
        ("factor", format!("`{}` is one of {}; a single run takes the first", factor.name, values.join(", ")))
    }));
    lines.extend(scenarios(plan));
    lines.extend(plan.teardown.iter().map(|errand| ("teardown", errand_text(errand, "after measuring"))));
    lines.extend(plan.target.after.iter().map(|command| ("after", format!("`{command}`, whatever became of the run"))));
    lines
}

fn before(command: &super::Command) -> String {
    let run = format!("`{}`", command.run);
    match (&command.into, command.secret) {
        (None, _) => run,
        (Some(name), true) => format!("{run}, and what it prints is the secret variable `{name}`"),
        (Some(name), false) => format!("{run}, and what it prints is the variable `{name}`"),
    }
}

fn started(process: &Process) -> String {
    let words: Vec<String> = process.start.iter().map(Text::shown).collect();
    let mut text = format!("{}: `{}`", process.name, words.join(" "));
    if let Some(cpus) = &process.cpus {
        text += &format!(", on processors {cpus}");
    }
    match &process.ready {
        Some(ready) => text += &format!("; ready when {ready}, within {}", duration_text(process.ready_timeout)),
        None => text += "; ready at once",
    }
    text
}

fn errand_text(errand: &Errand, when: &str) -> String {
    let name = errand.name.clone().unwrap_or_else(|| errand.file.display().to_string());
    let often = match errand.per {
        Per::Run => "once",
        Per::User => "once for each user",
    };
    let data = errand.data.as_ref().map_or(String::new(), |data| format!(", {}", data_text(data)));
    format!("{name}, {often}, {when}{data}")
}

fn journey_text(journey: &Journey, weights: f64) -> String {
    let mut text = journey_name(journey);
    if weights > 0.0 {
        text += &format!(", {} of the iterations", percent(journey.weight / weights));
    }
    if let Some(data) = &journey.data {
        text += &format!(", {}", data_text(data));
    }
    if let Some(think) = journey.think {
        text += &format!(", think time {think}");
    }
    if let Some(pace) = journey.pace {
        text += &format!(", once in {} for each user", duration_text(pace));
    }
    match journey.session {
        Session::Keep => text,
        Session::Fresh => text + ", each time as a new visitor",
    }
}

fn journey_name(journey: &Journey) -> String {
    let file = journey.file.as_ref().map(|file| file.display().to_string());
    let single = journey.url.as_ref().map(|url| {
        let has_body = journey.body.is_some() || journey.body_file.is_some();
        let method = journey.method.as_deref().unwrap_or(if has_body { "POST" } else { "GET" });
        format!("{method} {}", url.shown())
    });
    let what = file.or(single).unwrap_or_default();
    journey.name.as_ref().map_or(what.clone(), |name| format!("{name} ({what})"))
}

fn percent(share: f64) -> String {
    format!("{}%", (share * 1000.0).round() / 10.0)
}

fn data_text(data: &Data) -> String {
    let file = data.file.display();
    let end = match data.at_end {
        AtEnd::Stop => "the run ends after the last",
        AtEnd::Recycle => "after the last comes the first again",
        AtEnd::Fail => "after the last every iteration fails",
    };
    let rows = match data.pick {
        Pick::Sequential => format!("rows of {file} one after the other ({end})"),
        Pick::Unique => format!("each row of {file} once ({end})"),
        Pick::Random => format!("any row of {file}"),
        Pick::Zipf => format!("rows of {file}, the first ones far more often (exponent {})", data.exponent),
    };
    match data.per {
        Taking::Iteration => rows,
        Taking::User => rows + ", one for each user",
    }
}

/// The load in words; nothing where the plan leaves it open.
fn load(load: &Load) -> Option<String> {
    let ends: Vec<String> = [
        load.duration.map(|duration| format!("for {}", duration_text(duration))),
        load.requests.map(|requests| format!("until {requests} requests")),
    ]
    .into_iter()
    .flatten()
    .collect();
    let until = if ends.is_empty() { String::new() } else { format!(", {}", ends.join(", ")) };
    if !load.levels.is_empty() {
        let levels: Vec<String> = load.levels.iter().map(level).collect();
        return Some(format!("a run for each of {}{until}", levels.join(", ")));
    }
    let shape = load.rate.map(|rate| rate.to_string()).or(load.users.map(users)).or_else(|| {
        let unit = if load.model() == Some(Model::Closed) { "users" } else { "arrivals a second" };
        load.shape.as_ref().map(|shape| format!("{unit}: {shape}"))
    })?;
    let who = match load.model() {
        Some(Model::Closed) => "each waits for its answer before it asks again",
        _ => "whatever the target does",
    };
    let spacing = load.arrivals.map_or(String::new(), |arrivals| format!(", {arrivals} arrivals"));
    Some(format!("{shape}{until}{spacing}; {who}"))
}

fn level(level: &Level) -> String {
    match level {
        Level::Rate(rate) => rate.to_string(),
        Level::Users(count) => users(*count),
    }
}

fn users(count: u64) -> String {
    if count == 1 { "1 user".to_owned() } else { format!("{count} users") }
}

fn objectives(plan: &PlanFile) -> Vec<(&'static str, String)> {
    let text = |list: &[Objective]| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let mut lines = Vec::new();
    if !plan.slo.objectives.is_empty() {
        lines.push(("objectives", text(&plan.slo.objectives)));
    }
    lines.extend(plan.slo.steps.iter().map(|(step, list)| ("objectives", format!("{step}: {}", text(list)))));
    if !plan.slo.expect.is_empty() {
        let statuses: Vec<String> = plan.slo.expect.iter().map(ToString::to_string).collect();
        lines.push(("expected", format!("{}, which is no error", statuses.join(", "))));
    }
    lines
}

fn variable(name: &str, value: &Variable) -> String {
    format!("`{name}` is {}", value.text().shown())
}

fn scenarios(plan: &PlanFile) -> Vec<(&'static str, String)> {
    if plan.scenarios.is_empty() && plan.load.levels.is_empty() {
        return Vec::new();
    }
    let pause = |pause: Duration| match pause {
        Duration::ZERO => String::new(),
        pause => format!(", after a pause of {}", duration_text(pause)),
    };
    let line = |run: &PlanFile| {
        let load = load(&run.load).map_or(String::new(), |load| format!(": {load}"));
        ("scenario", format!("{}{}{load}", run.name.as_deref().unwrap_or_default(), pause(run.pause)))
    };
    plan.scenarios().iter().map(line).collect()
}
