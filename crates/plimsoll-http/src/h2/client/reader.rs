//! Frames out of whatever pieces come.
//!
//! A frame that lies whole in one piece is read where it lies. Of `DATA` nothing is ever kept: its payload is passed
//! on as it comes. Everything else that is incomplete is kept, up to the size that a frame may have.

use super::{Client, Effects};
use crate::error::seen;
use crate::h2::error::{BLOCK_FRAMES_MAX, H2Error};
use crate::h2::events::Events;
use crate::h2::frame::{FRAME_BYTES_DEFAULT, FrameHeader, Kind, StreamId, flag};

/// Memory for an incomplete frame that is not given back, since the next one is likely to need as much.
const KEPT_BYTES_SPARED: usize = 1024;

#[derive(Debug, Default)]
pub(super) struct Reader {
    /// The start of a frame that is not `DATA`; at most a header and a payload.
    kept: Vec<u8>,
    /// The `DATA` frame that is being read.
    data: Option<Data>,
    /// The header block that goes on in the next frame.
    pub(super) block: Option<Block>,
    /// Whether the server's first frame was good.
    greeted: bool,
}

/// What is left of a `DATA` frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Data {
    pub(super) id: StreamId,
    /// Whether the byte with the length of the padding is still to come; `body` includes it then, and the padding.
    pub(super) is_padded: bool,
    pub(super) body: u32,
    pub(super) padding: u32,
    pub(super) ends: bool,
}

/// A header block that takes several frames.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) id: StreamId,
    pub(super) ends: bool,
    /// In [1, BLOCK_FRAMES_MAX].
    pub(super) frames: u16,
    pub(super) bytes: Vec<u8>,
}

impl Reader {
    pub(super) fn kept_bytes(&self) -> usize {
        self.kept.capacity() + self.block.as_ref().map_or(0, |block| block.bytes.capacity())
    }

    /// The stream of the frame that has begun to come, if its header has.
    pub(super) fn unfinished(&self) -> Option<StreamId> {
        let header = self.kept.first_chunk().map(FrameHeader::parse)?;
        matches!(header.kind, Kind::Headers).then_some(header.stream)
    }

    /// What must hold for a frame whatever it says, from its header alone. `start` is what came, to quote from.
    #[inline]
    fn check(&self, header: &FrameHeader, start: &[u8]) -> Result<(), H2Error> {
        if !self.greeted {
            check_greeting(header, start)?;
        }
        let (kind, length) = (header.kind, header.length);
        if length > FRAME_BYTES_DEFAULT {
            return Err(H2Error::FrameTooLarge { kind, length });
        }
        match (&self.block, kind) {
            (None, Kind::Continuation) => Err(H2Error::LoneContinuation { stream: header.stream }),
            (Some(block), _) if kind != Kind::Continuation || block.id != header.stream => {
                Err(H2Error::Interleaved { stream: block.id, kind, seen: header.stream })
            }
            (Some(block), _) if block.frames >= BLOCK_FRAMES_MAX => Err(H2Error::TooManyContinuations),
            _ => check_length(header),
        }
    }

    fn keep(&mut self, kept: Vec<u8>) {
        self.kept = kept;
    }

    /// Takes back the memory of a frame that has been read.
    fn recycle(&mut self, mut kept: Vec<u8>) {
        kept.clear();
        if kept.capacity() <= KEPT_BYTES_SPARED {
            self.kept = kept;
        }
    }
}

#[cold]
fn check_greeting(header: &FrameHeader, start: &[u8]) -> Result<(), H2Error> {
    if start.starts_with(b"HTTP/1.") {
        let line = start.split(|&b| matches!(b, b'\r' | b'\n')).next();
        return Err(H2Error::Http1 { seen: seen(line.unwrap_or_default()) });
    }
    if header.kind != Kind::Settings || header.has(flag::ACK) {
        return Err(H2Error::FirstFrame { seen: first_frame(header, start) });
    }
    Ok(())
}

/// What to call a first frame: by its kind if it looks like one, or else by its bytes.
fn first_frame(header: &FrameHeader, start: &[u8]) -> Box<str> {
    match header.kind {
        Kind::Settings => "SETTINGS with ACK".into(),
        Kind::Unknown(_) => seen(start),
        _ if header.length > FRAME_BYTES_DEFAULT => seen(start),
        kind => kind.to_string().into(),
    }
}

fn check_length(header: &FrameHeader) -> Result<(), H2Error> {
    let (kind, length) = (header.kind, header.length);
    let (is_good, expected) = match kind {
        Kind::Settings if header.has(flag::ACK) => (length == 0, "nothing"),
        Kind::Settings => (length % 6 == 0, "a multiple of 6 bytes"),
        Kind::Ping => (length == 8, "8 bytes"),
        Kind::RstStream | Kind::WindowUpdate => (length == 4, "4 bytes"),
        Kind::Goaway => (length >= 8, "at least 8 bytes"),
        Kind::Priority => (length == 5, "5 bytes"),
        _ => (true, ""),
    };
    if is_good { Ok(()) } else { Err(H2Error::FrameLength { kind, length, expected }) }
}

impl Client {
    #[inline]
    pub(super) fn read<E: Events>(&mut self, input: &[u8], to: &mut Effects<'_, E>) -> Result<(), H2Error> {
        let mut rest = input;
        while !rest.is_empty() {
            let eaten = match self.reader.data.take() {
                Some(data) => self.resume_data(data, rest, to)?,
                None if self.reader.kept.is_empty() => self.read_frame(rest, to)?,
                None => self.resume_frame(rest, to)?,
            };
            rest = &rest[eaten..];
        }
        Ok(())
    }

    /// Reads the frame at the start of `input`; returns how much of it was eaten.
    #[inline]
    fn read_frame<E: Events>(&mut self, input: &[u8], to: &mut Effects<'_, E>) -> Result<usize, H2Error> {
        let Some((header, payload)) = input.split_first_chunk() else {
            self.reader.kept.extend_from_slice(input);
            return Ok(input.len());
        };
        let header = FrameHeader::parse(header);
        self.reader.check(&header, input)?;
        if header.kind == Kind::Data {
            let data = self.begin_data(&header, to)?;
            self.put_back(data, to)?;
            return Ok(FrameHeader::BYTES);
        }
        let Some(payload) = payload.get(..header.length as usize) else {
            self.reader.kept.extend_from_slice(input);
            return Ok(input.len());
        };
        self.frame(&header, payload, to)?;
        Ok(FrameHeader::BYTES + payload.len())
    }

    /// Goes on with a frame of which the start is kept.
    #[cold]
    fn resume_frame<E: Events>(&mut self, input: &[u8], to: &mut Effects<'_, E>) -> Result<usize, H2Error> {
        let mut kept = std::mem::take(&mut self.reader.kept);
        let mut eaten = fill(&mut kept, FrameHeader::BYTES, input);
        let Some(header) = kept.first_chunk().map(FrameHeader::parse) else {
            self.reader.keep(kept);
            return Ok(eaten);
        };
        if eaten > 0 {
            // Its header has only now come whole.
            self.reader.check(&header, &kept)?;
        }
        if header.kind == Kind::Data {
            self.reader.recycle(kept);
            let data = self.begin_data(&header, to)?;
            self.put_back(data, to)?;
            return Ok(eaten);
        }
        let whole = FrameHeader::BYTES + header.length as usize;
        eaten += fill(&mut kept, whole, &input[eaten..]);
        if kept.len() < whole {
            self.reader.keep(kept);
            return Ok(eaten);
        }
        self.frame(&header, &kept[FrameHeader::BYTES..], to)?;
        self.reader.recycle(kept);
        Ok(eaten)
    }

    /// Goes on with a `DATA` frame; `input` is not empty.
    #[inline]
    fn resume_data<E: Events>(
        &mut self,
        mut data: Data,
        input: &[u8],
        to: &mut Effects<'_, E>,
    ) -> Result<usize, H2Error> {
        let eaten = if data.is_padded {
            let padding = u32::from(input[0]);
            data.body = (data.body - 1).checked_sub(padding).ok_or(H2Error::Padding { kind: Kind::Data })?;
            (data.padding, data.is_padded) = (padding, false);
            self.announce_body(data.id, data.body, to)?;
            1
        } else if data.body > 0 {
            let piece = &input[..input.len().min(data.body as usize)];
            data.body -= piece.len() as u32;
            self.body(data.id, piece, to);
            piece.len()
        } else {
            let skipped = input.len().min(data.padding as usize);
            data.padding -= skipped as u32;
            skipped
        };
        self.put_back(data, to)?;
        Ok(eaten)
    }

    /// Remembers what is left of a `DATA` frame, or ends it.
    #[inline]
    fn put_back<E: Events>(&mut self, data: Data, to: &mut Effects<'_, E>) -> Result<(), H2Error> {
        if data.is_padded || data.body > 0 || data.padding > 0 {
            self.reader.data = Some(data);
            return Ok(());
        }
        if data.ends { self.end_of_body(data.id, to) } else { Ok(()) }
    }

    /// Obeys a whole frame that is not `DATA`.
    #[inline]
    fn frame<E: Events>(
        &mut self,
        header: &FrameHeader,
        payload: &[u8],
        to: &mut Effects<'_, E>,
    ) -> Result<(), H2Error> {
        match header.kind {
            Kind::Headers => self.headers(header, payload, to),
            Kind::Continuation => self.continuation(header, payload, to),
            Kind::Settings => {
                self.settings(header, payload, to)?;
                self.reader.greeted = true;
                Ok(())
            }
            Kind::Ping => self.ping(header, payload, to),
            Kind::Goaway => self.goaway_came(header, payload, to),
            Kind::WindowUpdate => self.window_update(header, payload, to),
            Kind::RstStream => self.rst_stream(header, payload, to),
            Kind::PushPromise => Err(H2Error::Push),
            // Advice that is no longer followed, and what a later standard may add (RFC 9113 sections 5.3.2, 5.5).
            Kind::Priority | Kind::Unknown(_) | Kind::Data => Ok(()),
        }
    }
}

/// Adds to `kept` from `input` until it has `whole` bytes; returns how many it took.
fn fill(kept: &mut Vec<u8>, whole: usize, input: &[u8]) -> usize {
    let take = whole.saturating_sub(kept.len()).min(input.len());
    kept.extend_from_slice(&input[..take]);
    take
}
