//! `plimsoll run PLAN`: what is around the runs is started, each run of the plan is made, and everything is put away.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use plimsoll_model::Run;
use plimsoll_model::run::{ProcessFacts, Remark, Verdict};
use plimsoll_target::{Begun, Program, Stage};
use serde::Serialize;

use crate::args::{OutputArgs, RunArgs};
use crate::drive::Stopper;
use crate::exit::Exit;
use crate::output;
use crate::planned::{self, Planned, Told};
use crate::resolve::Machine;
use crate::run;
use crate::signals;
use crate::usage::Usage;

/// How often a pause looks whether it was interrupted.
const LOOK: Duration = Duration::from_millis(50);

/// `plimsoll.suite/1`.
#[derive(Debug, Serialize)]
struct Suite {
    schema: &'static str,
    name: String,
    verdict: Verdict,
    runs: Vec<Run>,
}

/// Reads a plan and makes its runs.
pub(crate) fn run(path: &Path, args: &RunArgs) -> anyhow::Result<Exit> {
    let machine = Machine::here();
    let planned = Planned::read(path, &args.plan, &machine)?;
    let runs = planned.runs();
    refuse_one_file_for_several(&args.output, runs.len())?;
    // What is wrong is said before anything is started.
    let placeholders = planned.placeholders();
    for run in &runs {
        run.ask(&placeholders, &machine)?;
    }
    let stopper = Stopper::new();
    signals::obey(stopper.clone())?;
    let around = Around::start(&planned, &stopper, args.output.quiet)?;
    let made = make(&runs, &around, &stopper, &machine, args);
    around.finish();
    conclude(&planned, made?, args)
}

/// What was started around the runs.
struct Around {
    begun: Option<Begun>,
    told: Vec<Told>,
}

impl Around {
    fn start(planned: &Planned, stopper: &Stopper, quiet: bool) -> anyhow::Result<Self> {
        let Some((surroundings, url)) = planned::surroundings(planned)? else {
            return Ok(Self { begun: None, told: Vec::new() });
        };
        let program = Program { path: std::env::current_exe()?, words: vec!["mind".to_owned()] };
        let mut tell = |stage: Stage<'_>| {
            if !quiet {
                output::note(&said(&stage));
            }
        };
        let begun = plimsoll_target::start(surroundings, &url, &program, &|| stopper.is_stopped(), &mut tell);
        let begun = begun.map_err(|failed| {
            failed.after.iter().for_each(|error| output::note(&format!("warning: {error}")));
            Usage::maybe(failed.error.to_string(), failed.error.hint().map(str::to_owned))
        })?;
        let told = begun.variables().iter().map(|variable| Told {
            name: variable.name.clone(),
            value: variable.value.clone(),
            secret: variable.secret,
        });
        Ok(Self { told: told.collect(), begun: Some(begun) })
    }

    /// What is to be said of the processes after a run.
    fn tell(&self, run: &mut Run) {
        let Some(begun) = &self.begun else { return };
        for (name, ending, said) in begun.ended() {
            run.findings.push(Remark {
                code: "process_ended",
                detail: format!("the process `{name}` ended by itself with {ending}{said}"),
                hint: "what was answered after that was answered by nobody, or by somebody else".to_owned(),
            });
        }
        let used = begun.used();
        run.target.processes = begun
            .facts()
            .zip(used)
            .map(|(facts, (_, used))| ProcessFacts {
                name: facts.name.clone(),
                program: facts.program.as_ref().map(|path| path.display().to_string()),
                cpus: facts.cpus.clone(),
                ready_after_s: facts.ready_after.as_secs_f64(),
                cpu_s: used.cpu_s,
                rss_bytes: used.rss_bytes,
            })
            .collect();
    }

    fn finish(self) {
        for error in self.begun.map(Begun::finish).unwrap_or_default() {
            output::note(&format!("warning: {error}"));
        }
    }
}

fn said(stage: &Stage<'_>) -> String {
    match stage {
        Stage::Running(hook) => format!("running `{}`", hook.label),
        Stage::Starting(process) => format!("starting `{}`", process.name),
        Stage::Ready(facts) => format!("`{}` is ready after {:.1} s", facts.name, facts.ready_after.as_secs_f64()),
    }
}

/// All runs, up to the one that is interrupted.
fn make(
    runs: &[Planned],
    around: &Around,
    stopper: &Stopper,
    machine: &Machine,
    args: &RunArgs,
) -> anyhow::Result<Vec<Run>> {
    let mut made = Vec::new();
    for run in runs {
        pause(run.pause(), stopper);
        if stopper.is_stopped() {
            break;
        }
        if runs.len() > 1 && !args.output.quiet {
            output::note(&format!("run {} of {}: {}", made.len() + 1, runs.len(), run.name()));
        }
        let (mut result, report) = run::obey(run.ask(&around.told, machine)?, &args.output, stopper)?;
        around.tell(&mut result);
        if !args.output.json && !run::streams_to_stdout(&args.output) {
            run::print(&result, report, &args.output)?;
        }
        made.push(result);
    }
    Ok(made)
}

fn pause(length: Duration, stopper: &Stopper) {
    let end = Instant::now() + length;
    while Instant::now() < end && !stopper.is_stopped() {
        thread::sleep(LOOK.min(end.saturating_duration_since(Instant::now())));
    }
}

fn conclude(planned: &Planned, made: Vec<Run>, args: &RunArgs) -> anyhow::Result<Exit> {
    let exit = made.iter().map(Exit::of).max_by_key(|exit| exit.weight()).unwrap_or(Exit::Interrupted);
    let is_suite = planned.is_suite();
    if let (false, [run]) = (is_suite, made.as_slice()) {
        if args.output.json || run::streams_to_stdout(&args.output) {
            run::print(run, plimsoll_report::text, &args.output)?;
        }
        run::explain_silence(run);
        return Ok(exit);
    }
    if args.output.json {
        let verdict = verdict(&made);
        let suite = Suite { schema: "plimsoll.suite/1", name: planned.name(), verdict, runs: made };
        output::result(&(serde_json::to_string_pretty(&suite)? + "\n"))?;
    } else {
        output::result(&plimsoll_report::suite(&planned.name(), &made, output::style(&std::io::stdout())))?;
    }
    Ok(exit)
}

/// The worst of all verdicts.
fn verdict(runs: &[Run]) -> Verdict {
    let all = || runs.iter().map(|run| run.verdict);
    [Verdict::Fail, Verdict::Invalid, Verdict::Pass]
        .into_iter()
        .find(|one| all().any(|verdict| verdict == *one))
        .unwrap_or(Verdict::None)
}

fn refuse_one_file_for_several(output: &OutputArgs, runs: usize) -> Result<(), Usage> {
    if runs > 1 && (output.log.is_some() || output.stream.is_some()) {
        let flag = if output.log.is_some() { "--log" } else { "--stream" };
        return Err(Usage::new(
            format!("`{flag}` has one file, and this plan is {runs} runs"),
            "leave it out, or run one scenario by a plan of its own",
        ));
    }
    Ok(())
}
