//! Flows in paused time: when their requests are due, what the end of load does to them, how they are counted.

use std::time::Duration;

use plimsoll_journey::{
    Act, Assert, Comparison, Count, Expected, Journey, Needs, Number, Operand, Options, Place, Predicate, Query,
    RequestTemplate, Script, Session, Setting, Step, Template, Think, Value,
};
use plimsoll_model::{Incident, Outcome, Plan};

use super::{SECOND, waits_then_answers};
use crate::rehearsal::{self, OK, Outcomes, answers, closed, open, rehearse_flows, rehearse_panic, rehearse_stopped};
use crate::schedule::Slice;

pub(super) const WHOLE: Slice = Slice { index: 0, of: 1 };
const MS: Duration = Duration::from_millis(1);

/// A step that wants 200.
pub(super) fn step(url: Template, options: Options) -> Step {
    let ok = Predicate { not: false, comparison: Comparison::Equals(status(200)) };
    let wanted = Assert {
        query: Query::Status,
        filters: vec![],
        predicate: ok,
        place: Place::default(),
        source: "HTTP 200".to_owned(),
    };
    let expected = Expected { asserts: vec![wanted], captures: vec![] };
    Step {
        label: "GET /".to_owned(),
        place: Place::default(),
        request: RequestTemplate { method: "GET".to_owned(), url, ..RequestTemplate::default() },
        needs: Needs::of(&expected, &options),
        options,
        expected,
    }
}

fn status(status: i64) -> Operand {
    Operand::Fixed(Value::Number(Number::Integer(status)))
}

pub(super) fn act(steps: Vec<Step>) -> Act {
    let journey = Journey { name: "flow".to_owned(), steps };
    Act { journey, weight: 1.0, think: None, feed: None, every: None, session: Session::Keep }
}

/// Steps to `/0`, `/1` and so on, each with its options.
fn steps<const N: usize>(options: [Options; N]) -> Act {
    let one = |(nth, options)| step(Template::text(&format!("http://scripted/{nth}")), options);
    act(options.into_iter().enumerate().map(one).collect())
}

fn script(act: Act) -> Script {
    Script { acts: vec![act], ..Script::default() }
}

fn plain() -> Options {
    Options::default()
}

fn delayed(delay: Duration) -> Options {
    Options { delay: Some(Setting::Fixed(delay)), ..plain() }
}

fn play(plan: Plan, act: Act, servers: &[Vec<rehearsal::Act>]) -> Outcomes {
    rehearse_flows(plan, script(act), WHOLE, servers)
}

/// Flows that passed, that failed, and the longest of each in milliseconds.
fn flows(seen: &Outcomes) -> (u64, u64, Option<u64>, Option<u64>) {
    let mut all = Vec::new();
    for tick in seen.ticks.iter().filter(|tick| !tick.warmup) {
        plimsoll_model::FlowTick::merge_all(&mut all, &tick.flows);
    }
    let flow = all.pop().unwrap_or_default();
    let ms = |ns: u64| ns / 1_000_000;
    (flow.passed.len(), flow.failed.len(), flow.passed.max().map(ms), flow.failed.max().map(ms))
}

#[test]
fn pauses_run_from_the_end_of_an_answer() {
    let act = Act { think: Some(Think::Constant(SECOND)), ..steps([plain(), delayed(500 * MS)]) };
    let seen = play(closed("1 user for 4s", None), act, &[waits_then_answers(100 * MS, 9)]);
    assert_eq!(seen.heard_ms, [0, 1600, 2700], "answer, pause, delay; answer, pause");
    assert_eq!(flows(&seen), (1, 0, Some(1700), None), "the pause after the last answer is not the flow's");
    assert_eq!((seen.last.flows_cut, seen.connections), (1, 1));
}

#[test]
fn a_pace_is_kept_from_beginning_to_beginning() {
    let act = Act { every: Some(SECOND), ..steps([plain(), plain()]) };
    let seen = play(closed("1 user for 3s", None), act, &[waits_then_answers(200 * MS, 9)]);
    assert_eq!(seen.heard_ms, [0, 200, 1000, 1200, 2000, 2200]);
    // Who takes longer than the pace begins at once.
    let act = Act { every: Some(SECOND / 2), ..steps([plain(), plain()]) };
    let seen = play(closed("1 user for 2s", None), act, &[waits_then_answers(400 * MS, 9)]);
    assert_eq!(seen.heard_ms, [0, 400, 800, 1200, 1600]);
}

#[test]
fn a_step_is_made_again_until_its_asserts_hold() {
    let busy = b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n";
    let retry =
        |interval| Options { retry: Some(Setting::Fixed(Count::Times(3))), retry_interval: interval, ..plain() };
    let server = [answers(2, busy), answers(1, OK)].concat();
    let act = steps([retry(Some(Setting::Fixed(250 * MS)))]);
    let mut seen = play(closed("1 user", Some(1)), act, std::slice::from_ref(&server));
    assert_eq!(seen.heard_ms, [0, 250, 500]);
    assert_eq!((seen.count(Outcome::ServerError), seen.count(Outcome::Ok)), (2, 1));
    assert_eq!(flows(&seen), (1, 0, Some(500), None));
    let seen = play(closed("1 user", Some(1)), steps([retry(None)]), &[server]);
    assert_eq!(seen.heard_ms, [0, 1000, 2000]);
    let seen = play(closed("1 user", Some(1)), steps([retry(None), plain()]), &[answers(9, busy)]);
    assert_eq!((seen.heard_ms.len(), flows(&seen)), (4, (0, 1, None, Some(3000))), "three more times, then no more");
}

#[test]
fn steps_are_left_out_and_repeated() {
    let skipped = Options { skip: Some(Setting::Fixed(true)), ..plain() };
    let twice = Options { repeat: Some(Setting::Fixed(Count::Times(2))), ..delayed(100 * MS) };
    let act = steps([plain(), skipped, twice]);
    let seen = play(closed("1 user", Some(1)), act, &[answers(9, OK)]);
    let lines: Vec<&str> = seen.heard.iter().filter_map(|heard| heard.split(' ').nth(1)).collect();
    assert_eq!((lines, seen.heard_ms), (vec!["/0", "/2", "/2"], vec![0, 100, 200]));
}

#[test]
fn a_step_that_goes_wrong_ends_its_flow() {
    let missing = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
    let server = [answers(1, OK), answers(1, missing)].concat().repeat(9);
    let mut seen = play(closed("1 user", Some(2)), steps([plain(), plain(), plain()]), &[server]);
    assert_eq!((seen.count(Outcome::Ok), seen.count(Outcome::ClientError)), (2, 2));
    assert_eq!(flows(&seen), (0, 2, None, Some(0)));
    assert_eq!(seen.last.failures.len(), 1, "the second step's");
}

#[test]
fn arrivals_are_carried_to_their_end() {
    // Two flows are due within the second of load, and each takes three.
    let mut seen = play(open(2.0, 1.0, 10), steps([plain(), plain(), plain()]), &[waits_then_answers(SECOND, 9)]);
    assert_eq!(seen.heard_ms, [0, 500, 1000, 1500, 2000, 2500]);
    assert_eq!((flows(&seen), seen.last.flows_cut), ((2, 0, Some(3000), None), 0));
    assert_eq!((seen.count(Outcome::Ok), seen.last.unfinished), (6, 0));
}

#[test]
fn arrivals_are_carried_no_further_than_a_time_out() {
    let seen = play(open(2.0, 1.0, 10), steps([plain(), delayed(5900 * MS)]), &[answers(9, OK)]);
    assert_eq!(
        (seen.heard_ms.clone(), seen.last.flows_cut),
        (vec![0, 500, 5900], 1),
        "due 6.4 s is 5.4 s after the end"
    );
    assert_eq!(flows(&seen).0, 1);
}

#[test]
fn after_a_stop_nothing_new_is_sent() {
    for plan in [open(1.0, 60.0, 10), closed("1 user for 60s", None)] {
        let act = steps([plain(), plain(), plain()]);
        let seen = rehearse_stopped(plan, script(act), 500 * MS, &[waits_then_answers(300 * MS, 9)]);
        assert_eq!((seen.heard_ms.clone(), seen.last.flows_cut, seen.last.unfinished), (vec![0, 300], 1, 0));
    }
    // Not even by the flows that load's end would leave to go on.
    let act = steps([plain(), plain(), plain()]);
    let seen = rehearse_stopped(open(1.0, 1.0, 10), script(act), 1100 * MS, &[waits_then_answers(600 * MS, 9)]);
    assert_eq!((seen.heard_ms.clone(), seen.last.flows_cut), (vec![0, 600], 1));
}

#[test]
fn users_are_cut_when_load_ends() {
    let seen =
        play(closed("2 users for 2s", None), steps([plain(), plain(), plain()]), &[waits_then_answers(SECOND, 9)]);
    assert_eq!(seen.heard_ms, [0, 0, 1000, 1000]);
    assert_eq!((flows(&seen), seen.last.flows_cut), ((0, 0, None, None), 2));
    assert_eq!(seen.last.unfinished, 0);
}

#[test]
fn the_cap_counts_flows_also_while_they_pause() {
    let act = steps([plain(), delayed(2 * SECOND)]);
    let mut seen = play(open(10.0, 1.0, 2), act, &[answers(9, OK)]);
    assert_eq!((seen.count(Outcome::Ok), seen.count(Outcome::Dropped)), (4, 8));
    assert_eq!(flows(&seen), (2, 8, Some(2000), Some(5000)), "dropped flows waited the whole time-out");
    assert_eq!(seen.heard_ms, [0, 100, 2000, 2100]);
}

#[test]
fn a_flow_belongs_to_the_phase_it_was_due_in_and_a_request_to_its_own() {
    let mut plan = open(2.0, 2.0, 10);
    plan.warmup = SECOND;
    // Due at 0, 0.5, 1 and 1.5 s, each with a second request 0.7 s later.
    let seen = play(plan, steps([plain(), delayed(700 * MS)]), &[answers(9, OK)]);
    assert_eq!(flows(&seen).0, 2);
    let ended = |warmup| seen.ticks.iter().filter(|tick| tick.warmup == warmup).map(plimsoll_model::Tick::ended).sum();
    assert_eq!((ended(true), ended(false)), (3_u64, 5_u64), "the second request of the flow due at 0.5 s is measured");
}

#[test]
fn a_fresh_session_has_connections_of_its_own() {
    for (session, connections) in [(Session::Keep, 1), (Session::Fresh, 3)] {
        let act = Act { session, ..steps([plain(), plain()]) };
        let seen = play(closed("1 user", Some(3)), act, &[answers(9, OK)]);
        assert_eq!((seen.heard.len(), seen.connections), (6, connections), "{session:?}");
    }
}

#[test]
fn a_panic_ends_the_run_and_is_told() {
    for plan in [closed("3 users for 60s", None), open(1.0, 60.0, 10)] {
        let seen = rehearse_panic(plan, script(steps([plain()])), &[answers(9, OK)]);
        assert_eq!(seen.last.incidents.count(Incident::Panicked), 1);
        assert!(seen.last.load_end < 1_000_000_000, "it ended at {} ns", seen.last.load_end);
        assert_eq!(seen.heard.len(), 0);
    }
}
