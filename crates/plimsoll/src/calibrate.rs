//! `plimsoll calibrate`: what this machine can do as a load generator, kept for the runs that come after.

use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use plimsoll_calibrate::{CalibrateError, Naming, Program, Setting, Stage, calibrate as measure};
use plimsoll_model::{Calibration, date};

use crate::args::CalibrateArgs;
use crate::drive::Stopper;
use crate::exit::Exit;
use crate::progress::CLEAR;
use crate::usage::Usage;
use crate::{identity, output, signals, state};

/// Measures, keeps, prints.
pub(crate) fn calibrate(args: &CalibrateArgs) -> anyhow::Result<Exit> {
    let stopper = Stopper::new();
    signals::obey(stopper.clone())?;
    let calibration = match calibrated(args, &stopper) {
        Ok(calibration) => calibration,
        Err(CalibrateError::Interrupted) => {
            output::note("interrupted: a calibration that is not whole says nothing, so nothing was kept");
            return Ok(Exit::Interrupted);
        }
        Err(error) => return Err(refused(error).into()),
    };
    if !args.no_keep {
        keep(&calibration, args.quiet);
    }
    if args.json {
        output::result(&(serde_json::to_string_pretty(&calibration)? + "\n"))?;
    } else {
        output::result(&plimsoll_report::calibration(&calibration, output::style(&io::stdout())))?;
    }
    Ok(Exit::Passed)
}

fn calibrated(args: &CalibrateArgs, stopper: &Stopper) -> Result<Calibration, CalibrateError> {
    let path = std::env::current_exe().map_err(CalibrateError::Spawn)?;
    let program = Program { path, words: vec!["testkit".to_owned()] };
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let naming = Naming {
        id: identity::run_id(),
        at: date::rfc3339(u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX)),
        tool: identity::tool(),
    };
    let shown = !args.quiet && output::rewrites_lines();
    let measured = measure(&Setting { program, quick: args.quick }, stopper, &mut |stage| {
        if shown {
            write(&format!("{CLEAR}{}", line(stage)));
        }
    });
    if shown {
        write(CLEAR);
    }
    Ok(measured?.named(naming))
}

/// A calibration that cannot be kept has still been printed.
fn keep(calibration: &Calibration, quiet: bool) {
    match state::keep(calibration) {
        Ok(path) if !quiet => output::note(&format!("kept in `{}`, for later runs to cite", path.display())),
        Ok(_) => {}
        Err(error) => output::note(&format!("warning: later runs cannot cite it: {error:#}")),
    }
}

fn line(stage: Stage) -> String {
    format!("{}/{} {} …", stage.number, stage.of, stage.name)
}

fn write(text: &str) {
    // Progress that nobody can see is no loss.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// An error's `Display` leaves out its source, and the source is what helps.
fn refused(error: CalibrateError) -> Usage {
    let hint = error.hint();
    Usage::maybe(format!("{:#}", anyhow::Error::from(error)), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_is_one_short_line() {
        assert_eq!(line(Stage { number: 2, of: 6, name: "latency floor: one user" }), "2/6 latency floor: one user …");
    }
}
