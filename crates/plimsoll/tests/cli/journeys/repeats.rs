//! The same seed sends the same, whatever the threads: seen by the server.

use super::{Trial, passed};

const TELLING: &str = "GET {{host}}/api/echo?first={{newUuid}}\nX-Id: {{newUuid}}\nHTTP 200\n\
                       GET {{host}}/api/echo?second={{newUuid}}\nHTTP 200\n";

/// Everything that was sent, sorted: in which order it arrives is up to the network.
fn sent(load: &str, seed: u32, threads: u32) -> Vec<(String, Option<String>)> {
    let trial = Trial::of(TELLING);
    let ran = trial.ran(&format!("flow.hurl {load} --seed {seed} --threads {threads}"));
    let (passed, total) = passed(&ran);
    assert!(passed == total && total > 0, "{:?}", ran.reasons());
    let mut all: Vec<_> = trial.lines().into_iter().zip(trial.headers("x-id")).collect();
    all.sort();
    all
}

#[test]
fn every_arrival_sends_the_same() {
    let load = "--rate 200/s -n 50";
    let once = sent(load, 1, 1);
    assert_eq!(once.len(), 100);
    assert_eq!(once, sent(load, 1, 1));
    assert_eq!(once, sent(load, 1, 2));
    assert_ne!(once, sent(load, 2, 1));
}

#[test]
fn every_iteration_of_a_user_sends_the_same() {
    // As many flows as users: each begins one before the first answer can come.
    let load = "-c 8 -n 8";
    let once = sent(load, 1, 1);
    assert_eq!(once.len(), 16);
    assert_eq!(once, sent(load, 1, 2));
    assert_ne!(once, sent(load, 2, 2));
    // How far a user gets is up to the target; what it sends on the way is not.
    let further = sent("-c 8 -n 80", 1, 2);
    assert!(once.iter().all(|one| further.contains(one)));
}
