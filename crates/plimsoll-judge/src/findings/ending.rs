//! How the run ended, where that was not as planned: `interrupted`, `aborted`.

use plimsoll_model::End;
use plimsoll_model::run::Remark;

use super::remark;
use crate::evidence::Evidence;
use crate::words;

/// At most one of the two.
pub(super) fn find(evidence: &Evidence) -> Vec<Remark> {
    let measured = words::wait(evidence.recording.measured.as_secs_f64());
    let unfinished = match evidence.recording.unfinished {
        0 => String::new(),
        n => format!("; {} without an outcome", if n == 1 { "1 request is".to_owned() } else { format!("{n} are") }),
    };
    match &evidence.recording.end {
        End::Complete => Vec::new(),
        End::Interrupted => vec![remark(
            "interrupted",
            format!("stopped by hand after {measured} of measuring{unfinished}"),
            "the figures are those of what was measured until then",
        )],
        End::Aborted(rule) => vec![remark(
            "aborted",
            format!("given up after {measured} of measuring: {rule}{unfinished}"),
            "see the outcomes for why requests failed",
        )],
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_model::{Outcome, Recording};

    use super::*;
    use crate::findings::check;
    use crate::support::{Recorded, open};

    #[test]
    fn an_early_end_is_named() {
        let mut recording = Recorded::seconds(10).each(Outcome::Ok, 100, 1.0).done();
        check(&open(100.0), &recording, &[]);
        recording.end = End::Interrupted;
        recording.unfinished = 2;
        let remarks = check(&open(100.0), &recording, &["interrupted"]);
        assert_eq!(remarks[0].detail, "stopped by hand after 10s of measuring; 2 are without an outcome");
        recording.end = End::Aborted("errors > 50% for 10s".to_owned());
        let remarks = check(&open(100.0), &recording, &["aborted"]);
        assert!(remarks[0].detail.contains(": errors > 50% for 10s"));
    }

    #[test]
    fn interrupted_at_once() {
        let recording = Recording { end: End::Interrupted, unfinished: 1, ..Recording::default() };
        check(&open(100.0), &recording, &["interrupted", "no_success"]);
    }
}
