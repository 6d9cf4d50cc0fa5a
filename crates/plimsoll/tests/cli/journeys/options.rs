//! How a step is performed: again, several times, not at all, later, for no longer than so long.

use super::{Trial, passed};

#[test]
fn a_poll_is_made_again_until_it_is_done() {
    let trial = Trial::of(
        "GET {{host}}/api/poll?key=k&ready_after=4\n[Options]\nretry: 5\nretry-interval: 10ms\nHTTP 200\n\
         [Asserts]\njsonpath \"$.ready\" == true\n\nGET {{host}}/api/echo\nHTTP 200\n",
    );
    let ran = trial.passes();
    assert_eq!((trial.seen().len(), ran.count("/requests")), (5, 5));
    assert_eq!(ran.outcomes(), [("ok", 5)], "an answer that is asked for again is no failure");
    let trial =
        Trial::of("GET {{host}}/api/poll?key=k&ready_after=9\n[Options]\nretry: 2\nretry-interval: 1ms\nHTTP 200\n");
    let failure = trial.fails();
    assert_eq!((trial.seen().len(), failure["actual"].as_str()), (3, Some("integer <202>")), "{failure:#}");
}

#[test]
fn steps_are_repeated_left_out_and_delayed() {
    let trial = Trial::of(
        "GET {{host}}/api/echo?n=1\n[Options]\nrepeat: 3\nHTTP 200\n\
         GET {{host}}/api/echo?n=2\n[Options]\nskip: true\n\
         GET {{host}}/api/echo?n=3\n[Options]\nvariable: wait=300\ndelay: {{wait}}\nHTTP 200\n",
    );
    let ran = trial.passes();
    let times = |n: &str| trial.lines().iter().filter(|line| line.ends_with(n)).count();
    assert_eq!((times("n=1"), times("n=2"), times("n=3")), (3, 0, 1));
    assert!(ran.figure("/journeys/0/flow_ms/max") >= 300.0, "the delay is part of the flow");
    assert!(ran.figure("/steps/2/response_ms/max") < 300.0, "and of no request");
}

#[test]
fn a_variable_may_hold_any_setting() {
    let trial = Trial::of("GET {{host}}/api/echo\n[Options]\nrepeat: {{times}}\nskip: {{no}}\nHTTP 200\n");
    let ran = trial.ran("flow.hurl --variable times=2 --variable no=false");
    assert_eq!((passed(&ran), trial.seen().len()), ((1, 1), 2));
    // What only the run can know is told at the step, and nothing is sent.
    let ran = trial.ran("flow.hurl --variable times=often --variable no=false");
    assert_eq!((passed(&ran), trial.seen().len()), ((0, 1), 2), "{:?}", ran.reasons());
    assert_eq!(ran.json["failures"][0]["expected"], "integer", "{:#}", ran.json["failures"]);
}

#[test]
fn a_step_has_a_time_out_of_its_own() {
    let trial =
        Trial::of("GET {{host}}/slow?service=30s\n[Options]\nmax-time: 200ms\nHTTP 200\nGET {{host}}/api/echo\n");
    let ran = trial.ran("flow.hurl -c 1 -n 1");
    assert_eq!((passed(&ran), ran.outcomes()), ((0, 1), vec![("timeout", 1)]));
    assert!(trial.seen().is_empty(), "the rest of the flow is not gone through");
}

#[test]
fn a_server_that_dies_on_the_way_ends_the_flow() {
    for (path, outcome) in [("/bad/close", "reset"), ("/bad/truncated-body", "reset")] {
        let trial = Trial::of(&format!(
            "GET {{{{host}}}}/api/echo?n=1\nGET {{{{host}}}}{path}\nGET {{{{host}}}}/api/echo?n=3\n"
        ));
        let ran = trial.ran("flow.hurl -c 1 -n 2");
        assert_eq!((passed(&ran), trial.seen().len()), ((0, 2), 2), "{path} {:?}", ran.reasons());
        assert_eq!(ran.outcomes(), [("ok", 2), (outcome, 2)], "{path}");
    }
}

#[test]
fn a_journey_whose_steps_are_all_left_out_went_well() {
    let trial = Trial::of("GET {{host}}/api/echo\n[Options]\nskip: true\nHTTP 500\n");
    let ran = trial.ran("flow.hurl");
    assert_eq!((passed(&ran), ran.count("/requests")), ((1, 1), 0));
    ran.assert_exit(0);
    assert!(trial.seen().is_empty());
}

#[test]
fn a_flow_has_its_pauses_at_any_rate() {
    let trial = Trial::of("GET {{host}}/api/echo?n=1\nHTTP 200\nGET {{host}}/api/echo?n=2\nHTTP 200\n");
    let ran = trial.ran("flow.hurl --rate 50/s -n 3 --think 200ms");
    assert_eq!(passed(&ran), (3, 3));
    assert!(
        ran.figure("/journeys/0/flow_ms/max") >= 200.0,
        "the pause is part of the flow: {:#}",
        ran.json["journeys"]
    );
}
