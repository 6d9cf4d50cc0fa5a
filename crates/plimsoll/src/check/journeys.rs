//! Journeys in words: their steps, how often each is taken, what they are given, what comes before and after.
//!
//! What is known before the run stands in its place, the rest as `{{name}}`; secrets never do. Text is not yet safe to
//! print.

use std::collections::BTreeSet;

use plimsoll_journey::{
    Act, Expression, Feed, Function, Journey, Part, Per, Rite, Script, Slot, Step, Template, Value,
};
use plimsoll_model::Plan;
use plimsoll_report::units::{count, share};
use serde::Serialize;

use crate::redact;

/// What takes a secret's place.
const REDACTED: &str = "[redacted]";
/// Of a variable's value, so many characters are shown.
const VALUE_CHARS: usize = 60;

/// All that users do.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Journeys {
    pub(crate) variables: Vec<Variable>,
    pub(crate) journeys: Vec<Described>,
    pub(crate) setup: Vec<Described>,
    pub(crate) teardown: Vec<Described>,
}

/// A variable that has a value from the beginning, or gets one on the way.
#[derive(Debug, Serialize)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// None where it is set on the way.
    pub(crate) value: Option<String>,
    pub(crate) secret: bool,
}

/// A journey.
#[derive(Debug, Serialize)]
pub(crate) struct Described {
    pub(crate) name: String,
    /// Its part of all flows; none before and after load.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) share: Option<f64>,
    /// `run` or `user`: for whom it is done; none in the mix.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) per: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) data: Option<String>,
    /// What else the plan says of it.
    #[serde(skip)]
    said: Vec<String>,
    pub(crate) steps: Vec<Stop>,
}

/// A step of it.
#[derive(Debug, Serialize)]
pub(crate) struct Stop {
    pub(crate) name: String,
    pub(crate) place: String,
    pub(crate) method: String,
    pub(crate) url: String,
}

impl Journeys {
    pub(crate) fn of(script: &Script, plan: &Plan) -> Self {
        let reader = Reader { script, changing: changing(script) };
        let acts = script.acts.iter().enumerate().map(|(nth, act)| reader.act(act, plan, nth));
        Self {
            journeys: acts.collect(),
            variables: reader.variables(),
            setup: script.setup.iter().map(|rite| reader.rite(rite)).collect(),
            teardown: script.teardown.iter().map(|rite| reader.rite(rite)).collect(),
        }
    }

    /// Variables as facts about the run.
    pub(crate) fn facts(&self) -> Vec<(&'static str, String)> {
        let given = self
            .variables
            .iter()
            .filter_map(|variable| variable.value.as_ref().map(|value| format!("{} = {value}", variable.name)));
        let mut facts: Vec<(&'static str, String)> = given.map(|text| ("variable", text)).collect();
        let later = self.variables.iter().filter(|variable| variable.value.is_none());
        let later: Vec<String> =
            later.map(|one| one.name.clone() + if one.secret { " (secret)" } else { "" }).collect();
        if !later.is_empty() {
            facts.push(("on the way", format!("{} get their values from data, options or answers", later.join(", "))));
        }
        facts
    }

    /// Headings, each with the journeys beneath it; those without a journey are left out.
    pub(crate) fn sections(&self, is_once: bool) -> Vec<(&'static str, &[Described])> {
        let mix = match (is_once, self.journeys.len()) {
            (true, _) => "Once, one after the other:",
            (false, 1) => "Each flow:",
            (false, _) => "Each flow is one of these:",
        };
        let all = [
            ("Before load, in no figure:", self.setup.as_slice()),
            (mix, self.journeys.as_slice()),
            ("After load, whatever happened:", self.teardown.as_slice()),
        ];
        all.into_iter().filter(|(_, journeys)| !journeys.is_empty()).collect()
    }
}

impl Described {
    /// `checkout, 25% of flows, …`.
    pub(crate) fn title(&self, is_alone: bool) -> String {
        let part = self.share.filter(|_| !is_alone).map(|part| format!("{} of all flows", share(part)));
        let per = self.per.map(|per| if per == "user" { "once for each user" } else { "once" }.to_owned());
        let rest = part.into_iter().chain(per).chain(self.data.clone()).chain(self.said.iter().cloned());
        std::iter::once(self.name.clone()).chain(rest).collect::<Vec<_>>().join(" · ")
    }
}

/// What is known while journeys are put into words.
struct Reader<'s> {
    script: &'s Script,
    changing: BTreeSet<Slot>,
}

impl Reader<'_> {
    fn act(&self, act: &Act, plan: &Plan, nth: usize) -> Described {
        let spec = plan.journeys.get(nth);
        // The file stands beside each step, and its print is for programs.
        let lines = spec.iter().flat_map(|spec| &spec.lines).filter(|(name, _)| !matches!(*name, "file" | "data"));
        Described {
            share: spec.map(|spec| spec.share),
            data: act.feed.as_ref().map(|feed| self.data(feed)),
            said: lines.map(|(name, value)| format!("{name} {value}")).collect(),
            ..self.journey(&act.journey)
        }
    }

    fn rite(&self, rite: &Rite) -> Described {
        let per = if rite.per == Per::User { "user" } else { "run" };
        Described { per: Some(per), ..self.journey(&rite.journey) }
    }

    fn journey(&self, journey: &Journey) -> Described {
        let steps = journey.steps.iter().map(|step| self.stop(step)).collect();
        Described { name: journey.name.clone(), share: None, per: None, data: None, said: Vec::new(), steps }
    }

    fn stop(&self, step: &Step) -> Stop {
        let pair = |(name, value): &(Template, Template)| format!("{}={}", self.text(name), self.text(value));
        let query: Vec<String> = step.request.query.iter().map(pair).collect();
        let mut url = self.text(&step.request.url);
        if !query.is_empty() {
            url += if url.contains('?') { "&" } else { "?" };
            url += &query.join("&");
        }
        Stop {
            name: step.label.clone(),
            place: format!("{}:{}", step.place.file, step.place.line),
            method: step.request.method.clone(),
            url: redact::url(&url),
        }
    }

    fn data(&self, feed: &Feed) -> String {
        format!("data: {} rows of {}", count(feed.data.rows() as u64), feed.data.columns().join(", "))
    }

    fn text(&self, template: &Template) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => String::from_utf8_lossy(text).into_owned(),
            Part::Gap { expression: Expression::Variable(slot), .. } => self.gap(*slot),
            Part::Gap { expression: Expression::Function(Function::NewUuid), .. } => "{{newUuid}}".to_owned(),
            Part::Gap { expression: Expression::Function(Function::NewDate), .. } => "{{newDate}}".to_owned(),
        };
        template.parts.iter().map(part).collect()
    }

    fn gap(&self, slot: Slot) -> String {
        let is_known = !self.changing.contains(&slot) && !self.script.secrets.contains(slot);
        let known = self.script.base.get(slot).filter(|_| is_known).and_then(Value::rendered);
        known.map_or_else(|| format!("{{{{{}}}}}", self.script.names.name(slot)), |value| value.into_owned())
    }

    fn variables(&self) -> Vec<Variable> {
        let variable = |(slot, name): (Slot, &str)| {
            let secret = self.script.secrets.contains(slot) || redact::is_secret(name);
            let value =
                self.script.base.get(slot).map(|value| {
                    if secret { REDACTED.to_owned() } else { redact::url(&shortened(&value.to_string())) }
                });
            Variable { name: name.to_owned(), value, secret }
        };
        self.script.names.iter().map(variable).collect()
    }
}

/// Variables that get another value on the way.
fn changing(script: &Script) -> BTreeSet<Slot> {
    let rites = script.setup.iter().chain(&script.teardown).map(|rite| &rite.journey);
    let journeys = script.acts.iter().map(|act| &act.journey).chain(rites);
    let of_step = |step: &Step| -> Vec<Slot> {
        let captures = step.expected.captures.iter().map(|capture| capture.slot);
        captures.chain(step.options.variables.iter().map(|(slot, _)| *slot)).collect()
    };
    let fed = script.acts.iter().filter_map(|act| act.feed.as_ref()).flat_map(|feed| feed.slots.iter().copied());
    journeys.flat_map(|journey| &journey.steps).flat_map(of_step).chain(fed).collect()
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(VALUE_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
