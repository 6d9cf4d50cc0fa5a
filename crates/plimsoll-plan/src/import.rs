//! What other tools left behind becomes a plan and Hurl files.
