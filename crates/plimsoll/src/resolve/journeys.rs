//! Journeys from the command line: Hurl files, or a list of targets, and flags for the load around them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use plimsoll_journey::{Act, Journey, Script, Session, Think};
use plimsoll_model::{JourneySpec, Target};
use plimsoll_plan::import;

use super::number::duration;
use super::{Asked, Machine, around, variables};
use crate::args::{LoadArgs, PlanArgs, RequestArgs};
use crate::script::{self, Draft};
use crate::usage::Usage;

/// Hurl files: a journey each. Without a word about load each is gone through once, and must go well.
pub(super) fn of_hurl(args: &PlanArgs, files: &[PathBuf], machine: &Machine) -> Result<Asked, Usage> {
    let mut draft = draft(args, machine)?;
    let mut journeys = Vec::new();
    for file in files {
        journeys.extend(draft.journey(file, BTreeSet::new())?.map(|journey| (journey, 1.0)));
    }
    tell_apart(&mut journeys, files);
    asked(args, draft, journeys, machine)
}

/// A journey is called as its file is; where several files have that name, with their folders, and if it is the same
/// file, with a number.
fn tell_apart(journeys: &mut [(Journey, f64)], files: &[PathBuf]) {
    if journeys.len() != files.len() {
        return; // one could not be read, so nothing will run
    }
    let with_folder = |file: &Path, _: usize| file.with_extension("").display().to_string();
    let with_number = |file: &Path, nth: usize| format!("{} #{}", with_folder(file, nth), nth + 1);
    rename_twins(journeys, files, &with_folder);
    rename_twins(journeys, files, &with_number);
}

/// Those whose name another has get one by their file and their number.
fn rename_twins(journeys: &mut [(Journey, f64)], files: &[PathBuf], name: &dyn Fn(&Path, usize) -> String) {
    let names: Vec<String> = journeys.iter().map(|(journey, _)| journey.name.clone()).collect();
    for (nth, ((journey, _), file)) in journeys.iter_mut().zip(files).enumerate() {
        if names.iter().filter(|other| **other == journey.name).count() > 1 {
            journey.name = name(file, nth);
        }
    }
}

/// A list of targets: a journey of one step for each.
pub(super) fn of_targets(args: &PlanArgs, file: &Path, machine: &Machine) -> Result<Asked, Usage> {
    let shown = file.display().to_string();
    let text = fs::read(file).map_err(|error| Usage::new(format!("`{shown}`: {error}"), "check the path"))?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let weighted = import::journeys(&shown, &text, |path| fs::read(folder.join(path)));
    let weighted = weighted.map_err(|mistake| {
        script::complaint(&[mistake]).unwrap_or_else(|| Usage::maybe(format!("`{shown}` is no list of targets"), None))
    })?;
    let journeys = weighted.into_iter().map(|one| (one.journey, one.weight as f64)).collect();
    asked(args, draft(args, machine)?, journeys, machine)
}

fn draft(args: &PlanArgs, machine: &Machine) -> Result<Draft, Usage> {
    let mut draft = Draft::default();
    for variable in variables::resolve(&args.variables, machine)? {
        draft.set(&variable.name, variable.value, variable.secret);
    }
    if args.variables.sets.is_empty() {
        return Ok(draft);
    }
    Err(Usage::new("`--set` overrides keys of a plan, and there is none", "use the flags of `run` beside Hurl files"))
}

fn asked(args: &PlanArgs, draft: Draft, journeys: Vec<(Journey, f64)>, machine: &Machine) -> Result<Asked, Usage> {
    let think = think(&args.load)?;
    let texts = draft.texts().to_vec();
    let act = |(journey, weight)| Act { journey, weight, think, feed: None, every: None, session: Session::Keep };
    let mut script = draft.finish(journeys.into_iter().map(act).collect(), Vec::new(), Vec::new())?;
    let specs = specs(&script, &texts);
    let target = target(&script)?;
    let mut args = args.clone();
    if is_rate(&args.load) {
        // With one request there is nothing to think between; a flow of several has its pauses whatever the rate.
        args.load.think = None;
    }
    if !is_once(&args.load) {
        let plan = around(&args, &script, specs, target, machine)?;
        return Ok(Asked { plan, script: Some(script), is_once: false });
    }
    script.in_order = true;
    args.load.users = Some("1".to_owned());
    args.load.requests = Some(script.acts.len().to_string());
    let plan = around(&args, &script, specs, target, machine)?;
    Ok(Asked { plan, script: Some(script), is_once: true })
}

/// Whether the load is a rate.
fn is_rate(load: &LoadArgs) -> bool {
    load.rate.is_some() || load.shape.as_ref().is_some_and(|shape| !shape.contains("user"))
}

/// Whether nobody said anything about load.
fn is_once(load: &LoadArgs) -> bool {
    load.users.is_none()
        && load.rate.is_none()
        && load.shape.is_none()
        && load.duration.is_none()
        && load.requests.is_none()
}

/// The pause that every journey gets.
pub(super) fn think(load: &LoadArgs) -> Result<Option<Think>, Usage> {
    let pause = load.think.as_deref().map(|text| duration("--think", text)).transpose()?;
    Ok(pause.filter(|pause| *pause > Duration::ZERO).map(Think::Constant))
}

/// The target is where the first request goes.
fn target(script: &Script) -> Result<Target, Usage> {
    script::first_target(script).unwrap_or_else(|| {
        Err(Usage::new(
            "the first request's URL is not known before the run",
            "begin with a request whose URL does not come from data, or name the target in a plan",
        ))
    })
}

/// What the plan says of each journey; `texts` are the files that were read, in their order.
pub(crate) fn specs(script: &Script, texts: &[(String, String)]) -> Vec<JourneySpec> {
    let total: f64 = script.acts.iter().map(|act| act.weight).sum();
    let spec = |(nth, act): (usize, &Act)| {
        let mut lines = Vec::new();
        if let Some((file, text)) = texts.get(nth) {
            lines.push(("file", format!("{file} ({})", fingerprint(text))));
        }
        lines.extend(act.think.map(|think| ("think", think.to_string())));
        JourneySpec {
            name: act.journey.name.clone(),
            share: act.weight / total.max(f64::MIN_POSITIVE),
            steps: act.journey.steps.iter().map(|step| step.label.clone()).collect(),
            lines,
        }
    };
    script.acts.iter().enumerate().map(spec).collect()
}

/// A short name for a text: another text has another (FNV-1a).
fn fingerprint(text: &str) -> String {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

/// Flags that are about one request say nothing about journeys.
pub(super) fn refuse_request_flags(args: &RequestArgs) -> Result<(), Usage> {
    let given = [
        ("-X", args.method.is_some()),
        ("-H", !args.headers.is_empty()),
        ("-u", args.user.is_some()),
        ("--data", args.data.is_some()),
        ("--data-file", args.data_file.is_some()),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((flag, _)) => Err(Usage::new(
            format!("`{flag}` is about one request, and journeys say themselves what they send"),
            "write it into the Hurl file",
        )),
    }
}
