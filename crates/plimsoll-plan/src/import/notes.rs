//! What an import has to say: what was not carried over, how often, and what to do about it.

/// Remarks in the order in which they first occurred; equal ones are counted.
#[derive(Debug, Default)]
pub(super) struct Notes {
    counted: Vec<(Remark, usize)>,
}

#[derive(Debug, PartialEq, Eq)]
struct Remark {
    one: String,
    many: String,
}

/// Different remarks that are kept; the rest are counted.
const REMARKS_MAX: usize = 200;

impl Notes {
    /// Says something that is not counted.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        let text = text.into();
        self.add(Remark { one: text.clone(), many: text });
    }

    /// Counts something: `{}` in `many` becomes how often it occurred.
    pub(super) fn count(&mut self, one: impl Into<String>, many: impl Into<String>) {
        self.add(Remark { one: one.into(), many: many.into() });
    }

    fn add(&mut self, remark: Remark) {
        if let Some((_, times)) = self.counted.iter_mut().find(|(known, _)| *known == remark) {
            *times += 1;
        } else if self.counted.len() < REMARKS_MAX {
            self.counted.push((remark, 1));
        } else if self.counted.len() == REMARKS_MAX {
            let rest = "further remarks of other kinds are not listed".to_owned();
            self.counted.push((Remark { one: rest.clone(), many: rest }, 1));
        }
    }

    /// A line for each.
    pub(super) fn lines(&self) -> Vec<String> {
        let line = |(remark, times): &(Remark, usize)| match times {
            1 => remark.one.clone(),
            times => remark.many.replace("{}", &times.to_string()),
        };
        self.counted.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_remarks_are_counted() {
        let mut notes = Notes::default();
        notes.count("one script was left out", "{} scripts were left out");
        notes.say("the proxy was left out");
        notes.count("one script was left out", "{} scripts were left out");
        notes.say("the proxy was left out");
        assert_eq!(notes.lines(), ["2 scripts were left out", "the proxy was left out"]);
    }

    #[test]
    fn a_hostile_source_cannot_make_us_talk_without_end() {
        let mut notes = Notes::default();
        (0..100_000).for_each(|number| notes.say(number.to_string()));
        assert_eq!(notes.lines().len(), REMARKS_MAX + 1);
    }
}
