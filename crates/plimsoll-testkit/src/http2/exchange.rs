//! From a request to what is said to it: on a stream, or to the whole connection.

use super::request::Request;
use super::script::Player;
use super::streams::{Phase, Stream};
use super::{Block, Script, Session};
use crate::answer::Reply;
use crate::bad::Misdeed;
use crate::routes::{Desk, Route, Scripted};
use crate::visit::{Parting, What};
use plimsoll_http::h2::frame::{ErrorCode, StreamId, put_goaway, put_rst_stream};
use std::rc::Rc;
use std::time::Duration;

/// A stream whose request is to be answered.
#[derive(Debug, Clone, Copy)]
struct Opened {
    id: StreamId,
    // What the client takes of it.
    window: i64,
    // The client has not ended its side yet.
    is_open: bool,
}

impl Session {
    /// Opens a stream for the head that was read last.
    pub(super) fn open(&mut self, id: StreamId, end_stream: bool, now: Duration, desk: &mut Desk) {
        let request = self.head.request(desk.route(&self.head.target));
        if end_stream || request.early {
            if end_stream && !request.is_whole() {
                desk.tally.refused();
                return self.reset_stream(id, ErrorCode::PROTOCOL_ERROR);
            }
            let stream = Opened { id, window: self.window_first, is_open: !end_stream };
            return self.answer(stream, request, now, desk);
        }
        if self.head.expects_continue {
            let block = Block::answer(100).done();
            self.line.put_head(id, &block, false, &mut self.control);
        }
        self.streams.insert(id, Stream::new(self.window_first, true, Phase::Request(request)));
    }

    /// The client has ended its side: its request is whole, or was never one.
    pub(super) fn request_ends(&mut self, id: StreamId, now: Duration, desk: &mut Desk) {
        match self.streams.remove(id) {
            Some(Stream { phase: Phase::Request(request), window, .. }) if request.is_whole() => {
                self.answer(Opened { id, window, is_open: false }, request, now, desk);
            }
            _ => {
                desk.tally.refused();
                put_rst_stream(&mut self.control, id, ErrorCode::PROTOCOL_ERROR);
            }
        }
    }

    fn answer(&mut self, stream: Opened, request: Request, now: Duration, desk: &mut Desk) {
        let Opened { id, window, is_open } = stream;
        let Request { route, head_only, target, echo, .. } = request;
        let (phase, due) = match &*route {
            Route::Page(page) => {
                // Not counted, as in HTTP/1.1.
                let script = Script { status: 0, ..desk.page(page).framed(head_only) };
                (Phase::Answer { player: Player::new(Rc::new(script), now), rude: false }, now)
            }
            Route::Behaviour(scripted) => {
                desk.tally.request();
                self.behave(id, scripted, head_only, target.as_deref(), echo, now)
            }
        };
        self.streams.insert(id, Stream::new(window, is_open, phase));
        self.streams.send_at(id, due, now);
    }

    fn behave(
        &mut self,
        id: StreamId,
        scripted: &Scripted,
        head_only: bool,
        target: Option<&str>,
        echo: Option<Vec<u8>>,
        now: Duration,
    ) -> (Phase, Duration) {
        let said = self.visit.ask(scripted, target, echo, now);
        if said.parting == Parting::Told && self.leaves_after.is_none() {
            put_goaway(&mut self.control, self.highest, ErrorCode::NO_ERROR, b"");
            self.leaves_after = Some(self.highest);
        }
        let script = match said.what {
            What::Proper => scripted.framed(head_only),
            What::Reply(reply) => Rc::new(reply.framed(head_only)),
            What::Malformed => match scripted.malformed_on(id) {
                Some(Misdeed::Stream(script)) => Rc::new(script),
                Some(Misdeed::Connection(script)) => return (Phase::Misdeed(script), said.due),
                Some(Misdeed::Unannounced(script)) => {
                    // Where ours have not been sent yet, no SETTINGS come before it, and no acknowledgement.
                    if !std::mem::replace(&mut self.is_announced, true) {
                        self.control.clear();
                    }
                    return (Phase::Misdeed(script), said.due);
                }
                None => Rc::new(Reply::text(501, "this malformed answer exists in HTTP/1.1 only\n").framed(head_only)),
            },
        };
        (Phase::Answer { player: Player::new(script, said.due), rude: said.parting == Parting::Rude }, said.due)
    }

    /// Answers what is no request this server takes.
    pub(super) fn refuse(&mut self, id: StreamId, is_open: bool, status: u16, now: Duration, desk: &Desk) {
        desk.tally.refused();
        let reply = Reply::text(status, "this is no request this server understands\n");
        let script = Script { status: 0, ..reply.framed(false) };
        let phase = Phase::Answer { player: Player::new(Rc::new(script), now), rude: false };
        let window = self.streams.get(id).map_or(self.window_first, |stream| stream.window);
        self.streams.insert(id, Stream::new(window, is_open, phase));
        self.streams.send_at(id, now, now);
    }

    /// Gives a stream up.
    pub(super) fn reset_stream(&mut self, id: StreamId, code: ErrorCode) {
        self.streams.remove(id);
        put_rst_stream(&mut self.control, id, code);
    }
}
