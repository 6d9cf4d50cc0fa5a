//! The control group: how much processor time this process may have, and how long it was held back.
//!
//! A limit may be set on any group above ours, so all of them are asked. Version 2 has `cpu.max` and `cpu.stat`,
//! version 1 a folder for the `cpu` controller with `cpu.cfs_quota_us`, `cpu.cfs_period_us` and `cpu.stat`.

use std::path::{Path, PathBuf};

/// Where systems mount version 2, then the controller of version 1.
const MOUNTS: [&str; 4] =
    ["/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"];

/// The folders of this process's group and of those above it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Group {
    folders: Vec<PathBuf>,
}

impl Group {
    pub(crate) fn of_this_process() -> Self {
        let paths = super::read("/proc/self/cgroup").map_or_else(Vec::new, |text| paths(&text));
        let folders = MOUNTS.iter().flat_map(|mount| paths.iter().flat_map(|path| upwards(mount, path)));
        Self { folders: folders.collect() }
    }

    /// The tightest limit, in cores; none without one.
    pub(crate) fn quota_cores(&self) -> Option<f64> {
        let read = |folder: &Path, name: &str| super::read(folder.join(name)).unwrap_or_default();
        let quota = |folder: &PathBuf| {
            quota_v2(&read(folder, "cpu.max"))
                .or_else(|| quota_v1(&read(folder, "cpu.cfs_quota_us"), &read(folder, "cpu.cfs_period_us")))
        };
        self.folders.iter().filter_map(quota).reduce(f64::min)
    }

    /// Seconds for which it was held back so far, by whichever group did most of it.
    pub(crate) fn throttled_s(&self) -> Option<f64> {
        let stats = self.folders.iter().filter_map(|folder| super::read(folder.join("cpu.stat")));
        stats.filter_map(|stat| throttled_s(&stat)).reduce(f64::max)
    }
}

/// The paths of our groups: `0::/path` for version 2, `3:cpu,cpuacct:/path` for version 1.
fn paths(cgroup: &str) -> Vec<String> {
    let path = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let ours = controllers.is_empty() || controllers.split(',').any(|controller| controller == "cpu");
        ours.then(|| path.trim().to_owned())
    };
    let mut paths: Vec<String> = cgroup.lines().filter_map(path).collect();
    paths.sort();
    paths.dedup();
    paths
}

/// The folder of a group and those above it, up to the mount.
fn upwards(mount: &str, path: &str) -> Vec<PathBuf> {
    let folder = Path::new(mount).join(path.trim_start_matches('/'));
    folder.ancestors().take_while(|folder| folder.starts_with(mount)).map(Path::to_owned).collect()
}

/// `150000 100000`: so many microseconds in every so many. `max 100000` is no limit.
fn quota_v2(text: &str) -> Option<f64> {
    let (quota, period) = text.trim().split_once(' ')?;
    cores(quota.parse().ok()?, period.parse().ok()?)
}

/// The same in two files; -1 is no limit.
fn quota_v1(quota: &str, period: &str) -> Option<f64> {
    cores(quota.trim().parse().ok()?, period.trim().parse().ok()?)
}

fn cores(quota: f64, period: f64) -> Option<f64> {
    (quota > 0.0 && period > 0.0).then(|| quota / period)
}

/// Microseconds in version 2, nanoseconds in version 1.
fn throttled_s(stat: &str) -> Option<f64> {
    let value = |name: &str| {
        stat.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse::<u64>().ok())
    };
    let micros = value("throttled_usec").map(|micros| micros as f64 / 1e6);
    micros.or_else(|| value("throttled_time").map(|nanos| nanos as f64 / 1e9))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_groups_are_found_in_both_versions() {
        for (text, expected) in [
            ("0::/user.slice/shell\n", &["/user.slice/shell"][..]),
            ("9:name=systemd:/\n4:memory:/m\n3:cpu,cpuacct:/c\n2:cpuset:/s\n0::/\n", &["/", "/c"]),
            ("", &[]),
            ("nonsense\n", &[]),
        ] {
            assert_eq!(paths(text), expected, "{text}");
        }
        let folders = upwards("/mount", "/a/b");
        assert_eq!(folders, ["/mount/a/b", "/mount/a", "/mount"].map(PathBuf::from));
        assert_eq!(upwards("/mount", "/"), ["/mount"].map(PathBuf::from));
    }

    #[test]
    fn quotas_are_in_cores() {
        for (text, expected) in [("150000 100000\n", Some(1.5)), ("max 100000\n", None), ("", None), ("100000 0", None)]
        {
            assert_eq!(quota_v2(text), expected, "{text}");
        }
        assert_eq!(quota_v1("50000\n", "100000\n"), Some(0.5));
        assert_eq!(quota_v1("-1\n", "100000\n"), None);
        assert_eq!(quota_v1("", ""), None);
    }

    #[test]
    fn time_held_back_is_in_seconds() {
        for (text, expected) in [
            ("usage_usec 9\nnr_throttled 3\nthrottled_usec 2500000\n", Some(2.5)),
            ("nr_periods 9\nnr_throttled 3\nthrottled_time 2500000000\n", Some(2.5)),
            ("usage_usec 9\n", None),
        ] {
            assert_eq!(throttled_s(text), expected, "{text}");
        }
    }
}
