//! What is typed against what it means, as tables.

use std::time::Duration;

use clap::Parser;
use plimsoll_model::{Http, Load, Plan, Scheme, Tls, TlsVersion, Trust};

use super::*;
use crate::args::{Cli, Command};

fn resolved(line: &[&str]) -> Result<Plan, Usage> {
    let words = ["plimsoll", "run"].iter().chain(line);
    match Cli::try_parse_from(words).expect("clap understands it").command {
        Command::Run(args) => resolve(&args.plan, &Machine::for_tests()).map(|asked| asked.plan),
        _ => unreachable!("the command is `run`"),
    }
}

#[track_caller]
fn plan(line: &[&str]) -> Plan {
    resolved(line).unwrap_or_else(|error| panic!("{line:?}: {error}"))
}

/// Each complaint names its flag, and has a hint.
#[track_caller]
fn refused(line: &[&str], message: &str) {
    let mut typed = vec!["localhost"];
    typed.extend(line);
    let error = resolved(&typed).expect_err("it is nonsense");
    assert_eq!(error.to_string(), message);
    assert!(error.hint().is_some(), "{message}");
}

#[track_caller]
fn load(line: &[&str], model: &str, shape: &str, after_s: Option<u64>) {
    let mut typed = vec!["localhost"];
    typed.extend(line);
    let plan = plan(&typed);
    assert_eq!((plan.load.model(), plan.load.shape().to_string()), (model, shape.to_owned()), "{line:?}");
    assert_eq!(plan.stop.after, after_s.map(Duration::from_secs), "{line:?}");
}

#[test]
fn loads() {
    load(&[], "closed", "10 for 10s", Some(10));
    load(&["-c", "50", "-d", "30s"], "closed", "50 for 30s", Some(30));
    load(&["-c", "1k", "-n", "10k"], "closed", "1000", None);
    load(&["--rate", "200/s"], "open", "200 for 10s", Some(10));
    load(&["--rate", "60/m", "-n", "5"], "open", "1", None);
    load(&["--shape", "10/s for 30s, ramp to 60/s over 2m"], "open", "10 for 30s, 10 to 60 over 2m", None);
    load(&["--shape", "20 users, spawn 10/s"], "closed", "0 to 20 over 2s, 20", Some(12));
}

#[test]
fn the_cap_on_requests_in_flight_follows_the_descriptor_limit() {
    let cap = |line: &[&str]| match plan(line).load {
        Load::Open(open) => open.in_flight_max,
        Load::Closed(_) => panic!("the load is open"),
    };
    assert_eq!(cap(&["localhost", "--rate", "1/s"]), 960);
    assert_eq!(cap(&["localhost", "--rate", "1/s", "--max-in-flight", "7"]), 7);
}

#[test]
fn bad_loads_are_refused() {
    refused(&["-c", "0"], "`-c 0`: without a user nothing would be sent");
    refused(&["-c", "-1"], "`-c`: `-1` is not a whole number");
    refused(&["--rate", "200"], "`--rate`: `200` is not a rate with a unit");
    refused(&["--rate", "0/s"], "`--rate 0/s`: nothing would ever be sent");
    refused(&["--rate", "1/s", "-c", "1"], "`-c` and `--rate` ask for two different loads");
    refused(&["--rate", "1/s", "--shape", "1/s for 1s"], "`--rate` and `--shape` ask for two different loads");
    refused(&["-c", "2", "--shape", "1/s for 1s"], "`-c` and `--shape` ask for two different loads");
    refused(&["-d", "30"], "`-d`: `30` is not a duration with a unit");
    refused(&["-d", "0s"], "`-d 0s`: it must be longer than nothing");
    refused(&["-n", "0"], "`-n 0`: at least 1 is needed");
    refused(&["--threads", "0"], "`--threads 0`: at least 1 is needed");
    refused(
        &["--think", "1s", "--rate", "1/s"],
        "`--think` belongs to the closed model, and this load is a rate that waits for nobody",
    );
    refused(&["--arrivals", "poisson"], "`--arrivals` belongs to the open model, and this load is users who wait");
    refused(&["--arrivals", "odd", "--rate", "1/s"], "`--arrivals`: `odd` is not a way to space arrivals");
    refused(&["--warmup", "10s"], "`--warmup`: it is as long as the whole run, so nothing would be measured");
    refused(&["--abort", "often"], "`--abort`: `often` is not an abort rule");
    refused(&["--seed", "x"], "`--seed`: `x` is not a whole number from 0 to 2^64 − 1");
    refused(
        &["--rate", "1000000000/s"],
        "`--rate`: 1000000000 is more than any one machine can offer (at most 100000000)",
    );
    refused(&["--shape", "10/s for"], "`--shape`: `10/s for` is not a rate with a unit");
}

#[track_caller]
fn target(url: &str, shown: &str, host: &str, port: u16, path: &str) {
    let target = plan(&[url]).target;
    assert_eq!((target.url.as_str(), target.host.as_str(), target.port), (shown, host, port));
    assert_eq!(target.path, path);
}

#[test]
fn targets() {
    target("localhost:8080/x", "http://localhost:8080/x", "localhost", 8080, "/x");
    target("HTTP://Example.COM", "http://example.com/", "example.com", 80, "/");
    target("http://[::1]:81/?q=1#top", "http://[::1]:81/?q=1", "::1", 81, "/?q=1");
    target("http://b\u{fc}cher.example/", "http://xn--bcher-kva.example/", "xn--bcher-kva.example", 80, "/");
    target("127.0.0.1:9/a b", "http://127.0.0.1:9/a%20b", "127.0.0.1", 9, "/a%20b");
    target("u:p@h/?token=1", "http://h/?token=[redacted]", "h", 80, "/?token=1");
}

#[track_caller]
fn bad_url(url: &str, message: &str) {
    let error = resolved(&[url]).expect_err("it is no URL");
    assert_eq!(error.to_string(), message);
    assert!(error.hint().is_some());
}

#[test]
fn bad_urls_are_refused_and_show_no_password() {
    bad_url("", "the URL is empty");
    bad_url("ftp://h/", "`ftp://h/`: `ftp` is not a scheme that is understood");
    bad_url("http://", "`http://`: empty host");
    bad_url("u:p@h:99999", "`h:99999`: invalid port number");
    bad_url("http://h:0/", "`http://h:0/`: port 0 cannot be connected to");
    bad_url("plan.toml", "`plan.toml`: there is no such file");
    bad_url("a.hurl", "`a.hurl`: there is no such file");
}

#[test]
fn requests() {
    let request = plan(&["u:p%40@localhost/a?b", "-H", "A: b", "-H", "Empty;"]).request;
    assert_eq!((request.method.as_str(), request.label.as_str()), ("GET", "GET /a"));
    let headers: Vec<_> = request.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(headers, [("A", "b"), ("Empty", ""), ("Authorization", "Basic dTpwQA==")]);
}

#[test]
fn a_password_may_come_from_the_environment() {
    let request = plan(&["localhost", "-u", "ada:env:SECRET"]).request;
    assert_eq!(request.headers[0].1, plimsoll_http::basic_auth("ada:swordfish"));
}

#[test]
fn data_implies_post_and_a_type() {
    let request = plan(&["localhost", "--data", "{}"]).request;
    assert_eq!((request.method.as_str(), request.body.as_slice()), ("POST", b"{}".as_slice()));
    assert_eq!(request.headers[0].1, "application/json");
    let request = plan(&["localhost", "--data", "a=b", "-X", "PUT", "-H", "content-type: text/plain"]).request;
    assert_eq!((request.method.as_str(), request.headers.len()), ("PUT", 1));
}

#[test]
fn bad_requests_are_refused() {
    refused(&["-H", "no-colon"], "`-H`: a header needs a name, a colon and a value");
    refused(&["-u", "ada"], "`-u`: the password is missing");
    refused(&["-u", "ada:env:NONE"], "`-u ada:env:NONE`: there is no environment variable `NONE`");
    refused(
        &["-u", "a:b", "-H", "authorization: x"],
        "`-H 'Authorization: …'` and credentials in `-u` or the URL contradict each other",
    );
    refused(&["--data", "a", "--data-file", "b"], "`--data` and `--data-file` are two bodies");
    refused(&["--data", "@/none"], "`--data @/none`: there is no such file");
    refused(&["--data-file", "/"], "`--data-file /`: it is a directory");
    refused(&["-X", "CONNECT"], "`-X CONNECT`: it opens a tunnel and has no answer to measure");
}

#[track_caller]
fn name_resolves(entry: &str, address: &str) {
    let transport = plan(&["h:8080", "--resolve", entry]).transport;
    assert_eq!(transport.resolve, [("h".to_owned(), address.parse().expect("a valid address"))]);
}

#[test]
fn names_resolve_as_asked() {
    name_resolves("h:127.0.0.1", "127.0.0.1:8080");
    name_resolves("H:8080:127.0.0.1", "127.0.0.1:8080");
    name_resolves("h:127.0.0.1:9", "127.0.0.1:9");
    name_resolves("h:[::1]", "[::1]:8080");
    name_resolves("h:::1", "[::1]:8080");
    name_resolves("h:8080:[::1]", "[::1]:8080");
}

#[test]
fn bad_connections_are_refused() {
    refused(&["--resolve", "h"], "`--resolve h`: expected a host and an address");
    refused(&["--resolve", "h:1.1.1.1"], "`--resolve`: `h` is never looked up, only `localhost` is");
    refused(
        &["--resolve", "localhost:81:127.0.0.1"],
        "`--resolve localhost:81:127.0.0.1`: the URL's port is 80, not 81",
    );
    refused(&["--unix-socket", "/none"], "`--unix-socket /none`: there is no such socket");
    refused(&["--unix-socket", "/"], "`--unix-socket /`: it is not a socket");
    refused(&["--proxy", "https://p"], "`--proxy https://p`: proxies are spoken to in the clear");
    refused(&["--local-addr", "127.0.0.1,x"], "`--local-addr`: `x` is not an address");
    refused(&["--timeout", "0s"], "`--timeout 0s`: it must be longer than nothing");
    refused(&["--follow", "1000"], "`--follow 1000`: at most 100 are followed");
}

#[test]
fn streams_and_connections() {
    #[track_caller]
    fn http2(args: &[&str], streams: u32, connections: Option<u32>) {
        let http = plan(&[&["localhost", "--http2"], args].concat()).transport.http;
        assert_eq!(http, Http::Two { streams_max: streams, connections_max: connections }, "{args:?}");
    }
    http2(&[], 100, None);
    http2(&["-c", "64", "--streams", "16"], 16, None);
    http2(&["-c", "64", "--connections", "4"], 16, Some(4));
    http2(&["-c", "65", "--connections", "4"], 17, Some(4));
    http2(&["--rate", "9/s", "--connections", "2", "--streams", "3"], 3, Some(2));
    let open = plan(&["localhost", "--http2", "--rate", "9/s", "--connections", "2", "--streams", "3"]);
    assert_eq!(open.load.in_flight_max(), 6, "what the connections have room for");
    assert_eq!(plan(&["localhost", "--http2", "--connections", "1", "--threads", "8"]).threads, 1);
    refused(
        &["--http2", "-c", "9", "--connections", "2", "--streams", "4"],
        "9 users do not fit on `--connections 2` of `--streams 4`",
    );
    refused(&["--http2", "--proxy", "p:1"], "`--http2` cannot go through a proxy in the clear");
    refused(&["--tls", "1.3"], "`--tls` means nothing to a target that is spoken to in the clear");
}

#[test]
fn tls() {
    let tls = plan(&["https://h/", "-k", "--tls", "1.3", "--server-name", "a.example", "--tls-resume"]);
    assert_eq!((tls.target.port, tls.target.scheme), (443, Scheme::Https));
    let tls = tls.transport.tls;
    assert_eq!((tls.trust, tls.version, tls.resume), (Trust::Anyone, Some(TlsVersion::V1_3), true));
    assert_eq!(plan(&["https://h/"]).transport.tls, Tls::default());
    let error = resolved(&["https://h/", "--tls", "1.1"]).expect_err("too old");
    assert_eq!(error.to_string(), "`--tls 1.1`: it is not a version of TLS that is spoken here");
}

#[test]
fn a_proxy_keeps_its_credentials_to_itself() {
    let proxy = plan(&["localhost", "--proxy", "u:p@proxy:3128"]).transport.proxy.expect("a proxy");
    assert_eq!((proxy.host.as_str(), proxy.port), ("proxy", 3128));
    assert_eq!(proxy.authorization, Some(plimsoll_http::basic_auth("u:p")));
}

#[test]
fn judgement() {
    let plan =
        plan(&["localhost", "--slo", "p99<1s", "--slo", "errors<1%", "--expect", "429,503", "--within", "50ms,1s"]);
    assert_eq!((plan.objectives.len(), plan.expect.as_slice(), plan.within.len()), (2, [429, 503].as_slice(), 2));
    refused(&["--slo", ""], "`--slo`: it names no objective");
    refused(&["--slo", "p99"], "`--slo`: `p99` is not an objective");
    refused(&["--expect", "200"], "`--expect`: `200` is not a status from 400 to 599");
    refused(&["--within", "5"], "`--within`: `5` is not a duration with a unit");
}
