//! `/proc/stat`: what every core did with its time.
//!
//! Only ratios of its columns are used, so the length of a tick does not matter.

use std::collections::BTreeMap;

/// Ticks of a core, or of all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Ticks {
    /// Programs, their system calls included.
    pub(crate) programs: u64,
    /// Interrupts. On loopback they carry packets, which belong to whoever sent them.
    pub(crate) interrupts: u64,
    /// Neither.
    pub(crate) idle: u64,
    /// The hypervisor gave the core to somebody else.
    pub(crate) stolen: u64,
}

/// What all cores did since the machine started.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Stat {
    pub(crate) all: Ticks,
    pub(crate) cores: BTreeMap<usize, Ticks>,
}

impl Stat {
    /// Now; none where the system does not tell.
    pub(crate) fn now() -> Option<Self> {
        super::read("/proc/stat").and_then(|text| Self::parse(&text))
    }

    fn parse(text: &str) -> Option<Self> {
        let mut stat = Self::default();
        for line in text.lines().take_while(|line| line.starts_with("cpu")) {
            let (name, columns) = line.split_once(' ')?;
            let ticks = Ticks::parse(columns)?;
            match name.strip_prefix("cpu")?.parse() {
                Ok(core) => _ = stat.cores.insert(core, ticks),
                Err(_) => stat.all = ticks,
            }
        }
        (!stat.cores.is_empty()).then_some(stat)
    }

    /// How busy each core was since then; in [0, 1].
    pub(crate) fn busy_since(&self, before: &Self) -> BTreeMap<usize, f64> {
        let spent = |(core, now): (&usize, &Ticks)| Some((*core, now.since(before.cores.get(core)?)));
        self.cores.iter().filter_map(spent).map(|(core, spent)| (core, spent.share(spent.busy()))).collect()
    }

    /// The share of all cores' time that was stolen since then.
    pub(crate) fn stolen_since(&self, before: &Self) -> f64 {
        let spent = self.all.since(&before.all);
        spent.share(spent.stolen)
    }

    /// Ticks that programs had since then, and how many one core has in that time.
    pub(crate) fn programs_since(&self, before: &Self) -> (u64, f64) {
        let spent = self.all.since(&before.all);
        (spent.programs, spent.total() as f64 / self.cores.len().max(1) as f64)
    }
}

impl Ticks {
    /// user nice system idle iowait irq softirq steal, and guests' time, which is in the first two already.
    fn parse(columns: &str) -> Option<Self> {
        let columns: Vec<u64> = columns.split_whitespace().map_while(|column| column.parse().ok()).collect();
        let at = |index: usize| columns.get(index).copied().unwrap_or(0);
        // Kernels before 2.6.11 have fewer, and they do not run here.
        (columns.len() >= 7).then(|| Self {
            programs: at(0) + at(1) + at(2),
            interrupts: at(5) + at(6),
            idle: at(3) + at(4),
            stolen: at(7),
        })
    }

    /// Columns may go back a little when a core sleeps.
    fn since(&self, before: &Self) -> Self {
        Self {
            programs: self.programs.saturating_sub(before.programs),
            interrupts: self.interrupts.saturating_sub(before.interrupts),
            idle: self.idle.saturating_sub(before.idle),
            stolen: self.stolen.saturating_sub(before.stolen),
        }
    }

    fn busy(&self) -> u64 {
        self.programs + self.interrupts + self.stolen
    }

    fn total(&self) -> u64 {
        self.busy() + self.idle
    }

    fn share(&self, ticks: u64) -> f64 {
        ticks as f64 / self.total().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "\
cpu  1000 20 180 2000 10 0 30 5 0 0
cpu0 500 10 90 1000 5 0 15 5 0 0
cpu1 500 10 90 1000 5 0 15 0 0 0
intr 5 0
";
    const AFTER: &str = "\
cpu  1090 30 200 2050 10 0 50 15 0 0
cpu0 570 20 100 1000 5 0 15 10 0 0
cpu1 520 10 100 1050 5 0 35 0 0 0
intr 9 0
";

    #[test]
    fn columns_become_shares() {
        let (before, after) = (Stat::parse(BEFORE).expect("valid"), Stat::parse(AFTER).expect("valid"));
        assert_eq!(after.busy_since(&before), BTreeMap::from([(0, 0.95 / 0.95), (1, 0.5)]));
        assert_eq!(after.programs_since(&before), (120, 100.0));
        assert!((after.stolen_since(&before) - 0.05).abs() < 1e-9);
        assert_eq!(before.stolen_since(&after), 0.0);
    }

    #[test]
    fn what_is_no_stat_is_absent() {
        for text in ["", "intr 5\n", "cpu0 1 2 3\n", "cpu x\n"] {
            assert_eq!(Stat::parse(text), None, "{text}");
        }
    }
}
