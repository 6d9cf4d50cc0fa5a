//! What variables hold and queries yield, and how it is written into requests and reports.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
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
#[derive(Debug, Clone)]
pub enum Number {
    /// Fits 64 bits.
    Integer(i64),
    /// With a fraction.
    Float(f64),
    /// An integer that does not fit, in its own digits.
    Big(Arc<str>),
}

/// How Hurl writes a moment into a request.
const DATE: &str = "%Y-%m-%dT%H:%M:%S.%6fZ";

impl Value {
    /// Text as a value.
    pub fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    /// An integer as a value.
    pub fn integer(integer: i64) -> Self {
        Self::Number(Number::Integer(integer))
    }

    /// What stands in a request where the value is wanted; none for what cannot be written there, such as a list.
    pub fn rendered(&self) -> Option<Cow<'_, str>> {
        Some(match self {
            Self::Null => "null".into(),
            Self::Bool(true) => "true".into(),
            Self::Bool(false) => "false".into(),
            Self::Number(number) => number.to_string().into(),
            Self::Text(text) => Cow::Borrowed(text),
            Self::Date(date) => date.format(DATE).to_string().into(),
            Self::Bytes(_) | Self::List(_) | Self::Object(_) | Self::Hop(_) | Self::Nodes(_) | Self::Unit => {
                return None;
            }
        })
    }

    /// What kind of value it is, as Hurl calls it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(Number::Integer(_) | Number::Big(_)) => "integer",
            Self::Number(Number::Float(_)) => "float",
            Self::Text(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "list",
            Self::Object(_) => "object",
            Self::Date(_) => "date",
            Self::Hop(_) => "http response",
            Self::Nodes(_) => "nodeset",
            Self::Unit => "unit",
        }
    }

    /// The value with its kind, for people: `string <abc>`.
    pub fn described(&self) -> String {
        match self {
            Self::Unit => "unit".to_owned(),
            _ => format!("{} <{self}>", self.kind()),
        }
    }
}

/// For people, not for requests.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(truth) => truth.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
            Self::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
            Self::List(values) => write_list(f, values),
            Self::Object(_) => f.write_str("Object()"),
            Self::Date(date) => date.fmt(f),
            Self::Hop(hop) => write!(f, "Response(location={}, status={})", hop.location, hop.status),
            Self::Nodes(count) => write!(f, "Nodeset(size={count})"),
            Self::Unit => f.write_str("Unit"),
        }
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, values: &[Value]) -> fmt::Result {
    f.write_char('[')?;
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            f.write_char(',')?;
        }
        write!(f, "{value}")?;
    }
    f.write_char(']')
}
