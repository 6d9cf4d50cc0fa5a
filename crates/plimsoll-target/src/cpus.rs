//! The cores that a process is kept on.

use std::fmt;
use std::str::FromStr;

use plimsoll_model::ParseError;

/// A list of cores as the kernel writes it: `0`, `0-3,8`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cpus {
    text: String,
    cores: Vec<usize>, // ascending; not empty
}

/// More than any kernel is built for.
const CORE_MAX: usize = 8191;

impl Cpus {
    /// The cores, in order.
    pub fn cores(&self) -> &[usize] {
        &self.cores
    }

    /// Keeps this thread, and all that it starts, on these cores.
    ///
    /// # Errors
    /// In words, when the system does not have all of them for us: fewer would be another experiment.
    #[cfg(target_os = "linux")]
    pub(crate) fn keep_here(&self) -> Result<(), String> {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        let mut set = CpuSet::new();
        let fits = self.cores.iter().all(|core| *core < CpuSet::MAX_CPU);
        self.cores.iter().filter(|core| **core < CpuSet::MAX_CPU).for_each(|core| set.set(*core));
        let set_to = sched_setaffinity(None, &set).and_then(|()| sched_getaffinity(None));
        match set_to {
            Ok(now) if now == set && fits => Ok(()),
            Ok(_) => Err(format!("not all of the CPUs `{self}` are there for us")),
            Err(error) => Err(format!("cannot be kept on the CPUs `{self}`: {error}")),
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn keep_here(&self) -> Result<(), String> {
        Err("this system does not let a process be kept on chosen CPUs: leave `cpus` out".to_owned())
    }
}

impl FromStr for Cpus {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let number = |word: &str| word.trim().parse().ok().filter(|core| *core <= CORE_MAX);
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            (first <= last).then_some(first..=last)
        };
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        let ranges = ranges.ok_or_else(|| ParseError::new(text, "a list of CPUs, such as `0` or `0-3,8`"))?;
        let mut cores: Vec<usize> = ranges.into_iter().flatten().collect();
        cores.sort_unstable();
        cores.dedup();
        Ok(Self { text: text.trim().to_owned(), cores })
    }
}

impl fmt::Display for Cpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&[usize]>) {
        assert_eq!(text.parse::<Cpus>().ok().as_ref().map(Cpus::cores), expected, "{text}");
    }

    #[test]
    fn lists_are_read() {
        check("0", Some(&[0]));
        check(" 0-3,8 ", Some(&[0, 1, 2, 3, 8]));
        check("2, 1,1-2", Some(&[1, 2]));
        for text in ["", "a", "3-1", "0,", "-1", "0-", "8192", "99999999999999999999"] {
            check(text, None);
        }
    }
}
