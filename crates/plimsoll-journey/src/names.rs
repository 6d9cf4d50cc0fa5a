//! Names of variables, numbered once so that no exchange looks one up by its text.

/// A variable's number; one numbering holds for all journeys of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u32);

/// All variables of a plan.
#[derive(Debug, Clone, Default)]
pub struct Names {
    names: Vec<String>,
}

impl Slot {
    /// Where the variable's value stands in a scope.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Names {
    /// The slot of a name, which gets one if it has none yet.
    pub fn slot(&mut self, name: &str) -> Slot {
        self.find(name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            Slot(self.names.len() as u32 - 1)
        })
    }

    /// The slot of a name that has one.
    pub fn find(&self, name: &str) -> Option<Slot> {
        self.names.iter().position(|known| known == name).map(|index| Slot(index as u32))
    }

    /// The name of a slot.
    pub fn name(&self, slot: Slot) -> &str {
        &self.names[slot.index()]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All of them, in the order of their slots.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &str)> {
        self.names.iter().enumerate().map(|(index, name)| (Slot(index as u32), name.as_str()))
    }
}
