//! What a process says: its last lines, whether a certain one came, and a copy in a file.
//!
//! Memory is bounded whatever it says and however long the lines are.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, PipeReader, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Enough for a message and the trace below it.
const LINES_MAX: usize = 20;
/// The rest of a longer line is left out.
const LINE_BYTES_MAX: usize = 2048;
/// A process that has ended may have children who hold its output open.
const PATIENCE: Duration = Duration::from_millis(500);

/// What a process says.
#[derive(Default)]
pub(crate) struct Output {
    state: Mutex<State>,
    ended: Condvar,
    /// The line that somebody waits for.
    awaited: Option<String>,
}

#[derive(Default)]
struct State {
    lines: VecDeque<String>, // at most LINES_MAX
    open: Vec<u8>,           // at most LINE_BYTES_MAX
    came: bool,
    ended: bool,
}

impl Output {
    /// Reads until nobody can say anything any more, on a thread of its own.
    pub(crate) fn follow(
        mut from: PipeReader,
        mut log: Option<File>,
        awaited: Option<String>,
    ) -> io::Result<Arc<Self>> {
        let output = Arc::new(Self { awaited, ..Self::default() });
        let follower = Arc::clone(&output);
        thread::Builder::new().spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(bytes @ 1..) = from.read(&mut buffer) {
                if let Some(file) = &mut log {
                    // A full disk must not stop the process, as an unread pipe would.
                    let _ = file.write_all(&buffer[..bytes]);
                }
                follower.take(&buffer[..bytes]);
            }
            follower.end();
        })?;
        Ok(output)
    }

    /// The last lines. Of a process that has ended, the very last come within a moment.
    pub(crate) fn last_lines(&self, has_ended: bool) -> Vec<String> {
        let mut state = self.state();
        if has_ended {
            let waited = self.ended.wait_timeout_while(state, PATIENCE, |state| !state.ended);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let open = (!state.open.is_empty()).then(|| text(&state.open));
        state.lines.iter().cloned().chain(open).collect()
    }

    /// Whether the awaited line came.
    pub(crate) fn came(&self) -> bool {
        self.state().came
    }

    fn take(&self, bytes: &[u8]) {
        let mut state = self.state();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let line = piece.strip_suffix(b"\n").unwrap_or(piece);
            let room = LINE_BYTES_MAX - state.open.len();
            state.open.extend_from_slice(&line[..line.len().min(room)]);
            if line.len() < piece.len() {
                state.close_line();
            }
            // A prompt without a line end is something said, too.
            let came = self.awaited.as_ref().is_some_and(|awaited| state.holds(awaited));
            state.came |= came;
        }
    }

    fn end(&self) {
        let mut state = self.state();
        if !state.open.is_empty() {
            state.close_line();
        }
        state.ended = true;
        self.ended.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What a thread that panicked left is still what was said.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn close_line(&mut self) {
        if self.lines.len() == LINES_MAX {
            self.lines.pop_front();
        }
        let line = text(&self.open);
        self.lines.push_back(line);
        self.open.clear();
    }

    /// Whether the line of which the last bytes came holds that.
    fn holds(&self, awaited: &str) -> bool {
        match self.open.is_empty() {
            true => self.lines.back().is_some_and(|line| line.contains(awaited)),
            false => text(&self.open).contains(awaited),
        }
    }
}

fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(pieces: &[&str], awaited: Option<&str>) -> Output {
        let output = Output { awaited: awaited.map(str::to_owned), ..Output::default() };
        pieces.iter().for_each(|piece| output.take(piece.as_bytes()));
        output
    }

    #[track_caller]
    fn check(pieces: &[&str], expected: &[&str]) {
        assert_eq!(said(pieces, None).last_lines(false), expected, "{pieces:?}");
    }

    #[test]
    fn lines_come_in_pieces() {
        check(&[], &[]);
        check(&["a\nb"], &["a", "b"]);
        check(&["a", "b\r\nc", "d\n", "\n", "e"], &["ab", "cd", "", "e"]);
    }

    #[test]
    fn memory_is_bounded() {
        let output = said(&["x\n".repeat(1000).as_str(), "y".repeat(100_000).as_str(), "\nz\n"], None);
        let lines = output.last_lines(false);
        assert_eq!(lines.len(), LINES_MAX);
        assert_eq!(lines[LINES_MAX - 2], "y".repeat(LINE_BYTES_MAX));
        assert_eq!(lines[LINES_MAX - 1], "z");
    }

    #[test]
    fn a_line_is_awaited_over_pieces() {
        assert!(said(&["now list", "ening on 80"], Some("listening")).came());
        assert!(said(&["listening\nmore\n"], Some("listening")).came());
        assert!(!said(&["list\nening\n"], Some("listening")).came());
    }
}
