//! The `plimsoll` command: arguments, commands, progress, exit codes.
//!
//! Only `main` exits. What was typed ([`args`]) becomes a plan ([`resolve`]); a command obeys it through the
//! seam to the engine ([`drive`]); results go to stdout, everything else to stderr.

mod args;
mod calibrate;
mod check;
mod completions;
mod demo;
mod drive;
mod exit;
mod identity;
mod import;
mod output;
mod planned;
mod progress;
mod redact;
mod resolve;
mod run;
mod script;
mod signals;
mod state;
mod stream;
mod suite;
mod usage;
mod what;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use args::{Cli, Command};
use exit::Exit;
use usage::Usage;

fn main() -> ExitCode {
    let outcome = match Cli::try_parse() {
        // Its exit code is its own.
        Ok(Cli { command: Command::Mind { words } }) => return plimsoll_target::mind(words.into_iter()),
        Ok(cli) => dispatch(cli.command),
        Err(error) => Ok(refuse(&error)),
    };
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) => {
            report(&error);
            Exit::Usage.into()
        }
    }
}

fn dispatch(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Run(args) => run::run(&args),
        Command::Check(args) => check::check(&args),
        Command::Import(args) => import::import(&args),
        Command::Calibrate(args) => calibrate::calibrate(&args),
        Command::Demo => demo::demo(),
        Command::Completions { shell } => completions::print(shell),
        Command::Mind { .. } => Ok(Exit::Passed),
        Command::Testkit(args) => plimsoll_testkit::serve(args).map(|()| Exit::Passed),
    }
}

/// Help and version go to stdout and are no error; the rest is clap's own complaint.
fn refuse(error: &clap::Error) -> Exit {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // Nobody is left to tell when stdout is closed.
        let _ = error.print();
        return Exit::Passed;
    }
    if asked_for_json() {
        let text = error.render().to_string();
        let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        output::error_object(&Usage::new(message, "`plimsoll --help` shows what is understood"));
    }
    let _ = error.print();
    Exit::Usage
}

/// Prints an error once, as its kind deserves.
fn report(error: &anyhow::Error) {
    let usage = match error.downcast_ref::<Usage>() {
        Some(usage) => usage.clone(),
        None => Usage::maybe(format!("{error:#}"), None),
    };
    if asked_for_json() {
        output::error_object(&usage);
    }
    output::error(&usage);
}

/// The flag itself is looked for, because what was typed may not have parsed.
fn asked_for_json() -> bool {
    std::env::args_os().take_while(|arg| arg != "--").any(|arg| arg == "--json")
}
