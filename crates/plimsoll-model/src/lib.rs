//! The plain types of a load test: what is asked (`Plan`), what is seen (`Tick`, `Recording`), what is said (`Run`).
//!
//! Invariants: nothing here does I/O, reads a clock or knows a socket. Parsing here is of single values as
//! people type them (`30s`, `200/s`, `p99<200ms`); files are another crate's.

pub mod calibration;
pub mod date;
mod load;
mod objective;
mod outcome;
mod plan;
mod rate;
mod recording;
pub mod run;
mod shape;
mod tick;
mod timeline;
mod transport;
pub mod units;

pub use calibration::Calibration;
pub use load::{Abort, Arrivals, ClosedLoad, Load, OpenLoad, Stop};
pub use objective::{Measure, Objective, Objectives};
pub use outcome::{Outcome, OutcomeCounts};
pub use plan::{JourneySpec, Plan, RequestSpec, Scheme, Target, redact};
pub use rate::Rate;
pub use recording::{End, FailureSample, GeneratorUse, Incident, Incidents, Recording, RiteRecord};
pub use run::Run;
pub use shape::{Phase, Shape};
pub use tick::{Cell, FlowTick, Phases, StepTick, Tick, Timings};
pub use timeline::{Span, Timeline};
pub use transport::{Http, Identity, Proxy, Timeouts, Tls, TlsVersion, Transport, Trust};
pub use units::ParseError;
