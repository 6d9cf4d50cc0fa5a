//! What a step's options make of the plan's transport.

use plimsoll_journey::{Count, Options, Scope, Setting, Step, Wrong};
use plimsoll_model::{Plan, Timeouts};

use super::exchange::Wish;
use super::plot::Plot;

/// Where nobody says how many redirects are too many.
const FOLLOW_MAX: u64 = 50;

/// What an exchange of a step is to be like, once its settings have their values.
pub(super) fn wish<'s>(plan: &Plan, plot: &Plot, step: &'s Step, scope: &Scope) -> Result<Wish<'s>, Wrong> {
    let options = &step.options;
    Ok(Wish {
        method: &step.request.method,
        manner: plot.manner,
        wants: plot.wants,
        compressed: flag(&options.compressed, scope)?.unwrap_or(plan.transport.compressed),
        follow_max: follow_max(plan, options, scope)?,
        follow_trusted: flag(&options.follow_trusted, scope)?.unwrap_or(false),
        timeouts: timeouts(plan, options, scope)?,
    })
}

/// How often, if somebody says so; none for without end.
pub(super) fn times(setting: &Option<Setting<Count>>, scope: &Scope, otherwise: u64) -> Result<Option<u64>, Wrong> {
    Ok(match setting.as_ref().map(|setting| setting.value(scope)).transpose()? {
        None => Some(otherwise),
        Some(Count::Times(times)) => Some(times),
        Some(Count::Endless) => None,
    })
}

pub(super) fn flag(setting: &Option<Setting<bool>>, scope: &Scope) -> Result<Option<bool>, Wrong> {
    setting.as_ref().map(|setting| setting.value(scope)).transpose()
}

fn follow_max(plan: &Plan, options: &Options, scope: &Scope) -> Result<Option<u64>, Wrong> {
    let of_plan = u64::from(plan.transport.follow_max);
    let trusted = flag(&options.follow_trusted, scope)?;
    let follows = flag(&options.follow, scope)?.or(trusted.filter(|trusted| *trusted)).unwrap_or(of_plan > 0);
    if !follows {
        return Ok(None);
    }
    let otherwise = if of_plan > 0 { of_plan } else { FOLLOW_MAX };
    Ok(Some(times(&options.redirects_max, scope, otherwise)?.unwrap_or(u64::from(u32::MAX))))
}

fn timeouts(plan: &Plan, options: &Options, scope: &Scope) -> Result<Timeouts, Wrong> {
    let value = |setting: &Option<Setting<_>>| setting.as_ref().map(|setting| setting.value(scope)).transpose();
    Ok(Timeouts {
        whole: value(&options.time_max)?.unwrap_or(plan.timeouts.whole),
        connect: value(&options.connect_timeout)?.or(plan.timeouts.connect),
        first_byte: plan.timeouts.first_byte,
    })
}
