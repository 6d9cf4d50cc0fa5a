//! Completion scripts.

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::args::Cli;
use crate::exit::Exit;
use crate::output;

/// Prints the script for `shell`.
pub(crate) fn print(shell: Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), "plimsoll", &mut script);
    output::result_bytes(&script)?;
    Ok(Exit::Passed)
}
