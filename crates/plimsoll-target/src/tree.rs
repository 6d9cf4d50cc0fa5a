//! Processes and what they started, as `/proc` lists them. Where there is no `/proc`, nobody started anything.

use std::collections::HashMap;

/// What a process uses, with all that it started.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Use {
    /// Processor seconds, user and system, of those that have ended too.
    pub cpu_s: f64,
    /// Resident memory of those that live; what they share counts for each of them.
    pub rss_bytes: u64,
    /// How many live.
    pub processes: usize,
}

/// A line of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) pid: i32,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    /// It has ended, and its parent has not asked how.
    pub(crate) is_dead: bool,
    /// Its own, in ticks.
    own: u64,
    /// That of the children which it has seen end, and of theirs.
    children: u64,
    rss_pages: u64,
}

/// All that descend from a process, itself not included.
pub(crate) fn beneath(root: i32) -> Vec<Entry> {
    descendants(root, &all())
}

/// What a minder's wards use. Those that have ended are counted by whoever saw them end, and that is in the end the
/// minder, to which orphans fall: so nothing is left out.
pub(crate) fn used_beneath(minder: i32) -> Use {
    let entries = all();
    let wards = descendants(minder, &entries);
    let ended = entries.iter().find(|entry| entry.pid == minder).map_or(0, |minder| minder.children);
    let ticks = ended + wards.iter().map(|ward| ward.own + ward.children).sum::<u64>();
    Use {
        cpu_s: ticks as f64 / rustix::param::clock_ticks_per_second().max(1) as f64,
        rss_bytes: wards.iter().map(|ward| ward.rss_pages).sum::<u64>() * rustix::param::page_size() as u64,
        processes: wards.iter().filter(|ward| !ward.is_dead).count(),
    }
}

fn all() -> Vec<Entry> {
    let Ok(folder) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter_map(|pid| read(&std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)).collect()
}

fn descendants(root: i32, entries: &[Entry]) -> Vec<Entry> {
    let mut children: HashMap<i32, Vec<Entry>> = HashMap::new();
    for entry in entries {
        children.entry(entry.parent).or_default().push(*entry);
    }
    let mut found = children.remove(&root).unwrap_or_default();
    let mut next = 0;
    while let Some(entry) = found.get(next) {
        let more = children.remove(&entry.pid).unwrap_or_default();
        found.extend(more);
        next += 1;
    }
    found
}

/// A line of `/proc/PID/stat` (`proc(5)`). The name may hold blanks and brackets, so it ends at the last one.
fn read(stat: &str) -> Option<Entry> {
    let (pid, rest) = stat.split_once(" (")?;
    let fields: Vec<&str> = rest.rsplit_once(") ")?.1.split_whitespace().collect();
    // Fields count from 1 in the manual, and the state is the third.
    let field = |number: usize| fields.get(number - 3).copied();
    let ticks = |number| field(number)?.parse::<u64>().ok();
    Some(Entry {
        pid: pid.parse().ok()?,
        parent: field(4)?.parse().ok()?,
        group: field(5)?.parse().ok()?,
        is_dead: matches!(field(3)?, "Z" | "X"),
        own: ticks(14)? + ticks(15)?,
        children: ticks(16)? + ticks(17)?,
        rss_pages: ticks(24)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(pid: i32, parent: i32) -> Entry {
        Entry { pid, parent, group: pid, is_dead: false, own: 0, children: 0, rss_pages: 0 }
    }

    #[track_caller]
    fn check(stat: &str, expected: Option<Entry>) {
        assert_eq!(read(stat), expected, "{stat}");
    }

    #[test]
    fn lines_are_read() {
        let line =
            "42 (a) b (c) S 7 41 40 0 -1 4194560 100 200 0 0 10 5 3 2 20 0 1 0 100 1000000 250 18446744073709551615";
        let expected = Entry { group: 41, own: 15, children: 5, rss_pages: 250, ..entry(42, 7) };
        check(line, Some(expected));
        check(&line.replace(") S", ") Z"), Some(Entry { is_dead: true, ..expected }));
        for line in ["", "42", "42 (a", "42 (a) S 7", "x (a) S 7 41 40 0 -1 0 0 0 0 0 1 1 1 1 0 0 0 0 0 0 0 0"] {
            check(line, None);
        }
    }

    #[test]
    fn descendants_are_found_in_any_order() {
        let entries = [entry(5, 4), entry(3, 2), entry(2, 1), entry(4, 3), entry(9, 8), entry(8, 1)];
        let mut pids: Vec<i32> = descendants(2, &entries).iter().map(|entry| entry.pid).collect();
        pids.sort_unstable();
        assert_eq!(pids, [3, 4, 5]);
        // A process that is its own ancestor is not possible; a list that says so must not hold us.
        assert_eq!(descendants(1, &[entry(1, 1)]).len(), 1);
    }
}
