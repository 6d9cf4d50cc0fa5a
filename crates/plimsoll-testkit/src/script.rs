//! What is sent, as a plan: bytes, pauses, and what becomes of the connection. A plan may be endless; what it holds
//! in memory is one block. Playing it writes into a buffer and knows no socket.

use std::rc::Rc;
use std::time::Duration;

/// The plan of one answer.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    /// The status a client should read from it, 0 where there is none to read.
    pub(crate) status: u16,
    /// In order.
    pub(crate) steps: Vec<Step>,
    /// What happens after the last step.
    pub(crate) end: End,
}

/// One step of a plan.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// Nothing is sent for so long.
    Pause(Duration),
    /// Bytes are sent.
    Flow(Flow),
}

/// A stretch of bytes: a block, repeated until so many bytes are sent.
#[derive(Debug, Clone)]
pub(crate) struct Flow {
    // Not empty.
    block: Rc<[u8]>,
    // `u64::MAX` is endless.
    total: u64,
    pace: Option<Pace>,
}

/// So many bytes at once, and then so long nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pace {
    /// At least 1.
    pub(crate) piece: u64,
    /// Above zero.
    pub(crate) every: Duration,
}

/// What becomes of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It waits for the next request.
    Keep,
    /// It is closed.
    Close,
    /// It is closed without the farewell of TLS; where that is not spoken, it is just closed.
    Cut,
    /// It is reset.
    Reset,
    /// It stays open and never says anything again.
    Silence,
}

/// How far playing got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Played {
    /// To the end.
    Finished(End),
    /// Until this time there is nothing to send.
    Until(Duration),
    /// The buffer is full.
    Full,
}

/// A buffer that holds this much is flushed before more is put into it.
pub(crate) const FULL: usize = 32 << 10;

impl Script {
    /// Bytes sent at once, and then `end`.
    pub(crate) fn bytes(status: u16, bytes: impl Into<Rc<[u8]>>, end: End) -> Self {
        Self { status, steps: vec![Step::Flow(Flow::once(bytes))], end }
    }
}

impl Flow {
    /// These bytes, once.
    pub(crate) fn once(bytes: impl Into<Rc<[u8]>>) -> Self {
        let block = bytes.into();
        let total = block.len() as u64;
        Self::repeated(block, total)
    }

    /// These bytes, without end.
    pub(crate) fn endless(bytes: impl Into<Rc<[u8]>>) -> Self {
        Self::repeated(bytes, u64::MAX)
    }

    /// These bytes over and over, `total` in all.
    pub(crate) fn repeated(bytes: impl Into<Rc<[u8]>>, total: u64) -> Self {
        let block: Rc<[u8]> = bytes.into();
        Self { total: if block.is_empty() { 0 } else { total }, block, pace: None }
    }

    /// The same bytes, slowly.
    pub(crate) fn paced(self, pace: Option<Pace>) -> Self {
        Self { pace, ..self }
    }

    /// Whether these were all of its bytes.
    pub(crate) fn is_over(&self, sent: u64) -> bool {
        sent >= self.total
    }

    /// When the next bytes may leave, if they have a pace.
    pub(crate) fn due(&self, sent: u64, began: Duration) -> Option<Duration> {
        let pace = self.pace?;
        // Counted from the beginning, so that the pace does not drift by the lateness of each piece.
        let pieces = sent / pace.piece;
        Some(began + Duration::from_nanos(pieces.saturating_mul(pace.every.as_nanos() as u64)))
    }

    /// How many of the bytes that are left may leave at once.
    pub(crate) fn allowed(&self, sent: u64) -> u64 {
        let left = self.total - sent;
        self.pace.map_or(left, |pace| left.min(pace.piece - sent % pace.piece))
    }

    /// Puts up to `allowed` bytes into `out`, as many as fit, and returns how many.
    pub(crate) fn put(&self, sent: u64, allowed: u64, out: &mut Vec<u8>) -> u64 {
        let room = FULL.saturating_sub(out.len()) as u64;
        let wanted = allowed.min(room);
        let mut put = 0;
        while put < wanted {
            let at = ((sent + put) % self.block.len() as u64) as usize;
            let take = (wanted - put).min((self.block.len() - at) as u64) as usize;
            out.extend_from_slice(&self.block[at..at + take]);
            put += take as u64;
        }
        put
    }
}

/// A script that is being played.
#[derive(Debug)]
pub(crate) struct Player {
    script: Rc<Script>,
    step: usize,
    // Of the current step.
    sent: u64,
    // When the current step began, or may begin.
    began: Duration,
    end: End,
}

impl Player {
    /// Plays `script` from `due` on.
    pub(crate) fn new(script: Rc<Script>, due: Duration) -> Self {
        Self { end: script.end, script, step: 0, sent: 0, began: due }
    }

    /// Ends otherwise than the script says.
    pub(crate) fn ending(self, end: End) -> Self {
        Self { end, ..self }
    }

    /// The status the script carries.
    pub(crate) fn status(&self) -> u16 {
        self.script.status
    }

    /// Puts into `out` what is to be sent by `now`.
    pub(crate) fn play(&mut self, now: Duration, out: &mut Vec<u8>) -> Played {
        if now < self.began {
            return Played::Until(self.began);
        }
        while let Some(step) = self.script.steps.get(self.step) {
            let flow = match step {
                Step::Pause(time) => {
                    let over = self.began + *time;
                    if now < over {
                        return Played::Until(over);
                    }
                    self.next_step(over);
                    continue;
                }
                Step::Flow(flow) => flow,
            };
            if flow.is_over(self.sent) {
                self.next_step(now);
                continue;
            }
            if let Some(due) = flow.due(self.sent, self.began)
                && now < due
            {
                return Played::Until(due);
            }
            if out.len() >= FULL {
                return Played::Full;
            }
            self.sent += flow.put(self.sent, flow.allowed(self.sent), out);
        }
        Played::Finished(self.end)
    }

    fn next_step(&mut self, began: Duration) {
        self.step += 1;
        self.sent = 0;
        self.began = began;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn player(steps: Vec<Step>, end: End) -> Player {
        let script = Script { status: 200, steps, end };
        Player::new(Rc::new(script), MS * 10)
    }

    #[test]
    fn nothing_leaves_before_it_is_due() {
        let mut player = player(vec![Step::Flow(Flow::once(*b"ab"))], End::Keep);
        let mut out = Vec::new();
        assert_eq!(player.play(MS * 9, &mut out), Played::Until(MS * 10));
        assert!(out.is_empty());
        assert_eq!(player.play(MS * 10, &mut out), Played::Finished(End::Keep));
        assert_eq!(out, b"ab");
    }

    #[test]
    fn pauses_and_paces_are_kept() {
        let pace = Pace { piece: 2, every: MS * 3 };
        let steps = vec![Step::Pause(MS * 5), Step::Flow(Flow::once(*b"abcde").paced(Some(pace)))];
        let mut player = player(steps, End::Close);
        let mut out = Vec::new();
        assert_eq!(player.play(MS * 10, &mut out), Played::Until(MS * 15));
        assert_eq!(player.play(MS * 15, &mut out), Played::Until(MS * 18));
        assert_eq!(out, b"ab");
        // Late: two pieces are due.
        assert_eq!(player.play(MS * 21, &mut out), Played::Finished(End::Close));
        assert_eq!(out, b"abcde");
    }

    #[test]
    fn an_endless_flow_fills_one_buffer_at_a_time() {
        let mut player = player(vec![Step::Flow(Flow::endless(*b"abc"))], End::Close);
        let mut out = Vec::new();
        for round in 0..5 {
            out.clear();
            assert_eq!(player.play(MS * 10, &mut out), Played::Full);
            assert_eq!(out.len(), FULL);
            assert_eq!(out[0], b"abc"[(round * FULL) % 3]);
        }
    }

    #[test]
    fn empty_steps_are_passed_over() {
        let mut player = player(vec![Step::Flow(Flow::endless(*b""))], End::Silence);
        assert_eq!(player.play(MS * 10, &mut Vec::new()), Played::Finished(End::Silence));
    }
}
