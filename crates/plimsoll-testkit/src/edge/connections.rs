//! The connections of a thread, by number. A number is used again; its key, which counts how often, is not.

use super::connection::Connection;

/// A place for each open connection.
#[derive(Debug, Default)]
pub(super) struct Connections {
    places: Vec<Place>,
    free: Vec<u32>,
}

#[derive(Debug)]
struct Place {
    uses: u32,
    connection: Option<Connection>,
}

/// One connection and no other that has its number before or after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) number: u32,
    uses: u32,
}

impl Connections {
    pub(super) fn insert(&mut self, connection: Connection) -> Key {
        let number = self.free.pop().unwrap_or_else(|| {
            self.places.push(Place { uses: 0, connection: None });
            (self.places.len() - 1) as u32
        });
        let place = &mut self.places[number as usize];
        place.uses = place.uses.wrapping_add(1);
        place.connection = Some(connection);
        Key { number, uses: place.uses }
    }

    /// The connection that has this number now, with its key.
    pub(super) fn at(&mut self, number: u32) -> Option<(Key, &mut Connection)> {
        let place = self.places.get_mut(number as usize)?;
        let key = Key { number, uses: place.uses };
        place.connection.as_mut().map(|connection| (key, connection))
    }

    /// The connection of this key, unless it is gone.
    pub(super) fn get(&mut self, key: Key) -> Option<&mut Connection> {
        self.at(key.number).filter(|(found, _)| *found == key).map(|(_, connection)| connection)
    }

    pub(super) fn remove(&mut self, key: Key) -> Option<Connection> {
        self.get(key)?;
        self.free.push(key.number);
        self.places[key.number as usize].connection.take()
    }
}
