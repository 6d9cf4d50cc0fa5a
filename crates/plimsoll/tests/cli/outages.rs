//! A server that dies in the middle of a run and comes back.

use std::path::Path;

use plimsoll_model::{Outcome, Tick};

use crate::support::{Ran, Server, alone, finished, scratch, started, wait_until};

/// Twenty requests a second or so, whose answers take long beside the delays of a busy machine.
const LOADS: [&[&str]; 2] = [&["--rate", "20/s"], &["-c", "6", "--threads", "1"]];
const PATH: &str = "/?service=300ms";

/// The seconds that a `--stream` has told of so far.
fn ticks(stream: &Path) -> Vec<Tick> {
    let text = std::fs::read_to_string(stream).unwrap_or_default();
    text.split_inclusive('\n')
        .filter(|line| line.ends_with('\n'))
        .map(|line| serde_json::from_str(line).expect("a line is a tick"))
        .collect()
}

fn is_up(tick: &Tick) -> bool {
    tick.cells().any(|cell| cell.outcome == Outcome::Ok)
}

fn is_down(tick: &Tick) -> bool {
    !is_up(tick) && tick.cells().any(|cell| cell.outcome == Outcome::Connect)
}

#[test]
fn the_server_dies_and_comes_back_and_the_run_goes_on() {
    let _machine = alone();
    let (server, directory) = (Server::start(), scratch());
    let address = server.address.clone();
    let children = LOADS.iter().enumerate().map(|(index, load)| {
        let stream = format!("{index}.ticks");
        started(directory.path(), &server.url(PATH), &[load, &["-d", "6s", "--stream", &stream][..]].concat())
    });
    let children: Vec<_> = children.collect();
    let all = |holds: fn(&Tick) -> bool| {
        (0..LOADS.len()).all(|index| ticks(&directory.path().join(format!("{index}.ticks"))).iter().any(holds))
    };
    wait_until("both runs have answers", || all(is_up));
    drop(server);
    wait_until("both runs have a second without an answer", || all(is_down));
    let _server = Server::try_with(&["--listen", &address]).expect("the port is free again");
    for child in children {
        check(&Ran::from(&finished(child)));
    }
}

fn check(ran: &Ran) {
    assert_eq!(ran.codes("validity"), [""; 0], "a server that dies voids nothing: {:#}", ran.json);
    assert_eq!((ran.code, &ran.json["verdict"]), (0, &"none".into()), "{:#}", ran.json);
    assert!(ran.json["ended_by"].is_null());
    let findings = ran.codes("findings");
    assert!(findings.contains(&"restart") && !findings.contains(&"outage_at_end"), "{:#}", ran.json["findings"]);
    assert!(ran.count("/outcomes/connect") >= 3, "{:#}", ran.json["outcomes"]);
    assert!(ran.outcomes().iter().all(|(name, _)| ["ok", "connect", "reset"].contains(name)), "{:#}", ran.json);
    // Up, down, and up again, second by second.
    let (answered, failed) = (ran.series("answered"), ran.series("failed"));
    let down = answered.iter().zip(&failed).position(|(answered, failed)| *answered == 0.0 && *failed > 0.0);
    let down = down.expect("a second that shows the outage");
    assert!(answered[..down].iter().any(|answers| *answers > 0.0), "{answered:?}");
    assert!(answered[down..].iter().any(|answers| *answers > 0.0), "{answered:?}");
}

#[test]
fn a_server_that_stays_away() {
    let (server, directory) = (Server::start(), scratch());
    let args = ["--rate", "20/s", "-d", "4s", "--stream", "ticks", "--slo", "errors<1%"];
    let child = started(directory.path(), &server.url("/"), &args);
    wait_until("the run has answers", || ticks(&directory.path().join("ticks")).iter().any(is_up));
    drop(server);
    let ran = Ran::from(&finished(child));
    ran.assert_exit(1);
    assert!(ran.codes("findings").contains(&"outage_at_end"), "{:#}", ran.json["findings"]);
    assert_eq!(ran.count("/requests"), 80);
}
