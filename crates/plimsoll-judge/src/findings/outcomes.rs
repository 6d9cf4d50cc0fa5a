//! Findings that follow from counts alone: `no_success`, `errors`, `reconnects`, `too_few_samples`.

use plimsoll_model::run::Remark;
use plimsoll_model::{Outcome, OutcomeCounts};
use plimsoll_stats::Quantile;

use super::remark;
use crate::evidence::Evidence;
use crate::words;

const RECONNECT_SHARE: f64 = 0.01;

/// Nothing ended well.
pub(super) fn no_success(evidence: &Evidence) -> Vec<Remark> {
    let (requests, refused) = (evidence.whole.requests(), evidence.whole.refused);
    if evidence.ok() > 0 {
        return Vec::new();
    }
    let (detail, hint) = match commonest(&evidence.whole.outcomes) {
        None => ("no request ended in the measured phase".to_owned(), "measure for longer, or with a higher rate"),
        Some(_) if requests == refused => {
            (format!("all {} were refused, as expected", words::count(requests, "request")), EXPECTED_HINT)
        }
        Some(outcome) => {
            let why = reason(evidence).unwrap_or_default();
            let hint = hint_of(outcome);
            (
                format!("not one of {} ended well, most by {}{why}", words::count(requests, "request"), name(outcome)),
                hint,
            )
        }
    };
    vec![remark("no_success", detail, hint)]
}

const EXPECTED_HINT: &str = "a rate limit that lets nothing through shows its limit, not the target's speed";

/// What the counts say when something ended well.
pub(super) fn find(evidence: &Evidence) -> Vec<Remark> {
    [errors(evidence), reconnects(evidence), too_few_samples(evidence)].into_iter().flatten().collect()
}

fn errors(evidence: &Evidence) -> Option<Remark> {
    let (failures, judged) = (evidence.whole.failures, evidence.whole.judged());
    // Where all failed, `no_success` has said so.
    if failures == 0 || evidence.ok() == 0 {
        return None;
    }
    let outcome = commonest(&evidence.whole.outcomes)?;
    let share = words::percent(failures as f64 / judged as f64);
    let why = reason(evidence).unwrap_or_default();
    let detail = format!("{failures} of {judged} requests failed ({share}), most by {}{why}", name(outcome));
    Some(remark("errors", detail, hint_of(outcome)))
}

/// The commonest outcome other than ok.
fn commonest(outcomes: &OutcomeCounts) -> Option<Outcome> {
    let bad = outcomes.iter().filter(|(outcome, count)| *outcome != Outcome::Ok && *count > 0);
    bad.max_by_key(|(_, count)| *count).map(|(outcome, _)| outcome)
}

fn reason(evidence: &Evidence) -> Option<String> {
    let (text, count) = evidence.recording.reasons.iter().max_by_key(|(_, count)| *count)?;
    Some(format!("; most often ({count}): {text}"))
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => "ok",
        Outcome::Limited => "429",
        Outcome::ClientError => "a 4xx answer",
        Outcome::ServerError => "a 5xx answer",
        Outcome::Timeout => "time-out",
        Outcome::Connect => "failing to connect",
        Outcome::Tls => "the TLS handshake",
        Outcome::Reset => "a reset connection",
        Outcome::Protocol => "an invalid answer",
        Outcome::Assertion => "an answer other than the one wanted",
        Outcome::Dropped => "the cap on requests in flight",
    }
}

fn hint_of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok | Outcome::ServerError => "see the server's log",
        Outcome::Limited => "a rate limit answers: if that is what you test, say --expect 429",
        Outcome::ClientError => "look at one answer by hand: path, credentials and body are the usual causes",
        Outcome::Timeout => "the target did not answer in time: a lower rate shows from where on it does",
        Outcome::Connect => "see whether the target runs there, and how many connections it accepts",
        Outcome::Tls => "look at the certificate, its name and the protocol versions",
        Outcome::Reset => "the target closed connections: see its log, its limits, and what lies between",
        Outcome::Protocol => "what came is not HTTP/1.1: see whether this is the right port",
        Outcome::Assertion => "look at one answer by hand",
        Outcome::Dropped => "the target falls behind at this rate: find where with a lower one",
    }
}

/// Kept-alive connections found closed by more than one request in a hundred.
fn reconnects(evidence: &Evidence) -> Option<Remark> {
    let (reconnects, requests) = (evidence.recording.reconnects, evidence.whole.requests());
    let share = reconnects as f64 / requests as f64;
    (requests > 0 && share > RECONNECT_SHARE).then(|| {
        let (of, share) = (words::count(requests, "request"), words::percent(share));
        remark(
            "reconnects",
            format!("{reconnects} times a kept-alive connection was found closed, in {of} ({share})"),
            "the target closes idle or old connections: see its keep-alive limits; new connections cost both sides time",
        )
    })
}

/// Not enough for p99. Of p99.9 the figure itself says so.
fn too_few_samples(evidence: &Evidence) -> Option<Remark> {
    let (requests, wanted) = (evidence.whole.requests(), Quantile::P99.samples_wanted());
    (1..wanted).contains(&requests).then(|| {
        let seconds = evidence.recording.measured.as_secs_f64() * wanted as f64 / requests as f64;
        let time = if seconds > 0.0 { format!(", {} at this rate", words::wait(seconds)) } else { String::new() };
        remark(
            "too_few_samples",
            format!("{} are too few for p99, which wants {wanted}", words::count(requests, "request")),
            format!("measure for longer: {wanted} requests{time}"),
        )
    })
}

#[cfg(test)]
mod tests {
    use plimsoll_model::Outcome::{ClientError, Dropped, Limited, Ok, ServerError};

    use super::*;
    use crate::findings::check;
    use crate::support::{Recorded, open};

    #[track_caller]
    fn check_counts(recorded: Recorded, expected: &[&str]) -> Vec<Remark> {
        check(&open(100.0), &recorded.done(), expected)
    }

    #[test]
    fn nothing_succeeded() {
        check_counts(Recorded::seconds(0), &["no_success"]);
        check_counts(Recorded::seconds(10).refused(Limited, 100, 1.0), &["no_success"]);
        check_counts(Recorded::seconds(10).each(Dropped, 100, 30_000.0), &["no_success", "in_flight_cap"]);
        let remarks = check_counts(Recorded::seconds(10).each(ClientError, 100, 1.0), &["no_success"]);
        assert_eq!(remarks[0].detail, "not one of 1000 requests ended well, most by a 4xx answer");
    }

    #[test]
    fn errors_name_the_commonest_reason() {
        let mut recording = Recorded::seconds(10).each(Ok, 97, 1.0).each(ServerError, 3, 1.0).done();
        recording.reasons = vec![("status 500".to_owned(), 4), ("status 503".to_owned(), 26)];
        let remarks = check(&open(100.0), &recording, &["errors"]);
        let detail = "30 of 1000 requests failed (3%), most by a 5xx answer; most often (26): status 503";
        assert_eq!(remarks[0].detail, detail);
    }

    #[test]
    fn one_reconnect_in_a_hundred_is_usual() {
        let mut recording = Recorded::seconds(10).each(Ok, 100, 1.0).done();
        recording.reconnects = 10;
        check(&open(100.0), &recording, &[]);
        recording.reconnects = 11;
        check(&open(100.0), &recording, &["reconnects"]);
    }

    #[test]
    fn few_samples_say_how_long_to_measure() {
        let remarks = check_counts(Recorded::seconds(10).each(Ok, 20, 1.0), &["too_few_samples"]);
        assert_eq!(remarks[0].detail, "200 requests are too few for p99, which wants 299");
        assert_eq!(remarks[0].hint, "measure for longer: 299 requests, 15s at this rate");
        check_counts(Recorded::seconds(1).each(Ok, 1, 1.0), &["too_few_samples"]);
        check_counts(Recorded::seconds(13).each(Ok, 23, 1.0), &[]);
    }
}
