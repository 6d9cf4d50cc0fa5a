//! What is sent on one stream, as a plan, and playing it: the frames of it that may leave now, under the windows of
//! the client. What breaks the connection is no plan of a stream but a [`script`](crate::script) of bytes.

use crate::script::{FULL, Flow};
use plimsoll_http::h2::frame::{FrameHeader, Kind, StreamId, flag, put_headers};
use std::rc::Rc;
use std::time::Duration;

/// The plan of one answer.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    /// The status a client should read from it, 0 where there is none to read.
    pub(crate) status: u16,
    /// In order.
    pub(crate) parts: Vec<Part>,
}

/// A part of an answer; after the one that is `last` the stream is over.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    /// Nothing is sent for so long.
    Pause(Duration),
    /// Fields: interim ones, those of the answer, or its trailers.
    Head { block: Rc<[u8]>, last: bool },
    /// Bytes of the body, as far as the client's windows allow.
    Body { flow: Flow, last: bool },
}

/// A script that is being played.
#[derive(Debug)]
pub(crate) struct Player {
    script: Rc<Script>,
    part: usize,
    // Of the current part.
    sent: u64,
    // When the current part began, or may begin.
    began: Duration,
}

/// How far playing got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// To the end.
    Finished,
    /// Until this time there is nothing to send.
    Until(Duration),
    /// There is more, and others have their turn first.
    Turn,
    /// The buffer is full.
    Full,
    /// The client takes no more of this stream.
    Stuck,
    /// The client takes no more on this connection.
    Starved,
}

/// What a client lets the whole connection send.
#[derive(Debug)]
pub(crate) struct Line {
    /// Bytes of bodies, below zero never.
    pub(crate) window: i64,
    /// Of one frame's payload.
    pub(crate) frame_bytes_max: usize,
    /// The client has made its table smaller and waits to be told that this was heard (RFC 7541, 4.2).
    pub(crate) owes_resize: bool,
}

impl Script {
    /// Whether its end is the end of the stream.
    pub(crate) fn ends(&self) -> bool {
        matches!(self.parts.last(), Some(Part::Head { last: true, .. } | Part::Body { last: true, .. }))
    }
}

impl Player {
    /// Plays `script` from `due` on.
    pub(crate) fn new(script: Rc<Script>, due: Duration) -> Self {
        Self { script, part: 0, sent: 0, began: due }
    }

    /// What is played.
    pub(crate) fn script(&self) -> &Script {
        &self.script
    }

    /// Puts frames into `out`: up to and including one of the body, so that streams take turns. `window` is what the
    /// client takes of this stream.
    pub(crate) fn play(
        &mut self,
        stream: StreamId,
        now: Duration,
        window: &mut i64,
        line: &mut Line,
        out: &mut Vec<u8>,
    ) -> Progress {
        if now < self.began {
            return Progress::Until(self.began);
        }
        while let Some(part) = self.script.parts.get(self.part) {
            match part {
                Part::Pause(time) => {
                    let over = self.began + *time;
                    if now < over {
                        return Progress::Until(over);
                    }
                    self.next_part(over);
                }
                Part::Head { .. } if out.len() >= FULL => return Progress::Full,
                Part::Head { block, last } => {
                    line.put_head(stream, block, *last, out);
                    self.next_part(now);
                }
                Part::Body { flow, .. } if flow.is_over(self.sent) => self.next_part(now),
                Part::Body { flow, last } => {
                    if let Some(due) = flow.due(self.sent, self.began)
                        && now < due
                    {
                        return Progress::Until(due);
                    }
                    match line.put_body(stream, flow, self.sent, *last, window, out) {
                        Ok(count) => self.sent += count,
                        Err(obstacle) => return obstacle,
                    }
                    if !flow.is_over(self.sent) {
                        return Progress::Turn;
                    }
                }
            }
        }
        Progress::Finished
    }

    fn next_part(&mut self, began: Duration) {
        self.part += 1;
        self.sent = 0;
        self.began = began;
    }
}

impl Line {
    /// Puts a header block.
    pub(super) fn put_head(&mut self, stream: StreamId, block: &[u8], last: bool, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.owes_resize) {
            // Down to nothing, which every client allows: our blocks use no table.
            let block = [&[0x20], block].concat();
            return put_headers(out, stream, &block, last, self.frame_bytes_max);
        }
        put_headers(out, stream, block, last, self.frame_bytes_max);
    }

    /// Puts one frame, and returns how many bytes of the flow are in it, or what is in the way.
    fn put_body(
        &mut self,
        stream: StreamId,
        flow: &Flow,
        sent: u64,
        last: bool,
        window: &mut i64,
        out: &mut Vec<u8>,
    ) -> Result<u64, Progress> {
        let room = FULL.saturating_sub(out.len() + FrameHeader::BYTES);
        if room == 0 {
            return Err(Progress::Full);
        }
        if *window <= 0 {
            return Err(Progress::Stuck);
        }
        if self.window <= 0 {
            return Err(Progress::Starved);
        }
        let most = (*window).min(self.window).min(room.min(self.frame_bytes_max) as i64);
        let count = flow.allowed(sent).min(most as u64);
        let ends = last && flow.is_over(sent + count);
        // At most `frame_bytes_max`, which has 24 bits.
        let length = count as u32;
        let flags = if ends { flag::END_STREAM } else { 0 };
        FrameHeader { length, kind: Kind::Data, flags, stream }.put(out);
        flow.put(sent, count, out);
        *window -= count as i64;
        self.window -= count as i64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::ZERO;

    fn player(size: u64) -> Player {
        let head = Part::Head { block: Rc::from(*b"\x88"), last: false };
        let body = Part::Body { flow: Flow::repeated(*b"abc", size), last: true };
        Player::new(Rc::new(Script { status: 200, parts: vec![head, body] }), NOW)
    }

    fn line(window: i64) -> Line {
        Line { window, frame_bytes_max: 10, owes_resize: false }
    }

    #[test]
    fn windows_and_frames_are_kept_to() {
        let (mut player, mut line, mut window, mut out) = (player(25), line(22), 15, Vec::new());
        let stream = StreamId::new(1);
        let mut play = |window: &mut i64, line: &mut Line| {
            let before = out.len();
            let progress = player.play(stream, NOW, window, line, &mut out);
            (progress, out.len() - before)
        };
        assert_eq!(play(&mut window, &mut line), (Progress::Turn, 10 + 19));
        assert_eq!(play(&mut window, &mut line), (Progress::Turn, 9 + 5));
        assert_eq!(play(&mut window, &mut line), (Progress::Stuck, 0));
        window += 100;
        assert_eq!(play(&mut window, &mut line), (Progress::Turn, 9 + 7));
        assert_eq!(play(&mut window, &mut line), (Progress::Starved, 0));
        line.window += 100;
        assert_eq!(play(&mut window, &mut line), (Progress::Finished, 9 + 3));
        assert_eq!((window, line.window), (90, 97));
        assert!(out.ends_with(b"\0\0\x03\0\x01\0\0\0\x01bca"));
    }

    #[test]
    fn a_smaller_table_is_acknowledged_once() {
        let mut line = Line { owes_resize: true, ..line(100) };
        for length in [2, 1] {
            let mut out = Vec::new();
            player(1).play(StreamId::new(1), NOW, &mut 100, &mut line, &mut out);
            assert_eq!(out[2], length);
        }
    }
}
