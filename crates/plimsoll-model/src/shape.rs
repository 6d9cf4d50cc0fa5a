//! The shape of a load over time: a level for each moment, made of straight pieces.
//!
//! The same shape serves both models: the level is arrivals per second in the open one, users in the closed
//! one. Shapes are typed as words (`10/s for 30s, ramp to 60/s over 2m, hold 1m, spike 300/s for 5s`); the
//! arithmetic on them is exact, so that slices of a schedule add up to the whole.

use std::fmt;
use std::time::Duration;

use crate::rate::Rate;
use crate::units::{ParseError, duration_text, parse_count, parse_duration};

/// One straight piece of a shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Phase {
    /// The level at its start.
    pub from: f64,
    /// The level at its end.
    pub to: f64,
    /// How long it takes; `None` only for the last phase of a shape that ends by a count of requests.
    pub length: Option<Duration>,
}

/// A level for each moment of a run. Never empty.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    phases: Vec<Phase>,
}

impl Shape {
    /// One level, held for `length` (or until something else ends the run).
    pub fn constant(level: f64, length: Option<Duration>) -> Self {
        Self { phases: vec![Phase { from: level, to: level, length }] }
    }

    /// Reads the open model's shape; levels are rates.
    pub fn parse_open(text: &str) -> Result<Self, ParseError> {
        parse(text, "10/s for 30s, ramp to 60/s over 2m, hold 1m, spike 300/s for 5s", |level| {
            level.parse::<Rate>().map(Rate::get)
        })
    }

    /// Reads the closed model's shape; levels are users.
    pub fn parse_closed(text: &str) -> Result<Self, ParseError> {
        parse(text, "1500 users, spawn 200/s, hold 1m, ramp to 200 users over 30s", parse_users)
    }

    /// The pieces in order.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// The whole length, or `None` if the last phase is open-ended.
    pub fn length(&self) -> Option<Duration> {
        self.phases.iter().try_fold(Duration::ZERO, |sum, phase| Some(sum.saturating_add(phase.length?)))
    }

    /// The level at `t` seconds; the last phase's end level afterwards.
    pub fn level_at(&self, t: f64) -> f64 {
        let mut start = 0.0;
        for phase in &self.phases {
            let Some(length) = phase.length.map(|length| length.as_secs_f64()) else {
                return phase.to;
            };
            if t < start + length {
                return phase.from + (phase.to - phase.from) * (t - start) / length;
            }
            start += length;
        }
        self.phases.last().map_or(0.0, |phase| phase.to)
    }

    /// The highest level ever asked for.
    pub fn peak(&self) -> f64 {
        self.phases.iter().flat_map(|phase| [phase.from, phase.to]).fold(0.0, f64::max)
    }

    /// The first moment, in seconds and not before `from`, at which the level is above `level`.
    pub fn rises_above(&self, level: f64, from: f64) -> Option<f64> {
        let mut start = 0.0;
        for phase in &self.phases {
            let length = phase.length.map_or(f64::INFINITY, |length| length.as_secs_f64());
            let end = start + length;
            if from < end {
                let begin = from.max(start);
                let slope = if length.is_finite() { (phase.to - phase.from) / length } else { 0.0 };
                if phase.from + slope * (begin - start) > level {
                    return Some(begin);
                }
                if phase.to > level {
                    // On a rising piece the level passes `level` where `from + slope·x = level`.
                    return Some((start + (level - phase.from) / slope).max(begin));
                }
            }
            start = end;
        }
        None
    }

    /// The area under the shape: in the open model the number of arrivals by its end. Infinite if open-ended.
    pub fn area(&self) -> f64 {
        self.phases.iter().map(Phase::area).sum()
    }

    /// The moment, in seconds, at which the area under the shape reaches `area`; `None` if it never does.
    ///
    /// Within a phase the level is `a + b·x`, so the area is `a·x + b·x²/2`; solved for `x` in the form that
    /// stays accurate when `b` is near zero: `x = 2·A / (a + √(a² + 2·b·A))`.
    pub fn time_at_area(&self, area: f64) -> Option<f64> {
        let (mut start, mut left) = (0.0, area);
        for phase in &self.phases {
            let whole = phase.area();
            let length = phase.length.map_or(f64::INFINITY, |length| length.as_secs_f64());
            if left < whole {
                let slope = if length.is_finite() { (phase.to - phase.from) / length } else { 0.0 };
                let root = (phase.from * phase.from + 2.0 * slope * left).max(0.0).sqrt();
                let x = if left == 0.0 && phase.from > 0.0 { 0.0 } else { 2.0 * left / (phase.from + root) };
                // A ramp that starts at zero has its first arrival at its very start.
                return Some(start + if x.is_finite() { x.min(length) } else { 0.0 });
            }
            left -= whole;
            start += length;
        }
        None
    }
}

impl Phase {
    fn area(&self) -> f64 {
        match self.length {
            Some(length) => (self.from + self.to) / 2.0 * length.as_secs_f64(),
            None => f64::INFINITY,
        }
    }
}

fn parse_users(text: &str) -> Result<f64, ParseError> {
    let number = text.trim().trim_end_matches("users").trim_end_matches("user").trim();
    let users = parse_count(number).map_err(|_| ParseError::new(text, "a number of users, such as `50 users`"))?;
    Ok(users as f64)
}

/// The phrases of a shape, separated by commas:
/// `LEVEL [for D]` · `ramp to LEVEL over D` · `hold D` · `spike LEVEL for D` · `spawn N/s` (after the first level).
fn parse(text: &str, example: &str, level: impl Fn(&str) -> Result<f64, ParseError>) -> Result<Shape, ParseError> {
    let mut reader = Reader { phases: Vec::new(), level_now: None };
    for phrase in text.split(',').map(str::trim) {
        reader.phrase(phrase, &level).map_err(|error| {
            let expected = format!("{} (in the shape `{}`; an example is `{example}`)", error.expected, text.trim());
            ParseError { text: error.text, expected }
        })?;
    }
    let open_ended = reader.phases.iter().position(|phase| phase.length.is_none());
    match open_ended {
        Some(index) if index + 1 < reader.phases.len() => {
            Err(ParseError::new(text, "a shape in which every level but the last says how long it lasts (`… for 30s`)"))
        }
        _ => Ok(Shape { phases: reader.phases }),
    }
}

struct Reader {
    phases: Vec<Phase>,
    level_now: Option<f64>,
}

impl Reader {
    fn phrase(&mut self, phrase: &str, level: &impl Fn(&str) -> Result<f64, ParseError>) -> Result<(), ParseError> {
        if let Some(rest) = phrase.strip_prefix("ramp to ") {
            let (target, length) = split_on(rest, " over ", phrase)?;
            let from = self.level_now.unwrap_or(0.0);
            return self.push(from, level(target)?, Some(positive_duration(length)?));
        }
        if let Some(length) = phrase.strip_prefix("hold ") {
            let now = self.level_now.ok_or_else(|| ParseError::new(phrase, "preceded by a level to hold"))?;
            let length = positive_duration(length.trim().trim_start_matches("for "))?;
            self.drop_open_end();
            return self.push(now, now, Some(length));
        }
        if let Some(rest) = phrase.strip_prefix("spike ") {
            let (target, length) = split_on(rest, " for ", phrase)?;
            let (before, peak) = (self.level_now, level(target)?);
            self.push(peak, peak, Some(positive_duration(length)?))?;
            self.level_now = before; // a spike ends where it began
            return Ok(());
        }
        if let Some(rate) = phrase.strip_prefix("spawn ") {
            return self.spawn(phrase, rate.parse()?);
        }
        let (target, length) = match phrase.split_once(" for ") {
            Some((target, length)) => (target, Some(positive_duration(length)?)),
            None => (phrase, None),
        };
        let target = level(target)?;
        self.push(target, target, length)
    }

    /// `1500 users, spawn 200/s`: the level just given is reached by a ramp at that many a second.
    fn spawn(&mut self, phrase: &str, rate: Rate) -> Result<(), ParseError> {
        let error = || {
            ParseError::new(phrase, "right after the first level, with a rate above zero: `1500 users, spawn 200/s`")
        };
        let [Phase { from, length, .. }] = self.phases[..] else {
            return Err(error());
        };
        if rate.get() <= 0.0 || from <= 0.0 {
            return Err(error());
        }
        let ramp = Duration::try_from_secs_f64(from / rate.get()).map_err(|_| error())?;
        self.phases = vec![Phase { from: 0.0, to: from, length: Some(ramp) }, Phase { from, to: from, length }];
        Ok(())
    }

    /// `10 users, hold 2m`: the hold says how long the level before it lasts.
    fn drop_open_end(&mut self) {
        if self.phases.last().is_some_and(|phase| phase.length.is_none()) {
            self.phases.pop();
        }
    }

    fn push(&mut self, from: f64, to: f64, length: Option<Duration>) -> Result<(), ParseError> {
        self.phases.push(Phase { from, to, length });
        self.level_now = Some(to);
        Ok(())
    }
}

fn split_on<'t>(text: &'t str, word: &str, phrase: &str) -> Result<(&'t str, &'t str), ParseError> {
    text.split_once(word)
        .ok_or_else(|| ParseError::new(phrase, format!("complete: `{}` and a duration are missing", word.trim())))
}

fn positive_duration(text: &str) -> Result<Duration, ParseError> {
    let duration = parse_duration(text)?;
    if duration.is_zero() { Err(ParseError::new(text, "longer than nothing")) } else { Ok(duration) }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, phase) in self.phases.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            match phase.length.map(duration_text) {
                Some(length) if phase.from != phase.to => {
                    write!(f, "{comma}{} to {} over {length}", phase.from, phase.to)?
                }
                Some(length) => write!(f, "{comma}{} for {length}", phase.to)?,
                None => write!(f, "{comma}{}", phase.to)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phases(shape: &Shape) -> Vec<(f64, f64, Option<f64>)> {
        shape.phases().iter().map(|p| (p.from, p.to, p.length.map(|l| l.as_secs_f64()))).collect()
    }

    #[test]
    fn the_words_of_an_open_shape() {
        let shape =
            Shape::parse_open("10/s for 30s, ramp to 60/s over 2m, spike 300/s for 5s, hold 1m").expect("valid");
        let expected =
            [(10.0, 10.0, Some(30.0)), (10.0, 60.0, Some(120.0)), (300.0, 300.0, Some(5.0)), (60.0, 60.0, Some(60.0))];
        assert_eq!(phases(&shape), expected);
        assert_eq!(shape.length(), Some(Duration::from_secs(215)));
        assert_eq!(shape.peak(), 300.0);
    }

    #[test]
    fn lengths_beyond_counting_do_no_harm() {
        let eons = Shape::parse_open("1/s for 200000000000000d, hold 200000000000000d").expect("valid");
        assert_eq!(eons.length(), Some(Duration::MAX));
        assert!(Shape::parse_closed("9000000M users, spawn 0.0000000000001/h").is_err());
    }

    #[test]
    fn the_words_of_a_closed_shape() {
        let shape = Shape::parse_closed("1500 users, spawn 200/s").expect("valid");
        assert_eq!(phases(&shape), [(0.0, 1500.0, Some(7.5)), (1500.0, 1500.0, None)]);
        let shape = Shape::parse_closed("10 users, spawn 10/s, hold 2m").expect("valid");
        assert_eq!(phases(&shape), [(0.0, 10.0, Some(1.0)), (10.0, 10.0, Some(120.0))]);
    }

    #[test]
    fn nonsense_is_refused_with_an_example() {
        for text in [
            "",
            "10",
            "10/s for",
            "ramp to 10/s",
            "hold 1m",
            "10/s, 20/s for 1s",
            "spike 5/s",
            "10/s for 0s",
            "spawn 3/s",
        ] {
            let error = Shape::parse_open(text).expect_err(text);
            assert!(!error.expected.is_empty());
        }
        assert!(Shape::parse_closed("10 users, spawn 0/s").is_err());
    }

    #[test]
    fn the_level_follows_the_pieces() {
        let shape = Shape::parse_open("10/s for 10s, ramp to 30/s over 10s").expect("valid");
        for (t, level) in [(0.0, 10.0), (9.9, 10.0), (15.0, 20.0), (20.0, 30.0), (99.0, 30.0)] {
            assert!((shape.level_at(t) - level).abs() < 1e-9, "{t}");
        }
    }

    #[test]
    fn a_user_comes_and_goes_with_the_level() {
        let shape = Shape::parse_closed("ramp to 10 users over 10s, ramp to 5 users over 5s, hold 5s").expect("valid");
        for (level, from, expected) in [
            (0.0, 0.0, Some(0.0)),
            (4.0, 0.0, Some(4.0)),
            (4.0, 18.0, Some(18.0)),
            (9.0, 9.5, Some(9.5)),
            (9.0, 12.0, None),
            (10.0, 0.0, None),
            (4.0, 25.0, None),
        ] {
            assert_eq!(shape.rises_above(level, from), expected, "above {level} from {from}");
        }
    }

    proptest::proptest! {
        #[test]
        fn time_at_area_inverts_the_area(a in 0.0..50.0f64, b in 0.5..50.0f64, c in 0.0..50.0f64, share in 0.001..0.999f64) {
            let shape = Shape {
                phases: [(a, b), (b, b), (b, c)]
                    .map(|(from, to)| Phase { from, to, length: Some(Duration::from_secs(7)) })
                    .to_vec(),
            };
            let area = shape.area() * share;
            let t = shape.time_at_area(area).expect("inside");
            // Integrate the level numerically up to t.
            let steps = 20_000;
            let sum: f64 = (0..steps).map(|i| shape.level_at(t * (i as f64 + 0.5) / steps as f64)).sum();
            let integral = sum * t / steps as f64;
            proptest::prop_assert!((integral - area).abs() < 0.05 + area * 1e-3, "{integral} {area}");
        }
    }
}
