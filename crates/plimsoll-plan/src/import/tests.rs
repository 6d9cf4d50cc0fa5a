//! Whole imports.
