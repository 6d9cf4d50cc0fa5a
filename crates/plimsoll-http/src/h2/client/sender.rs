//! Bodies on their way out.
//!
//! What limits them are the windows the server gives, and how much waits in the output: a body is copied into it when
//! it can be written, not before. Streams take turns, a frame each.

use std::collections::VecDeque;

use super::streams::Streams;
use crate::h2::frame::{self, FRAME_BYTES_DEFAULT, StreamId, WINDOW_DEFAULT, WINDOW_MAX};

/// Once so much waits in the output, bodies wait too.
const OUT_BYTES_ENOUGH: usize = 64 * 1024;

#[derive(Debug)]
pub(super) struct Sender {
    /// Streams with a body of which something is unsent, each once, in the order of their turns.
    queue: VecDeque<StreamId>,
    /// What the server lets us send on the whole connection.
    window: i64,
    /// What it lets us send on a new stream.
    stream_window: i64,
    frame_bytes_max: usize,
}

impl Default for Sender {
    fn default() -> Self {
        Self {
            queue: VecDeque::new(),
            window: i64::from(WINDOW_DEFAULT),
            stream_window: i64::from(WINDOW_DEFAULT),
            frame_bytes_max: FRAME_BYTES_DEFAULT as usize,
        }
    }
}

impl Sender {
    pub(super) fn frame_bytes_max(&self) -> usize {
        self.frame_bytes_max
    }

    pub(super) fn stream_window(&self) -> i64 {
        self.stream_window
    }

    pub(super) fn set_frame_bytes_max(&mut self, bytes: u32) {
        self.frame_bytes_max = bytes as usize;
    }

    /// Changes the window of new streams; returns by how much that of the open ones changes.
    pub(super) fn set_stream_window(&mut self, bytes: u32) -> i64 {
        let bytes = i64::from(bytes);
        bytes - std::mem::replace(&mut self.stream_window, bytes)
    }

    /// Widens the window of the connection; false if it exceeds what a window may be.
    pub(super) fn widen(&mut self, bytes: u32) -> bool {
        self.window += i64::from(bytes);
        self.window <= i64::from(WINDOW_MAX)
    }

    /// A stream has a body to send.
    pub(super) fn enqueue(&mut self, id: StreamId) {
        self.queue.push_back(id);
    }

    /// A stream with an unsent body is gone.
    pub(super) fn forget(&mut self, id: StreamId) {
        self.queue.retain(|&queued| queued != id);
    }

    /// Puts into `out` what may go.
    #[inline]
    pub(super) fn send(&mut self, streams: &mut Streams, out: &mut Vec<u8>) {
        // How many streams in a row could send nothing.
        let mut stuck = 0;
        while stuck < self.queue.len() && self.window > 0 && out.len() < OUT_BYTES_ENOUGH {
            let Some(id) = self.queue.pop_front() else { return };
            match self.send_frame(id, streams, out) {
                Turn::Ended => {}
                Turn::Sent => {
                    stuck = 0;
                    self.queue.push_back(id);
                }
                Turn::Stuck => {
                    stuck += 1;
                    self.queue.push_back(id);
                }
            }
        }
    }

    fn send_frame(&mut self, id: StreamId, streams: &mut Streams, out: &mut Vec<u8>) -> Turn {
        let Some(stream) = streams.get_mut(id) else { return Turn::Ended };
        let Some(unsent) = &mut stream.unsent else { return Turn::Ended };
        let window = usize::try_from(self.window.min(stream.send_window)).unwrap_or(0);
        if window == 0 {
            return Turn::Stuck;
        }
        let left = &unsent.request.body()[unsent.sent..];
        let piece = &left[..left.len().min(window).min(self.frame_bytes_max)];
        let is_last = piece.len() == left.len();
        frame::put_data(out, id, piece, is_last);
        unsent.sent += piece.len();
        self.window -= piece.len() as i64;
        stream.send_window -= piece.len() as i64;
        if is_last {
            stream.unsent = None;
            return Turn::Ended;
        }
        Turn::Sent
    }
}

/// What became of a stream's turn.
enum Turn {
    /// A frame was sent, and more is left.
    Sent,
    /// Its window is closed.
    Stuck,
    /// Nothing is left.
    Ended,
}
