//! Which cores there are for us, and which two of them to measure on.

use std::collections::BTreeMap;

/// The cores that generator and server get; none where a process cannot choose, or has but one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Places {
    pub(crate) generator: Option<usize>,
    pub(crate) server: Option<usize>,
}

/// A core that may be chosen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) core: usize,
    /// How busy it is with other things; in [0, 1].
    pub(crate) busy: f64,
    /// Cores that share its execution units, itself included.
    pub(crate) siblings: Vec<usize>,
}

/// Cores this process may run on; at least one.
#[cfg(target_os = "linux")]
pub(crate) fn usable() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect();
    if cores.is_empty() { (0..parallelism()).collect() } else { cores }
}

/// Cores this process may run on; at least one.
#[cfg(not(target_os = "linux"))]
pub(crate) fn usable() -> Vec<usize> {
    (0..parallelism()).collect()
}

fn parallelism() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The candidates among these cores.
pub(crate) fn candidates(cores: &[usize], busy: &BTreeMap<usize, f64>) -> Vec<Candidate> {
    let siblings = |core: usize| {
        let path = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        super::read(path).map_or_else(|| vec![core], |list| parse_list(&list))
    };
    let busy = |core: usize| busy.get(&core).copied().unwrap_or(0.0);
    cores.iter().map(|&core| Candidate { core, busy: busy(core), siblings: siblings(core) }).collect()
}

/// The quietest core for the generator, since its figures are the ones wanted; for the server the quietest of those
/// that do not share the generator's execution units, if there is such a one.
pub(crate) fn choose(candidates: &[Candidate]) -> Places {
    // Differences that small are chance, and the same cores every time are worth more.
    let tenths = |candidate: &Candidate| (candidate.busy * 10.0).round() as u64;
    let Some(generator) = candidates.iter().min_by_key(|candidate| (tenths(candidate), candidate.core)) else {
        return Places::default();
    };
    let others = candidates.iter().filter(|candidate| candidate.core != generator.core);
    let shares = |candidate: &Candidate| generator.siblings.contains(&candidate.core);
    match others.min_by_key(|candidate| (shares(candidate), tenths(candidate), candidate.core)) {
        Some(server) => Places { generator: Some(generator.core), server: Some(server.core) },
        None => Places::default(),
    }
}

/// `0-3,8` as the kernel writes lists of cores; what is no list is empty.
pub(crate) fn parse_list(text: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.trim().parse::<usize>().ok()?..=last.trim().parse().ok()?)
    };
    text.trim().split(',').filter_map(range).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        for (text, expected) in
            [("0-3,8\n", &[0, 1, 2, 3, 8][..]), ("0", &[0]), ("0,2", &[0, 2]), ("", &[]), ("x-2", &[]), ("3-1", &[])]
        {
            assert_eq!(parse_list(text), expected, "{text}");
        }
    }

    fn core(core: usize, busy: f64, siblings: &[usize]) -> Candidate {
        Candidate { core, busy, siblings: siblings.to_vec() }
    }

    #[track_caller]
    fn check(candidates: &[Candidate], expected: Option<(usize, usize)>) {
        let places = choose(candidates);
        assert_eq!(places.generator.zip(places.server), expected);
    }

    #[test]
    fn the_quietest_cores_are_chosen_and_siblings_kept_apart() {
        check(&[core(0, 0.0, &[0]), core(1, 0.0, &[1])], Some((0, 1)));
        check(&[core(0, 0.9, &[0]), core(1, 0.01, &[1])], Some((1, 0)));
        check(&[core(0, 0.04, &[0]), core(1, 0.0, &[1])], Some((0, 1)));
        let threads = [core(0, 0.0, &[0, 1]), core(1, 0.0, &[0, 1]), core(2, 0.3, &[2, 3]), core(3, 0.2, &[2, 3])];
        check(&threads, Some((0, 3)));
        check(&threads[..2], Some((0, 1)));
        check(&threads[..1], None);
        check(&[], None);
    }

    #[test]
    fn this_process_may_run_somewhere() {
        assert!(!usable().is_empty());
    }
}
