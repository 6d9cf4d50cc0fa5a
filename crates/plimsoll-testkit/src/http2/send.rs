//! Putting frames: streams take turns, one frame of a body each, as far as the windows and the buffer go.

use super::Session;
use super::script::Progress;
use super::streams::Phase;
use crate::routes::Desk;
use crate::script;
use crate::session::Next;
use plimsoll_http::h2::frame::{ErrorCode, StreamId, put_rst_stream};
use std::rc::Rc;
use std::time::Duration;

impl Session {
    /// Sends what may be sent now; `None` when something befalls the connection first.
    pub(super) fn send(&mut self, now: Duration, out: &mut Vec<u8>, desk: &Desk) -> Option<Next> {
        self.streams.wake(now);
        while let Some((id, stream)) = self.streams.next_ready() {
            let Phase::Answer { player, .. } = &mut stream.phase else {
                self.begin_misdeed(id, now);
                return None;
            };
            match player.play(id, now, &mut stream.window, &mut self.line, out) {
                Progress::Finished => {
                    if let Some(next) = self.finish(id, out, desk) {
                        return Some(next);
                    }
                }
                Progress::Until(due) => self.streams.send_at(id, due, now),
                Progress::Turn => self.streams.queue(id),
                Progress::Stuck => self.streams.stick(id),
                Progress::Starved => self.streams.starve(id),
                Progress::Full => {
                    self.streams.queue_first(id);
                    return Some(Next::Flush);
                }
            }
        }
        if self.leaves_after.is_some() && self.streams.count() == 0 {
            self.is_deaf = true;
            return Some(Next::Close { linger: true });
        }
        Some(self.streams.next_due().map_or(Next::Read, Next::ReadUntil))
    }

    /// An answer has been sent.
    fn finish(&mut self, id: StreamId, out: &mut Vec<u8>, desk: &Desk) -> Option<Next> {
        let stream = self.streams.remove(id)?;
        let Phase::Answer { player, rude } = stream.phase else {
            return None;
        };
        desk.tally.answered(player.script().status);
        if stream.is_open && player.script().ends() {
            // The rest of the request is not wanted (RFC 9113, 8.1).
            put_rst_stream(out, id, ErrorCode::NO_ERROR);
        }
        self.is_deaf = rude;
        rude.then_some(Next::Close { linger: true })
    }

    fn begin_misdeed(&mut self, id: StreamId, now: Duration) {
        if let Some(stream) = self.streams.remove(id)
            && let Phase::Misdeed(script) = stream.phase
        {
            self.misdeed = Some(script::Player::new(Rc::new(script), now));
        }
    }
}
