//! The load: which of the two models, how much, until when.

use std::time::Duration;

use plimsoll_model::{Abort, Arrivals, ClosedLoad, Load, OpenLoad, Rate, Shape, Stop};

use super::machine::Machine;
use super::number::{duration, positive, positive_in, refused};
use crate::args::LoadArgs;
use crate::usage::Usage;

/// Users of the closed model where nothing is said.
pub(crate) const USERS_DEFAULT: f64 = 10.0;
/// How long an open-ended level lasts where nothing is said.
const LENGTH_DEFAULT: Duration = Duration::from_secs(10);
/// The cap on requests in flight where nothing is said.
const IN_FLIGHT_DEFAULT: u32 = 10_000;
/// Beyond this many users no machine has ports, and their schedule no longer fits in memory.
const USERS_MAX: f64 = 10e6;
/// Beyond this rate arrivals are closer together than the clock can tell.
const RATE_MAX: f64 = 100e6;

/// The model with its level over time, and what ends the run.
pub(super) fn resolve(args: &LoadArgs, machine: &Machine) -> Result<(Load, Stop), Usage> {
    refuse_two_loads(args)?;
    let level = level(args)?;
    refuse_flags_of_the_other_model(args, &level)?;
    let stop = stop(args, level.shape())?;
    let shape = with_length(level.shape().clone(), stop);
    refuse_silence(&shape, &level)?;
    let load = match level {
        Level::Rate(_) => Load::Open(OpenLoad {
            shape,
            arrivals: arrivals(args.arrivals.as_deref())?,
            in_flight_max: in_flight_max(args, machine)?,
        }),
        Level::Users(_) => Load::Closed(ClosedLoad { shape, think: optional("--think", args.think.as_deref())? }),
    };
    Ok((load, stop))
}

/// The warm-up; zero where none is asked.
pub(super) fn warmup(args: &LoadArgs) -> Result<Duration, Usage> {
    optional("--warmup", args.warmup.as_deref())
}

/// The abort rule.
pub(super) fn abort(args: &LoadArgs) -> Result<Option<Abort>, Usage> {
    let parse = |text: &str| text.parse().map_err(|error| refused("--abort", &error));
    args.abort.as_deref().map(parse).transpose()
}

/// Generator threads.
pub(super) fn threads(args: &LoadArgs, machine: &Machine) -> Result<usize, Usage> {
    let Some(text) = args.threads.as_deref() else { return Ok(machine.cores) };
    let threads: u16 = positive_in("--threads", text)?;
    if threads > 1024 {
        let message = format!("`--threads {threads}`: at most 1024 are possible");
        return Err(Usage::new(
            message,
            format!("this process may run on {} cores; more threads do not help", machine.cores),
        ));
    }
    Ok(usize::from(threads))
}

/// What was asked for over time; the kind of level is the model.
enum Level {
    Rate(Shape),
    Users(Shape),
}

impl Level {
    fn shape(&self) -> &Shape {
        match self {
            Self::Rate(shape) | Self::Users(shape) => shape,
        }
    }
}

fn level(args: &LoadArgs) -> Result<Level, Usage> {
    if let Some(text) = &args.rate {
        let rate: Rate = text.parse().map_err(|error| refused("--rate", &error))?;
        if rate == Rate::ZERO {
            return Err(Usage::new(format!("`--rate {text}`: nothing would ever be sent"), "try `--rate 1/s`"));
        }
        return Ok(Level::Rate(Shape::constant(rate.get(), None)));
    }
    if let Some(text) = &args.shape {
        return shape(text);
    }
    let users = match &args.users {
        Some(text) => users(text)?,
        None => USERS_DEFAULT,
    };
    Ok(Level::Users(Shape::constant(users, None)))
}

/// A shape tells its model by its words: levels are `users` or rates.
fn shape(text: &str) -> Result<Level, Usage> {
    let level = if text.contains("user") {
        Shape::parse_closed(text).map(Level::Users)
    } else {
        Shape::parse_open(text).map(Level::Rate)
    };
    level.map_err(|error| {
        // The parser quotes the whole shape and an example; the hint does that here.
        let expected = error.expected.split(" (in the shape ").next().unwrap_or_default();
        let expected = expected.split(", such as ").next().unwrap_or_default();
        Usage::new(format!("`--shape`: `{}` is not {expected}", error.text), SHAPE_EXAMPLE)
    })
}

const SHAPE_EXAMPLE: &str = "shapes look like `10/s for 30s, ramp to 60/s over 2m, hold 1m, spike 300/s for 5s` or \
                             `1500 users, spawn 200/s, hold 1m`";

fn users(text: &str) -> Result<f64, Usage> {
    if text.trim() == "0" {
        return Err(Usage::new(
            "`-c 0`: without a user nothing would be sent",
            "try `-c 1`, or leave it out for 10 users",
        ));
    }
    Ok(positive("-c", text)? as f64)
}

fn stop(args: &LoadArgs, shape: &Shape) -> Result<Stop, Usage> {
    let after = args.duration.as_deref().map(|text| duration("-d", text)).transpose()?;
    let requests = args.requests.as_deref().map(|text| positive("-n", text)).transpose()?;
    Ok(stop_of(after, requests, shape))
}

/// What ends a run: one that nothing ends gets an end.
pub(crate) fn stop_of(after: Option<Duration>, requests: Option<u64>, shape: &Shape) -> Stop {
    let needs_an_end = after.is_none() && requests.is_none() && shape.length().is_none();
    // An open-ended last level lasts its ten seconds after whatever came before it.
    let known = shape.phases().iter().filter_map(|phase| phase.length).fold(Duration::ZERO, Duration::saturating_add);
    let after = if needs_an_end { Some(known.saturating_add(LENGTH_DEFAULT)) } else { after };
    Stop { after, requests }
}

/// A constant level lasts as long as the run, where that is known.
pub(crate) fn with_length(shape: Shape, stop: Stop) -> Shape {
    match shape.phases() {
        [phase] if phase.length.is_none() => Shape::constant(phase.to, stop.after),
        _ => shape,
    }
}

fn refuse_silence(shape: &Shape, level: &Level) -> Result<(), Usage> {
    let (flag, max) = match level {
        Level::Rate(_) => ("--rate", RATE_MAX),
        Level::Users(_) => ("-c", USERS_MAX),
    };
    if shape.peak() <= 0.0 {
        return Err(Usage::new("`--shape`: it never rises above zero, so nothing would be sent", SHAPE_EXAMPLE));
    }
    if shape.peak() > max {
        let message = format!("`{flag}`: {} is more than any one machine can offer (at most {max})", shape.peak());
        return Err(Usage::new(message, "use a smaller number"));
    }
    Ok(())
}

fn arrivals(text: Option<&str>) -> Result<Arrivals, Usage> {
    let text = text.unwrap_or("even");
    text.parse().map_err(|_| {
        Usage::new(
            format!("`--arrivals`: `{text}` is not a way to space arrivals"),
            "use `--arrivals even`, `--arrivals poisson` or `--arrivals bursts:10ms`",
        )
    })
}

fn in_flight_max(args: &LoadArgs, machine: &Machine) -> Result<u32, Usage> {
    match args.max_in_flight.as_deref() {
        Some(text) => positive_in("--max-in-flight", text),
        None => Ok(in_flight_default(machine)),
    }
}

/// The cap on what is in flight where nothing is said.
pub(crate) fn in_flight_default(machine: &Machine) -> u32 {
    u32::try_from(machine.connections_max()).unwrap_or(u32::MAX).min(IN_FLIGHT_DEFAULT)
}

fn optional(flag: &str, text: Option<&str>) -> Result<Duration, Usage> {
    match text {
        None | Some("0" | "0s") => Ok(Duration::ZERO),
        Some(text) => duration(flag, text),
    }
}

/// One load at a time: two would contradict each other.
fn refuse_two_loads(args: &LoadArgs) -> Result<(), Usage> {
    let message = |one: &str, other: &str| format!("`{one}` and `{other}` ask for two different loads");
    match (&args.users, &args.rate, &args.shape) {
        (Some(_), Some(_), _) => Err(Usage::new(
            message("-c", "--rate"),
            "with `--rate` requests do not wait for one another: leave out `-c`, and use `--max-in-flight` to cap \
             the requests in flight",
        )),
        (Some(_), _, Some(_)) => {
            Err(Usage::new(message("-c", "--shape"), "put the users into the shape: `--shape '50 users for 1m'`"))
        }
        (_, Some(_), Some(_)) => {
            Err(Usage::new(message("--rate", "--shape"), "put the rate into the shape: `--shape '200/s for 1m'`"))
        }
        _ => Ok(()),
    }
}

fn refuse_flags_of_the_other_model(args: &LoadArgs, level: &Level) -> Result<(), Usage> {
    let open_only = "belongs to the open model, and this load is users who wait";
    let closed_only = "belongs to the closed model, and this load is a rate that waits for nobody";
    match level {
        Level::Users(_) if args.arrivals.is_some() => {
            Err(Usage::new(format!("`--arrivals` {open_only}"), "ask for a rate: `--rate 200/s --arrivals poisson`"))
        }
        Level::Users(_) if args.max_in_flight.is_some() => Err(Usage::new(
            format!("`--max-in-flight` {open_only}"),
            "users have at most one request in flight each: `-c` is the cap",
        )),
        Level::Rate(_) if args.think.is_some() => {
            Err(Usage::new(format!("`--think` {closed_only}"), "ask for users: `-c 50 --think 1s`"))
        }
        _ => Ok(()),
    }
}
