//! The arithmetic of telling the truth about a load test: histograms, quantiles, and intervals that hold
//! although requests in a queue are not independent.
//!
//! Pure functions from values to values. This crate does no I/O, has no clock, and knows neither HTTP nor what a
//! run is: it sees *ticks*, the histograms of consecutive stretches of time, one second each or any other length.

pub mod autocorrelation;
pub mod drift;
pub mod growth;
pub mod histogram;
pub mod interval;
pub mod quantile;
pub mod queue;
pub mod student;

pub use drift::Drift;
pub use growth::Growth;
pub use histogram::{Bucket, DecodeError, Histogram};
pub use interval::{Blocks, Estimate, Interval, wilson};
pub use quantile::{ParseQuantileError, Quantile};
