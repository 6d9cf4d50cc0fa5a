//! `plimsoll demo`: the tour, on a server of known truth that is started, driven and stopped here.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use anyhow::{Context, bail};
use clap::Parser;

use crate::args::{Cli, Command as Subcommand};
use crate::exit::Exit;
use crate::output;
use crate::run;

/// What the server does: exponential service of 20 ms on ten servers, so it carries 500 requests a second.
const PATH: &str = "/?service=exp:20ms&servers=10";
/// Half of what it carries, with objectives that leave room.
const FLAGS: [&str; 8] =
    ["--rate", "250/s", "-d", "15s", "--warmup", "1s", "--slo", "p50<50ms, p99<200ms, errors<0.1%"];

/// Shows the tool at work.
pub(crate) fn demo() -> anyhow::Result<Exit> {
    say("1. A server starts, as a process of its own. Its truth is known: ten workers,");
    say("   20 ms a request on average, so it carries 500 requests a second. By hand:");
    say("     plimsoll testkit --listen 127.0.0.1:8080");
    let server = Server::start()?;
    let url = format!("http://{}{PATH}", server.address);
    say("");
    say("2. `check` says what would be sent, and sends nothing. By hand:");
    say(&format!("     {}", by_hand("check")));
    say("");
    say("3. `run` asks 250 times a second for 15 seconds, whatever the server does,");
    say("   and compares the answers with three objectives. By hand:");
    say(&format!("     {}", by_hand("run")));
    say("");
    let mut exit = run_on(&url)?;
    if exit == Exit::Void {
        say("   This machine was busy with something else just then, and the result says so. Once more:\n");
        exit = run_on(&url)?;
    }
    drop(server);
    say("");
    say("4. The server has been stopped. Your turn: point `plimsoll run` at a service");
    say("   of yours, and raise the rate until an objective fails: just below that is");
    say("   its load line.");
    Ok(exit)
}

fn run_on(url: &str) -> anyhow::Result<Exit> {
    let typed = ["plimsoll", "run", url].into_iter().chain(FLAGS).chain(["--name", "demo: ten workers, half loaded"]);
    match Cli::try_parse_from(typed)?.command {
        Subcommand::Run(args) => run::run(&args),
        _ => bail!("the tour's own command line is wrong"),
    }
}

fn say(text: &str) {
    // The report follows on stdout, so the tour has to be there too, and in order.
    let _ = output::result(&format!("{text}\n"));
}

/// The command for a person who has started a server as the tour's first lines say.
fn by_hand(command: &str) -> String {
    let quoted = |word: &str| if word.contains([' ', '&', '<']) { format!("'{word}'") } else { word.to_owned() };
    let flags = FLAGS.iter().map(|flag| quoted(flag)).collect::<Vec<_>>().join(" ");
    format!("plimsoll {command} 'http://127.0.0.1:8080{PATH}' {flags}")
}

/// The testkit's server; stopped when dropped, and by itself should this process die.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start() -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("cannot find this program's own file")?;
        let mut child = Command::new(program)
            .args(["testkit", "--listen", "127.0.0.1:0", "--exit-with-parent"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start the testkit's server")?;
        let stdout = child.stdout.take();
        let mut server = Self { child, address: String::new() };
        server.address = address(stdout)?;
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to stop.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The address in the server's first line.
fn address(stdout: Option<ChildStdout>) -> anyhow::Result<String> {
    let mut line = String::new();
    let stdout = stdout.context("the testkit's server has no output")?;
    BufReader::new(stdout).read_line(&mut line).context("cannot read where the testkit's server listens")?;
    let address = line.split_whitespace().find_map(|word| {
        let word = word.trim_start_matches("http://").trim_end_matches(['/', ',', '.']);
        word.parse::<std::net::SocketAddr>().ok()
    });
    match address {
        Some(address) => Ok(address.to_string()),
        None => bail!("the testkit's server did not start: it said `{}`", line.trim()),
    }
}
