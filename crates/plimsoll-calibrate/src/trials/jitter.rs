//! The clock alone, without a request: how late a sleeping thread wakes, and for how long one that never sleeps was
//! without its core. What these two show, no generator on this machine can do better.

use std::time::{Duration, Instant};

use plimsoll_model::calibration::{Gaps, Jitter};
use plimsoll_stats::{Histogram, Quantile};

use super::Bench;
use crate::error::CalibrateError;
use crate::machine::read;
use crate::pin::Pinned;

/// A thread asks to be woken this often.
const EVERY: Duration = Duration::from_millis(1);
/// Between two looks at the clock lie nanoseconds. Interrupts take microseconds; what takes longer than this was
/// something else.
const GAP: Duration = Duration::from_micros(100);
/// Looks at the clock before it is asked whether somebody wants the end.
const LOOKS: usize = 100_000;

/// Both, one after the other, on the generator's core.
pub(crate) fn measure(bench: &Bench<'_>) -> Result<(Jitter, Gaps), CalibrateError> {
    bench.go_on()?;
    let (generator, length) = (bench.places.generator, bench.pace.jitter);
    // A thread of its own, whose timer slack is nobody else's.
    let measured = std::thread::scope(|scope| {
        let thread = scope.spawn(move || {
            let _pinned = Pinned::to(generator);
            let late = sleep(length);
            (late, spin(length, &|| bench.stopper.is_stopped()))
        });
        thread.join()
    });
    bench.go_on()?;
    // It panics for no reason that is known; then it has measured nothing.
    Ok(measured.map_or_else(|_| <(Jitter, Gaps)>::default(), |(late, gaps)| (jitter(&late), gaps)))
}

/// How late each wake was, in nanoseconds.
fn sleep(length: Duration) -> Histogram {
    wake_on_the_dot();
    let (began, mut late) = (Instant::now(), Histogram::new());
    let mut due = EVERY;
    while due < length {
        sleep_until(began, due);
        let now = began.elapsed();
        late.record(u64::try_from(now.saturating_sub(due).as_nanos()).unwrap_or(u64::MAX));
        // What was slept through is not asked for again.
        due = now.max(due) + EVERY;
    }
    late
}

fn sleep_until(began: Instant, due: Duration) {
    std::thread::sleep(due.saturating_sub(began.elapsed()));
}

/// As the engine does.
fn wake_on_the_dot() {
    #[cfg(target_os = "linux")]
    {
        // Without it wakes are up to 50 µs later, which is then what is measured.
        let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
    }
}

fn jitter(late: &Histogram) -> Jitter {
    let us = |q| late.quantile(q).unwrap_or(0) as f64 / 1e3;
    Jitter { p50: us(Quantile::P50), p99: us(Quantile::P99), max: late.max().unwrap_or(0) as f64 / 1e3 }
}

/// Reads the clock and nothing else.
fn spin(length: Duration, is_over: &dyn Fn() -> bool) -> Gaps {
    let waited_before = waited_s();
    let began = Instant::now();
    let (mut last, mut gone, mut longest) = (began, Duration::ZERO, Duration::ZERO);
    while last - began < length && !is_over() {
        for _ in 0..LOOKS {
            let now = Instant::now();
            let gap = now - last;
            if gap > GAP {
                gone += gap;
                longest = longest.max(gap);
            }
            last = now;
        }
    }
    let whole = (last - began).as_secs_f64().max(1e-9);
    let share = |seconds: f64| (seconds / whole).clamp(0.0, 1.0);
    Gaps {
        share: share(gone.as_secs_f64()),
        longest_ms: longest.as_secs_f64() * 1e3,
        waited_share: waited_s().zip(waited_before).map(|(now, before)| share(now - before)),
    }
}

/// The second field of `schedstat`: nanoseconds spent waiting on a run queue.
fn waited_s() -> Option<f64> {
    waited(&read("/proc/thread-self/schedstat")?)
}

fn waited(schedstat: &str) -> Option<f64> {
    schedstat.split_whitespace().nth(1)?.parse::<u64>().ok().map(|nanos| nanos as f64 / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_the_second_field() {
        assert_eq!(waited("31000 1500000000 1\n"), Some(1.5));
        assert_eq!(waited("31000"), None);
        assert_eq!(waited(""), None);
    }

    #[test]
    fn late_is_never_early() {
        let late = sleep(Duration::from_millis(20));
        assert!(!late.is_empty());
        let found = jitter(&late);
        assert!(0.0 < found.p50 && found.p50 <= found.p99 && found.p99 <= found.max, "{found:?}");
    }

    #[test]
    fn a_spin_ends_in_time_or_when_asked() {
        let found = spin(Duration::from_millis(20), &|| false);
        assert!((0.0..=1.0).contains(&found.share), "{found:?}");
        spin(Duration::from_secs(3_600), &|| true);
    }
}
