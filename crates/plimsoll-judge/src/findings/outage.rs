//! `restart` and `outage_at_end`: stretches of time in which nothing was answered because nobody was there.
//!
//! A span is *down* when no answer ended in it and at least one request failed to connect or had its connection
//! reset. A stretch runs from a down span to the next span with an answer, over spans in which nothing ended; it
//! counts from three failures on, and only after an answer came before it. If answers come again it is a restart;
//! if not, an outage at the end. A restart shorter than the second in which it falls shows as errors only.

use plimsoll_model::run::Remark;
use plimsoll_model::{Outcome, Span};

use super::remark;
use crate::evidence::Evidence;
use crate::words;

const FAILURES_MIN: u64 = 3;
const NAMED_MAX: usize = 3;

/// A stretch without an answer, in spans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    from: usize,
    /// The first span with an answer again, if there is one.
    to: Option<usize>,
    failures: u64,
}

/// Restarts in one finding, and an outage at the end in another.
pub(super) fn find(evidence: &Evidence) -> Vec<Remark> {
    let spans: Vec<Span> = evidence.recording.timeline.spans().collect();
    let step_s = evidence.course.step_s as usize;
    let (over, last): (Vec<_>, Vec<_>) = stretches(&spans).into_iter().partition(|stretch| stretch.to.is_some());
    let restarts = restarts(&over, step_s);
    let outage = last.first().map(|stretch| {
        let detail = format!(
            "from second {} of the measured phase on nothing was answered any more: {} to connect, or reset",
            stretch.from * step_s,
            words::count(stretch.failures, "failure"),
        );
        remark("outage_at_end", detail, "the target went away: see its log, and whether it was killed or crashed")
    });
    restarts.into_iter().chain(outage).collect()
}

fn restarts(stretches: &[Stretch], step_s: usize) -> Option<Remark> {
    let span = |stretch: &Stretch| Some(format!("{} to {}", stretch.from * step_s, stretch.to? * step_s));
    let named: Vec<String> = stretches.iter().take(NAMED_MAX).filter_map(span).collect();
    let more = stretches.len().saturating_sub(NAMED_MAX);
    let more = if more > 0 { format!(" and {more} more times") } else { String::new() };
    let failures = words::count(stretches.iter().map(|stretch| stretch.failures).sum(), "request");
    let detail = format!(
        "nothing was answered from second {}{more} of the measured phase ({failures} failed), then it came back",
        named.join(", "),
    );
    let hint = "the target was restarted, or crashed: see its log; the figures include the time it was away";
    (!stretches.is_empty()).then(|| remark("restart", detail, hint))
}

fn stretches(spans: &[Span]) -> Vec<Stretch> {
    let mut found = Vec::new();
    let mut open: Option<Stretch> = None;
    let mut answered_before = false;
    for (index, span) in spans.iter().enumerate() {
        let away = span.outcomes[Outcome::Connect] + span.outcomes[Outcome::Reset];
        if span.answered() > 0 {
            found.extend(open.take().map(|stretch| Stretch { to: Some(index), ..stretch }));
            answered_before = true;
        } else if let Some(stretch) = &mut open {
            stretch.failures += away;
        } else if answered_before && away > 0 {
            open = Some(Stretch { from: index, to: None, failures: away });
        }
    }
    found.extend(open);
    found.retain(|stretch| stretch.failures >= FAILURES_MIN);
    found
}

#[cfg(test)]
mod tests {
    use plimsoll_model::Outcome::{Connect, Ok, Reset, Timeout};

    use super::*;
    use crate::findings::check;
    use crate::support::{Recorded, open};

    #[track_caller]
    fn check_outage(recorded: Recorded, expected: &[&str]) -> Vec<Remark> {
        check(&open(100.0), &recorded.done(), expected)
    }

    fn up() -> Recorded {
        Recorded::seconds(20).each(Ok, 100, 1.0)
    }

    #[test]
    fn a_restart_is_named_with_its_seconds() {
        let remarks = check_outage(up().during(5..8, Connect, 100, 0.1), &["restart", "errors"]);
        assert_eq!(
            remarks[0].detail,
            "nothing was answered from second 5 to 8 of the measured phase (300 requests failed), then it came back"
        );
        let quiet = up().during(5..6, Reset, 50, 0.1).during(6..9, Ok, 0, 0.0).during(9..10, Connect, 3, 0.1);
        let remarks = check_outage(quiet, &["restart", "errors"]);
        assert!(remarks[0].detail.contains("second 5 to 10"), "{}", remarks[0].detail);
    }

    #[test]
    fn several_restarts_are_one_finding() {
        let flapping = (0..5).fold(up(), |run, n| run.during(3 * n + 2..3 * n + 3, Connect, 100, 0.1));
        let remarks = check_outage(flapping, &["restart", "errors"]);
        assert!(remarks[0].detail.contains("2 to 3, 5 to 6, 8 to 9 and 2 more times"), "{}", remarks[0].detail);
    }

    #[test]
    fn an_outage_that_never_ends() {
        let remarks = check_outage(up().during(15..20, Connect, 100, 0.1), &["outage_at_end", "errors"]);
        assert!(remarks[0].detail.starts_with("from second 15 "), "{}", remarks[0].detail);
    }

    #[test]
    fn other_failures_are_no_outage() {
        check_outage(up().during(5..8, Connect, 1, 0.1).during(6..8, Ok, 100, 1.0), &["errors"]);
        check_outage(Recorded::seconds(20).each(Connect, 100, 0.1), &["no_success"]);
        let remarks = findings_of(up().during(5..8, Timeout, 100, 30_000.0));
        assert!(!remarks.iter().any(|code| *code == "restart" || *code == "outage_at_end"), "{remarks:?}");
    }

    fn findings_of(recorded: Recorded) -> Vec<&'static str> {
        let (plan, recording) = (open(100.0), recorded.done());
        find(&Evidence::new(&plan, &recording)).iter().map(|remark| remark.code).collect()
    }
}
