//! What variables hold and queries yield.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::answer::Hop;

/// A value; cheap to clone, because every iteration begins with those of its plan.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// JSON's null.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(Number),
    /// Text.
    Text(Arc<str>),
    /// Bytes that need not be text.
    Bytes(Arc<[u8]>),
    /// Several.
    List(Arc<[Value]>),
    /// By name, in the order of the document.
    Object(Arc<[(String, Value)]>),
    /// A moment.
    Date(DateTime<Utc>),
    /// A redirect that was followed.
    Hop(Arc<Hop>),
    /// So many nodes of an XML or HTML document.
    Nodes(usize),
    /// An XPath that evaluates to nothing in particular.
    Unit,
}

/// A number as it was written.
#[derive(Debug, Clone, PartialEq)]
pub enum Number {
    /// Fits 64 bits.
    Integer(i64),
    /// With a fraction.
    Float(f64),
    /// An integer that does not fit, in its own digits.
    Big(Arc<str>),
}
