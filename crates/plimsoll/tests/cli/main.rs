//! The real binary: stdout, stderr and exit code of each command line, as one text.

mod bad_input;
mod live;
mod support;
