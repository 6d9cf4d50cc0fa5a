//! The command line is sound, its help reads well, and its examples are real.

use clap::{CommandFactory, Parser};

use super::*;

#[test]
fn the_command_line_is_sound() {
    Cli::command().debug_assert();
}

fn help(path: &[&str]) -> String {
    // A fixed width, whatever terminal the tests run in.
    let mut command = Cli::command().term_width(100);
    command.build();
    let mut command = &mut command;
    for name in path {
        command = command.find_subcommand_mut(name).expect("there is such a command");
    }
    command.render_help().to_string()
}

#[test]
fn help_of_the_tool() {
    insta::assert_snapshot!(help(&[]), @"
    Load-test an HTTP API, with numbers that tell the truth

    Usage: plimsoll <COMMAND>

    Commands:
      run          Drive load as asked, and print what came of it
      check        Explain what `run` would send, and send nothing
      import       Turn what another tool left behind into a plan and Hurl files that run
      calibrate    Measure what this machine can do as a load generator, in under a minute
      demo         The tour: start a server of known truth, drive it, read the result
      completions  Print a completion script for your shell
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help     Print help
      -V, --version  Print version

    Examples:
      plimsoll demo                                         a tour, in half a minute
      plimsoll run http://127.0.0.1:8080/ -c 50 -d 30s      50 users for 30 seconds
      plimsoll run http://127.0.0.1:8080/ --rate 200/s --slo 'p99<200ms'

    Exit codes: 0 passed, or nothing to judge; 1 measured and failed; 2 bad usage
    or plan; 3 not one request was answered; 4 measured but void; 130 interrupted,
    partial result kept.
    ");
}

#[test]
fn help_of_run() {
    insta::assert_snapshot!(help(&["run"]), @r#"
    Drive load as asked, and print what came of it

    Usage: plimsoll run [OPTIONS] [URL|FILE]...

    Arguments:
      [URL|FILE]...  A URL (`http://` may be left out), Hurl files or folders of them, a plan (`.toml`),
                     or a list of vegeta's targets

    Options:
      -h, --help     Print help
      -V, --version  Print version

    Load:
      -c, --users <N>          Closed model: this many users, each waits for its answer before it asks
                               again [default: 10]
      -r, --rate <RATE>        Open model: requests become due at this rate, whatever the server does
                               (`200/s`, `90/m`)
          --shape <SHAPE>      Load over time: `10/s for 30s, ramp to 60/s over 2m, hold 1m, spike 300/s
                               for 5s`, or `1500 users, spawn 200/s`
      -d, --duration <TIME>    How long requests become due, warm-up included [default: 10s, or as long
                               as the shape]
      -n, --requests <N>       End after this many requests (`10000`, `10k`); of journeys, after so many
                               flows
          --warmup <TIME>      The first part of the run, left out of every figure
          --arrivals <HOW>     Open model: how arrivals are spaced: `even`, `poisson`, or `bursts:10ms`
                               (all that are due in 10 ms at once) [default: even]
          --max-in-flight <N>  Open model: what would exceed this many requests in flight is dropped,
                               and counted [default: 10000, or as many as the descriptor limit allows]
          --think <TIME>       Each user pauses this long between an answer and its next request
          --abort <RULE>       Give up when it has been this bad for this long: `errors > 50% for 10s`
          --seed <N>           Seed of every random stream; the same unless given, so that a run can be
                               repeated [default: 1]
          --threads <N>        Generator threads [default: the cores this process may run on]

    Request:
      -X, --method <METHOD>       The method [default: GET, or POST with data]
      -H, --header <HEADER>       A header, `Name: value`; may be given several times
      -u, --user <USER:PASSWORD>  Basic credentials, `user:password`; `user:env:NAME` takes the password
                                  from the environment
          --data <TEXT>           A body; `@FILE` reads it from a file. JSON is sent as JSON and the
                                  rest as a form, unless -H says otherwise
          --data-file <FILE>      A body, byte for byte as in this file
          --compressed            Ask for compressed answers, and decode them
          --follow <N>            Follow up to so many redirects of one request

    Connection:
          --fresh                      A new connection for each request, instead of keeping them alive
          --timeout <TIME>             For the whole exchange: connecting, sending, the answer's last
                                       byte [default: 30s]
          --connect-timeout <TIME>     For making one connection
          --first-byte-timeout <TIME>  From the last byte sent to the first byte of the answer
          --resolve <HOST:ADDRESS>     Use this address for a name: `host:address`, `host:port:address`
                                       or `host:address:port`
          --unix-socket <PATH>         Connect to this socket instead of the URL's host and port
          --proxy <URL>                Send through this HTTP proxy
          --local-addr <ADDRESS>       Connect from these addresses in turn, to have more ports
          --http2                      Speak HTTP/2: agreed on over TLS (ALPN), by prior knowledge over
                                       http://
          --streams <N>                HTTP/2: at most this many requests at once on one connection; the
                                       server may allow fewer [default: 100, or the users divided by
                                       --connections]
          --connections <N>            HTTP/2: at most this many connections [default: as many as the
                                       streams need]

    TLS:
      -k, --insecure            Accept any certificate of the server's
          --cacert <FILE>       Trust the authorities in this PEM file, and not the system's
          --cert <FILE>         Show this client certificate (PEM), if the server asks for one
          --key <FILE>          The client certificate's private key (PEM)
          --server-name <NAME>  Ask for the server by this name (SNI), and expect it in its certificate
                                [default: the URL's host]
          --tls <VERSION>       Speak this version of TLS only: `1.2` or `1.3` [default: the better one
                                that the server has]
          --tls-resume          New connections resume the session of an earlier one, as a returning
                                visitor's do; without it each makes a full handshake

    Judgement:
          --slo <OBJECTIVES>  What must hold: `p99<200ms, errors<0.1%`; may be given several times
          --expect <STATUS>   Statuses that are the refusal we want: no errors, and left out of the
                              objectives' quantiles
          --within <TIME>     Report the share of requests that were answered well within these times
          --name <NAME>       What to call the run [default: the URL]

    Journeys and plans:
          --variable <NAME=VALUE>  A variable of the journeys: `host=http://127.0.0.1:8080`;
                                   `name=env:NAME` takes it from the environment, as a secret
          --secret <NAME=VALUE>    The same, and the value is never shown
          --variables-file <FILE>  Variables from a file with lines of `name=value`
          --set <KEY=VALUE>        Override a key of the plan: `load.shape="10/s for 1m"`,
                                   `journey.0.weight=3`

    Output:
          --json           Print one JSON object instead of text
          --stream <FILE>  Write each second as a line of JSON while the run lasts; `-` is stdout
          --log <FILE>     Write a line for each request
      -q, --quiet          No progress and no notes: only the result

    Examples:
      plimsoll run localhost:8080/health                    10 users for 10 seconds
      plimsoll run localhost:8080/ -c 50 -n 10k             50 users, ten thousand requests
      plimsoll run localhost:8080/ --rate 200/s -d 1m --slo 'p99<200ms, errors<0.1%'
      plimsoll run localhost:8080/ --shape '10/s for 30s, ramp to 60/s over 2m, hold 1m'
      plimsoll run localhost:8080/ --data '{"name": "Ada"}' -H 'Accept: */*'

    Closed or open? Users who wait (-c) slow down with the server, and so hide
    what it does to those who do not wait. A rate (--rate) keeps asking as the
    world does: response time then runs from when a request was due.
    "#);
}

#[test]
fn help_of_check_has_the_same_flags_as_run() {
    let flags = |name| {
        let command = Cli::command();
        let command = command.find_subcommand(name).expect("there is such a command");
        command.get_arguments().map(|arg| arg.get_id().to_string()).collect::<Vec<_>>()
    };
    let beside_its_own = flags("check").into_iter().filter(|flag| flag != "schema").collect::<Vec<_>>();
    assert_eq!(flags("run"), beside_its_own);
}

#[test]
fn the_examples_are_understood() {
    let lines = [examples::TOP, examples::RUN, examples::CHECK, examples::IMPORT, examples::CALIBRATE]
        .iter()
        .flat_map(|text| text.lines());
    let examples: Vec<_> = lines.filter(|line| line.starts_with("  plimsoll ")).collect();
    assert!(examples.len() >= 8);
    for example in examples {
        let cli = Cli::try_parse_from(words(cut_comment(example))).unwrap_or_else(|error| panic!("{example}: {error}"));
        if let Command::Run(RunArgs { plan, .. }) | Command::Check(CheckArgs { plan, .. }) = cli.command {
            crate::resolve::resolve(&plan, &crate::resolve::Machine::for_tests()).expect(example);
        }
    }
}

/// What stands before the columns of explanation.
fn cut_comment(example: &str) -> &str {
    example.trim().split("   ").next().unwrap_or(example)
}

/// Words as a shell would split them, single quotes only.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.iter_mut().last().expect("never empty").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
