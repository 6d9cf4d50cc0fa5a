//! One connection as a state machine: bytes of requests in, bytes of answers out, and what to wait for. It knows no
//! socket; the time is told to it. This is HTTP/1.1; a connection that begins with the preface of HTTP/2 is left to
//! [`http2`] for good.

use crate::answer::{Frame, Persistence, Reply};
use crate::behaviour::Redirect;
use crate::http2;
use crate::intake::{Arrived, Intake};
use crate::request::{self, Framing, Head, Parsed};
use crate::routes::{Desk, Route, Scripted};
use crate::script::{End, Played, Player, Script};
use crate::visit::{Parting, Visit, What};
use plimsoll_http::h2::frame::PREFACE;
use std::rc::Rc;
use std::time::Duration;

/// The server's side of one connection.
#[derive(Debug)]
pub(crate) struct Session {
    state: State,
    visit: Visit,
    // The client may be sending what will not be read.
    unread: bool,
}

/// What a session needs to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// More input.
    Read,
    /// More input, or that it is so late, whichever comes first.
    ReadUntil(Duration),
    /// Room in the output.
    Flush,
    /// That it is so late.
    Wait(Duration),
    /// Nothing: the connection is to be closed once the output is written; `linger` when input may be on its way
    /// that would otherwise turn the close into a reset.
    Close {
        /// Close the sending side, and wait for the client to close.
        linger: bool,
    },
    /// Nothing: the connection is to be closed once the output is written, without the farewell that TLS wants.
    Cut,
    /// Nothing: the connection is to be reset once the output is written.
    Reset,
}

#[derive(Debug)]
enum State {
    Head,
    Body(Exchange, Intake),
    Answer(Player),
    // From the client's preface to the end. Boxed, so that others stay small.
    Http2(Box<http2::Session>),
    // The rest of the input is of no interest.
    Deaf,
}

#[derive(Debug)]
struct Exchange {
    route: Rc<Route>,
    frame: Frame,
    // As in the request line; kept only where the answer repeats it.
    target: Option<String>,
}

impl Session {
    /// A connection that was just accepted.
    pub(crate) fn new() -> Self {
        Self::in_state(State::Head)
    }

    fn in_state(state: State) -> Self {
        Self { state, visit: Visit::default(), unread: false }
    }

    /// A connection that is talked to before it has said anything.
    pub(crate) fn greeted(script: Script, now: Duration) -> Self {
        Self::in_state(State::Answer(Player::new(Rc::new(script), now)))
    }

    /// Goes on as far as `input` and the room in `out` allow; what is used of `input` is taken from its front.
    pub(crate) fn advance(&mut self, now: Duration, input: &mut &[u8], out: &mut Vec<u8>, desk: &mut Desk) -> Next {
        loop {
            match &mut self.state {
                State::Head => match request::parse(input) {
                    Parsed::Partial => return Next::Read,
                    Parsed::Preface => match desk.http2() {
                        None => self.refuse(400, now, desk),
                        Some(streams_max) => {
                            *input = &input[PREFACE.len()..];
                            desk.tally.http2();
                            self.state = State::Http2(Box::new(http2::Session::new(streams_max)));
                        }
                    },
                    Parsed::Refused(status) => self.refuse(status, now, desk),
                    Parsed::Head(head) => {
                        *input = &input[head.raw.len()..];
                        self.open(&head, now, input.is_empty(), out, desk);
                    }
                },
                State::Body(_, intake) => match intake.take(input) {
                    Arrived::Partly => return Next::Read,
                    Arrived::Refused(status) => self.refuse(status, now, desk),
                    Arrived::Wholly => self.body_complete(now, desk),
                },
                State::Answer(player) => match player.play(now, out) {
                    Played::Until(due) => return Next::Wait(due),
                    Played::Full => return Next::Flush,
                    Played::Finished(end) => {
                        desk.tally.answered(player.status());
                        if let Some(next) = self.finish(end, input) {
                            return next;
                        }
                    }
                },
                State::Http2(session) => return session.advance(now, input, out, desk),
                State::Deaf => {
                    *input = &[];
                    return Next::Read;
                }
            }
        }
    }

    /// Whether only new input can bring it on.
    pub(crate) fn is_idle(&self) -> bool {
        matches!(self.state, State::Head | State::Deaf)
    }

    fn open(&mut self, head: &Head<'_>, now: Duration, body_outstanding: bool, out: &mut Vec<u8>, desk: &mut Desk) {
        let route = desk.route(head.target);
        let (mut kept, mut target, mut early) = (None, None, false);
        if let Route::Behaviour(scripted) = &*route {
            let spec = &scripted.behaviour.spec;
            kept = spec.echoes().then(|| head.raw.to_vec());
            let repeats = spec.redirect == Some(Redirect::Itself);
            target = repeats.then(|| String::from_utf8_lossy(head.target).into_owned());
            early = scripted.early;
        }
        let has_body = head.body != Framing::Length(0);
        let exchange =
            Exchange { route, frame: Frame { persistence: head.persistence, head_only: head.head_only }, target };
        self.unread = has_body && early;
        if early || (!has_body && kept.is_none()) {
            return self.answer(exchange, None, now, desk);
        }
        if head.expects_continue && has_body && body_outstanding {
            out.extend_from_slice(b"HTTP/1.1 100 Continue\r\n\r\n");
        }
        self.state = State::Body(exchange, Intake::new(head.body, kept));
    }

    fn body_complete(&mut self, now: Duration, desk: &mut Desk) {
        if let State::Body(exchange, intake) = std::mem::replace(&mut self.state, State::Head) {
            self.answer(exchange, intake.into_kept(), now, desk);
        }
    }

    fn answer(&mut self, exchange: Exchange, echo: Option<Vec<u8>>, now: Duration, desk: &mut Desk) {
        let Exchange { route, frame, target } = exchange;
        let player = match &*route {
            Route::Behaviour(scripted) => {
                desk.tally.request();
                let player = self.behave(scripted, frame, target.as_deref(), echo, now);
                if self.unread { player.ending(End::Close) } else { player }
            }
            // The server's own pages are not counted: the counts are about what was served.
            Route::Page(page) => {
                let script = desk.page(page).script(frame);
                Player::new(Rc::new(Script { status: 0, ..script }), now)
            }
        };
        self.state = State::Answer(player);
    }

    fn behave(
        &mut self,
        scripted: &Scripted,
        frame: Frame,
        target: Option<&str>,
        echo: Option<Vec<u8>>,
        now: Duration,
    ) -> Player {
        let said = self.visit.ask(scripted, target, echo, now);
        let frame = match said.parting {
            Parting::Told => Frame { persistence: Persistence::Close, ..frame },
            Parting::None | Parting::Rude => frame,
        };
        let script = match said.what {
            What::Proper => scripted.answer(frame),
            What::Malformed => scripted.malformed(),
            What::Reply(reply) => Rc::new(reply.script(frame)),
        };
        let player = Player::new(script, said.due);
        if said.parting == Parting::Rude { player.ending(End::Close) } else { player }
    }

    fn refuse(&mut self, status: u16, now: Duration, desk: &Desk) {
        desk.tally.refused();
        let frame = Frame { persistence: Persistence::Close, head_only: false };
        let script = Reply::text(status, "this is no request this server understands\n").script(frame);
        // Whatever else is in the input belongs to the same mistake.
        self.unread = true;
        self.state = State::Answer(Player::new(Rc::new(Script { status: 0, ..script }), now));
    }

    fn finish(&mut self, end: End, input: &[u8]) -> Option<Next> {
        self.state = match end {
            End::Keep => State::Head,
            End::Close | End::Cut | End::Reset | End::Silence => State::Deaf,
        };
        match end {
            End::Keep | End::Silence => None,
            End::Close => Some(Next::Close { linger: self.unread || !input.is_empty() }),
            End::Cut => Some(Next::Cut),
            End::Reset => Some(Next::Reset),
        }
    }
}

#[cfg(test)]
mod tests;
