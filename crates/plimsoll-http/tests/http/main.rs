//! The crate from outside, as one test binary: tables first, then properties over generated answers.

mod chunk;
mod h2;
mod hpack;
mod inflate;
mod outcome;
mod properties;
mod request;
mod response;
mod same_as_httparse;
