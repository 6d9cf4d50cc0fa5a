//! Service times that depend on the arrival rate in bands: a server whose response to load is not monotonic.

use super::values::{self, Unreadable};
use std::str::FromStr;
use std::time::Duration;

/// `bands=100:5ms,200:50ms,1000:5ms`: below 100 a second 5 ms, below 200 50 ms, from there on 5 ms (the last
/// band has no end).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bands {
    // Not empty, bounds rising.
    bands: Vec<(u64, Duration)>,
}

impl Bands {
    /// The service time at this many arrivals a second.
    pub fn service(&self, rate: u64) -> Duration {
        self.bands
            .iter()
            .find(|&&(below, _)| rate < below)
            .or(self.bands.last())
            .map_or(Duration::ZERO, |&(_, time)| time)
    }
}

impl FromStr for Bands {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let unreadable = || Unreadable::new("bands of rising rates such as `100:5ms,200:50ms`", text);
        let bands = text
            .split(',')
            .map(|band| {
                let (below, time) = band.split_once(':').ok_or_else(unreadable)?;
                let below = below.parse().map_err(|_| unreadable())?;
                Ok((below, values::duration(time)?))
            })
            .collect::<Result<Vec<(u64, Duration)>, _>>()?;
        if bands.is_sorted_by(|a, b| a.0 < b.0) { Ok(Self { bands }) } else { Err(unreadable()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rate_has_its_band() {
        let bands: Bands = "100:5ms,200:50ms,1000:6ms".parse().expect("readable");
        for (rate, ms) in [(0, 5), (99, 5), (100, 50), (199, 50), (200, 6), (5000, 6)] {
            assert_eq!(bands.service(rate), Duration::from_millis(ms), "{rate}");
        }
        for text in ["", "100", "100:5ms,100:6ms", "200:5ms,100:6ms", "x:5ms"] {
            assert!(text.parse::<Bands>().is_err(), "{text}");
        }
    }
}
