//! The variables of one iteration.

use std::sync::Arc;

use crate::names::{Names, Slot};
use crate::value::Value;

/// The values that the variables of a plan have, for one user and one iteration.
///
/// Every iteration begins with a clone of the plan's; `clone_from` into the scope of the iteration before costs no
/// allocation.
#[derive(Debug, Default)]
pub struct Scope {
    names: Arc<Names>,
    values: Vec<Option<Value>>,
}

impl Clone for Scope {
    fn clone(&self) -> Self {
        Self { names: Arc::clone(&self.names), values: self.values.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.names.clone_from(&source.names);
        self.values.clone_from(&source.values);
    }
}

impl Scope {
    /// Nothing has a value yet, and nobody knows the variables' names.
    pub fn with_room_for(variables: usize) -> Self {
        Self { names: Arc::default(), values: vec![None; variables] }
    }

    /// Nothing has a value yet.
    pub fn of(names: Arc<Names>) -> Self {
        let values = vec![None; names.len()];
        Self { names, values }
    }

    /// A variable's value, if it has one.
    pub fn get(&self, slot: Slot) -> Option<&Value> {
        self.values.get(slot.index()).and_then(Option::as_ref)
    }

    /// The value of the variable of this name, if there is such a variable and it has one.
    pub fn find(&self, name: &str) -> Option<&Value> {
        self.get(self.names.find(name)?)
    }

    /// A variable's name, for people.
    pub fn name(&self, slot: Slot) -> &str {
        if slot.index() < self.names.len() { self.names.name(slot) } else { "?" }
    }

    /// Gives a variable a value.
    pub fn set(&mut self, slot: Slot, value: Value) {
        if self.values.len() <= slot.index() {
            self.values.resize(slot.index() + 1, None);
        }
        self.values[slot.index()] = Some(value);
    }
}
