//! `plimsoll run`: drive load as asked, print what came of it.

use std::io;

use plimsoll_model::{Outcome, Run};
use plimsoll_report::Style;

use crate::args::{OutputArgs, PlanArgs, RunArgs};
use crate::drive::{Ready, Stopper};
use crate::exit::Exit;
use crate::output;
use crate::progress::Progress;
use crate::resolve::{Asked, Machine, resolve};
use crate::signals;
use crate::stream::{Stream, is_stdout};
use crate::suite;
use crate::usage::Usage;
use crate::what::What;

/// Drives, prints, and says how to exit.
pub(crate) fn run(args: &RunArgs) -> anyhow::Result<Exit> {
    refuse_two_results(&args.output)?;
    if let What::Plan(path) = What::of(&args.plan.what)? {
        return suite::run(&path, args);
    }
    let (run, report) = drive(&args.plan, &args.output)?;
    print(&run, report, &args.output)?;
    explain_silence(&run);
    Ok(Exit::of(&run))
}

/// Says why nothing came back, if nothing did.
pub(crate) fn explain_silence(run: &Run) {
    if Exit::of(run) == Exit::Unanswered {
        output::error(&unanswered(run));
    }
}

/// How a run becomes text.
pub(crate) type Report = fn(&Run, Style) -> String;

/// From what was typed to the judged run, and how people read it.
fn drive(args: &PlanArgs, output: &OutputArgs) -> anyhow::Result<(Run, Report)> {
    let asked = resolve(args, &Machine::here())?;
    let stopper = Stopper::new();
    signals::obey(stopper.clone())?;
    obey(asked, output, &stopper)
}

/// Makes one run, and judges it.
pub(crate) fn obey(asked: Asked, output: &OutputArgs, stopper: &Stopper) -> anyhow::Result<(Run, Report)> {
    let mut stream = Stream::open(output.stream.as_deref())?;
    let ready = Ready::prepare(asked)?.with_log(output.log.as_deref())?;
    if !output.quiet {
        ready.notes().iter().for_each(|note| output::note(&format!("note: {note}")));
    }
    let report = if ready.is_once() { plimsoll_report::once } else { plimsoll_report::text };
    let mut progress = Progress::new(ready.plan(), output.quiet);
    let run = ready.run(stopper, &mut |pulse| {
        stream.write(pulse.tick);
        progress.show(pulse);
    });
    progress.clear();
    Ok((run, report))
}

/// Prints a run as it was asked for.
pub(crate) fn print(run: &Run, report: Report, output: &OutputArgs) -> anyhow::Result<()> {
    if output.json {
        return output::result(&(serde_json::to_string_pretty(run)? + "\n"));
    }
    if streams_to_stdout(output) {
        // Stdout is lines of JSON now; text among them would break whoever reads them.
        output::text_on_stderr(&report(run, output::style(&io::stderr())));
        return Ok(());
    }
    output::result(&report(run, output::style(&io::stdout())))
}

/// Whether the ticks take stdout.
pub(crate) fn streams_to_stdout(output: &OutputArgs) -> bool {
    output.stream.as_deref().is_some_and(is_stdout)
}

fn refuse_two_results(output: &OutputArgs) -> Result<(), Usage> {
    if output.json && output.stream.as_deref().is_some_and(is_stdout) {
        let message = "`--json` and `--stream -` both want stdout";
        return Err(Usage::new(message, "give the stream a file: `--stream ticks.jsonl`"));
    }
    Ok(())
}

/// What to say when nothing at all came back.
fn unanswered(run: &Run) -> Usage {
    let reason = run.reasons.first().map_or_else(String::new, |reason| format!(": {}", reason.text));
    Usage::new(format!("not one request was answered{reason}"), unanswered_hint(run))
}

/// A server that was reached is running: what to try then follows from what it did, which the judge has said.
fn unanswered_hint(run: &Run) -> String {
    let unreached = run.outcomes[Outcome::Connect] + run.outcomes[Outcome::Dropped] == run.requests;
    let said = run.findings.iter().find(|finding| finding.code == "no_success").filter(|_| !unreached);
    said.map_or_else(
        || format!("is the server running, and does it listen where `{}` points?", run.target.url),
        |finding| finding.hint.clone(),
    )
}
