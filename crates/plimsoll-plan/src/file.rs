//! Plan files in TOML.
