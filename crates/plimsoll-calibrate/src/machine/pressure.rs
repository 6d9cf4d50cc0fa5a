//! `/proc/pressure/cpu`: for how long something waited for a core.

/// Seconds in which at least one task waited, since the machine started.
pub(crate) fn waited_s(pressure: &str) -> Option<f64> {
    let some = pressure.lines().find_map(|line| line.strip_prefix("some "))?;
    let total = some.split_whitespace().find_map(|word| word.strip_prefix("total="))?;
    Some(total.parse::<u64>().ok()? as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_of_some() {
        let text = "some avg10=14.31 avg60=5.29 avg300=3.99 total=3382078\nfull avg10=0.00 total=0\n";
        assert_eq!(waited_s(text), Some(3.382_078));
        assert_eq!(waited_s("full avg10=0.00 total=7\n"), None);
        assert_eq!(waited_s(""), None);
    }
}
