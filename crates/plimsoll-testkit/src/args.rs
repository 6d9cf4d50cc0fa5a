//! The command line.

use crate::behaviour::Spec;
use crate::tls::TlsArgs;
use clap::ValueEnum;
use std::net::SocketAddr;
use std::path::PathBuf;

/// What to serve, and where.
#[derive(Debug, Clone, clap::Args)]
#[command(after_long_help = GRAMMAR)]
pub struct Args {
    /// Address to listen on; port 0 takes a free one
    #[arg(long, default_value = "127.0.0.1:0", value_name = "ADDRESS")]
    pub listen: SocketAddr,
    /// Listen on this unix socket instead
    #[arg(long, value_name = "PATH", conflicts_with = "listen")]
    pub unix: Option<PathBuf>,
    /// Threads, each with a listener of its own
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// End when standard input ends, so that no test leaves the server behind
    #[arg(long)]
    pub exit_with_parent: bool,
    /// Ignore unknown keys in queries, instead of answering 400
    #[arg(long)]
    pub lenient: bool,
    /// Speak HTTP/1.1 only
    #[arg(long)]
    pub no_http2: bool,
    /// Streams that a connection of HTTP/2 may have open at once
    #[arg(long, default_value = "100", value_name = "N", conflicts_with = "no_http2")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub h2_streams: u32,
    /// What happens to every connection before it has said anything
    #[arg(long, value_name = "WHAT")]
    pub on_accept: Option<OnAccept>,
    /// List the malformed answers and end
    #[arg(long)]
    pub list: bool,
    /// Whether and how connections are encrypted.
    #[command(flatten)]
    pub tls: TlsArgs,
    /// What paths do that do not say it themselves.
    #[command(flatten)]
    pub defaults: Spec,
}

const GRAMMAR: &str = "\
Paths:
  /any/path?KEY=VALUE&…  the behaviour options above are the defaults of every path, and
                         keys of the query override them: /x?service=exp:2ms&servers=4
                         Equal keys share one queue, limit, freeze and random stream,
                         across paths, connections and threads; `queue=NAME` separates them,
                         `tag=ANYTHING` makes targets differ and changes nothing
  /bad/NAME              a malformed answer; /bad lists them, and so does --list
  /echo                  the request as it came
  /stats                 what was served, as JSON; neither it nor /health is counted
  /health                ok

Order of things: flows (503) → limit, limit-share (429) → at-most (503) → waiting for a server,
service, thief, metastable → error and bad by lot → freeze → the answer.";

/// What happens to a connection that has just been accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnAccept {
    /// It is reset
    Reset,
    /// It is closed
    Close,
    /// Nothing is ever said to it
    Silence,
    /// It gets an answer that nobody asked for, and is served as usual
    Unsolicited,
    /// It gets half a ServerHello, and then nothing (with `--tls`)
    TlsStall,
    /// It gets garbage where a ServerHello should be, and then nothing (with `--tls`)
    TlsGarbage,
}

impl OnAccept {
    /// Whether it comes before encryption, or instead of it.
    pub(crate) fn is_bare(self) -> bool {
        self != Self::Unsolicited
    }

    /// Whether it makes sense only where TLS is spoken.
    pub(crate) fn wants_tls(self) -> bool {
        matches!(self, Self::TlsStall | Self::TlsGarbage)
    }
}
