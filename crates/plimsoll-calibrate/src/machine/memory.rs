//! `/proc/meminfo`.

/// A line of it in bytes.
pub(crate) fn bytes(meminfo: &str, name: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_by_their_whole_name() {
        let text = "MemTotal:       24684084 kB\nMemFree:        22903272 kB\nHugePages_Total:       0\n";
        for (name, expected) in
            [("MemTotal", Some(24_684_084 * 1024)), ("Mem", None), ("HugePages_Total", None), ("Swap", None)]
        {
            assert_eq!(bytes(text, name), expected, "{name}");
        }
    }
}
