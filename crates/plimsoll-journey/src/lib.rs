//! What a user does: steps compiled once, rendered and checked for every exchange.
//!
//! A journey is a program without loops of its own: byte templates with slots for variables, and for every answer
//! the captures and asserts that are made of it. This crate evaluates it. It reads no file format (that is
//! `plimsoll-plan`), and touches no socket, clock or thread (that is `plimsoll-engine`): what was sent, what came
//! back and how long that took are handed in as values.

mod answer;
mod chance;
mod compiled;
mod cookies;
mod data;
mod draw;
mod escape;
mod evaluate;
mod failure;
mod filter;
mod json;
mod json_path;
mod mix;
mod names;
mod needs;
mod number;
mod options;
mod predicate;
mod program;
mod query;
mod request;
mod scope;
mod script;
mod secrets;
mod settings;
mod template;
mod think;
mod value;
mod wrong;

pub use answer::{Answer, Certificate, Hop};
pub use chance::{Purpose, Stream};
pub use cookies::{Jar, Origin};
pub use data::{AtEnd, Data, Format, Misread, Order, Pick, Spent, Turn, Zipf};
pub use draw::Draw;
pub use failure::{Failure, FailureKind};
pub use filter::Filter;
pub use mix::{ArrivalMix, Mix, Taken, UserMix};
pub use names::{Names, Slot};
pub use options::{Count, HttpVersion, Options, Setting};
pub use predicate::{Comparison, Operand, Predicate, TypeTest};
pub use program::{Assert, Capture, Expected, Journey, Needs, Place, Step};
pub use query::{CertificateField, CookieField, Query, XPath};
pub use request::{BasicAuth, Rendered, RequestTemplate};
pub use scope::Scope;
pub use script::{Act, Feed, Per, Rite, Script, Session};
pub use secrets::Secrets;
pub use settings::FromValue;
pub use template::{Escape, Expression, Function, Part, Template};
pub use think::Think;
pub use value::{Number, Value};
pub use wrong::Wrong;
