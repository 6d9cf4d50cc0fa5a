//! Where an answer's parts go as they are understood.
//!
//! The parser keeps nothing; who wants headers or bytes takes them here. `()` wants nothing and costs nothing.

use crate::head::Head;

/// Receives the parts of an answer in the order they are read. Every method defaults to ignoring its part.
pub trait Sink {
    /// An interim (1xx) head; the answer itself is still to come.
    fn interim(&mut self, _head: &Head<'_>) {}
    /// The head of the answer. It comes once, before any body bytes.
    fn head(&mut self, _head: &Head<'_>) {}
    /// Some of the body, chunk framing removed; never empty.
    fn body(&mut self, _bytes: &[u8]) {}
    /// A field that followed a chunked body; `name` is a token, `value` has no control characters but tab.
    fn trailer(&mut self, _name: &str, _value: &[u8]) {}
}

impl Sink for () {}

impl<S: Sink> Sink for &mut S {
    fn interim(&mut self, head: &Head<'_>) {
        (**self).interim(head);
    }
    fn head(&mut self, head: &Head<'_>) {
        (**self).head(head);
    }
    fn body(&mut self, bytes: &[u8]) {
        (**self).body(bytes);
    }
    fn trailer(&mut self, name: &str, value: &[u8]) {
        (**self).trailer(name, value);
    }
}

/// What feeding bytes led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fed {
    /// All input was eaten and the message is not finished.
    More,
    /// The message ended at `input[..consumed]`; the rest belongs to whatever comes next.
    Done {
        /// How many bytes of the input belonged to the message.
        consumed: usize,
    },
}

/// Counts the body bytes on their way.
pub(crate) struct Counted<'a, S> {
    pub(crate) sink: &'a mut S,
    pub(crate) bytes: &'a mut u64,
}

impl<S: Sink> Sink for Counted<'_, S> {
    fn body(&mut self, bytes: &[u8]) {
        *self.bytes += bytes.len() as u64;
        self.sink.body(bytes);
    }
    fn trailer(&mut self, name: &str, value: &[u8]) {
        self.sink.trailer(name, value);
    }
}
