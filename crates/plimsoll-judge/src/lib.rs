//! From a recording to a run: figures, rates, intervals, objectives, validity, findings and the verdict.
//!
//! One pure function. It does no I/O, has no clock and prints nothing; what a number means is written at the top of
//! the module that computes it. Two rules hold throughout: a figure that cannot be had is null and says what it
//! lacks; and what the *generator* got wrong voids a run (`validity`), while what the *target* did never does
//! (`findings`).

mod bars;
mod calibrated;
mod course;
mod evidence;
mod figures;
mod findings;
mod intervals;
mod journeys;
mod objectives;
mod rates;
mod series;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tests;
mod validity;
mod whole;
mod within;
mod words;

use plimsoll_model::run::{self, Generator, Reason, Rites, StepResult, TargetFacts, Verdict};
use plimsoll_model::{Calibration, End, Plan, Recording, Run, StepTick};

use evidence::Evidence;
use figures::figures;
use whole::Whole;

/// What a run is called and made with: all that neither the plan nor the recording knows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facts {
    /// Unique and sortable by time.
    pub id: String,
    /// `plimsoll 0.1.0`.
    pub tool: String,
    /// The git commit of the working directory, if there is one.
    pub commit: Option<String>,
    /// The last calibration, if there is one of this machine and this tool.
    pub calibration: Option<Calibration>,
}

/// Says everything that can be said of what was recorded.
pub fn judge(plan: &Plan, recording: &Recording, facts: Facts) -> Run {
    let evidence = Evidence::new(plan, recording);
    let Evidence { whole, course, .. } = &evidence;
    let calibration = facts.calibration.as_ref();
    let validity = validity::remarks(&evidence, calibration);
    let objectives = objectives::results(&evidence);
    let (intervals, intervals_want_s) = intervals::all(course);
    Run {
        schema: run::SCHEMA,
        id: facts.id,
        name: plan.name.clone(),
        started_at: plimsoll_model::date::rfc3339(recording.started_at_ms),
        tool: facts.tool,
        commit: facts.commit,
        plan_hash: plan.hash(),
        seed: plan.seed,
        model: plan.load.model(),
        verdict: objectives::verdict(&validity, &objectives),
        validity,
        findings: findings::remarks(&evidence),
        offered_rate: rates::offered(plan, recording),
        achieved_rate: rates::achieved(recording),
        final_rate: rates::last(recording, course),
        duration_s: recording.measured.as_secs_f64(),
        warmup_s: recording.warmup.as_secs_f64(),
        requests: whole.requests(),
        unfinished: recording.unfinished,
        outcomes: whole.outcomes,
        statuses: whole.statuses.clone(),
        refused: whole.refused,
        reconnects: recording.reconnects,
        success: whole.success(),
        response_ms: figures(&whole.response),
        response_ok_ms: figures(&whole.response_ok),
        service_ms: figures(&whole.service),
        lag_ms: figures(&whole.lag),
        phases_ms: figures::phases(&whole.phases),
        intervals,
        intervals_want_s,
        within_ms: within::within(&plan.within, whole),
        objectives,
        journeys: journeys::results(plan, &evidence),
        flows_cut: recording.flows_cut,
        rites: Rites { setup: recording.setup.clone(), teardown: recording.teardown.clone() },
        failures: recording.failures.clone(),
        steps: steps(plan, recording),
        generator: generator(&evidence, calibration),
        target: TargetFacts { url: plan.target.url.clone(), server: recording.server.clone(), processes: Vec::new() },
        series: series::series(recording),
        reasons: reasons(recording),
        ended_by: ended_by(&recording.end),
        histogram: bars::bars(&whole.response),
        phase_histograms: bars::of_phases(&whole.phases),
    }
}

/// The same where each journey is gone through once, to see whether it goes well.
///
/// What would void a measurement says nothing about that, so the verdict is the journeys' own, and that of
/// objectives if there are any. An attempt that a journey made again on purpose is not held against it.
pub fn judge_once(plan: &Plan, recording: &Recording, facts: Facts) -> Run {
    let mut run = judge(plan, recording, facts);
    run.validity.clear();
    let is_well = run.journeys.iter().all(|journey| journey.total > 0 && journey.passed == journey.total);
    let is_met = run.objectives.iter().all(|objective| objective.met == Some(true));
    run.verdict = if is_well && is_met { Verdict::Pass } else { Verdict::Fail };
    run
}

/// A row for each step of each journey, in their order; those that nobody came to are there too.
fn steps(plan: &Plan, recording: &Recording) -> Vec<StepResult> {
    let names = plan.step_names().into_iter();
    let owners = plan.journeys.iter().flat_map(|j| j.steps.iter().map(|_| Some(j.name.clone())));
    let nobody = StepTick::default();
    names
        .zip(owners.chain(std::iter::repeat(None)))
        .enumerate()
        .map(|(index, (name, journey))| step(plan, name, journey, recording.steps.get(index).unwrap_or(&nobody)))
        .collect()
}

fn step(plan: &Plan, name: String, journey: Option<String>, tick: &StepTick) -> StepResult {
    let whole = Whole::of_step(plan, tick);
    StepResult {
        name,
        journey,
        requests: whole.requests(),
        outcomes: whole.outcomes,
        refused: whole.refused,
        success: whole.success(),
        body_bytes: whole.body_bytes,
        response_ms: figures(&whole.response),
        response_ok_ms: figures(&whole.response_ok),
        service_ms: figures(&whole.service),
        lag_ms: figures(&whole.lag),
        phases_ms: figures::phases(&whole.phases),
        statuses: whole.statuses,
    }
}

fn generator(evidence: &Evidence, calibration: Option<&Calibration>) -> Generator {
    let used = &evidence.recording.generator;
    Generator {
        cpu_s: used.cpu_s,
        rss_bytes: used.rss_bytes,
        threads: used.threads,
        thread_share: used.thread_share,
        requests_per_cpu_s: (used.cpu_s > 0.0).then(|| evidence.whole.requests() as f64 / used.cpu_s),
        calibration: calibration.map(|calibration| calibrated::cite(evidence, calibration)),
    }
}

/// Most frequent first.
fn reasons(recording: &Recording) -> Vec<Reason> {
    let mut reasons: Vec<Reason> =
        recording.reasons.iter().map(|(text, count)| Reason { text: text.clone(), count: *count }).collect();
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.count));
    reasons
}

fn ended_by(end: &End) -> Option<String> {
    match end {
        End::Complete => None,
        End::Interrupted => Some("interrupted".to_owned()),
        End::Aborted(rule) => Some(rule.clone()),
    }
}
