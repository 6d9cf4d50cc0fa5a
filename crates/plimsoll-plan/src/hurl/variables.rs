//! Which variables a journey reads and sets, so that one that nobody sets is found before the run.

use std::collections::BTreeSet;

use plimsoll_journey::{Names, Place, Slot};

use crate::mistake::Mistake;

/// The mentions of variables in the order in which an iteration comes to them.
#[derive(Debug, Clone, Default)]
pub struct Variables {
    mentions: Vec<Mention>,
}

/// A place that reads or sets a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// Which.
    pub slot: Slot,
    /// What it does there.
    pub how: Use,
    /// Where.
    pub place: Place,
    /// The line as it was written.
    pub line: String,
}

/// What a place does with a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// It must have a value.
    Read,
    /// It may have one: `variable "name" exists`.
    Asked,
    /// It gets one.
    Set,
}

impl Variables {
    pub(super) fn new(mentions: Vec<Mention>) -> Self {
        Self { mentions }
    }

    /// All of them, in the order in which an iteration comes to them.
    pub fn mentions(&self) -> &[Mention] {
        &self.mentions
    }

    /// The variables that captures and `variable:` options set.
    pub fn sets(&self) -> BTreeSet<Slot> {
        self.mentions.iter().filter(|mention| mention.how == Use::Set).map(|mention| mention.slot).collect()
    }

    /// The variables that must come from outside: from the plan, the command line, a data file or another journey.
    pub fn wants(&self) -> BTreeSet<Slot> {
        self.unset(&BTreeSet::new()).map(|mention| mention.slot).collect()
    }

    /// A mistake for each variable that has no value when it is first read. `given` have one from the beginning.
    pub fn missing(&self, names: &Names, given: &BTreeSet<Slot>) -> Vec<Mistake> {
        let mut told = BTreeSet::new();
        let unset = self.unset(given).filter(|mention| told.insert(mention.slot));
        unset.map(|mention| self.missing_one(mention, names, given)).collect()
    }

    fn unset<'m>(&'m self, given: &BTreeSet<Slot>) -> impl Iterator<Item = &'m Mention> {
        let mut set = given.clone();
        self.mentions.iter().filter(move |mention| match mention.how {
            Use::Set => {
                set.insert(mention.slot);
                false
            }
            Use::Read => !set.contains(&mention.slot),
            Use::Asked => false,
        })
    }

    fn missing_one(&self, mention: &Mention, names: &Names, given: &BTreeSet<Slot>) -> Mistake {
        let name = names.name(mention.slot);
        let later = self.mentions.iter().find(|other| other.slot == mention.slot && other.how == Use::Set);
        let (message, hint) = match later {
            Some(set) => (
                format!("the variable `{name}` is read before line {} sets it", set.place.line),
                format!("give it a first value with `--variable {name}=…`, or move the step"),
            ),
            None => (format!("nobody sets the variable `{name}`"), self.hint(name, mention.slot, names, given)),
        };
        Mistake { place: mention.place.clone(), line: mention.line.clone(), message, hint }
    }

    fn hint(&self, name: &str, slot: Slot, names: &Names, given: &BTreeSet<Slot>) -> String {
        let known = self.sets().into_iter().chain(given.iter().copied()).filter(|other| *other != slot);
        let nearest = known
            .map(|other| names.name(other))
            .map(|other| (strsim::damerau_levenshtein(name, other), other))
            .filter(|(distance, other)| *distance <= 1 + name.len().min(other.len()) / 4)
            .min();
        match nearest {
            Some((_, other)) => format!("did you mean `{other}`?"),
            None => {
                format!("give it with `--variable {name}=…`, in `[variables]` of the plan, or as a column of its data")
            }
        }
    }
}
