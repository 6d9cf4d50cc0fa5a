//! From what was typed to the plan it means: every default decided, every value checked.
//!
//! Nothing here touches a socket. The machine's facts come in as [`Machine`]; files are read only where a flag
//! names one. Each complaint names its flag.

mod connection;
mod judgement;
mod load;
mod machine;
mod number;
mod protocol;
mod request;
mod target;
mod tls;

use plimsoll_model::Plan;

use crate::args::PlanArgs;
use crate::usage::Usage;

pub(crate) use machine::Machine;

/// Decides everything.
pub(crate) fn resolve(args: &PlanArgs, machine: &Machine) -> Result<Plan, Usage> {
    let (target, url_credentials) = target::resolve(&args.url)?;
    let (load, stop) = load::resolve(&args.load, machine)?;
    let transport = connection::transport(args, &target, &load)?;
    let judgement = &args.judgement;
    let plan = Plan {
        name: judgement.name.clone().unwrap_or_else(|| target.url.clone()),
        request: request::resolve(&args.request, &target, url_credentials, machine)?,
        target,
        warmup: load::warmup(&args.load)?,
        load: protocol::cap(load, transport.http),
        stop,
        timeouts: connection::timeouts(&args.connection)?,
        objectives: judgement::objectives(&judgement.slo)?,
        expect: judgement::expect(&judgement.expect)?,
        within: judgement::within(&judgement.within)?,
        abort: load::abort(&args.load)?,
        seed: number::seed(&args.load.seed)?,
        threads: protocol::threads(load::threads(&args.load, machine)?, transport.http),
        transport,
    };
    leave_something_to_measure(&plan)?;
    Ok(plan)
}

/// A warm-up as long as the run would leave nothing to report.
fn leave_something_to_measure(plan: &Plan) -> Result<(), Usage> {
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
