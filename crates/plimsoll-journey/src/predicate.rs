//! What a value must be.

use crate::names::Slot;
use crate::template::Template;
use crate::value::Value;

/// What a value must be, or must not be.
#[derive(Debug, Clone)]
pub struct Predicate {
    /// The contrary is wanted.
    pub not: bool,
    /// What is wanted.
    pub comparison: Comparison,
}

/// What is wanted.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "they are Hurl's own predicates; what each means stands where it is evaluated")]
pub enum Comparison {
    Equals(Operand),
    /// `!=`: unlike `not ==` it does not hold where there is no value at all.
    Differs(Operand),
    /// The value, or one of a list's: what a header below the status line asks for.
    AnyEquals(Operand),
    Above(Operand),
    AtLeast(Operand),
    Below(Operand),
    AtMost(Operand),
    StartsWith(Operand),
    EndsWith(Operand),
    Contains(Operand),
    Includes(Operand),
    Matches(Template),
    Is(TypeTest),
}

/// What a value is compared with.
#[derive(Debug, Clone)]
pub enum Operand {
    /// Always the same.
    Fixed(Value),
    /// Text with gaps.
    Text(Template),
    /// A variable, with its type.
    Variable(Slot),
}

/// Questions that need no other value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are Hurl's own predicates; what each means stands where it is evaluated")]
pub enum TypeTest {
    Integer,
    Float,
    Boolean,
    Text,
    Collection,
    List,
    Object,
    Date,
    IsoDate,
    Exists,
    Empty,
    Number,
    Ipv4,
    Ipv6,
    Uuid,
}
