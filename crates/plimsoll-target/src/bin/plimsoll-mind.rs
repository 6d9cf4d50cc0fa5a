//! A minder on its own, for the tests of this crate. The program has it as a hidden command.

use std::process::ExitCode;

fn main() -> ExitCode {
    plimsoll_target::mind(std::env::args_os().skip(1))
}
