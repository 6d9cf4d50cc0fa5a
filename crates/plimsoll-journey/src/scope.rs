//! The variables of one iteration.

use crate::names::Slot;
use crate::value::Value;

/// The values that the variables of a plan have, for one user and one iteration.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    values: Vec<Option<Value>>,
}

impl Scope {
    /// Nothing has a value yet.
    pub fn with_room_for(variables: usize) -> Self {
        Self { values: vec![None; variables] }
    }

    /// A variable's value, if it has one.
    pub fn get(&self, slot: Slot) -> Option<&Value> {
        self.values.get(slot.index()).and_then(Option::as_ref)
    }

    /// Gives a variable a value.
    pub fn set(&mut self, slot: Slot, value: Value) {
        if self.values.len() <= slot.index() {
            self.values.resize(slot.index() + 1, None);
        }
        self.values[slot.index()] = Some(value);
    }
}
