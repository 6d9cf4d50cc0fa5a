//! Whether the generator did what it was asked; if it did not, nothing can be said of the target.
//!
//! Every remark here voids the run. Nothing that a slow, broken or overloaded server does appears here: its slow
//! answers make no request late, and its failures are outcomes.
//! - `generator_cpu`: the busiest generator thread was busy, or waited for a core, for at least 95 % of the measured
//!   phase; or in at least half of its seconds, and no fewer than two, it was busy all the time and still waited
//!   for a core.
//! - `lag`: p99 of lag is above its bound, which is the larger of 1 ms and 10 % of p99 of response time.
//! - `schedule_missed`: requests that were due never got their turn.
//! - `ports_exhausted`, `descriptors_exhausted`: connections failed on this side.
//! - `clock_stepped`: the wall clock was set meanwhile.
//! - `generator_panicked`: there is a mistake in this program, and a thread ended because of it.

use plimsoll_model::run::Remark;
use plimsoll_model::{Calibration, Incident};

use crate::calibrated::punctuality;
use crate::evidence::Evidence;
use crate::words;

const BUSY_SHARE: f64 = 0.95;
/// A run of a few milliseconds is mostly the start of its threads, and tells nothing of what they could do.
const SHARE_WANTS_S: f64 = 0.2;
const STARVED_SHARE: f64 = 0.5;

/// Everything that voids the run.
pub(crate) fn remarks(evidence: &Evidence, calibration: Option<&Calibration>) -> Vec<Remark> {
    [generator_cpu(evidence), lag(evidence, calibration)].into_iter().flatten().chain(incidents(evidence)).collect()
}

fn generator_cpu(evidence: &Evidence) -> Option<Remark> {
    let (generator, seconds) = (&evidence.recording.generator, evidence.recording.measured.as_secs_f64());
    let threads = words::count(generator.threads as u64, "thread");
    let detail = if generator.thread_share >= BUSY_SHARE && seconds >= SHARE_WANTS_S {
        let share = words::percent(generator.thread_share);
        format!("the busiest of {threads} was busy, or waited for a core, {share} of the time")
    } else if is_starved(generator.starved_seconds, seconds) {
        let starved = generator.starved_seconds;
        format!(
            "one of {threads} was busy all the time and still waited for a core in {starved} of {seconds:.0} seconds"
        )
    } else {
        return None;
    };
    let hint = if evidence.is_open() {
        "use more --threads, pin generator and server to cores of their own, use another machine, or ask for a lower rate"
    } else {
        "the rate is only a lower bound of what the target can do: use more --threads, pin generator and server to \
         cores of their own, or use another machine"
    };
    Some(Remark { code: "generator_cpu", detail, hint: hint.to_owned() })
}

fn is_starved(starved_seconds: u64, seconds: f64) -> bool {
    starved_seconds as f64 >= (STARVED_SHARE * seconds).max(2.0)
}

fn lag(evidence: &Evidence, calibration: Option<&Calibration>) -> Option<Remark> {
    let lag = evidence.lag().filter(|lag| lag.is_over())?;
    let (value, bound) = (words::ms(lag.value_ms), words::ms(lag.bound_ms));
    let calibrated = calibration.map(|calibration| format!("; {}", punctuality(calibration))).unwrap_or_default();
    Some(Remark {
        code: "lag",
        detail: format!(
            "requests were sent late: {} of lag is {value}, above its bound of {bound}{calibrated}",
            lag.quantile
        ),
        hint: "the generator, not the target, was slow: give it cores of its own, more --threads, or a lower rate"
            .to_owned(),
    })
}

fn incidents(evidence: &Evidence) -> impl Iterator<Item = Remark> {
    let kinds = [
        (
            Incident::ScheduleMissed,
            "schedule_missed",
            "request was due and never got its turn",
            "requests were due and never got their turn",
            "give the generator cores of its own, more --threads, or a lower rate",
        ),
        (
            Incident::PortsExhausted,
            "ports_exhausted",
            "connection could not be made: no local port was left",
            "connections could not be made: no local port was left",
            "keep connections alive, give several --local-addr, or widen net.ipv4.ip_local_port_range",
        ),
        (
            Incident::DescriptorsExhausted,
            "descriptors_exhausted",
            "socket could not be made: no descriptor was left",
            "sockets could not be made: no descriptor was left",
            "raise the limit (ulimit -n), or ask for fewer connections",
        ),
        (
            Incident::ClockStepped,
            "clock_stepped",
            "step of the wall clock during the run",
            "steps of the wall clock during the run",
            "run again; if it recurs, see what sets the clock (time synchronisation, a suspended machine)",
        ),
        (
            Incident::Panicked,
            "generator_panicked",
            "generator thread panicked and ended early",
            "generator threads panicked and ended early",
            "this is a mistake in plimsoll: please report it with the plan and the message on standard error",
        ),
    ];
    let incidents = evidence.recording.incidents;
    kinds.into_iter().filter_map(move |(incident, code, one, many, hint)| {
        let count = incidents.count(incident);
        let what = if count == 1 { one } else { many };
        (count > 0).then(|| Remark { code, detail: format!("{count} {what}"), hint: hint.to_owned() })
    })
}

#[cfg(test)]
mod tests {
    use plimsoll_model::Outcome::{Dropped, Ok, Timeout};
    use plimsoll_model::calibration::Figures;
    use plimsoll_model::{Plan, Recording};

    use super::*;
    use crate::support::{Recorded, calibration, closed, open};

    #[track_caller]
    fn check(plan: &Plan, recording: &Recording, expected: &[&str]) -> Vec<Remark> {
        let remarks = remarks(&Evidence::new(plan, recording), None);
        assert_eq!(remarks.iter().map(|remark| remark.code).collect::<Vec<_>>(), expected);
        remarks
    }

    fn good() -> Recording {
        Recorded::seconds(10).each(Ok, 100, 5.0).done()
    }

    #[track_caller]
    fn check_generator(share: f64, starved_seconds: u64, expected: &[&str]) {
        let mut recording = good();
        recording.generator.thread_share = share;
        recording.generator.starved_seconds = starved_seconds;
        check(&open(100.0), &recording, expected);
        let remarks = check(&closed(9.0), &recording, expected);
        assert!(remarks.iter().all(|remark| remark.hint.contains("lower bound")));
    }

    #[test]
    fn a_generator_without_processor_time_to_spare_voids() {
        check_generator(0.94, 0, &[]);
        check_generator(0.95, 0, &["generator_cpu"]);
        check_generator(0.5, 4, &[]);
        check_generator(0.5, 5, &["generator_cpu"]);
    }

    #[track_caller]
    fn check_lag(per_second: u64, lag_ms: f64, response_ms: f64, expected: &[&str]) {
        let recording = Recorded::seconds(10).lag(lag_ms).each(Ok, per_second, response_ms).done();
        check(&open(100.0), &recording, expected);
    }

    #[test]
    fn lag_beyond_its_bound_voids() {
        check_lag(100, 0.9, 1.0, &[]);
        check_lag(100, 1.1, 2.0, &["lag"]);
        check_lag(100, 9.0, 100.0, &[]);
        check_lag(100, 11.0, 100.0, &["lag"]);
        // Too few samples for p99 do not hide a generator that is always late.
        check_lag(1, 50.0, 60.0, &["lag"]);
        check(&open(100.0), &Recording::default(), &[]);
    }

    #[test]
    fn lag_is_held_against_what_was_calibrated() {
        let late = Recorded::seconds(10).lag(2.0).each(Ok, 100, 5.0).done();
        let (plan, calibration) =
            (open(100.0), calibration(Figures { open_rate_max: Some(38_000.0), ..Figures::default() }));
        let remarks = remarks(&Evidence::new(&plan, &late), Some(&calibration));
        assert!(remarks[0].detail.ends_with("this machine sends up to 38000/s per thread within 1 ms"), "{remarks:#?}");
    }

    #[test]
    fn dropped_requests_excuse_no_lag() {
        let late = Recorded::seconds(10).lag(50.0).each(Ok, 90, 60.0).each(Dropped, 10, 30_000.0).done();
        check(&open(100.0), &late, &["lag"]);
    }

    #[test]
    fn an_overloaded_server_never_voids() {
        let overloaded = Recorded::seconds(10).each(Ok, 10, 9_000.0).each(Timeout, 60, 30_000.0);
        check(&open(100.0), &overloaded.each(Dropped, 30, 30_000.0).in_flight(|s| 70 * s).done(), &[]);
        check(&open(100.0), &Recorded::seconds(10).each(Timeout, 100, 30_000.0).done(), &[]);
    }

    #[test]
    fn incidents_void() {
        let mut recording = good();
        recording.incidents.note_n(Incident::ScheduleMissed, 7);
        recording.incidents.note(Incident::ClockStepped);
        recording.incidents.note_n(Incident::PortsExhausted, 2);
        recording.incidents.note_n(Incident::DescriptorsExhausted, 3);
        recording.incidents.note(Incident::Panicked);
        let codes =
            ["schedule_missed", "ports_exhausted", "descriptors_exhausted", "clock_stepped", "generator_panicked"];
        let remarks = check(&open(100.0), &recording, &codes);
        assert_eq!(remarks[0].detail, "7 requests were due and never got their turn");
        assert_eq!(remarks[3].detail, "1 step of the wall clock during the run");
    }
}
