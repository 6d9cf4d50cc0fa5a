//! `plimsoll check`: what `run` would do, in words, without sending anything.
//!
//! Names are looked up and limits are checked, because those are what stops a run at its start.

mod journeys;

use std::io;

use plimsoll_model::units::duration_text;
use plimsoll_model::{Load, Plan};
use plimsoll_report::units::{count, plural, rate};
use plimsoll_report::{Style, harmless, marked};
use serde::Serialize;

use crate::args::CheckArgs;
use crate::drive::Ready;
use crate::exit::Exit;
use crate::output;
use crate::planned;
use crate::redact::request_lines;
use crate::resolve::{Machine, resolve};
use crate::what::What;

pub(crate) use journeys::{Described, Journeys};

/// Explains.
pub(crate) fn check(args: &CheckArgs) -> anyhow::Result<Exit> {
    if args.schema {
        output::result(&(serde_json::to_string_pretty(&plimsoll_plan::file::schema())? + "\n"))?;
        return Ok(Exit::Passed);
    }
    if let What::Plan(path) = What::of(&args.plan.what)? {
        return planned::check(&path, args);
    }
    let machine = Machine::here();
    let asked = resolve(&args.plan, &machine)?;
    let journeys = asked.script.as_ref().map(|script| Journeys::of(script, &asked.plan)).unwrap_or_default();
    let explanation = Explanation::of(&Ready::prepare(asked)?, journeys, &machine);
    if args.output.json {
        output::result(&(serde_json::to_string_pretty(&explanation)? + "\n"))?;
    } else {
        output::result(&explanation.text(output::style(&io::stdout())))?;
    }
    Ok(Exit::Passed)
}

/// `plimsoll.check/1`.
#[derive(Debug, Serialize)]
struct Explanation {
    schema: &'static str,
    name: String,
    url: String,
    addresses: Vec<String>,
    model: &'static str,
    load: String,
    duration_s: Option<f64>,
    warmup_s: f64,
    /// Of journeys, if every step is made once.
    requests_expected: Option<u64>,
    /// None where there are no journeys, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    flows_expected: Option<u64>,
    connections_max: u64,
    descriptors_max: Option<u64>,
    threads: usize,
    seed: u64,
    objectives: Vec<String>,
    plan: Vec<Line>,
    plan_hash: String,
    request: Vec<String>,
    notes: Vec<String>,
    /// Each journey is gone through once: nobody asked for load.
    once: bool,
    #[serde(flatten)]
    journeys: Journeys,
}

/// A line of the plan.
#[derive(Debug, Serialize)]
struct Line {
    name: &'static str,
    value: String,
}

impl Explanation {
    fn of(ready: &Ready, journeys: Journeys, machine: &Machine) -> Self {
        let plan = ready.plan();
        let is_one = plan.journeys.is_empty();
        let flows = plan.requests_expected().filter(|_| !is_one);
        let requests = |flows: u64| (flows as f64 * plan.requests_per_flow()).round() as u64;
        Self {
            schema: "plimsoll.check/1",
            name: plan.name.clone(),
            url: plan.target.url.clone(),
            addresses: ready.addresses().iter().map(ToString::to_string).collect(),
            model: plan.load.model(),
            load: if ready.is_once() { "none: each journey once".to_owned() } else { load(plan) },
            duration_s: plan.length().map(|length| length.as_secs_f64()),
            warmup_s: plan.warmup.as_secs_f64(),
            requests_expected: plan.requests_expected().map(requests),
            flows_expected: flows,
            connections_max: plan.load.in_flight_max(),
            descriptors_max: machine.descriptors,
            threads: plan.threads,
            seed: plan.seed,
            objectives: plan.objectives.iter().map(ToString::to_string).collect(),
            plan: plan.lines().into_iter().map(|(name, value)| Line { name, value }).collect(),
            plan_hash: plan.hash(),
            request: if is_one { request_lines(&ready.request_text()) } else { Vec::new() },
            notes: ready.notes().to_vec(),
            once: ready.is_once(),
            journeys,
        }
    }

    fn text(&self, style: Style) -> String {
        let bold = |text: &str| if style.colour { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() };
        let mut text = format!("{}\n\n", bold("Nothing is sent. `plimsoll run` with these flags would do this:"));
        for (label, value) in self.facts() {
            text += &marked(&format!("  {label:<12} "), &harmless(&value), style.width.max(60));
            text.push('\n');
        }
        for (heading, journeys) in self.journeys.sections(self.once) {
            text += &format!("\n{}\n", bold(heading));
            let is_alone = self.once || journeys.len() == 1;
            text += &journeys.iter().map(|journey| described(journey, is_alone, style)).collect::<String>();
        }
        if !self.request.is_empty() {
            text += &format!("\n{}\n\n", bold("Each request:"));
        }
        for line in &self.request {
            text += format!("  {line}").trim_end();
            text.push('\n');
        }
        text.trim_end().to_owned() + "\n"
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![("target", self.target()), ("load", self.load.clone()), ("duration", self.duration())];
        facts.extend(self.flows().map(|flows| ("flows", flows)));
        facts.push(("requests", self.requests()));
        facts.push(("connections", self.connections()));
        facts.push(("generator", plural(self.threads as u64, "thread")));
        // The facts above say these in other words already.
        let said =
            ["name", "target", "request", "header", "body", "model", "rate", "users", "think", "arrivals", "in flight"];
        let said_too = ["duration", "requests", "connections", "warm-up", "objective"];
        let of_journeys = ["journey", "file", "data", "every", "session"];
        let rest = self.plan.iter().filter(|line| !said.contains(&line.name) && !said_too.contains(&line.name));
        let rest = rest.filter(|line| !of_journeys.contains(&line.name));
        facts.extend(rest.map(|line| (line.name, line.value.clone())));
        facts.push(("objectives", self.objectives_text()));
        facts.extend(self.journeys.facts());
        facts.extend(self.notes.iter().map(|note| ("note", note.clone())));
        facts
    }

    fn target(&self) -> String {
        if self.addresses.is_empty() {
            return self.url.clone();
        }
        format!("{}, which is {}", self.url, self.addresses.join(", "))
    }

    fn duration(&self) -> String {
        let Some(seconds) = self.duration_s else { return "until the last request has ended".to_owned() };
        let shown = |seconds: f64| duration_text(std::time::Duration::from_secs_f64(seconds));
        let mut text = shown(seconds);
        if self.warmup_s > 0.0 {
            text += &format!(", of which the first {} are warm-up and in no figure", shown(self.warmup_s));
        }
        text
    }

    /// None where there is one request, over and over.
    fn flows(&self) -> Option<String> {
        if self.journeys.journeys.is_empty() {
            return None;
        }
        Some(match self.flows_expected {
            Some(flows) if self.model == "open" => format!("{} begin", count(flows)),
            Some(flows) => plural(flows, "flow"),
            None => "as many as the answers allow".to_owned(),
        })
    }

    fn requests(&self) -> String {
        match self.requests_expected {
            Some(requests) if !self.journeys.journeys.is_empty() => {
                format!("about {}, if every step is made once", count(requests))
            }
            Some(requests) if self.model == "open" => format!("{} become due", count(requests)),
            Some(requests) => format!("at most {}", count(requests)),
            None => "as many as the answers allow".to_owned(),
        }
    }

    fn connections(&self) -> String {
        let limit = match self.descriptors_max {
            Some(limit) => format!("this process may open {} descriptors", count(limit)),
            None => "this process may open any number of descriptors".to_owned(),
        };
        format!("{} at once at most, {}; {limit}", count(self.connections_max), self.kept())
    }

    fn kept(&self) -> &str {
        self.plan.iter().find(|line| line.name == "connections").map_or("", |line| &line.value)
    }

    fn objectives_text(&self) -> String {
        if self.objectives.is_empty() && self.once {
            "none: every step must go as its journey wants it".to_owned()
        } else if self.objectives.is_empty() {
            "none, so there will be nothing to judge".to_owned()
        } else {
            self.objectives.join(", ")
        }
    }
}

/// A journey with its steps, safe to print.
fn described(journey: &Described, is_alone: bool, style: Style) -> String {
    let width = style.width.max(60);
    let mut text = format!("\n{}\n", marked(" ", &harmless(&journey.title(is_alone)), width));
    for (nth, step) in journey.steps.iter().enumerate() {
        let mark = format!("  {:>3}.", nth + 1);
        text += &marked(&mark, &harmless(&format!("{}  ({})", step.name, step.place)), width);
        text += &format!("\n{}\n", marked("      ", &harmless(&format!("{} {}", step.method, step.url)), width));
    }
    text
}

/// The load in words.
fn load(plan: &Plan) -> String {
    let one = if plan.journeys.is_empty() { "request" } else { "flow" };
    let peak = plan.load.shape().peak();
    let constant = plan.load.shape().phases().len() == 1;
    match &plan.load {
        Load::Open(open) => {
            let level = match (constant, plan.journeys.is_empty()) {
                (true, true) => rate(peak),
                (true, false) => rate(peak).replace("/s", " flows/s"),
                (false, _) => format!("{one}s a second: {}", open.shape),
            };
            let spacing = format!("{:?}", open.arrivals).to_lowercase();
            let cap = count(u64::from(open.in_flight_max));
            format!("{level}, {spacing} arrivals, whatever the server does; beyond {cap} in flight {one}s are dropped")
        }
        Load::Closed(closed) => {
            let level = if constant { plural(peak as u64, "user") } else { format!("users: {}", closed.shape) };
            let think = match closed.think {
                think if think.is_zero() => String::new(),
                think => format!(" and {} of pause", duration_text(think)),
            };
            if plan.journeys.is_empty() {
                format!("{level}, each asking again after its answer{think}")
            } else {
                format!("{level}, each beginning another flow after the last")
            }
        }
    }
}
