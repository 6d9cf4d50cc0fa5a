//! Taking in a request's body: skipping it, or keeping a bounded copy for an echo.

use crate::request::Framing;

/// A body that is kept for an echo is at most so large.
pub(crate) const KEPT_MAX: usize = 1 << 20;
// A chunk-size line or a trailer line longer than this is nonsense.
const LINE_MAX: u32 = 8 << 10;

/// The body of a request that is arriving.
#[derive(Debug)]
pub(crate) struct Intake {
    state: State,
    // `Some` when the bytes are wanted.
    kept: Option<Vec<u8>>,
}

/// How far the body has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrived {
    /// More is to come.
    Partly,
    /// It is complete.
    Wholly,
    /// It is malformed, or larger than what is kept: answered with this status.
    Refused(u16),
}

#[derive(Debug, Clone, Copy)]
enum State {
    Bytes(u64),
    ChunkSize { size: u64, digits: u32, seen: u32, extension: bool },
    ChunkBytes(u64),
    ChunkEnd,
    // Bytes seen in this line, carriage returns left out.
    Trailer { line: u32, seen: u32 },
    Done,
}

const NEW_CHUNK: State = State::ChunkSize { size: 0, digits: 0, seen: 0, extension: false };

impl Intake {
    /// A body framed so; `kept` begins the copy, if one is wanted.
    pub(crate) fn new(framing: Framing, kept: Option<Vec<u8>>) -> Self {
        let state = match framing {
            Framing::Length(0) => State::Done,
            Framing::Length(length) => State::Bytes(length),
            Framing::Chunked => NEW_CHUNK,
        };
        Self { state, kept }
    }

    /// Takes what belongs to the body from the front of `input`.
    pub(crate) fn take(&mut self, input: &mut &[u8]) -> Arrived {
        loop {
            match self.state {
                State::Done => return Arrived::Wholly,
                _ if input.is_empty() => return Arrived::Partly,
                State::Bytes(left) | State::ChunkBytes(left) => {
                    let (now, later) = input.split_at(input.len().min(left.try_into().unwrap_or(usize::MAX)));
                    *input = later;
                    if !self.keep(now) {
                        return Arrived::Refused(413);
                    }
                    self.state = self.after_bytes(left - now.len() as u64);
                }
                State::ChunkSize { .. } | State::ChunkEnd | State::Trailer { .. } => {
                    let byte = input[0];
                    *input = &input[1..];
                    match self.after_byte(byte) {
                        Some(state) => self.state = state,
                        None => return Arrived::Refused(400),
                    }
                }
            }
        }
    }

    /// The copy, if one was wanted.
    pub(crate) fn into_kept(self) -> Option<Vec<u8>> {
        self.kept
    }

    fn keep(&mut self, bytes: &[u8]) -> bool {
        let Some(kept) = &mut self.kept else {
            return true;
        };
        let fits = kept.len() + bytes.len() <= KEPT_MAX;
        if fits {
            kept.extend_from_slice(bytes);
        }
        fits
    }

    fn after_bytes(&self, left: u64) -> State {
        match (self.state, left) {
            (State::Bytes(_), 0) => State::Done,
            (State::Bytes(_), left) => State::Bytes(left),
            (_, 0) => State::ChunkEnd,
            (_, left) => State::ChunkBytes(left),
        }
    }

    /// The state after one byte of the framing between chunks; `None` where it does not belong.
    fn after_byte(&self, byte: u8) -> Option<State> {
        match (self.state, byte) {
            (State::ChunkEnd, b'\r') => Some(State::ChunkEnd),
            (State::ChunkEnd, b'\n') => Some(NEW_CHUNK),
            (State::ChunkSize { size, digits, seen, extension }, _) => {
                after_size_byte(size, digits, seen, extension, byte)
            }
            (State::Trailer { line: 0, .. }, b'\n') => Some(State::Done),
            (State::Trailer { seen, .. }, b'\n') => Some(State::Trailer { line: 0, seen }),
            (State::Trailer { line, seen }, _) if seen < LINE_MAX => {
                Some(State::Trailer { line: line + u32::from(byte != b'\r'), seen: seen + 1 })
            }
            _ => None,
        }
    }
}

fn after_size_byte(size: u64, digits: u32, seen: u32, extension: bool, byte: u8) -> Option<State> {
    match byte {
        b'\n' if digits == 0 => None,
        b'\n' if size == 0 => Some(State::Trailer { line: 0, seen: 0 }),
        b'\n' => Some(State::ChunkBytes(size)),
        _ if seen >= LINE_MAX => None,
        b'\r' | b';' | b' ' | b'\t' => Some(State::ChunkSize { size, digits, seen: seen + 1, extension: true }),
        _ if extension => Some(State::ChunkSize { size, digits, seen: seen + 1, extension }),
        _ => {
            let digit = char::from(byte).to_digit(16)?;
            let size = size.checked_mul(16)?.checked_add(u64::from(digit))?;
            Some(State::ChunkSize { size, digits: digits + 1, seen: seen + 1, extension })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way of cutting the input in two gives the same body and the same rest.
    #[track_caller]
    fn check(framing: Framing, input: &str, body: &str, rest: &str) {
        for cut in 0..=input.len() {
            let mut intake = Intake::new(framing, Some(Vec::new()));
            let (mut first, second) = input.as_bytes().split_at(cut);
            let _ = intake.take(&mut first);
            let joined = [first, second].concat();
            let mut left = joined.as_slice();
            assert_eq!(intake.take(&mut left), Arrived::Wholly, "cut at {cut}");
            assert_eq!(left, rest.as_bytes());
            assert_eq!(intake.into_kept().as_deref(), Some(body.as_bytes()));
        }
    }

    #[test]
    fn bodies_end_where_they_end() {
        check(Framing::Length(3), "abcGET", "abc", "GET");
        check(Framing::Length(0), "GET", "", "GET");
        check(Framing::Chunked, "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\nGET", "abc0123456789", "GET");
        check(Framing::Chunked, "0\r\nX: y\r\nZ: w\r\n\r\nGET", "", "GET");
    }

    #[test]
    fn what_is_malformed_is_refused() {
        for input in ["\r\n", "x\r\n", "11111111111111111\r\n", "1\r\nab\r\n", "-1\r\n"] {
            let mut intake = Intake::new(Framing::Chunked, None);
            assert_eq!(intake.take(&mut input.as_bytes()), Arrived::Refused(400), "{input:?}");
        }
        let endless = format!("1;{}", "x".repeat(LINE_MAX as usize));
        let mut intake = Intake::new(Framing::Chunked, None);
        assert_eq!(intake.take(&mut endless.as_bytes()), Arrived::Refused(400));
        let large = vec![0; KEPT_MAX + 1];
        let mut intake = Intake::new(Framing::Length(large.len() as u64), Some(Vec::new()));
        assert_eq!(intake.take(&mut large.as_slice()), Arrived::Refused(413));
    }
}
