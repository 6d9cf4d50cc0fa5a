//! The run over time: one point for each span of the timeline, from the start of the measured phase on.
//!
//! `offered`, `answered` and `failed` are counts ÷ the seconds that the span covers; `in_flight` is as of its end;
//! `response_p50`, `response_p99` and `response_max` are of all requests that ended in it, null where there are too
//! few. The points go on while the last answers are awaited. The last second of a run may be cut short, and then
//! reads low.

use plimsoll_model::run::Series;
use plimsoll_model::{Recording, Span};
use plimsoll_stats::{Histogram, Quantile};

use crate::course::failed;
use crate::figures::{ms, quantile_ms};

/// All series.
pub(crate) fn series(recording: &Recording) -> Vec<Series> {
    let timeline = &recording.timeline;
    let spans: Vec<Span> = timeline.spans().collect();
    let step_s = timeline.seconds_per_span();
    let series = |name: &str, unit, points| Series { name: name.to_owned(), unit, step_s: step_s as f64, points };
    let rate = |name, of: fn(&Span) -> u64| {
        let seconds = |index: usize| step_s.min(timeline.seconds() - index as u64 * step_s) as f64;
        let point = |(index, span): (usize, &Span)| Some(of(span) as f64 / seconds(index));
        series(name, "1/s", spans.iter().enumerate().map(point).collect())
    };
    let responses: Vec<Histogram> = spans.iter().map(Span::response).collect();
    let times = |name, of: fn(&Histogram) -> Option<f64>| series(name, "ms", responses.iter().map(of).collect());
    vec![
        rate("offered", |span| span.due),
        rate("answered", Span::answered),
        rate("failed", failed),
        series("in_flight", "requests", spans.iter().map(|span| Some(span.in_flight as f64)).collect()),
        times("response_p50", |times| quantile_ms(times, Quantile::P50)),
        times("response_p99", |times| quantile_ms(times, Quantile::P99)),
        times("response_max", |times| times.max().map(ms)),
    ]
}

#[cfg(test)]
mod tests {
    use plimsoll_model::Outcome;

    use super::*;
    use crate::support::Recorded;

    #[track_caller]
    fn check(recording: &Recording, name: &str, step_s: f64, expected: &[Option<f64>]) {
        let all = series(recording);
        let series = all.iter().find(|series| series.name == name).expect("a series of that name");
        assert_eq!((series.step_s, &series.points[..]), (step_s, expected), "{name}");
    }

    #[test]
    fn a_point_a_second() {
        let recording = Recorded::seconds(4)
            .each(Outcome::Ok, 300, 2.0)
            .during(1..2, Outcome::Reset, 4, 1.0)
            .during(2..3, Outcome::Ok, 0, 0.0)
            .in_flight(|second| second)
            .done();
        let some = |values: [f64; 4]| values.map(Some);
        check(&recording, "offered", 1.0, &some([300.0, 4.0, 0.0, 300.0]));
        check(&recording, "answered", 1.0, &some([300.0, 0.0, 0.0, 300.0]));
        check(&recording, "failed", 1.0, &some([0.0, 4.0, 0.0, 0.0]));
        check(&recording, "in_flight", 1.0, &some([0.0, 1.0, 2.0, 3.0]));
        check(&recording, "response_p99", 1.0, &[Some(2.0), None, None, Some(2.0)]);
        check(&recording, "response_max", 1.0, &[Some(2.0), Some(1.0), None, Some(2.0)]);
        check(&Recording::default(), "offered", 1.0, &[]);
    }

    #[test]
    fn the_last_span_of_a_long_run_is_averaged_over_its_own_seconds() {
        let recording = Recorded::seconds(601).each(Outcome::Ok, 5, 1.0).done();
        check(&recording, "offered", 2.0, &[Some(5.0); 301]);
    }
}
