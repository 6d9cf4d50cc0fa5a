//! TLS over a carrier, without buffers of its own between calls.
//!
//! What was read lies in the thread's buffer and is decrypted into the thread's other one; a connection keeps
//! only the bytes of a record that is not whole yet, and what the socket did not take.

use std::cell::OnceCell;
use std::io;
use std::net::IpAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use plimsoll_journey::Certificate;
use rustls::client::{ClientConnectionData, UnbufferedClientConnection};
use rustls::pki_types::ServerName;
use rustls::unbuffered::{ConnectionState, EncodeError, EncodeTlsData, EncryptError, UnbufferedStatus};
use rustls::{ClientConfig, Error};

use super::certificate;
use crate::carrier::{Buffer, Came, Carrier};

/// Plain bytes encrypted at once: one record's worth.
const RECORD_BYTES_MAX: usize = 16 * 1024;
/// What encryption adds to a record, with room to spare.
const RECORD_EXTRA: usize = 64;
/// What a handshake's message may take at first; rustls says so when it is more.
const MESSAGE_BYTES: usize = 1024;
/// Room for sending is kept where it is small.
const ROOM_KEPT_MAX: usize = 4 * 1024;

/// A carrier that speaks TLS.
pub(crate) struct TlsStream {
    carrier: Carrier,
    session: UnbufferedClientConnection,
    /// The beginning of a record.
    kept: Vec<u8>,
    /// `kept`, or the session, may hold something whole that no read has looked at.
    unread: bool,
    /// What the peer said as soon as it could: plain text that came with the end of the handshake.
    early: Vec<u8>,
    /// Encrypted, and not sent yet.
    unsent: Vec<u8>,
    /// The peer said that it would say no more.
    ended: bool,
    /// The peer's, read when somebody first asks for it.
    certificate: OnceCell<Option<Rc<Certificate>>>,
}

/// What the records that came led to.
struct Opened {
    /// Bytes of the records that are done with.
    used: usize,
    /// Bytes of plain text that they held.
    plain: usize,
    /// The session can be written to: there is no more handshake.
    ready: bool,
}

impl TlsStream {
    pub(crate) fn new(carrier: Carrier, config: Arc<ClientConfig>, name: ServerName<'static>) -> Result<Self, Error> {
        let session = UnbufferedClientConnection::new(config, name)?;
        Ok(Self {
            carrier,
            session,
            kept: Vec::new(),
            unread: true,
            early: Vec::new(),
            unsent: Vec::new(),
            ended: false,
            certificate: OnceCell::new(),
        })
    }

    /// Shakes hands. What we say last goes out with the first request.
    pub(crate) fn poll_handshake(&mut self, cx: &mut Context<'_>, buffer: &mut Buffer) -> Poll<io::Result<()>> {
        loop {
            let (held, _) = ready!(self.poll_fill(cx, buffer))?;
            let Some(held) = held else {
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::UnexpectedEof, "closed during the handshake")));
            };
            let (sealed, _) = buffer.sides();
            let opened = match self.open(&mut sealed[..held], None) {
                Ok(opened) => opened,
                Err(error) => {
                    // The alert that says why may still reach the peer.
                    let _ = self.poll_flush(cx);
                    return Poll::Ready(Err(io::Error::other(error)));
                }
            };
            self.keep(&sealed[opened.used..held]);
            if opened.ready {
                self.unread = true;
                return Poll::Ready(Ok(()));
            }
            // Nothing whole is left; what we have to say may have to be said before the peer goes on.
            ready!(self.poll_flush(cx))?;
        }
    }

    /// What the peer agreed to speak.
    pub(crate) fn protocol(&self) -> Option<&[u8]> {
        self.session.alpn_protocol()
    }

    /// The address at the other end.
    pub(crate) fn peer(&self) -> Option<IpAddr> {
        self.carrier.peer()
    }

    /// The peer's certificate in words; none if it cannot be put into them.
    pub(crate) fn certificate(&self) -> Option<Rc<Certificate>> {
        let read = || {
            let first = self.session.peer_certificates()?.first()?;
            certificate::read(first).map(Rc::new)
        };
        self.certificate.get_or_init(read).clone()
    }

    pub(crate) fn poll_read<'b>(&mut self, cx: &mut Context<'_>, buffer: &'b mut Buffer) -> Poll<io::Result<Came<'b>>> {
        loop {
            if self.ended {
                return Poll::Ready(Ok(Came { bytes: &[], age: 0 }));
            }
            if !self.early.is_empty() {
                let early = std::mem::take(&mut self.early);
                buffer.sides().1[..early.len()].copy_from_slice(&early);
                return Poll::Ready(Ok(Came { bytes: buffer.plain(early.len()), age: 0 }));
            }
            // What was not sent must go on being sent; its errors show in reading too.
            let _ = self.poll_flush(cx);
            let (held, age) = ready!(self.poll_fill(cx, buffer))?;
            let Some(held) = held else {
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::UnexpectedEof, "closed without TLS's farewell")));
            };
            let (sealed, plain) = buffer.sides();
            let opened = self.open(&mut sealed[..held], Some(plain)).map_err(io::Error::other)?;
            self.keep(&sealed[opened.used..held]);
            if opened.plain > 0 {
                return Poll::Ready(Ok(Came { bytes: buffer.plain(opened.plain), age }));
            }
        }
    }

    /// Encrypts what fits one record, and sends it together with what was not sent before.
    pub(crate) fn poll_write(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.unsent.len() > RECORD_BYTES_MAX {
            ready!(self.poll_flush(cx))?;
        }
        let bytes = &bytes[..bytes.len().min(RECORD_BYTES_MAX)];
        self.seal(bytes).map_err(io::Error::other)?;
        if let Poll::Ready(Err(error)) = self.poll_flush(cx) {
            return Poll::Ready(Err(error));
        }
        Poll::Ready(Ok(bytes.len()))
    }

    /// Whether something came that nobody has read yet.
    pub(crate) fn poll_stirred(&self, cx: &mut Context<'_>) -> bool {
        self.carrier.poll_stirred(cx)
    }

    /// Sends what was not sent.
    fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut sent = 0;
        let result = loop {
            if sent == self.unsent.len() {
                break Poll::Ready(Ok(()));
            }
            match self.carrier.poll_write(cx, &self.unsent[sent..]) {
                Poll::Ready(Ok(0)) => break Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(count)) => sent += count,
                Poll::Ready(Err(error)) => break Poll::Ready(Err(error)),
                Poll::Pending => break Poll::Pending,
            }
        };
        self.unsent.drain(..sent);
        if self.unsent.is_empty() && self.unsent.capacity() > ROOM_KEPT_MAX {
            self.unsent = Vec::new();
        }
        result
    }

    /// Puts what was kept, and what comes, into the buffer: how many bytes lie there, and how old the last is;
    /// none at the end.
    fn poll_fill(&mut self, cx: &mut Context<'_>, buffer: &mut Buffer) -> Poll<io::Result<(Option<usize>, u64)>> {
        let (sealed, _) = buffer.sides();
        let held = self.kept.len();
        sealed[..held].copy_from_slice(&self.kept);
        if std::mem::take(&mut self.unread) {
            return Poll::Ready(Ok((Some(held), 0)));
        }
        let (count, age) = ready!(self.carrier.poll_read_behind(cx, buffer, held))?;
        Poll::Ready(Ok(((count > 0).then_some(held + count), age)))
    }

    /// Keeps the rest of what was read.
    fn keep(&mut self, rest: &[u8]) {
        if rest.is_empty() {
            // Freed, not cleared: idle connections must stay small.
            if self.kept.capacity() > 0 {
                self.kept = Vec::new();
            }
        } else {
            self.kept = rest.to_vec();
        }
    }

    /// Goes through the records in `sealed`. Their plain text must be taken at once, since nothing can be sent
    /// while there is some; without room for it, it is put aside.
    fn open(&mut self, sealed: &mut [u8], mut plain: Option<&mut [u8]>) -> Result<Opened, Error> {
        let mut opened = Opened { used: 0, plain: 0, ready: false };
        loop {
            let UnbufferedStatus { mut discard, state } = self.session.process_tls_records(&mut sealed[opened.used..]);
            let mut more = true;
            match state {
                Ok(ConnectionState::ReadTraffic(mut traffic)) => {
                    while let Some(record) = traffic.next_record() {
                        let record = record?;
                        discard += record.discard;
                        match &mut plain {
                            None => self.early.extend_from_slice(record.payload),
                            // Plain text is shorter than its records, and those fit a buffer of this size.
                            Some(plain) => {
                                let end = opened.plain + record.payload.len();
                                plain[opened.plain..end].copy_from_slice(record.payload);
                                opened.plain = end;
                            }
                        }
                    }
                }
                Ok(ConnectionState::EncodeTlsData(message)) => encode(message, &mut self.unsent)?,
                Ok(ConnectionState::TransmitTlsData(message)) => message.done(),
                Ok(ConnectionState::WriteTraffic(_)) => {
                    opened.ready = true;
                    more = false;
                }
                Ok(ConnectionState::PeerClosed | ConnectionState::Closed) => {
                    self.ended = true;
                    more = false;
                }
                Ok(_) => more = false,
                Err(error) => {
                    self.last_words(&mut sealed[opened.used + discard..]);
                    return Err(error);
                }
            }
            opened.used += discard;
            if !more {
                return Ok(opened);
            }
        }
    }

    /// After an error, the session may have an alert to send. It may also still point into what was not used.
    fn last_words(&mut self, rest: &mut [u8]) {
        if let Ok(ConnectionState::EncodeTlsData(message)) = self.session.process_tls_records(rest).state {
            // Nobody is told of an alert that cannot be encoded: the error that it is about is told anyway.
            let _ = encode(message, &mut self.unsent);
        }
    }

    fn seal(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let start = self.unsent.len();
        let mut room = bytes.len() + RECORD_EXTRA;
        let result = loop {
            self.unsent.resize(start + room, 0);
            // The session may point into what was kept: a message in several records, of which one is here.
            let UnbufferedStatus { discard, state } = self.session.process_tls_records(&mut self.kept);
            let sealed = match state {
                Ok(ConnectionState::WriteTraffic(mut traffic)) => traffic.encrypt(bytes, &mut self.unsent[start..]),
                Ok(_) => break Err(Error::HandshakeNotComplete),
                Err(error) => break Err(error),
            };
            self.kept.drain(..discard);
            match sealed {
                Ok(count) => break Ok(count),
                Err(EncryptError::InsufficientSize(needs)) => room = needs.required_size,
                Err(EncryptError::EncryptExhausted) => break Err(Error::EncryptError),
            }
        };
        self.unsent.truncate(start + *result.as_ref().unwrap_or(&0));
        result.map(drop)
    }
}

fn encode(mut message: EncodeTlsData<'_, ClientConnectionData>, out: &mut Vec<u8>) -> Result<(), Error> {
    let start = out.len();
    let mut room = MESSAGE_BYTES;
    loop {
        out.resize(start + room, 0);
        match message.encode(&mut out[start..]) {
            Ok(count) => {
                out.truncate(start + count);
                return Ok(());
            }
            Err(EncodeError::InsufficientSize(needs)) => room = needs.required_size,
            Err(EncodeError::AlreadyEncoded) => {
                out.truncate(start);
                return Ok(());
            }
        }
    }
}
