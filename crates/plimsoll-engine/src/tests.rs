//! The worker's behaviour, seen from outside: scripted servers, paused time, exact figures.

mod flows;
mod repeats;

use std::time::Duration;

use plimsoll_model::{Load, Outcome};

use crate::rehearsal::{Act, OK, answers, closed, open, rehearse, rehearse_with};

const SECOND: Duration = Duration::from_secs(1);

fn waits_then_answers(wait: Duration, count: usize) -> Vec<Act> {
    (0..count).flat_map(|_| [Act::Hear, Act::Wait(wait), Act::Say(OK)]).collect()
}

#[test]
fn one_user_keeps_one_connection() {
    let mut seen = rehearse(closed("1 user", Some(5)), &[answers(9, OK)]);
    assert_eq!((seen.count(Outcome::Ok), seen.connections, seen.reconnects()), (5, 1, 0));
    assert_eq!(seen.total.body_bytes, 10);
}

#[test]
fn fresh_means_a_connection_for_each_request() {
    let mut plan = closed("1 user", Some(3));
    plan.transport.fresh = true;
    let mut seen = rehearse(plan, &[answers(9, OK)]);
    assert_eq!((seen.count(Outcome::Ok), seen.connections, seen.reconnects()), (3, 3, 0));
    assert!(seen.heard[0].contains("Connection: close\r\n"));
}

#[test]
fn a_kept_connection_that_was_closed_is_replaced_and_counted() {
    let mut seen = rehearse(closed("1 user", Some(6)), &[answers(2, OK)]);
    assert_eq!((seen.count(Outcome::Ok), seen.connections, seen.reconnects()), (6, 3, 2));
}

#[test]
fn a_redirect_to_nobody_is_a_failed_connection() {
    let mut plan = closed("1 user", Some(2));
    plan.transport.fresh = true;
    plan.transport.follow_max = 1;
    // The redirect leads to a port where nobody listens.
    let away = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 3\r\n\r\nbye";
    let mut seen = rehearse(plan, &[answers(1, away)]);
    assert_eq!((seen.count(Outcome::Connect), seen.total.body_bytes), (2, 6));
}

#[test]
fn a_post_that_met_a_closing_connection_is_not_sent_twice() {
    // The server hears the second request and closes: whether it acted on it, nobody knows.
    let mut script = answers(1, OK);
    script.push(Act::Hear);
    let mut plan = closed("1 user", Some(2));
    plan.request.method = "POST".to_owned();
    let mut seen = rehearse(plan, &[script]);
    assert_eq!((seen.count(Outcome::Ok), seen.count(Outcome::Reset)), (1, 1));
    assert_eq!(seen.heard.len(), 2);
}

#[test]
fn a_get_that_met_a_closing_connection_is_sent_once_more() {
    let mut script = answers(1, OK);
    script.push(Act::Hear);
    let mut seen = rehearse(closed("1 user", Some(2)), &[script, answers(1, OK)]);
    assert_eq!((seen.count(Outcome::Ok), seen.reconnects(), seen.heard.len()), (2, 1, 3));
}

#[test]
fn bytes_after_an_answer_end_the_connection() {
    let two = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n";
    let mut seen = rehearse(closed("1 user", Some(2)), &[answers(2, two)]);
    assert_eq!((seen.count(Outcome::Ok), seen.count(Outcome::ServerError), seen.connections), (2, 0, 2));
    assert_eq!(seen.reconnects(), 2);
}

#[test]
fn a_silent_server_is_a_time_out_that_took_its_time() {
    let script = vec![Act::Hear, Act::Wait(100 * SECOND)];
    let mut seen = rehearse(closed("1 user", Some(2)), &[script]);
    assert_eq!((seen.count(Outcome::Timeout), seen.longest_ms(Outcome::Timeout)), (2, 5000));
}

#[test]
fn the_first_byte_has_a_time_out_of_its_own() {
    let mut plan = closed("1 user", Some(1));
    plan.timeouts.first_byte = Some(SECOND);
    let silent = vec![Act::Hear, Act::Wait(100 * SECOND)];
    assert_eq!(rehearse(plan.clone(), &[silent]).longest_ms(Outcome::Timeout), 1000);
    // Once a byte has come, only the whole exchange's time-out counts.
    let slow = vec![
        Act::Hear,
        Act::Say(b"HTTP/1.1 200 OK\r\n"),
        Act::Wait(3 * SECOND),
        Act::Say(b"Content-Length: 0\r\n\r\n"),
    ];
    assert_eq!(rehearse(plan, &[slow]).longest_ms(Outcome::Ok), 3000);
}

#[test]
fn a_slow_server_never_slows_the_arrivals() {
    // Ten a second for two seconds, each answered after a second: about ten are in flight at once.
    let mut seen = rehearse(open(10.0, 2.0, 100), &[waits_then_answers(SECOND, 9)]);
    assert_eq!(seen.ticks.iter().map(|tick| tick.due).collect::<Vec<_>>(), [10, 10, 0]);
    assert_eq!(seen.count(Outcome::Ok), 20);
    assert_eq!(seen.longest_ms(Outcome::Ok), 1000);
    assert_eq!(seen.connections, 11, "the eleventh arrival comes as the first answer does");
}

#[test]
fn what_the_cap_refuses_is_dropped_and_waited_the_whole_time_out() {
    let mut seen = rehearse(open(10.0, 1.0, 4), &[waits_then_answers(10 * SECOND, 1)]);
    assert_eq!((seen.count(Outcome::Dropped), seen.count(Outcome::Timeout)), (6, 4));
    assert_eq!(seen.longest_ms(Outcome::Dropped), 5000);
}

#[test]
fn response_runs_from_due_and_service_from_sent() {
    let mut seen = rehearse(open(2.0, 1.0, 10), &[waits_then_answers(SECOND, 2)]);
    let timings = seen.total.cell(Outcome::Ok, false).timings.clone();
    assert_eq!((timings.response.len(), timings.service.len(), timings.lag.len()), (2, 2, 2));
    assert_eq!(timings.service.max().map(|ns| ns / 1_000_000), Some(1000));
}

#[test]
fn users_pause_between_an_answer_and_the_next_request() {
    let mut plan = closed("10 users for 10s", None);
    if let Load::Closed(closed) = &mut plan.load {
        closed.think = SECOND;
    }
    let mut seen = rehearse(plan, &[answers(99, OK)]);
    assert_eq!((seen.count(Outcome::Ok), seen.connections), (100, 10));
    assert!(seen.ticks.iter().take(10).all(|tick| tick.due == 10), "spread over the pause, not all at once");
}

#[test]
fn users_come_and_go_with_the_shape() {
    let mut plan = closed("ramp to 4 users over 4s, ramp to 0 users over 4s", None);
    if let Load::Closed(closed) = &mut plan.load {
        closed.think = SECOND / 10;
    }
    let seen = rehearse(plan, &[answers(99, OK)]);
    let due: Vec<u64> = seen.ticks.iter().map(|tick| tick.due).collect();
    assert!(due[0] <= 11 && due[3] >= 35 && due[7] <= 11, "{due:?}");
}

#[test]
fn the_warm_up_is_told_apart_by_when_a_request_was_due() {
    let mut plan = open(10.0, 2.0, 100);
    plan.warmup = SECOND;
    // Due in the warm-up, answered after it.
    let seen = rehearse(plan, &[waits_then_answers(SECOND + SECOND / 2, 1)]);
    let sum = |warmup: bool| -> u64 {
        seen.ticks.iter().filter(|tick| tick.warmup == warmup).map(plimsoll_model::Tick::ended).sum()
    };
    assert_eq!((sum(true), sum(false)), (10, 10));
}

#[test]
fn an_expected_refusal_is_kept_apart() {
    let refusal = b"HTTP/1.1 429 Slow Down\r\nContent-Length: 0\r\n\r\n";
    let mut plan = closed("1 user", Some(2));
    plan.expect = vec![429];
    let mut seen = rehearse(plan, &[answers(2, refusal)]);
    assert_eq!(seen.count(Outcome::Limited), 0);
    assert_eq!(seen.total.cell(Outcome::Limited, true).count(), 2);
}

#[test]
fn after_a_stop_the_rest_has_a_second_and_is_then_unfinished() {
    let stop_after = |wait: Duration| {
        move |stopper: crate::Stopper| {
            tokio::task::spawn_local(async move {
                tokio::time::sleep(wait).await;
                stopper.stop();
            });
        }
    };
    let script = [waits_then_answers(Duration::from_millis(1500), 9)];
    let mut seen = rehearse_with(closed("1 user for 60s", None), &script, stop_after(SECOND));
    assert_eq!((seen.count(Outcome::Ok), seen.last.unfinished), (1, 0));
    let mut seen = rehearse_with(closed("1 user for 60s", None), &script, stop_after(SECOND / 10));
    assert_eq!((seen.count(Outcome::Ok), seen.last.unfinished), (0, 1));
}

#[test]
fn redirects_are_followed_as_far_as_allowed() {
    let there = b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n";
    let script = [Act::Hear, Act::Say(there), Act::Hear, Act::Say(OK)].repeat(2);
    let mut plan = closed("1 user", Some(2));
    plan.transport.follow_max = 3;
    let mut seen = rehearse(plan.clone(), std::slice::from_ref(&script));
    assert_eq!((seen.count(Outcome::Ok), seen.connections), (2, 1));
    assert!(seen.heard[1].starts_with("GET /b HTTP/1.1\r\n"), "{}", seen.heard[1]);
    assert_eq!(seen.total.statuses.keys().copied().collect::<Vec<_>>(), [200]);
    plan.transport.follow_max = 0;
    let seen = rehearse(plan, &[answers(2, there)]);
    assert_eq!(seen.total.statuses.keys().copied().collect::<Vec<_>>(), [302]);
}

#[test]
fn a_body_that_does_not_decode_is_no_valid_answer() {
    let bad = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope";
    let mut plan = closed("1 user", Some(1));
    plan.transport.compressed = true;
    let mut seen = rehearse(plan, &[answers(1, bad)]);
    assert_eq!(seen.count(Outcome::Protocol), 1);
    assert!(seen.heard[0].contains("Accept-Encoding: gzip, deflate\r\n"));
}

#[test]
fn truncated_and_malformed_answers_have_their_outcomes() {
    for (answer, outcome) in [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi".as_slice(), Outcome::Reset),
        (b"HTTP/1.1 200 OK\r\nConte", Outcome::Reset),
        (b"SSH-2.0-OpenSSH_9.2\r\n", Outcome::Protocol),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", Outcome::Protocol),
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", Outcome::ClientError),
        (b"", Outcome::Reset),
    ] {
        let mut seen = rehearse(closed("1 user", Some(1)), &[answers(1, answer)]);
        assert_eq!(seen.count(outcome), 1, "{:?}: {:?}", String::from_utf8_lossy(answer), seen.last.reasons);
    }
}
