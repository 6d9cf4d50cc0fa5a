//! Hurl files become journeys: the only module that knows `hurl_core`.
