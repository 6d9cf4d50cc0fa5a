//! The nine bytes before each payload (RFC 9113 section 4.1).

use std::fmt;

/// The flags of frames, by the bit that stands for them; a bit means something only for the kinds named.
pub mod flag {
    /// `DATA`, `HEADERS`: the last frame of this side of the stream.
    pub const END_STREAM: u8 = 0x1;
    /// `SETTINGS`, `PING`: an acknowledgement.
    pub const ACK: u8 = 0x1;
    /// `HEADERS`, `CONTINUATION`: the header block ends with this frame.
    pub const END_HEADERS: u8 = 0x4;
    /// `DATA`, `HEADERS`: a byte with the length of the padding comes first.
    pub const PADDED: u8 = 0x8;
    /// `HEADERS`: five bytes of priority come before the block.
    pub const PRIORITY: u8 = 0x20;
}

/// The number of a stream, in [0, 2^31 - 1].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(u32);

/// What a frame is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Part of a body.
    Data,
    /// The start of a header block.
    Headers,
    /// Advice that is no longer followed.
    Priority,
    /// One side gives up a stream.
    RstStream,
    /// What the sender can take.
    Settings,
    /// A stream the server would open.
    PushPromise,
    /// A sign of life, to be returned.
    Ping,
    /// No more streams on this connection.
    Goaway,
    /// Room for more body bytes.
    WindowUpdate,
    /// The rest of a header block.
    Continuation,
    /// A kind this does not know; to be ignored.
    Unknown(u8),
}

/// What comes before a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameHeader {
    /// The length of the payload, in [0, 2^24 - 1].
    pub length: u32,
    /// What the frame is for.
    pub kind: Kind,
    /// Bits of [`flag`].
    pub flags: u8,
    /// The stream it belongs to, or [`StreamId::CONNECTION`].
    pub stream: StreamId,
}

impl FrameHeader {
    /// The size of every frame header.
    pub const BYTES: usize = 9;

    /// Reads a header; any nine bytes are one.
    #[inline]
    pub fn parse(bytes: &[u8; Self::BYTES]) -> Self {
        let [l0, l1, l2, kind, flags, s0, s1, s2, s3] = *bytes;
        Self {
            length: u32::from_be_bytes([0, l0, l1, l2]),
            kind: Kind::of(kind),
            flags,
            stream: StreamId::new(u32::from_be_bytes([s0, s1, s2, s3])),
        }
    }

    /// Appends the header to `out`; the caller appends the payload.
    #[inline]
    pub fn put(&self, out: &mut Vec<u8>) {
        let [_, l0, l1, l2] = self.length.to_be_bytes();
        let [s0, s1, s2, s3] = self.stream.get().to_be_bytes();
        out.extend_from_slice(&[l0, l1, l2, self.kind.byte(), self.flags, s0, s1, s2, s3]);
    }

    /// Whether a bit of [`flag`] is set.
    #[inline]
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

impl StreamId {
    /// What frames about the whole connection carry.
    pub const CONNECTION: Self = Self(0);
    /// The largest there is.
    pub const MAX: Self = Self((1 << 31) - 1);

    /// From 32 bits, the first of which is reserved and dropped.
    pub const fn new(bits: u32) -> Self {
        Self(bits & Self::MAX.0)
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Whether a client opens streams of this number: they are odd.
    pub const fn is_clients(self) -> bool {
        self.0 & 1 == 1
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Kind {
    #[inline]
    fn of(byte: u8) -> Self {
        match byte {
            0 => Self::Data,
            1 => Self::Headers,
            2 => Self::Priority,
            3 => Self::RstStream,
            4 => Self::Settings,
            5 => Self::PushPromise,
            6 => Self::Ping,
            7 => Self::Goaway,
            8 => Self::WindowUpdate,
            9 => Self::Continuation,
            other => Self::Unknown(other),
        }
    }

    fn byte(self) -> u8 {
        match self {
            Self::Data => 0,
            Self::Headers => 1,
            Self::Priority => 2,
            Self::RstStream => 3,
            Self::Settings => 4,
            Self::PushPromise => 5,
            Self::Ping => 6,
            Self::Goaway => 7,
            Self::WindowUpdate => 8,
            Self::Continuation => 9,
            Self::Unknown(other) => other,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Data => "DATA",
            Self::Headers => "HEADERS",
            Self::Priority => "PRIORITY",
            Self::RstStream => "RST_STREAM",
            Self::Settings => "SETTINGS",
            Self::PushPromise => "PUSH_PROMISE",
            Self::Ping => "PING",
            Self::Goaway => "GOAWAY",
            Self::WindowUpdate => "WINDOW_UPDATE",
            Self::Continuation => "CONTINUATION",
            Self::Unknown(other) => return write!(f, "a frame of unknown kind {other}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_put_is_parsed(bytes: [u8; 9]) {
            let header = FrameHeader::parse(&bytes);
            let mut put = Vec::new();
            header.put(&mut put);
            let mut expected = bytes;
            expected[5] &= 0x7f;
            prop_assert_eq!(&put[..], &expected[..]);
        }
    }
}
