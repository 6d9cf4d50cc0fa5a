//! The gzip wrapping (RFC 1952) around deflated data: header, checksum, members.
//!
//! A byte at a time, keeping nothing but counters; who inflates the data between is the caller's matter.

use flate2::Crc;

use crate::inflate::InflateError;

const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

// The flag bits of a header that say what follows its ten fixed bytes.
const HEADER_CRC: u8 = 1 << 1;
const EXTRA: u8 = 1 << 2;
const NAME: u8 = 1 << 3;
const COMMENT: u8 = 1 << 4;
const RESERVED: u8 = 0xe0;

/// Where in a sequence of members the input stands.
#[derive(Debug, Default)]
pub(crate) struct Gzip {
    place: Place,
    flags: u8,
    /// Bytes of `place` seen, or still to skip.
    count: u16,
    crc: Crc,
    trailer: [u8; 8],
    members: u32,
    decoded_bytes: u64,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Place {
    #[default]
    Fixed,
    ExtraLength,
    Extra,
    Name,
    Comment,
    HeaderCrc,
    Data,
    Trailer,
    /// Zero bytes after a member: padding, not another member.
    Padding,
}

/// What is to be done with input.
pub(crate) enum Step {
    /// It is deflated data.
    Inflate,
    /// So many bytes of it were wrapping.
    Eaten(usize),
}

impl Gzip {
    /// Whether the body may end here.
    pub(crate) fn may_end(&self) -> bool {
        // Between members, or before a body that turned out to be empty.
        self.place == Place::Padding || (self.place == Place::Fixed && self.count == 0)
    }

    /// Takes note of decoded data.
    pub(crate) fn decoded(&mut self, piece: &[u8]) {
        self.crc.update(piece);
    }

    /// The deflated data of this member have ended.
    pub(crate) fn data_ended(&mut self, decoded_bytes: u64) {
        self.decoded_bytes = decoded_bytes;
        self.go(Place::Trailer);
    }

    /// Eats wrapping at the start of `input`, which is not empty.
    pub(crate) fn advance(&mut self, input: &[u8]) -> Result<Step, InflateError> {
        if self.place == Place::Data {
            return Ok(Step::Inflate);
        }
        self.byte(input[0])?;
        Ok(Step::Eaten(1))
    }

    fn byte(&mut self, byte: u8) -> Result<(), InflateError> {
        match self.place {
            Place::Fixed => self.fixed(byte)?,
            Place::ExtraLength => self.extra_length(byte),
            Place::Extra => self.skip(Place::Name),
            Place::Name if byte == 0 => self.go(Place::Comment),
            Place::Comment if byte == 0 => self.go(Place::HeaderCrc),
            Place::HeaderCrc => self.skip(Place::Data),
            Place::Trailer => self.trailer(byte)?,
            Place::Padding if byte == 0 => {}
            Place::Padding => return Err(Self::no_header()),
            Place::Name | Place::Comment | Place::Data => {}
        }
        Ok(())
    }

    fn fixed(&mut self, byte: u8) -> Result<(), InflateError> {
        let at = usize::from(self.count);
        if at == 0 && self.members > 0 && byte == 0 {
            self.place = Place::Padding;
            return Ok(());
        }
        if MAGIC.get(at).is_some_and(|&magic| magic != byte) || (at == 3 && byte & RESERVED != 0) {
            return Err(Self::no_header());
        }
        if at == 3 {
            self.flags = byte;
        }
        self.count += 1;
        if self.count == 10 {
            self.go(Place::ExtraLength);
        }
        Ok(())
    }

    /// Two bytes, little-endian.
    fn extra_length(&mut self, byte: u8) {
        self.trailer[usize::from(self.count)] = byte;
        self.count += 1;
        if self.count == 2 {
            let length = u16::from_le_bytes([self.trailer[0], self.trailer[1]]);
            self.go(if length == 0 { Place::Name } else { Place::Extra });
            if length > 0 {
                self.count = length;
            }
        }
    }

    fn skip(&mut self, next: Place) {
        self.count -= 1;
        if self.count == 0 {
            self.go(next);
        }
    }

    fn trailer(&mut self, byte: u8) -> Result<(), InflateError> {
        self.trailer[usize::from(self.count)] = byte;
        self.count += 1;
        if self.count < 8 {
            return Ok(());
        }
        let expected = (u64::from(self.crc.amount()) << 32) | u64::from(self.crc.sum());
        if u64::from_le_bytes(self.trailer) != expected {
            let decoded_bytes = self.decoded_bytes;
            return Err(InflateError::Checksum { decoded_bytes });
        }
        self.crc.reset();
        self.members = self.members.saturating_add(1);
        self.go(Place::Fixed);
        Ok(())
    }

    /// Moves on, past the parts of the header that the flags say are not there.
    fn go(&mut self, place: Place) {
        let has = |flag| self.flags & flag != 0;
        self.place = match place {
            Place::ExtraLength if has(EXTRA) => Place::ExtraLength,
            Place::Extra => Place::Extra,
            Place::ExtraLength | Place::Name if has(NAME) => Place::Name,
            Place::ExtraLength | Place::Name | Place::Comment if has(COMMENT) => Place::Comment,
            Place::Fixed | Place::Data | Place::Trailer | Place::Padding => place,
            _ if has(HEADER_CRC) => Place::HeaderCrc,
            _ => Place::Data,
        };
        self.count = if self.place == Place::HeaderCrc { 2 } else { 0 };
    }

    fn no_header() -> InflateError {
        InflateError::Header { coding: "gzip" }
    }
}
