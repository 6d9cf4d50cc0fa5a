//! The facts about this machine that decide defaults, gathered once so that tests can make them up.

use std::collections::HashMap;

use rustix::process::{Resource, getrlimit};

/// Descriptors that the process needs for itself: standard streams, logs, an event queue for each thread.
const DESCRIPTORS_RESERVED: u64 = 64;

/// What defaults depend on.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    /// Cores this process may run on; at least 1.
    pub(crate) cores: usize,
    /// Descriptors this process may open once it has raised its limit; `None` for no limit.
    pub(crate) descriptors: Option<u64>,
    environment: HashMap<String, String>,
}

impl Machine {
    /// This one.
    pub(crate) fn here() -> Self {
        Self {
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            descriptors: getrlimit(Resource::Nofile).maximum,
            environment: std::env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
                .collect(),
        }
    }

    /// How many connections fit under the descriptor limit.
    pub(crate) fn connections_max(&self) -> u64 {
        self.descriptors.map_or(u64::MAX, |limit| limit.saturating_sub(DESCRIPTORS_RESERVED).max(1))
    }

    /// An environment variable.
    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        self.environment.get(name).map(String::as_str)
    }

    /// All environment variables.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&str, &str)> {
        self.environment.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// One of two cores and 1024 descriptors, for tests.
    #[cfg(test)]
    pub(crate) fn for_tests() -> Self {
        let environment = HashMap::from([("SECRET".to_owned(), "swordfish".to_owned())]);
        Self { cores: 2, descriptors: Some(1024), environment }
    }
}
