//! `/proc/sys/net`: what limits connections.

/// How many ports `net.ipv4.ip_local_port_range` has.
pub(crate) fn ports(range: &str) -> Option<u64> {
    let mut bounds = range.split_whitespace().map(|bound| bound.parse::<u64>().ok());
    let (first, last) = (bounds.next()??, bounds.next()??);
    Some((last + 1).saturating_sub(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_bounds_are_ports() {
        for (range, expected) in
            [("32768\t60999\n", Some(28_232)), ("1024 1024", Some(1)), ("9 1", Some(0)), ("9", None), ("", None)]
        {
            assert_eq!(ports(range), expected, "{range}");
        }
    }
}
