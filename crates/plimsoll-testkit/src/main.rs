//! The testkit by itself, so that any load generator can be pointed at it.

use clap::Parser;

/// Serve scripted answers of HTTP/1.1 and HTTP/2 whose truth is known
#[derive(Parser)]
#[command(name = "plimsoll-testkit", version)]
struct Command {
    #[command(flatten)]
    args: plimsoll_testkit::Args,
}

fn main() -> anyhow::Result<()> {
    plimsoll_testkit::serve(Command::parse().args)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_sound() {
        super::Command::command().debug_assert();
    }
}
