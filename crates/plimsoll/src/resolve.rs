//! From what was typed to the plan it means: every default decided, every value checked.
//!
//! Nothing here touches a socket. The machine's facts come in as [`Machine`]; files are read only where a flag
//! names one. Each complaint names its flag.

mod connection;
mod journeys;
mod judgement;
mod load;
mod machine;
mod number;
mod protocol;
mod request;
mod target;
mod tls;
mod variables;

use plimsoll_journey::Script;
use plimsoll_model::{JourneySpec, Load, Plan, RequestSpec, Stop, Target};

use crate::args::PlanArgs;
use crate::usage::Usage;
use crate::what::What;

pub(crate) use journeys::specs;
pub(crate) use load::{USERS_DEFAULT, in_flight_default, stop_of, with_length};
pub(crate) use machine::Machine;
pub(crate) use variables::resolve as variables;

/// What is to be done: a plan, and what its users do where that is more than one request.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) plan: Plan,
    pub(crate) script: Option<Script>,
    /// Each journey is gone through once, to see whether it goes well: nobody asked for load.
    pub(crate) is_once: bool,
}

/// Decides everything.
pub(crate) fn resolve(args: &PlanArgs, machine: &Machine) -> Result<Asked, Usage> {
    match What::of(&args.what)? {
        What::Url(url) => {
            variables::refuse(&args.variables)?;
            let (target, url_credentials) = target::resolve(&url)?;
            let request = request::resolve(&args.request, &target, url_credentials, machine)?;
            Ok(Asked { plan: plan(args, target, request, machine)?, script: None, is_once: false })
        }
        What::Hurl(files) => journeys::of_hurl(args, &files, machine),
        What::Targets(file) => journeys::of_targets(args, &file, machine),
        What::Plan(_) => Err(Usage::new("a plan is read elsewhere", "run it with `plimsoll run PLAN`")),
    }
}

/// Where the first request of a journey goes.
pub(crate) fn target_of_step(url: &str) -> Result<Target, Usage> {
    target::resolve(url).map(|(target, _)| target)
}

/// The plan around journeys.
pub(crate) fn around(
    args: &PlanArgs,
    script: &Script,
    specs: Vec<JourneySpec>,
    target: Target,
    machine: &Machine,
) -> Result<Plan, Usage> {
    journeys::refuse_request_flags(&args.request)?;
    let label = script.acts.first().map(|act| act.journey.name.clone()).unwrap_or_default();
    let request = RequestSpec { label, method: "GET".to_owned(), headers: Vec::new(), body: Vec::new() };
    let mut plan = plan(args, target, request, machine)?;
    plan.journeys = specs;
    Ok(plan)
}

fn plan(args: &PlanArgs, target: Target, request: RequestSpec, machine: &Machine) -> Result<Plan, Usage> {
    assemble(args, target, request, load::resolve(&args.load, machine)?, machine)
}

/// A plan of a load that is decided already.
pub(crate) fn assemble(
    args: &PlanArgs,
    target: Target,
    request: RequestSpec,
    (load, stop): (Load, Stop),
    machine: &Machine,
) -> Result<Plan, Usage> {
    let transport = connection::transport(args, &target, &load)?;
    let judgement = &args.judgement;
    let plan = Plan {
        name: judgement.name.clone().unwrap_or_else(|| target.url.clone()),
        request,
        journeys: Vec::new(),
        step_objectives: Vec::new(),
        target,
        warmup: load::warmup(&args.load)?,
        load: protocol::cap(load, transport.http),
        stop,
        timeouts: connection::timeouts(&args.connection)?,
        objectives: judgement::objectives(&judgement.slo)?,
        expect: judgement::expect(&judgement.expect)?,
        within: judgement::within(&judgement.within)?,
        abort: load::abort(&args.load)?,
        seed: number::seed(args.load.seed.as_deref().unwrap_or("1"))?,
        threads: protocol::threads(load::threads(&args.load, machine)?, transport.http),
        transport,
    };
    leave_something_to_measure(&plan)?;
    Ok(plan)
}

/// A warm-up as long as the run would leave nothing to report.
pub(crate) fn leave_something_to_measure(plan: &Plan) -> Result<(), Usage> {
    let too_long = plan.length().is_some_and(|length| plan.warmup >= length);
    if !too_long || plan.warmup.is_zero() {
        return Ok(());
    }
    Err(Usage::new(
        "`--warmup`: it is as long as the whole run, so nothing would be measured",
        "the warm-up is the first part of the run: make `-d` longer than it",
    ))
}

#[cfg(test)]
mod tests;
