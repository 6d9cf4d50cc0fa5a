//! What was typed: flags and their help, nothing decided yet.
//!
//! Values stay text here; [`crate::resolve`] turns them into a plan, so that every complaint about a value
//! names its flag and says what to type instead. The doc comments are the help.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

mod examples;

/// Load-test an HTTP API, with numbers that tell the truth.
#[derive(Debug, Parser)]
#[command(name = "plimsoll", version, propagate_version = true, max_term_width = 110, after_help = examples::TOP)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Drive load as asked, and print what came of it
    #[command(after_help = examples::RUN)]
    Run(RunArgs),
    /// Explain what `run` would send, and send nothing
    #[command(after_help = examples::CHECK)]
    Check(CheckArgs),
    /// Turn what another tool left behind into a plan and Hurl files that run
    #[command(after_help = examples::IMPORT)]
    Import(ImportArgs),
    /// Measure what this machine can do as a load generator, in under a minute
    #[command(after_help = examples::CALIBRATE)]
    Calibrate(CalibrateArgs),
    /// The tour: start a server of known truth, drive it, read the result
    Demo,
    /// Print a completion script for your shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions {
        /// Which shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Stands between a run and a process that its plan starts, so that none is left behind
    #[command(hide = true)]
    Mind {
        /// What to mind
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// A server of known truth, to point load at
    #[command(hide = true)]
    Testkit(plimsoll_testkit::Args),
}

/// `plimsoll run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// `plimsoll check`: the same flags, so that `run` can be replaced by `check` in any command.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Print the JSON Schema of plan files, for editors
    #[arg(long)]
    pub(crate) schema: bool,
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// `plimsoll import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// What it is: a curl command as browsers copy it, a HAR recording, vegeta's targets, an OpenAPI document, a Postman
    /// collection
    #[arg(value_parser = ["curl", "har", "vegeta", "openapi", "postman"])]
    pub(crate) format: String,
    /// Where it is; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// A curl command, word by word
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
    /// Write the plan and its `journeys/` into this folder [default: named after the source]
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
    /// Replace files that are there already
    #[arg(long)]
    pub(crate) force: bool,
    /// What to call the plan [default: what the source calls itself]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// HAR: keep images, fonts, style sheets and scripts
    #[arg(long)]
    pub(crate) assets: bool,
    /// HAR: keep the pauses between requests
    #[arg(long)]
    pub(crate) delays: bool,
    /// HAR: keep requests to other hosts, which will then receive load
    #[arg(long)]
    pub(crate) other_hosts: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plimsoll calibrate`.
#[derive(Debug, Args)]
pub(crate) struct CalibrateArgs {
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Only print the result: later runs go on citing the calibration before, if there is one
    #[arg(long)]
    pub(crate) no_keep: bool,
    /// No progress and no notes: only the result
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// A few seconds instead of most of a minute, and figures that are less certain
    #[arg(long, hide = true)]
    pub(crate) quick: bool,
}

/// Everything that makes a plan.
#[derive(Debug, Clone, Args)]
pub(crate) struct PlanArgs {
    /// A URL (`http://` may be left out), Hurl files or folders of them, a plan (`.toml`), or a list of vegeta's targets
    #[arg(value_name = "URL|FILE")]
    pub(crate) what: Vec<String>,
    #[command(flatten)]
    pub(crate) load: LoadArgs,
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    #[command(flatten)]
    pub(crate) connection: ConnectionArgs,
    #[command(flatten)]
    pub(crate) tls: TlsArgs,
    #[command(flatten)]
    pub(crate) judgement: JudgementArgs,
    #[command(flatten)]
    pub(crate) variables: VariableArgs,
}

/// What journeys and plans are given.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Journeys and plans")]
pub(crate) struct VariableArgs {
    /// A variable of the journeys: `host=http://127.0.0.1:8080`; `name=env:NAME` takes it from the environment, as a secret
    #[arg(long = "variable", value_name = "NAME=VALUE")]
    pub(crate) variables: Vec<String>,
    /// The same, and the value is never shown
    #[arg(long = "secret", value_name = "NAME=VALUE")]
    pub(crate) secrets: Vec<String>,
    /// Variables from a file with lines of `name=value`
    #[arg(long, value_name = "FILE")]
    pub(crate) variables_file: Option<PathBuf>,
    /// Override a key of the plan: `load.shape="10/s for 1m"`, `journey.0.weight=3`
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) sets: Vec<String>,
}

/// How much, when, until when.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Load")]
pub(crate) struct LoadArgs {
    /// Closed model: this many users, each waits for its answer before it asks again [default: 10]
    #[arg(short = 'c', long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) users: Option<String>,
    /// Open model: requests become due at this rate, whatever the server does (`200/s`, `90/m`)
    #[arg(short = 'r', long, value_name = "RATE", allow_hyphen_values = true)]
    pub(crate) rate: Option<String>,
    /// Load over time: `10/s for 30s, ramp to 60/s over 2m, hold 1m, spike 300/s for 5s`, or `1500 users, spawn 200/s`
    #[arg(long, value_name = "SHAPE")]
    pub(crate) shape: Option<String>,
    /// How long requests become due, warm-up included [default: 10s, or as long as the shape]
    #[arg(short, long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) duration: Option<String>,
    /// End after this many requests (`10000`, `10k`); of journeys, after so many flows
    #[arg(short = 'n', long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) requests: Option<String>,
    /// The first part of the run, left out of every figure
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) warmup: Option<String>,
    /// Open model: how arrivals are spaced: `even`, `poisson`, or `bursts:10ms` (all that are due in 10 ms at once) [default: even]
    #[arg(long, value_name = "HOW")]
    pub(crate) arrivals: Option<String>,
    /// Open model: what would exceed this many requests in flight is dropped, and counted [default: 10000, or as many as
    /// the descriptor limit allows]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) max_in_flight: Option<String>,
    /// Each user pauses this long between an answer and its next request
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) think: Option<String>,
    /// Give up when it has been this bad for this long: `errors > 50% for 10s`
    #[arg(long, value_name = "RULE")]
    pub(crate) abort: Option<String>,
    /// Seed of every random stream; the same unless given, so that a run can be repeated [default: 1]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) seed: Option<String>,
    /// Generator threads [default: the cores this process may run on]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) threads: Option<String>,
}

/// What is sent.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Request")]
pub(crate) struct RequestArgs {
    /// The method [default: GET, or POST with data]
    #[arg(short = 'X', long, value_name = "METHOD")]
    pub(crate) method: Option<String>,
    /// A header, `Name: value`; may be given several times
    #[arg(short = 'H', long = "header", value_name = "HEADER")]
    pub(crate) headers: Vec<String>,
    /// Basic credentials, `user:password`; `user:env:NAME` takes the password from the environment
    #[arg(short = 'u', long, value_name = "USER:PASSWORD")]
    pub(crate) user: Option<String>,
    /// A body; `@FILE` reads it from a file. JSON is sent as JSON and the rest as a form, unless -H says otherwise
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) data: Option<String>,
    /// A body, byte for byte as in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) data_file: Option<PathBuf>,
    /// Ask for compressed answers, and decode them
    #[arg(long)]
    pub(crate) compressed: bool,
    /// Follow up to so many redirects of one request
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) follow: Option<String>,
}

/// How it gets there.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Connection")]
pub(crate) struct ConnectionArgs {
    /// A new connection for each request, instead of keeping them alive
    #[arg(long)]
    pub(crate) fresh: bool,
    /// For the whole exchange: connecting, sending, the answer's last byte [default: 30s]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) timeout: Option<String>,
    /// For making one connection
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) connect_timeout: Option<String>,
    /// From the last byte sent to the first byte of the answer
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) first_byte_timeout: Option<String>,
    /// Use this address for a name: `host:address`, `host:port:address` or `host:address:port`
    #[arg(long, value_name = "HOST:ADDRESS")]
    pub(crate) resolve: Vec<String>,
    /// Connect to this socket instead of the URL's host and port
    #[arg(long, value_name = "PATH")]
    pub(crate) unix_socket: Option<PathBuf>,
    /// Send through this HTTP proxy
    #[arg(long, value_name = "URL")]
    pub(crate) proxy: Option<String>,
    /// Connect from these addresses in turn, to have more ports
    #[arg(long, value_name = "ADDRESS", value_delimiter = ',')]
    pub(crate) local_addr: Vec<String>,
    /// Speak HTTP/2: agreed on over TLS (ALPN), by prior knowledge over http://
    #[arg(long)]
    pub(crate) http2: bool,
    /// HTTP/2: at most this many requests at once on one connection; the server may allow fewer [default: 100, or the
    /// users divided by --connections]
    #[arg(long, value_name = "N", allow_hyphen_values = true, requires = "http2")]
    pub(crate) streams: Option<String>,
    /// HTTP/2: at most this many connections [default: as many as the streams need]
    #[arg(long, value_name = "N", allow_hyphen_values = true, requires = "http2")]
    pub(crate) connections: Option<String>,
}

/// How https is spoken.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "TLS")]
pub(crate) struct TlsArgs {
    /// Accept any certificate of the server's
    #[arg(short = 'k', long)]
    pub(crate) insecure: bool,
    /// Trust the authorities in this PEM file, and not the system's
    #[arg(long, value_name = "FILE")]
    pub(crate) cacert: Option<PathBuf>,
    /// Show this client certificate (PEM), if the server asks for one
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(crate) cert: Option<PathBuf>,
    /// The client certificate's private key (PEM)
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub(crate) key: Option<PathBuf>,
    /// Ask for the server by this name (SNI), and expect it in its certificate [default: the URL's host]
    #[arg(long, value_name = "NAME")]
    pub(crate) server_name: Option<String>,
    /// Speak this version of TLS only: `1.2` or `1.3` [default: the better one that the server has]
    #[arg(long, value_name = "VERSION")]
    pub(crate) tls: Option<String>,
    /// New connections resume the session of an earlier one, as a returning visitor's do; without it each makes a
    /// full handshake
    #[arg(long)]
    pub(crate) tls_resume: bool,
}

/// What the run is held to, and called.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Judgement")]
pub(crate) struct JudgementArgs {
    /// What must hold: `p99<200ms, errors<0.1%`; may be given several times
    #[arg(long, value_name = "OBJECTIVES")]
    pub(crate) slo: Vec<String>,
    /// Statuses that are the refusal we want: no errors, and left out of the objectives' quantiles
    #[arg(long, value_name = "STATUS", value_delimiter = ',')]
    pub(crate) expect: Vec<String>,
    /// Report the share of requests that were answered well within these times
    #[arg(long, value_name = "TIME", value_delimiter = ',')]
    pub(crate) within: Vec<String>,
    /// What to call the run [default: the URL]
    #[arg(long)]
    pub(crate) name: Option<String>,
}

/// Where results go.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Write each second as a line of JSON while the run lasts; `-` is stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) stream: Option<PathBuf>,
    /// Write a line for each request
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// No progress and no notes: only the result
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[cfg(test)]
mod tests;
