//! Several files and folders of them: each a journey, taken as often as chance by the seed has it.

use super::{Trial, passed};

fn trial() -> Trial {
    let trial = Trial::of("GET {{host}}/api/echo?j=flow\nHTTP 200\n");
    trial.write("more/b.hurl", "GET {{host}}/api/echo?j=b\nHTTP 200\n");
    trial.write("more/deep/c.hurl", "GET {{host}}/api/echo?j=c\nHTTP 200\n");
    trial.write("more/readme.md", "not for us");
    trial
}

fn times(trial: &Trial, journey: &str) -> usize {
    trial.lines().iter().filter(|line| line.ends_with(&format!("j={journey}"))).count()
}

#[test]
fn each_once_in_order() {
    let trial = trial();
    let ran = trial.ran("flow.hurl more");
    assert_eq!(passed(&ran), (3, 3));
    assert_eq!(trial.lines(), ["GET /api/echo?j=flow", "GET /api/echo?j=b", "GET /api/echo?j=c"]);
    let names: Vec<&str> =
        ran.json["journeys"].as_array().into_iter().flatten().filter_map(|j| j["name"].as_str()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
}

#[test]
fn under_load_by_equal_weights() {
    let counts = |seed: u32, threads: u32| {
        let trial = trial();
        let ran = trial.ran(&format!("flow.hurl more --rate 600/s -n 600 --seed {seed} --threads {threads}"));
        assert_eq!(passed(&ran), (600, 600));
        ["flow", "b", "c"].map(|journey| times(&trial, journey))
    };
    let first = counts(7, 1);
    // Two hundred each, and six standard deviations of a binomial around it.
    assert!(first.iter().all(|count| count.abs_diff(200) <= 70), "{first:?}");
    assert_eq!(first.iter().sum::<usize>(), 600);
    assert_eq!(first, counts(7, 2), "the seed decides, not the threads");
    assert_ne!(first, counts(8, 1));
}
