//! What the generator threads used, second by second, and which of them have told of what.

use std::time::Duration;

use plimsoll_model::GeneratorUse;

use crate::recorder::Part;
use crate::usage::{self, ThreadUse};

/// A thread that used or waited for its core for this share of a second had nothing left to give.
const FULL: f64 = 0.95;
/// A thread that waited for a core for this share of a full second was starved of it.
const STARVED: f64 = 0.2;

/// The generator threads as the coordinator sees them.
pub(crate) struct Threads {
    warmup: Duration,
    process_cpu_at_start: f64,
    rows: Vec<Row>,
}

#[derive(Clone, Default)]
struct Row {
    /// The seconds it has told of: all before this one.
    told: u64,
    ended: bool,
    /// At the end of the last second it told of.
    now: ThreadUse,
    /// When the measured phase began.
    before: ThreadUse,
    share_max: f64,
    starved_seconds: u64,
}

impl Threads {
    pub(crate) fn new(count: usize, warmup: Duration) -> Self {
        Self { warmup, process_cpu_at_start: usage::process_cpu_s(), rows: vec![Row::default(); count] }
    }

    /// Notes a part; returns the processor seconds that it stands for.
    pub(crate) fn heard(&mut self, part: &Part) -> f64 {
        let measured = Duration::from_secs(part.second) >= self.warmup;
        let row = &mut self.rows[part.thread];
        let used = part.usage.cpu_s - row.now.cpu_s;
        let waited = part.usage.waited_s - row.now.waited_s;
        row.told = part.second + 1;
        row.ended |= part.last.is_some();
        row.now = part.usage;
        if !measured {
            row.before = part.usage;
        } else if !row.ended {
            row.share_max = row.share_max.max(used.min(1.0));
            row.starved_seconds += u64::from(used + waited >= FULL && waited >= STARVED);
        }
        used
    }

    /// Whether every thread has told of a second, or will never.
    pub(crate) fn all_told(&self, second: u64) -> bool {
        self.rows.iter().all(|row| row.ended || row.told > second)
    }

    /// Threads that never said that they ended.
    pub(crate) fn missing(&self) -> usize {
        self.rows.iter().filter(|row| !row.ended).count()
    }

    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }

    /// What was used over a measured phase of this length.
    pub(crate) fn generator_use(&self, measured: Duration) -> GeneratorUse {
        let before: f64 = self.rows.iter().map(|row| row.before.cpu_s).sum();
        let busy = |row: &Row| row.now.cpu_s + row.now.waited_s - row.before.cpu_s - row.before.waited_s;
        let busiest = self.rows.iter().map(busy).fold(0.0, f64::max);
        GeneratorUse {
            cpu_s: (usage::process_cpu_s() - self.process_cpu_at_start - before).max(0.0),
            thread_share: (busiest / measured.as_secs_f64().max(1e-9)).min(1.0),
            thread_share_max: self.rows.iter().map(|row| row.share_max).fold(0.0, f64::max),
            starved_seconds: self.rows.iter().map(|row| row.starved_seconds).max().unwrap_or(0),
            rss_bytes: usage::peak_rss_bytes(),
            threads: self.rows.len(),
        }
    }
}
