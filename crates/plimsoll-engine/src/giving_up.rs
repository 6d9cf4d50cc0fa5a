//! When a run gives up by itself: the plan's abort rule, or a target that was never there.

use plimsoll_model::{Abort, Outcome, Tick, units};

/// Seconds in which nothing but refused connections is seen before a run gives up on its target.
const UNREACHABLE_SECONDS: u64 = 2;

/// Watches the ticks of a run.
pub(crate) struct GivingUp {
    abort: Option<Abort>,
    bad_seconds: u64,
    ever_answered: bool,
    unreachable_seconds: u64,
}

impl GivingUp {
    pub(crate) fn new(abort: Option<Abort>) -> Self {
        Self { abort, bad_seconds: 0, ever_answered: false, unreachable_seconds: 0 }
    }

    /// The reason to give up after a second, if there is one. A second that the end of the warm-up cuts has two
    /// ticks.
    pub(crate) fn consider(&mut self, ticks: &[Tick]) -> Option<String> {
        self.unreachable(ticks).or_else(|| self.aborted(ticks))
    }

    fn aborted(&mut self, ticks: &[Tick]) -> Option<String> {
        let abort = self.abort?;
        let sum = |count: fn(&Tick) -> u64| ticks.iter().map(count).sum::<u64>();
        let (ended, failed) = (sum(Tick::ended), sum(Tick::failed));
        if ended == 0 {
            return None; // a second without an end tells nothing
        }
        let bad = failed as f64 / ended as f64 > abort.error_share;
        self.bad_seconds = if bad { self.bad_seconds + 1 } else { 0 };
        let percent = abort.error_share * 100.0;
        let lasting = units::duration_text(abort.lasting);
        (self.bad_seconds >= abort.lasting.as_secs()).then(|| format!("errors > {percent}% for {lasting}"))
    }

    /// Nothing but failed connections from the very start.
    fn unreachable(&mut self, ticks: &[Tick]) -> Option<String> {
        let cells = ticks.iter().flat_map(Tick::cells);
        let mut cells = cells.filter(|cell| cell.outcome != Outcome::Dropped).peekable();
        cells.peek()?;
        self.ever_answered |= cells.any(|cell| cell.outcome != Outcome::Connect);
        if self.ever_answered {
            return None;
        }
        self.unreachable_seconds += 1;
        (self.unreachable_seconds >= UNREACHABLE_SECONDS).then(|| "not one connection could be made".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_model::StepTick;

    use super::*;

    fn tick(outcomes: &[Outcome]) -> [Tick; 1] {
        let mut step = StepTick::default();
        for outcome in outcomes {
            step.cell(*outcome, false).timings.response.record(1);
        }
        [Tick { steps: vec![step], ..Tick::default() }]
    }

    #[test]
    fn errors_must_last_before_a_run_is_aborted() {
        let mut giving_up = GivingUp::new("errors > 50% for 2s".parse().ok());
        let (good, bad) = (tick(&[Outcome::Ok]), tick(&[Outcome::Ok, Outcome::Reset, Outcome::Reset]));
        for (tick, ends) in [(&bad, false), (&good, false), (&bad, false), (&bad, true)] {
            assert_eq!(giving_up.consider(tick).is_some(), ends);
        }
    }

    #[test]
    fn a_target_that_was_never_there_is_given_up_and_one_that_went_away_is_not() {
        let (down, up) = (tick(&[Outcome::Connect]), tick(&[Outcome::Ok]));
        let mut never = GivingUp::new(None);
        assert!(never.consider(&down).is_none());
        assert!(never.consider(&tick(&[])).is_none(), "a quiet second tells nothing");
        assert!(never.consider(&down).is_some());
        let mut later = GivingUp::new(None);
        assert!(later.consider(&up).is_none());
        assert!((0..9).all(|_| later.consider(&down).is_none()));
    }
}
