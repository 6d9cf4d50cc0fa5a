//! `/proc/PID/stat`: who else uses the processor.
//!
//! Looks are taken several times while we measure, because a process that has ended can no longer be asked. Those that
//! come and go between two looks are in the sum of `/proc/stat` only, and have no name here.

use std::collections::BTreeMap;

/// A process as one look saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Process {
    pid: u32,
    name: String,
    ticks: u64,
    /// Of children that ended and were waited for.
    children_ticks: u64,
}

/// Everybody's processor time over several looks.
#[derive(Debug, Default)]
pub(crate) struct Processes {
    started: bool,
    rows: BTreeMap<u32, Row>,
}

#[derive(Debug)]
struct Row {
    name: String,
    first: u64,
    last: u64,
}

impl Processes {
    /// Looks at everybody but this process. Between trials no server of ours is alive.
    pub(crate) fn look(&mut self) {
        self.saw(all().filter(|process| process.pid != std::process::id()));
    }

    fn saw(&mut self, found: impl Iterator<Item = Process>) {
        for Process { pid, name, ticks, .. } in found {
            // Whoever was not there at the first look has used all of its time since.
            let first = if self.started { 0 } else { ticks };
            let row = self.rows.entry(pid).or_insert(Row { name: String::new(), first, last: first });
            (row.name, row.last) = (name, ticks.max(row.last));
        }
        self.started = true;
    }

    /// Names with their ticks since the first look, the busiest first. Processes of one name count as one.
    pub(crate) fn busiest(&self) -> Vec<(String, u64)> {
        let mut names: BTreeMap<&str, u64> = BTreeMap::new();
        for row in self.rows.values() {
            *names.entry(&row.name).or_default() += row.last.saturating_sub(row.first);
        }
        let mut busiest: Vec<(String, u64)> = names.into_iter().map(|(name, ticks)| (name.to_owned(), ticks)).collect();
        busiest.sort_by_key(|(_, ticks)| std::cmp::Reverse(*ticks));
        busiest
    }
}

/// Ticks of this process and of its children that were waited for.
pub(crate) fn own_ticks() -> Option<u64> {
    let own = super::read("/proc/self/stat").and_then(|text| parse(&text))?;
    Some(own.ticks + own.children_ticks)
}

fn all() -> impl Iterator<Item = Process> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = entries.filter(|entry| entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()));
    stats.filter_map(|entry| super::read(entry.path().join("stat"))).filter_map(|text| parse(&text))
}

/// The name stands in brackets and may hold brackets and blanks itself: the last one closes it.
fn parse(stat: &str) -> Option<Process> {
    let (pid, rest) = stat.split_once(" (")?;
    let (name, rest) = rest.rsplit_once(") ")?;
    let columns: Vec<&str> = rest.split_whitespace().collect();
    // proc(5) counts from 1 and has the state, our first, as its third: utime, stime, cutime, cstime are 14 to 17.
    let at = |number: usize| columns.get(number - 3).and_then(|column| column.parse::<u64>().ok());
    Some(Process {
        pid: pid.trim().parse().ok()?,
        name: name.to_owned(),
        ticks: at(14)? + at(15)?,
        children_ticks: at(16)? + at(17)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_anything() {
        let text = "42 (a) b (c) R 1 42 42 0 -1 4194304 100 0 0 0 70 30 5 6 20 0 1 0 99 1 1";
        let expected = Process { pid: 42, name: "a) b (c".to_owned(), ticks: 100, children_ticks: 11 };
        assert_eq!(parse(text), Some(expected));
        for text in ["", "42", "42 (x)", "42 (x) R 1 2 3", "x (x) R 1 42 42 0 -1 4194304 100 0 0 0 70 30 5 6 20"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    fn process(pid: u32, name: &str, ticks: u64) -> Process {
        Process { pid, name: name.to_owned(), ticks, children_ticks: 0 }
    }

    #[test]
    fn only_time_since_the_first_look_counts() {
        let mut processes = Processes::default();
        processes.saw([process(1, "init", 500), process(2, "burner", 1_000)].into_iter());
        processes.saw([process(1, "init", 501), process(2, "burner", 1_400), process(3, "rustc", 30)].into_iter());
        // It has ended, and another took its place.
        processes.saw([process(1, "init", 501), process(2, "burner", 1_500), process(4, "rustc", 50)].into_iter());
        let expected = [("burner", 500), ("rustc", 80), ("init", 1)].map(|(name, ticks)| (name.to_owned(), ticks));
        assert_eq!(processes.busiest(), expected);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_is_among_them() {
        assert!(all().any(|process| process.pid == std::process::id()));
        assert!(own_ticks().is_some());
    }
}
