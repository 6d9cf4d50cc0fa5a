//! HTTP/1.1 on a connection of one's own: sends a request and reads its answer.
//!
//! The read buffer is the thread's, not the connection's, so that an idle connection costs next to nothing.

use std::future::poll_fn;
use std::io;
use std::rc::Rc;
use std::task::{Context, Poll};

use plimsoll_http::{Closed, Fed, Request, ResponseParser};
use plimsoll_model::Outcome;

use crate::clock::Moment;
use crate::dial::Dialler;
use crate::fault::{Broken, Fault, plain};
use crate::hand::Hand;
use crate::stream::Stream;
use crate::tls;

/// One connection at a time, and one request at a time on it.
#[derive(Default)]
pub(crate) struct One {
    stream: Option<Stream>,
    parser: ResponseParser,
}

/// What reading led to.
enum Step {
    More,
    Done { leftover: bool },
}

impl One {
    /// One request to one place: on the connection there is, else on a new one; again on a new one if the kept
    /// one turns out to be closed.
    pub(crate) async fn attempt(&mut self, hand: &mut Hand, request: &Request, dialler: &Dialler) -> Result<(), Fault> {
        self.discard_stirred(hand).await;
        let reused = self.stream.is_some();
        if !reused {
            self.stream = Some(hand.connect(dialler).await?);
        }
        match self.talk(hand, request).await {
            Ok(()) => Ok(()),
            Err(Broken::Unanswered(_)) if reused && request.is_idempotent() => {
                hand.reconnects();
                self.stream = Some(hand.connect(dialler).await?);
                self.talk(hand, request).await.map_err(Broken::into_fault)
            }
            Err(broken) => Err(broken.into_fault()),
        }
    }

    /// A connection on which something happened while it was idle is of no use: it was closed, or holds bytes
    /// that answer no question of ours.
    async fn discard_stirred(&mut self, hand: &Hand) {
        let gone = poll_fn(|cx| {
            let Some(stream) = &mut self.stream else { return Poll::Ready(None) };
            if !stream.poll_stirred(cx) {
                return Poll::Ready(None);
            }
            let mut buffer = hand.worker.buffer();
            Poll::Ready(match stream.poll_read(cx, &mut buffer) {
                Poll::Pending => None,
                Poll::Ready(Ok(came)) if !came.bytes.is_empty() => Some("bytes came that answer no request"),
                Poll::Ready(_) => Some(""),
            })
        })
        .await;
        if let Some(reason) = gone {
            self.stream = None;
            hand.reconnects();
            if !reason.is_empty() {
                hand.worker.recorder().reason(hand.due, reason.to_owned());
            }
        }
    }

    /// Sends a request on the connection and reads its answer.
    async fn talk(&mut self, hand: &mut Hand, request: &Request) -> Result<(), Broken> {
        self.parser.begin(request.is_head());
        hand.begin();
        if let (Some(look), Some(stream)) = (&mut hand.look, &self.stream) {
            look.meet(stream);
        }
        let mut written = 0;
        let result = poll_fn(|cx| self.poll_talk(cx, hand, request.bytes(), &mut written)).await;
        let whole = written == request.bytes().len();
        let keeps = matches!(result, Ok(false)) && whole && self.parser.keep_alive() && !request.closes();
        if !keeps {
            self.stream = None;
        }
        hand.answer.status = self.parser.status();
        hand.answer.body_bytes = self.parser.body_bytes();
        let leftover = result?;
        hand.spans.answered(hand.asked, hand.answer.first, hand.answer.last);
        if leftover {
            hand.worker.recorder().reason(hand.due, "bytes came after the end of an answer".to_owned());
            hand.reconnects();
        }
        Ok(())
    }

    fn poll_talk(
        &mut self,
        cx: &mut Context<'_>,
        hand: &mut Hand,
        bytes: &[u8],
        written: &mut usize,
    ) -> Poll<Result<bool, Broken>> {
        hand.watch(cx);
        if hand.expired() {
            return Poll::Ready(Err(Broken::Fault(hand.missing())));
        }
        self.poll_send(cx, hand, bytes, written);
        let worker = Rc::clone(&hand.worker);
        loop {
            let mut buffer = worker.buffer();
            let Some(stream) = &mut self.stream else {
                return Poll::Ready(Err(Broken::Unanswered("no connection".to_owned())));
            };
            let read = match stream.poll_read(cx, &mut buffer) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Err(error)) => self.broken_by(&error),
                Poll::Ready(Ok(came)) if came.bytes.is_empty() => self.closed(),
                Poll::Ready(Ok(came)) => self.take(hand, came.bytes, worker.now().saturating_sub(came.age)),
            };
            match read {
                Ok(Step::More) if hand.expired() => return Poll::Ready(Err(Broken::Fault(hand.missing()))),
                // The rest is to be read as it comes.
                Ok(Step::More) => hand.act(true),
                Ok(Step::Done { leftover }) => return Poll::Ready(Ok(leftover)),
                Err(broken) => return Poll::Ready(Err(broken)),
            }
        }
    }

    /// Writes what the connection takes. An error is left to the read that follows: a server may have answered
    /// and closed before it had read everything, and its answer is what counts.
    #[inline]
    fn poll_send(&mut self, cx: &mut Context<'_>, hand: &mut Hand, bytes: &[u8], written: &mut usize) {
        let Some(stream) = &mut self.stream else { return };
        let before = *written;
        while *written < bytes.len() {
            match stream.poll_write(cx, &bytes[*written..]) {
                Poll::Ready(Ok(count)) if count > 0 => *written += count,
                Poll::Ready(_) | Poll::Pending => return,
            }
        }
        if before < bytes.len() {
            hand.sent_whole();
        }
    }

    #[inline]
    fn take(&mut self, hand: &mut Hand, bytes: &[u8], arrived: Moment) -> Result<Step, Broken> {
        hand.came(arrived);
        let fed = match &mut hand.look {
            None => self.parser.feed(bytes, &mut ()),
            Some(look) => self.parser.feed(bytes, &mut **look),
        };
        match fed.map_err(|error| Broken::from(error).or_rather(other_protocol(bytes)))? {
            Fed::More => Ok(Step::More),
            Fed::Done { consumed } => Ok(Step::Done { leftover: consumed < bytes.len() }),
        }
    }

    fn closed(&mut self) -> Result<Step, Broken> {
        match self.parser.close()? {
            Closed::Complete => Ok(Step::Done { leftover: false }),
            Closed::BeforeAnswer => Err(Broken::Unanswered("closed without an answer".to_owned())),
        }
    }

    fn broken_by(&mut self, error: &io::Error) -> Result<Step, Broken> {
        if let Some(reason) = tls::of_io(error) {
            return Err(Broken::Fault(Fault::new(Outcome::Tls, reason)));
        }
        if error.kind() == io::ErrorKind::UnexpectedEof {
            return self.cut_off();
        }
        Err(if self.parser.answered() {
            let reason = format!("in the middle of the answer: {}", plain(error));
            Broken::Fault(Fault::new(Outcome::Reset, reason))
        } else {
            Broken::Unanswered(format!("before the answer: {}", plain(error)))
        })
    }

    /// TLS ended without a farewell. Where only the end of the connection ends the answer, anybody could have
    /// made that end.
    fn cut_off(&mut self) -> Result<Step, Broken> {
        match self.closed()? {
            Step::Done { .. } => Err(Broken::Fault(Fault::new(
                Outcome::Reset,
                "the connection ended without TLS's farewell: the answer may have been cut".to_owned(),
            ))),
            more => Ok(more),
        }
    }
}

/// What a port speaks instead, if its first bytes give it away.
fn other_protocol(bytes: &[u8]) -> Option<&'static str> {
    // A record of TLS: an alert, or a handshake. A frame of HTTP/2: SETTINGS on stream 0 (RFC 9113, section 4.1).
    match bytes {
        [0x15 | 0x16, 3, ..] => Some("the server speaks TLS on this port: write the URL with https://"),
        [0, _, _, 4, _, 0, 0, 0, 0, ..] => Some("the server speaks HTTP/2 on this port: try `--http2`"),
        _ => None,
    }
}
