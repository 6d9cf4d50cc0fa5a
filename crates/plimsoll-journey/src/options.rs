//! How a step is performed, where that differs from the plan.

use std::path::PathBuf;
use std::time::Duration;

use crate::names::Slot;
use crate::predicate::Operand;
use crate::template::Template;

/// How a step is performed; none where the plan decides.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Set before the step, in this order.
    pub variables: Vec<(Slot, Operand)>,
    /// A pause before it.
    pub delay: Option<Setting<Duration>>,
    /// Performed again, so often at most, until its asserts hold.
    pub retry: Option<Setting<Count>>,
    /// The pause before each of these.
    pub retry_interval: Option<Setting<Duration>>,
    /// Performed so often.
    pub repeat: Option<Setting<Count>>,
    /// Left out.
    pub skip: Option<Setting<bool>>,
    /// Redirects are followed.
    pub follow: Option<Setting<bool>>,
    /// To other hosts too, with credentials.
    pub follow_trusted: Option<Setting<bool>>,
    /// So many at most.
    pub redirects_max: Option<Setting<Count>>,
    /// The whole exchange.
    pub time_max: Option<Setting<Duration>>,
    /// Until a connection stands.
    pub connect_timeout: Option<Setting<Duration>>,
    /// Compressed answers are asked for, and decoded.
    pub compressed: Option<Setting<bool>>,
    /// Any certificate is accepted.
    pub insecure: Option<Setting<bool>>,
    /// Who may vouch for the server.
    pub cacert: Option<PathBuf>,
    /// A certificate of our own.
    pub cert: Option<PathBuf>,
    /// Its key.
    pub key: Option<PathBuf>,
    /// The protocol.
    pub http: Option<HttpVersion>,
    /// Basic authentication: `user:password`.
    pub user: Option<Template>,
    /// Further headers: `Name: value`.
    pub headers: Vec<Template>,
    /// Names of headers that are not sent, not even where they would be there by themselves.
    pub no_headers: Vec<Template>,
    /// Hurl's coercion of a JSONPath's single result to the value itself is off.
    pub plain_jsonpath: Option<Setting<bool>>,
}

/// A value that is written down, or that a variable holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Setting<T> {
    /// Written down.
    Fixed(T),
    /// Held by a variable when the step begins.
    Variable(Slot),
}

/// How often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// So often.
    Times(u64),
    /// Without end.
    Endless,
}

/// A protocol that a step insists on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpVersion {
    /// HTTP/1.0.
    V1_0,
    /// HTTP/1.1.
    V1_1,
    /// HTTP/2, by ALPN.
    V2,
    /// HTTP/2 in the clear, by prior knowledge.
    V2PriorKnowledge,
}
