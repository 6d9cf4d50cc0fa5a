//! The examples at the end of each help text. They are run by a test, so that they cannot rot.

pub(super) const TOP: &str = "\
Examples:
  plimsoll demo                                         a tour, in half a minute
  plimsoll run http://127.0.0.1:8080/ -c 50 -d 30s      50 users for 30 seconds
  plimsoll run http://127.0.0.1:8080/ --rate 200/s --slo 'p99<200ms'

Exit codes: 0 passed, or nothing to judge; 1 measured and failed; 2 bad usage
or plan; 3 not one request was answered; 4 measured but void; 130 interrupted,
partial result kept.";

pub(super) const RUN: &str = "\
Examples:
  plimsoll run localhost:8080/health                    10 users for 10 seconds
  plimsoll run localhost:8080/ -c 50 -n 10k             50 users, ten thousand requests
  plimsoll run localhost:8080/ --rate 200/s -d 1m --slo 'p99<200ms, errors<0.1%'
  plimsoll run localhost:8080/ --shape '10/s for 30s, ramp to 60/s over 2m, hold 1m'
  plimsoll run localhost:8080/ --data '{\"name\": \"Ada\"}' -H 'Accept: */*'

Closed or open? Users who wait (-c) slow down with the server, and so hide
what it does to those who do not wait. A rate (--rate) keeps asking as the
world does: response time then runs from when a request was due.";

pub(super) const CHECK: &str = "\
Takes the flags of `run`: change one word of a command to see what it would do.

Example:
  plimsoll check http://127.0.0.1:8080/x --rate 200/s -d 1m --slo 'p99<200ms'";

pub(super) const IMPORT: &str = "\
Nothing is sent. Secrets are not written down: they become variables that are
read from the environment, and what was left out is said. A file that is there
already is never replaced unless --force says so.

Examples:
  plimsoll import har shop.har                          into shop/
  plimsoll import openapi petstore.yaml -o plans/petstore
  plimsoll import vegeta - -o plans/checkout            from standard input
  plimsoll import curl -- curl -H 'Accept: text/html' http://127.0.0.1:8080/";

pub(super) const CALIBRATE: &str = "\
Loads a server of its own on loopback, with the engine that `run` uses, and
says which results can be believed on this machine and what spoils them. The
result is kept in ~/.local/state/plimsoll; later runs cite it.

Examples:
  plimsoll calibrate
  plimsoll calibrate --json --no-keep";

pub(super) const COMPLETIONS: &str = "\
Examples:
  plimsoll completions bash > ~/.local/share/bash-completion/completions/plimsoll
  plimsoll completions zsh > ~/.zfunc/_plimsoll
  plimsoll completions fish > ~/.config/fish/completions/plimsoll.fish";
